import {describe, expect, test} from 'vitest';
import {hashLine} from '#app/log/marking.ts';
import {parseInstant} from '#log/line/instant.ts';
import type {LogMemory} from '#log/overview/log-memory.ts';
import {branchesNamed, give, type Play, sampleState, startAt, type, windowOf} from '../../support/play.ts';

const at = (clock: string): bigint => parseInstant(`2026-11-21T${clock}Z`) ?? 0n;

const nothing: LogMemory = {
  filters: [],
  filtersOff: [],
  contextLines: 0,
  minimumLevel: undefined,
  wraps: false,
  timeMode: undefined,
  rows: undefined,
  highlights: [],
  marks: [],
};

const key = {contextName: 'production', siteId: 'site-1', branchId: 'b-master'};

/** Opens the log of master, and nothing has been answered yet. */
const openLog = (remembersLogs = true): Play => {
  const play = startAt(sampleState({remembersLogs}));
  play.send({kind: 'started'});
  give(play, 'open');
  play.branchesArrive(branchesNamed('master'));
  give(play, 'open');
  return play;
};

const recall = (play: Play, memory: LogMemory | undefined): void =>
  play.send({kind: 'logRecalled', generation: play.state.generation, memory});

/** What is ordered to be kept by the last event. */
const kept = (play: Play): LogMemory | undefined =>
  play.effects.flatMap(effect => (effect.kind === 'rememberLog' ? [effect.memory] : []))[0];

test('with the log its memory is asked for, by context, site and branch', () => {
  const play = openLog();
  expect(play.effects).toContainEqual({kind: 'recallLog', key, generation: play.state.generation});
  expect(openLog(false).effects.map(({kind}) => kind)).not.toContain('recallLog');
});

test('a log of several branches is neither recalled nor kept', () => {
  const play = startAt(sampleState({remembersLogs: true}));
  play.send({kind: 'started'});
  give(play, 'open');
  play.branchesArrive();
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  expect(play.state.log?.sources).toHaveLength(2);
  expect(play.effects.map(({kind}) => kind)).not.toContain('recallLog');
  give(play, 'toggleWrap');
  expect(kept(play)).toBeUndefined();
});

test('what is changed is kept, each time all of it', () => {
  const play = openLog();
  recall(play, undefined);
  expect(kept(play)).toBeUndefined();
  play.windowArrives(windowOf(1, 2, 3));
  expect(kept(play)).toBeUndefined();
  give(play, 'toggleWrap');
  expect(kept(play)).toEqual({...nothing, wraps: true, timeMode: 'clock', lastSeenAt: at('14:00:03')});
  type(play, 'filterIn', 'line');
  type(play, 'filterOut', 're:[0]$');
  give(play, 'moreContext', 'raiseLevel', 'nextTimeMode');
  type(play, 'highlight', 'Fatal');
  expect(kept(play)).toEqual({
    filters: ['+line', '-re:[0]$'],
    filtersOff: [],
    contextLines: 1,
    minimumLevel: 'info',
    wraps: true,
    timeMode: 'utc',
    highlights: ['Fatal'],
    marks: [],
    lastSeenAt: at('14:00:03'),
  });
  // Keys that change nothing of it.
  give(play, 'moveUp');
  expect(kept(play)).toBeUndefined();
});

test('a time mode that was chosen is kept, and chosen again next time', () => {
  const play = openLog();
  recall(play, undefined);
  give(play, 'nextTimeMode');
  expect(kept(play)).toEqual({...nothing, timeMode: 'utc'});
  const next = openLog();
  recall(next, {...nothing, timeMode: 'utc'});
  expect(next.state.log?.look.time).toBe('utc');
});

test.each(['sinceLine', 'sinceMark'])('a distance is for one look at a log, and not chosen again: %s', timeMode => {
  const play = openLog();
  recall(play, {...nothing, timeMode});
  expect(play.state.log?.look.time).toBe('clock');
});

