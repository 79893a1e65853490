import {describe, expect, test} from 'vitest';
import {readOverlay} from '#app/log/read-log.ts';
import {findValueTrace, selectedValueTraceLine, valueTraceQuery, valueTraceWords} from '#app/log/value-trace.ts';
import {announceLog} from '#app/reader/announce/announce-log.ts';
import {
  answer,
  give,
  onBranches,
  type Play,
  sampleBranches,
  sampleState,
  showScreen,
  startAt,
  stateRow,
  windowOf,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

/** Lines after 14:00:00 by their second; a text may begin with who wrote it: `web-1 php> text`. */
const windowAt = (lines: Readonly<Record<number, string>>) =>
  answer({
    ...windowOf().value,
    lines: Object.entries(lines).map(
      ([second, text]) => `2026-11-21T14:00:${second.padStart(2, '0')}.000000000Z ${text}`,
    ),
  });

const openBranch = (play: Play, name: string, lines: Readonly<Record<number, string>>): void => {
  const id = sampleBranches.find(each => each.name === name)?._id ?? '';
  give(play, 'goFirst');
  for (let row = 0; row < sampleBranches.length && play.state.branches?.picker.selectedId !== id; row++) {
    give(play, 'moveDown');
  }
  give(play, 'open');
  play.windowArrives(windowAt(lines));
};

/** Master is open; staging and hotfix were left, the last without the request. */
const threeLogs = (change = {}): Play => {
  const play = onBranches(sampleBranches, change);
  openBranch(play, 'staging', {
    2: 'worker takes req=89da70',
    4: 'ERROR worker failed req=89da70',
    5: 'req=89da701 is another',
  });
  give(play, 'back');
  openBranch(play, 'hotfix/cart', {3: 'calm'});
  give(play, 'back');
  openBranch(play, 'master', {1: 'GET /cart req=89da70', 3: 'tax rejected req=89da70', 6: 'calm', 7: 'calm'});
  return play;
};

/** Opens the second line of master, with its field chosen. */
const chooseField = (play: Play): void => {
  give(play, 'pickLines', 'moveUp', 'moveUp', 'openLine', 'nextSection');
};

const paneOf = (play: Play): readonly string[] => {
  const rows = showScreen(play.state).slice(2, -2);
  return rows.slice(0, rows.findLastIndex(row => row !== '') + 1);
};

const openValueTrace = (play: Play): void => {
  chooseField(play);
  give(play, 'showTrail');
  answerSearches(play);
};

describe('the trail of a value', () => {
  test('is its lines in all logs in memory by time, as a whole word, and says how many of them have it', () => {
    const play = threeLogs();
    openValueTrace(play);
    expect(paneOf(play)).toEqual([
      ' req 89da70   4 lines                                  in 2 of 3 logs in memory',
      '     14:00:01.000 master  GET /cart req=89da70',
      '     14:00:02.000 staging worker takes req=89da70',
      ' ▸   14:00:03.000 master  tax rejected req=89da70',
      '   ✗ 14:00:04.000 staging ERROR worker failed req=89da70',
    ]);
  });

  test('goes back to the line and the field, and everything is as it was', () => {
    const play = threeLogs();
    chooseField(play);
    const before = showScreen(play.state);
    const {log, held} = play.state;
    give(play, 'showTrail');
    answerSearches(play);
    expect(showScreen(play.state)).not.toEqual(before);
    give(play, 'back');
    expect(showScreen(play.state)).toEqual(before);
    expect(play.state.held).toEqual(held);
    expect(play.state.log?.use.patterns).toEqual(log?.use.patterns);
    expect(play.effects.map(({kind}) => kind)).toEqual(['cancelPattern']);
    give(play, 'back', 'back');
    expect(play.state.log?.viewport).toEqual(log?.viewport);
  });

  test('says that it is still searching, and what was found is not called all', () => {
    const play = threeLogs();
    chooseField(play);
    give(play, 'showTrail');
    expect(paneOf(play)[0]).toContain('0 lines, searching…');
    answerSearches(play);
    expect(paneOf(play)[0]).not.toContain('searching');
  });

  test('grows with the logs, the open one and those that were left', () => {
    const play = threeLogs();
    openValueTrace(play);
    const generation = play.state.held[1]?.generation ?? 0;
    const came = windowAt({3: 'calm', 8: 'late req=89da70'});
    play.send({kind: 'windowArrived', branchId: 'b-hotfix', generation, answer: came});
    answerSearches(play);
    expect(paneOf(play)[0]).toContain('5 lines');
    expect(paneOf(play)[0]).toContain('in 3 of 3 logs');
    play.windowArrives(windowAt({6: 'calm', 7: 'calm', 9: 'done req=89da70'}));
    answerSearches(play);
    expect(paneOf(play).at(-1)).toContain('done req=89da70');
  });

  test('leads to a line of the open log', () => {
    const play = threeLogs();
    openValueTrace(play);
    give(play, 'goFirst', 'openLine');
    expect(play.state.log?.overlay).toBeUndefined();
    expect(paneOf(play).find(row => row.startsWith('▸'))).toContain('GET /cart req=89da70');
    expect(play.state.log?.use.patterns).toEqual([]);
  });

  test('leads to a line of a log that was left, and holds the one that was open', () => {
    const play = threeLogs();
    openValueTrace(play);
    give(play, 'goLast', 'openLine');
    expect(play.state.log?.sources[0].branch.name).toBe('staging');
    expect(paneOf(play).find(row => row.startsWith('▸'))).toContain('worker failed');
    expect(play.state.held.map(({log}) => log.sources[0].branch.name)).toEqual(['hotfix/cart', 'master']);
    expect(play.effects.filter(({kind}) => kind === 'fetchWindow')).toHaveLength(1);
    const master = play.state.held[1]?.log;
    expect(master?.overlay).toBeUndefined();
    expect(master?.use.patterns).toEqual([]);
  });

  test('is copied as received, and read to a screen reader', () => {
    const play = threeLogs();
    openValueTrace(play);
    give(play, 'copyLines');
    expect(play.effects).toEqual([
      {
        kind: 'copy',
        text: [
          '2026-11-21T14:00:01.000000000Z GET /cart req=89da70',
          '2026-11-21T14:00:02.000000000Z worker takes req=89da70',
          '2026-11-21T14:00:03.000000000Z tax rejected req=89da70',
          '2026-11-21T14:00:04.000000000Z ERROR worker failed req=89da70',
        ].join('\n'),
        what: '4 lines',
      },
    ]);
    const again = threeLogs();
    chooseField(again);
    give(again, 'showTrail');
    const before = again.state;
    answerSearches(again);
    const {log} = again.state;
    expect(log && announceLog(before, again.state, log, 'event').sentences).toEqual([
      '4 lines, in 2 of 3 logs in memory.',
      'master: 14:00:03 tax rejected req=89da70',
    ]);
    expect(log?.overlay && readOverlay(again.state, log, log.overlay)).toBe('master: 14:00:03 tax rejected req=89da70');
  });

  test('lays its lines out, also where the layout leaves the value out', () => {
    const play = threeLogs();
    const text = '{"time":"2026-11-21T14:00:08Z","level":"error","msg":"refund failed"}';
    play.windowArrives(windowAt({6: 'calm', 7: 'calm', 8: text}));
    give(play, 'pickLines', 'openLine', 'nextSection', 'showTrail');
    answerSearches(play);
    expect(paneOf(play)).toEqual([
      expect.stringContaining(' time 2026-11-21T14:00:08Z   1 line '),
      ' ▸ ✗ 14:00:08.000 master  refund failed',
    ]);
  });

  test('needs a field, and says so', () => {
    const play = threeLogs();
    give(play, 'showTrail');
    expect(stateRow(play)).toBe('Enter opens a line, Tab chooses a field: then * shows its trail');
    give(play, 'pickLines', 'openLine', 'showTrail');
    expect(stateRow(play)).toBe('Tab chooses a field first');
    expect(play.state.log?.overlay?.kind).toBe('line');
  });

  test('shows the newest 500 lines of more, and no row is wider than the screen', () => {
    const play = threeLogs();
    const many = answer({
      ...windowOf().value,
      lines: Array.from(
        {length: 600},
        (_, index) =>
          `2026-11-21T14:01:00.${String(index).padStart(9, '0')}Z step ${index} req=89da70 ${'日本'.repeat(80)}`,
      ),
    });
    openValueTrace(play);
    play.windowArrives(many);
    answerSearches(play);
    expect(paneOf(play)[0]).toContain('the last 500 of 604 lines');
    give(play, 'goFirst');
    expect(paneOf(play)[1]).toContain('step 100 ');
    for (const columns of [20, 39, 60, 80, 200]) {
      for (const rows of [5, 10, 24]) {
        const screen = showScreen({...play.state, columns, rows});
        expect(screen.length).toBeLessThanOrEqual(rows);
        expect(screen.find(row => [...row].length > columns)).toBeUndefined();
      }
    }
  });
});

describe('a trail', () => {
  test('is looked for as a whole value: no letter, digit or hyphen beside it', () => {
    expect(valueTraceQuery('2678')).toBe(String.raw`re:(?:^|[^\w-])2678(?:[^\w-]|$)`);
    expect(valueTraceQuery('/cart')).toMatch(/^re:\\?\/cart\(\?:\[\^\\w-\]\|\$\)$/);
    expect(valueTraceQuery('a.b)')).toMatch(/^re:\(\?:\^\|\[\^\\w-\]\)a\\\.b\\\)$/);
  });

  test('says what comes first where nothing is chosen, and that a pod is a matter of filters', () => {
    const play = threeLogs();
    give(play, 'pickLines', 'moveUp', 'moveUp', 'openLine', 'showTrail');
    expect(stateRow(play)).toBe('Tab chooses a field first');
    const sourced = startAt(sampleState());
    give(sourced, 'open');
    sourced.branchesArrive();
    give(sourced, 'open');
    sourced.windowArrives(
      answer({
        ...windowAt({1: 'one req=1'}).value,
        numbering: {series: 'a', first: 1, sources: [{pod: 'web-1'}], runs: [[0, 1] as const], losses: []},
      }),
    );
    give(sourced, 'pickLines', 'openLine', 'nextSection', 'showTrail');
    expect(stateRow(sourced)).toBe('f shows only the lines of this pod');
    expect(sourced.state.log?.overlay?.kind).toBe('line');
  });

  test('of more than five hundred lines shows the last, and counts all', () => {
    const play = onBranches(sampleBranches, {rows: 12});
    const many = (count: number) =>
      answer({
        ...windowOf().value,
        lines: Array.from({length: count}, (_, index) => {
          const clock = new Date(Date.UTC(2026, 10, 21, 14, 0, index)).toISOString().slice(0, -1);
          return `${clock}000000Z job ${index} req=7`;
        }),
      });
    give(play, 'open');
    play.windowArrives(many(600));
    give(play, 'pickLines', 'openLine', 'nextSection');
    const searching = (): void => {
      give(play, 'showTrail');
    };
    searching();
    expect(paneOf(play)[0]).toMatch(/^ \S+ \S+ {3}0 lines, searching…/);
    const {log} = play.state;
    const trail = findValueTrace(play.state, log ?? expect.fail());
    expect([trail.isComplete, trail.lines.length, trail.logCount]).toEqual([false, 0, 0]);
    answerSearches(play);
    const whole = findValueTrace(play.state, play.state.log ?? expect.fail());
    expect([whole.isComplete, whole.lines.length, whole.lineCount, whole.logCount]).toEqual([true, 500, 600, 1]);
    expect(whole.lines.at(-1)?.line.raw).toMatch(/job 599 /);
    expect(whole.lines[0]?.line.raw).toMatch(/job 100 /);
    expect(paneOf(play)[0]).toMatch(/^ \S+ 7 {3}the last 500 of 600 lines +in 1 of 1 log in memory$/);
    give(play, 'copyLines');
    expect(play.effects).toMatchObject([{kind: 'copy', what: '500 lines'}]);
    const id = play.state.log?.use.trailId ?? 0;
    play.send({kind: 'patternFailed', patternId: id, sentence: 'It took too long.'});
    expect(valueTraceWords(play.state, play.state.log ?? expect.fail(), {...whole, isComplete: false})[0]).toBe(
      'the last 500 of 600 lines, search cancelled',
    );
  });

  test('stands by time, also of lines in other logs with the same time', () => {
    const play = threeLogs();
    openValueTrace(play);
    const {lines} = findValueTrace(play.state, play.state.log ?? expect.fail());
    const times = lines.map(({line}) => line.at);
    expect(times).toEqual([...times].sort((a, b) => Number(a - b)));
    expect(
      selectedValueTraceLine([], {
        kind: 'trail',
        name: '',
        text: '',
        from: undefined,
        selectedKey: undefined,
        top: 0,
      } as never),
    ).toBeUndefined();
  });
});
