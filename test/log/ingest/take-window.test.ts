import {describe, expect, test} from 'vitest';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {takeWindow, takingWindow} from '#log/ingest/take-window.ts';
import type {Entry, SourceName} from '#log/line/entry.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';
import type {Loss, Numbering} from '#log/window/window-claims.ts';
import {pausesIn} from '../pauses-in.ts';

const second = 1_000_000_000n;
const stamp = (at: number): string => `2026-11-21T14:00:${String(at).padStart(2, '0')}.000000000Z`;
const at = (time: number): Instant => parseInstant(stamp(time)) ?? 0n;
const lineOf = (time: number, text = `line ${time}`): string => `${stamp(time)} ${text}`;
const lines = (...times: readonly number[]): readonly string[] => times.map(time => lineOf(time));
const web: SourceName = {pod: 'web-1'};

const pods = (...names: readonly string[]) => names.map(name => ({name, createdAt: undefined}));

/** An answer with numbers from `first` on, all of one source. */
const counted = (
  first: number,
  raws: readonly string[],
  told: Partial<Numbering> = {},
  more: Partial<LogWindow> = {},
): LogWindow => ({
  lines: raws,
  pods: pods('web-1'),
  numbering: {series: 'a', first, sources: [web], runs: [[0, raws.length]], losses: [], ...told},
  ...more,
});

/** An answer without numbers. */
const plain = (raws: readonly string[], more: Partial<LogWindow> = {}): LogWindow => ({
  lines: raws,
  pods: pods('web-1'),
  ...more,
});

const empty = createBranchLog(1e6);

const takeAll = (windows: readonly LogWindow[], from = empty) => {
  let taken = takeWindow(from, windows[0] ?? plain([]));
  for (const window of windows.slice(1)) {
    taken = takeWindow(taken.log, window);
  }
  return taken;
};

const show = (entry: Entry): string =>
  entry.kind === 'line'
    ? entry.raw.replace(/^\S+ /, '')
    : entry.kind === 'pod'
      ? `${entry.name} ${entry.change}${entry.ending === undefined ? '' : ` (${entry.ending})`}`
      : entry.kind;
const shown = ({buffer}: BranchLog): readonly string[] => sliceEntries(buffer, 0, 99).map(show);