test('how lines are shown is kept while it differs from the setting', () => {
  const play = openLog();
  recall(play, undefined);
  give(play, 'nextRowForm');
  expect(kept(play)?.rows).toBe('received');
  give(play, 'nextRowForm', 'nextRowForm');
  expect(play.state.log?.look.rows).toBe('laid-out');
  expect(kept(play)).toEqual({...nothing, timeMode: 'clock'});
  const next = openLog();
  recall(next, {...nothing, rows: 'escaped'});
  expect(next.state.log?.look.rows).toBe('escaped');
  const strange = openLog();
  recall(strange, {...nothing, rows: 'upside-down'});
  expect(strange.state.log?.look.rows).toBe('laid-out');
});

test('folded traces and folded repeated lines are kept, and folded again next time', () => {
  const play = openLog();
  recall(play, undefined);
  give(play, 'toggleRepeats');
  expect(kept(play)?.folds).toEqual(['repeats']);
  give(play, 'toggleFolds');
  expect(kept(play)?.folds).toEqual(['traces', 'repeats']);
  const next = openLog();
  recall(next, {...nothing, folds: ['traces', 'repeats']});
  expect([next.state.log?.look.foldsTraces, next.state.log?.repeats]).toEqual([true, []]);
  give(next, 'toggleRepeats', 'toggleFolds');
  expect(kept(next)?.folds).toBeUndefined();
});

test('a mark is kept by its time and a hash of its line', () => {
  const play = openLog();
  recall(play, undefined);
  play.windowArrives(windowOf(1, 2, 3));
  give(play, 'pickLines');
  type(play, 'markLine', 'begins here');
  expect(kept(play)?.marks).toEqual([{at: at('14:00:03'), lineHash: hashLine('line 3'), note: 'begins here'}]);
  give(play, 'back');
  expect(play.state.log?.marks).toHaveLength(1);
});

test('what was kept is laid over the log, and lines that it hides are told', () => {
  const play = openLog();
  play.windowArrives(windowOf(1, 2, 3));
  recall(play, {
    ...nothing,
    filters: ['+line', '-line 2'],
    contextLines: 3,
    minimumLevel: 'warn',
    wraps: true,
    timeMode: 'utc',
    highlights: ['line'],
  });
  const {log, notice} = play.state;
  expect(log?.look).toMatchObject({wraps: true, time: 'utc'});
  expect([log?.contextLines, log?.minimumLevel]).toEqual([3, 'warn']);
  expect(log?.use.filters.map(({kind}) => kind)).toEqual(['include', 'exclude']);
  expect(log?.use.highlights).toHaveLength(1);
  expect(log?.filtering).toBeDefined();
  expect(notice).toBe('as you left it: 2 filters and minimum level warn active; X shows all lines');
  // It is as it was kept: nothing is to be written.
  expect(kept(play)).toBeUndefined();
});

test('what of a memory means nothing is left out, and the rest holds', () => {
  const play = openLog();
  recall(play, {
    ...nothing,
    filters: ['+re:(', '+good', ''],
    contextLines: 5000,
    minimumLevel: 'shouting',
    timeMode: 'moon',
    highlights: ['', 'seen', 'seen'],
    wraps: true,
  });
  const {log} = play.state;
  expect(log?.use.filters).toHaveLength(1);
  expect([log?.contextLines, log?.minimumLevel, log?.look.time, log?.look.wraps]).toEqual([9, 'none', 'clock', true]);
});

test('an answer for a log that was left is dropped', () => {
  const play = openLog();
  const {generation} = play.state;
  give(play, 'back', 'open');
  play.send({kind: 'logRecalled', generation, memory: {...nothing, wraps: true}});
  expect(play.state.log?.look.wraps).toBe(false);
});

test('marks come back with their lines, before those of this time; the others wait, and stay kept', () => {
  const marks = [
    {at: at('14:00:02'), lineHash: hashLine('line 2'), note: 'second'},
    {at: at('14:00:05'), lineHash: hashLine('line 5'), note: 'fifth'},
    {at: at('14:00:03'), lineHash: hashLine('another line'), note: 'gone'},
    {at: at('14:00:01'), lineHash: undefined, note: 'any'},
  ];
  const play = openLog();
  recall(play, {...nothing, marks});
  expect(play.state.log?.marks).toEqual([]);
  play.windowArrives(windowOf(1, 2, 3));
  expect(play.state.log?.marks.map(({note}) => note)).toEqual(['second', 'any']);
  give(play, 'pickLines');
  type(play, 'markLine', 'new');
  play.windowArrives(windowOf(1, 2, 3, 4, 5));
  expect(play.state.log?.marks.map(({note}) => note)).toEqual(['fifth', 'second', 'any', 'new']);
  expect(kept(play)?.marks.map(({note}) => note)).toEqual(['gone', 'fifth', 'second', 'any', 'new']);
});

test('a mark on a marker comes back where the marker stood: on a marker of that time, or on the line after it', () => {
  const play = openLog();
  recall(play, undefined);
  play.windowArrives(windowOf(1, 2, 3));
  play.windowArrives(windowOf(6, 7));
  give(play, 'previousMarker');
  type(play, 'markLine', 'lines are lost');
  const marks = kept(play)?.marks ?? [];
  expect(marks).toEqual([{at: at('14:00:06'), lineHash: undefined, note: 'lines are lost'}]);
  const next = openLog();
  recall(next, {...nothing, marks: [{at: at('14:00:05.5'), lineHash: undefined, note: 'a deployment'}]});
  next.windowArrives(windowOf(1, 2, 3));
  expect(next.state.log?.marks).toEqual([]);
  next.windowArrives(windowOf(1, 2, 3, 6, 7));
  expect(next.state.log?.marks).toMatchObject([{at: at('14:00:06'), note: 'a deployment'}]);
  give(next, 'toggleWrap');
  expect(kept(next)?.marks).toEqual([{at: at('14:00:06'), lineHash: hashLine('line 6'), note: 'a deployment'}]);
});

describe('a memory', () => {
  const told = ({state}: Play): string | undefined => state.notice;

  test('of filters that are off recalls them off, and only those', () => {
    const play = openLog();
    recall(play, {...nothing, filters: ['+one', '-two'], filtersOff: ['-two'], highlights: ['three']});
    const {use} = play.state.log ?? expect.fail();
    expect(use.filters.map(({kind, isOff}) => [kind, isOff])).toEqual([
      ['include', undefined],
      ['exclude', true],
    ]);
    expect(told(play)).toMatch(/^as you left it: 2 filters active; \S+ shows all lines$/);
    give(play, 'toggleWrap');
    expect(kept(play)).toMatchObject({
      filters: ['+one', '-two'],
      filtersOff: ['-two'],
      highlights: ['three'],
      wraps: true,
    });
  });

  test('of a level and a choice of sources is told, and one filter is one', () => {
    const play = openLog();
    recall(play, {...nothing, filters: ['+one'], minimumLevel: 'warn', sourcePick: {kind: 'only', names: [{}]}});
    expect(told(play)).toMatch(/^as you left it: 1 filter and minimum level warn and choice of sources active/);
    const plain = openLog();
    recall(plain, nothing);
    expect(told(plain)).toBeUndefined();
  });

  test('holds the lines of context within their bounds, and the columns', () => {
    const recalled = (change: Partial<LogMemory>) => {
      const play = openLog();
      recall(play, {...nothing, ...change});
      return play.state.log ?? expect.fail();
    };
    expect(
      [recalled({contextLines: -3}), recalled({contextLines: 9}), recalled({contextLines: 10})].map(
        ({contextLines}) => contextLines,
      ),
    ).toEqual([0, 9, 9]);
    const names = Array.from({length: 30}, (_, index) => `c${index}`);
    const {look} = recalled({columns: names});
    expect(look.columns.map(({name}) => name)).toEqual(names.slice(0, look.columns.length));
    expect(look.columns.length).toBe(20);
    expect(recalled({folds: ['traces', 'repeats']}).repeats).toEqual([]);
    expect(recalled({folds: []}).look.foldsTraces).toBe(false);
    expect(recalled({wraps: true, timeMode: 'utc', rows: 'escaped'}).look).toMatchObject({
      wraps: true,
      time: 'utc',
      rows: 'escaped',
      cellsLeft: 0,
    });
  });

  test('of another log is not kept, and nothing is kept before the memory came', () => {
    const play = openLog();
    give(play, 'toggleWrap');
    expect(kept(play)).toBeUndefined();
    recall(play, nothing);
    expect(kept(play)).toBeUndefined();
    give(play, 'toggleWrap');
    expect(kept(play)?.wraps).toBe(true);
    give(play, 'moveDown');
    expect(kept(play)).toBeUndefined();
  });
});