describe('an answer with numbers', () => {
  test('begins a log, also one that had only empty answers, if its numbers begin', () => {
    const first = takeAll([plain([]), counted(1, lines(1, 2))]);
    expect([first.verdict.kind, first.log.proof, first.log.numbered?.last]).toEqual(['whole', 'counted', 2]);
    expect(takeAll([plain([]), counted(2, lines(1, 2))]).verdict).toMatchObject({kind: 'gap', reason: 'renumbered'});
  });

  test('tells the pace how many lines a window had, and how many came', () => {
    const first = takeAll([counted(1, lines(1, 2, 3, 4))]);
    expect([first.shareLines, first.leftCount, first.overlapShare, first.cutsEachPod]).toEqual([4, 0, 0, false]);
    const next = takeWindow(first.log, counted(5, lines(5)));
    expect([next.shareLines, next.leftCount, next.overlapShare]).toEqual([4, 1, 0.75]);
    const lost = takeWindow(first.log, counted(7, lines(5)));
    expect([lost.overlapShare, lost.log.gapCount, lost.verdict]).toEqual([
      0,
      1,
      {kind: 'gap', after: at(4) - second, before: at(5) + second, reason: 'moved-on'},
    ]);
    expect(takeWindow(first.log, counted(5, [])).overlapShare).toBe(1);
  });

  test('of a log whose first numbers are missing is whole since the first line after them', () => {
    expect(takeAll([counted(1, lines(1, 2))]).log.wholeSince).toBe(at(1));
    const numbers = [
      [5, 1],
      [8, 2],
    ] as const;
    expect(takeAll([counted(5, lines(1, 2, 3), {numbers})]).log.wholeSince).toBe(at(2));
  });

  test('whose numbers are missing at a time that nothing tells is passed over', () => {
    const silent = counted(1, []);
    const {log} = takeAll([silent]);
    const lost = takeWindow(log, counted(5, []));
    expect([lost.log, lost.verdict.kind, lost.added]).toEqual([log, 'whole', []]);
    expect(takeWindow(log, counted(5, [], {}, {serviceAt: at(9)})).verdict.kind).toBe('gap');
    expect(takeWindow(log, counted(5, lines(9))).verdict.kind).toBe('gap');
  });

  test('learns how late lines are, a second at the least', () => {
    const lateness = (times: readonly number[], more: Partial<LogWindow> = {}) =>
      takeWindow(takeAll([counted(1, lines(10))]).log, counted(2, lines(...times), {}, more)).log.numbered?.lateness;
    expect([lateness([11]), lateness([7, 8]), lateness([7], {areEarlier: true})]).toEqual([
      second,
      3n * second,
      second,
    ]);
  });

  test('has its late lines in their place, and those that are too old for the buffer not at all', () => {
    const small = takeAll([counted(1, lines(3, 4, 5, 6, 7))], createBranchLog(3 * 50));
    expect(small.log.buffer.evictedThrough).toBe(at(4));
    const late = takeWindow(small.log, counted(6, lines(4, 5, 8)));
    expect(late.tooLate.map(show)).toEqual(['line 4']);
    expect(late.added.map(entry => [show(entry), entry.kind === 'line' && entry.late])).toEqual([
      ['line 5', true],
      ['line 8', false],
    ]);
    expect([late.log.buffer.tooLateLines, late.leftCount]).toEqual([1, 3]);
    const earlier = takeWindow(takeAll([counted(5, lines(6))]).log, counted(6, lines(4), {}, {areEarlier: true}));
    expect(earlier.added.map(entry => entry.kind === 'line' && entry.late)).toEqual([false]);
  });

  test('remembers a loss after its last line as long as no line follows', () => {
    const losses: readonly Loss[] = [{number: 4, source: 0, why: 'rotated away', lines: 1}];
    const first = takeAll([counted(1, lines(1, 2)), counted(3, lines(3), {losses})]);
    expect(first.added.map(show).toSorted()).toEqual(['gap', 'line 3']);
    const again = takeWindow(first.log, counted(4, [], {losses}));
    expect(again.added).toEqual([]);
    // An older answer that tells nothing does not make it new.
    const older = takeWindow(again.log, counted(3, lines(3)));
    expect(takeWindow(older.log, counted(4, [], {losses})).added).toEqual([]);
    const next = takeWindow(again.log, counted(4, lines(7), {losses}));
    expect(next.added.map(show)).toEqual(['gap', 'line 7']);
    expect(next.log.numbered?.told).toMatchObject([{isOpen: false}]);
    expect(next.added.filter(({kind}) => kind === 'gap')).toMatchObject([{grows: true, before: at(8)}]);
  });

  test('pauses each 512 lines', () => {
    const raws = Array.from({length: 1024}, (_, index) => lineOf(index % 60, `line ${index}`));
    const {pauses} = pausesIn(takingWindow(empty, counted(1, raws)));
    expect(pauses).toBeGreaterThanOrEqual(4);
    expect(pauses).toBeLessThanOrEqual(12);
  });
});

describe('markers of pods', () => {
  const first = takeAll([counted(1, lines(1, 5))]).log;

  test('are after what was held and ahead of what is new', () => {
    const {added, log} = takeWindow(first, counted(3, lines(7), {}, {pods: pods('web-2')}));
    expect(added.map(show)).toEqual(['web-1 gone', 'web-2 appeared', 'line 7']);
    expect(shown(log)).toEqual(['line 1', 'line 5', 'web-1 gone', 'web-2 appeared', 'line 7']);
    expect(added[0]).toMatchObject({at: at(5), isWhole: true, since: undefined});
    expect(log.numbered?.newest).toEqual(new Map());
    expect(takeWindow(first, counted(3, lines(7))).log.numbered?.newest).toEqual(new Map([[web, at(7)]]));
  });

  test('are none at the first answer, and at the time of the service where no line is held', () => {
    expect(takeAll([counted(1, lines(1))]).added.map(show)).toEqual(['line 1']);
    const none = takeAll([counted(1, []), counted(1, [], {}, {pods: pods('web-2'), serviceAt: at(9)})]);
    expect(none.added.map(entry => entry.at)).toEqual([at(9), at(9)]);
  });

  test('are where a stream ended and began, if that is told', () => {
    const endings = new Map([['web-1', 'ended with exit code 1']]);
    const ended = takeWindow(first, counted(3, lines(4, 9), {}, {pods: [], endings}));
    expect(ended.added.map(show)).toEqual(['line 4', 'line 9', 'web-1 gone (ended with exit code 1)']);
    expect(ended.added.at(-1)?.at).toBe(at(9) + 1n);
    const started = [{name: 'web-2', createdAt: stamp(3)}];
    const begun = takeWindow(first, counted(3, lines(7), {}, {pods: [...pods('web-1'), ...started], endings}));
    expect(begun.added.map(show)).toEqual(['web-2 appeared (started)', 'line 7']);
    expect(begun.added[0]?.at).toBe(at(3));
    const unknown = takeWindow(first, counted(3, lines(7), {}, {pods: pods('web-1', 'web-2'), endings}));
    expect(unknown.added[0]?.at).toBe(at(5));
  });

  test('are handed out among the lines by their time, ahead of one of the same', () => {
    const endings = new Map([['web-1', 'ended']]);
    const restarted = takeWindow(
      first,
      counted(3, lines(6, 8, 9), {}, {pods: [{name: 'web-1', createdAt: stamp(8)}], endings}),
    );
    expect(restarted.added.map(show)).toEqual([
      'line 6',
      'web-1 gone (ended)',
      'web-1 appeared (started)',
      'line 8',
      'line 9',
    ]);
  });
});