test('a hash is the first sixteen digits of the SHA-256 of the line', () => {
  expect(hashLine('abc')).toBe('ba7816bf8f01cfea');
});

describe('remembered marks', () => {
  const marksOf = (play: Play): readonly string[] => play.state.log?.marks.map(({note}) => note) ?? [];
  const mark = (clock: string, text: string | undefined, note: string): LogMemory['marks'][number] => ({
    at: at(clock),
    lineHash: text === undefined ? undefined : hashLine(text),
    note,
  });
  const withLines = (lines: readonly string[], marks: LogMemory['marks']): Play => {
    const play = openLog();
    recall(play, {...nothing, marks});
    play.windowArrives({...windowOf(1), value: {...windowOf(1).value, lines}});
    return play;
  };
  const tied = (count: number): readonly string[] =>
    Array.from({length: count}, (_, index) => `2026-11-21T14:00:01.000000000Z tie ${index}`);

  test('are looked for among five hundred lines of their time', () => {
    // The horizon is an entry too.
    expect(marksOf(withLines(tied(600), [mark('14:00:01', 'tie 498', 'a')]))).toEqual(['a']);
    expect(marksOf(withLines(tied(600), [mark('14:00:01', 'tie 500', 'a')]))).toEqual([]);
  });

  test('are those of the same time and text', () => {
    const lines = ['2026-11-21T14:00:01.000000000Z one', '2026-11-21T14:00:02.000000000Z two'];
    expect(
      marksOf(
        withLines(lines, [mark('14:00:02', 'two', 'a'), mark('14:00:01', 'two', 'b'), mark('14:00:01', 'one', 'c')]),
      ),
    ).toEqual(['a', 'c']);
  });

  test('of a marker stand on the line from then on, if the log reaches back that far', () => {
    const lines = ['2026-11-21T14:00:01.000000000Z one', '2026-11-21T14:00:03.000000000Z two'];
    const on = (clock: string): bigint | undefined =>
      withLines(lines, [mark(clock, undefined, 'm')]).state.log?.marks[0]?.at;
    expect(on('14:00:02')).toBe(at('14:00:03'));
    expect(on('14:00:00')).toBeUndefined();
    expect(on('14:00:04')).toBeUndefined();
  });

  test('are a hundred with those of this time, and one for each line', () => {
    const lines = Array.from(
      {length: 120},
      (_, index) =>
        `2026-11-21T14:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}.000000000Z line ${index}`,
    );
    const marks = lines.map((line, index) => mark(line.slice(11, 19), `line ${index}`, `${index}`));
    expect(marksOf(withLines(lines, marks))).toHaveLength(100);
    expect(marksOf(withLines(lines, marks))[99]).toBe('99');
    const twice = withLines(lines.slice(0, 3), marks.slice(1, 2));
    expect(marksOf(twice)).toEqual(['1']);
    expect(twice.state.log?.recollection).toEqual({kind: 'recalled', unplacedMarks: []});
  });
});