describe('answers without numbers, after some with', () => {
  const first = takeAll([counted(1, lines(1, 2))]).log;

  test('wait for the next numbers, three of them with lines', () => {
    const third = takeAll([plain(lines(2, 3)), plain([]), plain(lines(3, 4)), plain(lines(4, 5))], first);
    expect([third.verdict.kind, third.added.map(show), third.log.numbered?.unnumberedAnswers]).toEqual([
      'whole',
      ['line 5'],
      3,
    ]);
    expect([third.log.proof, third.log.recent.length, third.shareLines]).toEqual(['inferred', 0, 2]);
    const fourth = takeWindow(third.log, plain(lines(5, 6), {cut: 'branch'}));
    expect([fourth.verdict, fourth.added.map(show)]).toEqual([
      {kind: 'gap', after: at(2) - second, before: at(6), reason: 'renumbered'},
      ['gap', 'line 6'],
    ]);
    const {log} = fourth;
    expect([log.numbered, log.proof, log.gapCount, log.wholeSince, log.recent.length]).toEqual([
      undefined,
      'said',
      1,
      at(6),
      1,
    ]);
    expect([log.before?.raws, shown(log)]).toEqual([
      lines(5, 6),
      ['line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'gap', 'line 6'],
    ]);
  });

  test('leave the claim as it was if they are empty', () => {
    expect(takeWindow(first, plain([])).log.proof).toBe('counted');
    expect(takeWindow(first, plain([])).log.numbered?.unnumberedAnswers).toBe(0);
  });

  test('and when the numbers are back, their lines are not taken twice, copies told apart by their count', () => {
    const waiting = takeAll([plain([...lines(2, 3), lineOf(3), '} text'])], first).log;
    expect([...(waiting.numbered?.cameByText ?? [])].map(([key, held]) => [key, held.length])).toEqual([
      [lineOf(3), 2],
      ['\0} text', 1],
    ]);
    const back = takeWindow(waiting, counted(3, [lineOf(3), lineOf(3), '} text', lineOf(3), lineOf(4)]));
    expect([back.added.map(show), back.verdict.kind]).toEqual([['line 3', 'line 4'], 'whole']);
    expect(back.log.numbered?.cameByText).toEqual(new Map());
  });

  test('and when the numbers are back, their lines are held in the order of the numbers, each with its source', () => {
    const waiting = takeAll([plain([lineOf(2), lineOf(3, 'second'), lineOf(3, 'first')])], first).log;
    const back = takeWindow(waiting, counted(3, [lineOf(3, 'first'), lineOf(3, 'second')]));
    expect([back.added, shown(back.log)]).toEqual([[], ['line 1', 'line 2', 'first', 'second']]);
    const held = sliceEntries(back.log.buffer, 2, 4);
    expect(held.map(entry => entry.kind === 'line' && entry.source)).toEqual([web, web]);
  });

  test('a line without a timestamp whose neighbour changed is not handed out again, and one more than are held is new', () => {
    const held = takeAll([counted(1, [lineOf(1), '} text', lineOf(2)])]).log;
    expect(takeWindow(held, plain([lineOf(2), '} text'])).added).toEqual([]);
    const waiting = takeWindow(held, plain(['} text', lineOf(2), '} text']));
    expect(waiting.added.map(show)).toEqual(['text']);
    const back = takeWindow(waiting.log, counted(2, ['} text', lineOf(2), '} text']));
    expect([back.added, back.verdict.kind, back.log.proof]).toEqual([[], 'whole', 'counted']);
  });

  test('nothing is missing where as many lines came as there are numbers', () => {
    const waiting = takeAll([plain(lines(2, 3, 4))], first).log;
    // Numbers 3 and 4 were these.
    expect(takeWindow(waiting, counted(5, lines(5))).verdict.kind).toBe('whole');
    expect(takeWindow(waiting, counted(6, lines(5))).verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  });

  test('the range of a gap goes to the clock of the service', () => {
    const waiting = takeAll([plain(lines(3)), plain(lines(4)), plain(lines(5))], first).log;
    expect(takeWindow(waiting, plain(lines(6), {serviceAt: at(20)})).verdict).toMatchObject({before: at(21)});
    // It begins with what is late.
    expect(takeWindow(waiting, plain([lineOf(1, 'late'), lineOf(6)])).verdict).toMatchObject({after: at(1) - second});
  });
});

describe('a new series', () => {
  const first = takeAll([counted(1, lines(1, 2, 3))]).log;
  const other = (start: number, raws: readonly string[], more: Partial<LogWindow> = {}) =>
    counted(start, raws, {series: 'b'}, more);

  test('joins nothing: lines that are held are known by their text', () => {
    const taken = takeWindow(first, other(7, lines(2, 3, 4)));
    expect([taken.added.map(show), shown(taken.log)]).toEqual([
      ['gap', 'line 4'],
      ['line 1', 'line 2', 'line 3', 'gap', 'line 4'],
    ]);
    expect(taken.verdict).toEqual({kind: 'gap', after: at(3) - second, before: at(4), reason: 'renumbered'});
    expect(taken.log).toMatchObject({
      ...{proof: 'counted', gapCount: 1, wholeSince: at(4)},
      numbered: {series: 'b', last: 9, windowLines: 3, unnumberedAnswers: 0, lateness: second},
    });
    expect(taken.log.numbered?.newest).toEqual(new Map([[web, at(4)]]));
    expect(taken.shareLines).toBe(3);
  });

  test('goes on from the numbers that the service says have no line', () => {
    const losses = [{number: 12, why: 'x', lines: 2}];
    expect(takeWindow(first, counted(7, lines(2, 3, 4), {series: 'b', losses})).log.numbered).toMatchObject({last: 11});
  });

  test('may be late by as much as its own lines are', () => {
    expect(takeWindow(first, other(1, lines(9, 4))).log.numbered?.lateness).toBe(5n * second);
  });

  test('without a line is told at the newest one', () => {
    const taken = takeWindow(first, other(1, []));
    expect(taken.verdict).toMatchObject({after: at(3) - second, before: at(3)});
    expect(taken.added.map(entry => entry.at)).toEqual([at(3)]);
  });

  test('brings no line without a timestamp again whose head is gone', () => {
    const held = takeAll([counted(1, [lineOf(1), '} held', lineOf(2)])]).log;
    const taken = takeWindow(held, other(1, ['} held', '} new', lineOf(2), '} held', lineOf(3)]));
    expect(taken.added.map(show).toSorted()).toEqual(['gap', 'held', 'line 3', 'new']);
  });

  test('knows it among four thousand and ninety-six entries', () => {
    const many = (count: number) => {
      const raws = [lineOf(0), '} held', ...Array.from({length: count}, (_, index) => lineOf(1, `line ${index}`))];
      return takeWindow(takeAll([counted(1, raws)]).log, other(1, ['} held', lineOf(9)]))
        .added.map(show)
        .toSorted();
    };
    expect([many(4095), many(4096)]).toEqual([
      ['gap', 'line 9'],
      ['gap', 'held', 'line 9'],
    ]);
  });
});

test('numbers that begin in a log without are a gap after what the last answer showed', () => {
  const first = takeAll([plain(lines(1, 2), {cut: 'branch'}), plain(lines(2, 3), {cut: 'branch'})]).log;
  const taken = takeWindow(first, counted(1, lines(3, 4)));
  expect([taken.verdict, taken.added.map(show)]).toEqual([
    {kind: 'gap', after: at(2) - second, before: at(4), reason: 'renumbered'},
    ['gap', 'line 4'],
  ]);
});

describe('lower numbers', () => {
  const first = takeAll([counted(1, lines(1, 2, 3))]).log;

  test('are an older answer, of which nothing is taken', () => {
    const older = takeWindow(first, counted(1, lines(1, 2)));
    expect([older.log, older.added, older.verdict.kind, older.shareLines]).toEqual([first, [], 'whole', 3]);
    // That number stood for another line.
    expect(takeWindow(first, counted(1, lines(3))).log.proof).toBe('inferred');
  });

  test('with newer lines were given a second time, and are not believed any more', () => {
    expect(takeWindow(first, counted(1, lines(4)))).toMatchObject({verdict: {kind: 'gap', reason: 'contradicted'}});
  });

  test('are none if the last items are no lines, or are told to have none', () => {
    expect(takeWindow(first, counted(1, lines(1, 2), {last: 3})).verdict.kind).toBe('whole');
    expect(takeWindow(first, counted(1, lines(1, 2), {last: 4})).log.numbered?.last).toBe(4);
    const losses = [{number: 5, why: 'x', lines: 2}];
    expect(takeWindow(first, counted(1, lines(1, 2), {losses})).log.numbered?.last).toBe(4);
  });
});
