import {describe, expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {createSummariser, type SummaryOrder} from '#app/parts/summariser.ts';
import type {Event} from '#app/state/event.ts';
import {
  answer,
  branchesNamed,
  onBranches,
  openBranch,
  type Play,
  paneOf,
  showScreen,
  stateRow,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';
import {answerSummaries} from '../play-summary.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
    answerSummaries(play);
  }
};

const type = (play: Play, command: Command, text: string): void => {
  give(play, command);
  play.send({kind: 'textTyped', text});
  play.send({kind: 'inputKey', key: 'Enter'});
  answerSearches(play);
};

const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, 19)}.000000000Z`;

/** A line a second: four requests, three that fail, two jobs, and an error with a row of its trace, over and over. */
const textOf = (second: number): string => {
  switch ('GPJETGPJGPG'[second % 11]) {
    case 'G':
      return `10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET /cart/${second} HTTP/1.1" 200 157`;
    case 'P':
      return '10.2.0.9 - - [21/Nov/2026:14:00:00 +0000] "POST /pay HTTP/1.1" 502 157';
    case 'J':
      return `INFO job ${second} done`;
    case 'E':
      return `ERROR upstream ${second} timed out`;
    default:
      return `    at upstream (index.js:${second})`;
  }
};

const arrive = (play: Play, from: number, to: number, branchId?: string): void => {
  const lines = Array.from({length: to - from + 1}, (_, index) => `${stamp(from + index)} ${textOf(from + index)}`);
  play.windowArrives(answer({pods: [], lines, sessionId: 's'}), branchId);
};

const openLog = (size = {columns: 80, rows: 40}, lineCount = 1100): Play => {
  const play = openBranch(size);
  if (lineCount > 0) {
    arrive(play, 0, lineCount - 1);
  }
  return play;
};

const chosen = (play: Play): string => paneOf(play).find(row => row.startsWith(' ▸')) ?? '';
/** The rows from a head to the next blank one, blanks made one. */
const section = (play: Play, title: string): readonly string[] => {
  const rows = paneOf(play);
  const start = rows.findIndex(row => row.startsWith(` ${title}`));
  const end = rows.findIndex((row, index) => index > start && row === '');
  return rows.slice(start, end === -1 ? undefined : end).map(row => row.trim().replaceAll(/ {2,}/g, ' '));
};

describe('what it tells', () => {
  test('of shapes what tells them apart: neither the time nor the level that every line begins with', () => {
    const play = openLog(undefined, 0);
    const text = '2026-11-21T14:00:00Z ERROR upstream timed out and was dropped';
    play.windowArrives(answer({pods: [], lines: [`${stamp(0)} ${text}`, `${stamp(1)} ${text}`], sessionId: 's'}));
    give(play, 'toggleSummary');
    expect(chosen(play)).toMatch(/^ ▸ +2 +100 % {2}upstream timed out and was dropped /);
  });

  test('warnings, by what they say, after the errors', () => {
    const warnings = Array.from({length: 30}, (_, index) => `${stamp(index)} WARN pool of ${index} is exhausted`);
    const play = openLog({columns: 80, rows: 40}, 0);
    play.windowArrives(answer({pods: [], lines: [...warnings, `${stamp(40)} ERROR boom`], sessionId: 's'}));
    give(play, 'toggleSummary');
    expect(section(play, 'warnings')).toEqual([
      'warnings in 30 lines, 1 different',
      '30 100 % WARN pool of # is exhausted falling 14:00:00 to 14:00:29',
    ]);
  });

  test('errors, levels, statuses, paths, clients and shapes, each with count, share, first and last time', () => {
    const play = openLog();
    give(play, 'toggleSummary');
    expect(paneOf(play)[0]).toBe(' summary of 1,100 lines   14:00:00 to 14:18:19');
    expect(section(play, 'errors')).toEqual([
      'errors in 400 lines, 2 different',
      '▸ 300 75 % POST /pay 502 steady 14:00:01 to 14:18:18',
      '100 25 % ERROR upstream # timed out steady 14:00:03 to 14:18:12',
    ]);
    // The row of a trace has the level of its line, and no shape of its own.
    expect(section(play, 'levels')).toEqual(['levels without 100 lines of traces', '400 40 % error', '600 60 % info']);
    expect(section(play, 'status codes')).toEqual([
      'status codes in 700 lines, 2 different',
      '400 57 % 200 14:00:00 to 14:18:19',
      '300 42 % 502 14:00:01 to 14:18:18',
    ]);
    expect(section(play, 'paths').slice(1)).toEqual([
      '400 57 % /cart/# 14:00:00 to 14:18:19',
      '300 42 % /pay 14:00:01 to 14:18:18',
    ]);
    expect(section(play, 'clients').slice(1)).toEqual([
      '400 57 % 10.2.0.7 14:00:00 to 14:18:19',
      '300 42 % 10.2.0.9 14:00:01 to 14:18:18',
    ]);
    expect(section(play, 'shapes').slice(0, 5)).toEqual([
      'shapes in 1,000 lines, 4 different',
      '400 40 % GET /cart/# 200 14:00:00 to 14:18:19',
      '300 30 % POST /pay 502 14:00:01 to 14:18:18',
      '200 20 % INFO job # done 14:00:02 to 14:18:16',
      '100 10 % ERROR upstream # timed out 14:00:03 to 14:18:12',
    ]);
  });

  test('on a wide screen the times stand close to what they are of', () => {
    const play = openLog({columns: 200, rows: 50});
    give(play, 'toggleSummary');
    expect(Math.max(...paneOf(play).map(row => row.length))).toBeLessThan(90);
  });

  test('filters apply', () => {
    const play = openLog();
    type(play, 'filterIn', 'job');
    give(play, 'toggleSummary');
    expect(paneOf(play)[0]).toContain('summary of 200 lines that the filters leave');
    expect(section(play, 'shapes')[1]).toContain('200 100 % INFO job # done');
  });

  test('of a range that is picked its lines alone', () => {
    const play = openLog();
    give(play, 'pickLines', 'pickLines', ...Array.from({length: 9}, () => 'moveUp' as const), 'toggleSummary');
    expect(paneOf(play)[0]).toBe(' summary of 10 lines that are picked   14:18:10 to 14:18:19');
    expect(section(play, 'levels')).toEqual(['levels without 1 line of traces', '4 44 % error', '5 55 % info']);
    give(play, 'back');
    expect(play.state.log?.cursor?.kind).toBe('picking');
  });

  test('of several branches all lines', () => {
    const play = onBranches(branchesNamed('master', 'staging'), {rows: 40});
    give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
    arrive(play, 0, 99, 'b-master');
    arrive(play, 50, 149, 'b-staging');
    give(play, 'toggleSummary');
    expect(paneOf(play)[0]).toBe(' summary of 200 lines   14:00:00 to 14:02:29');
  });

  test('of several branches whose each new kind is', () => {
    const play = onBranches(branchesNamed('master', 'staging'), {rows: 40});
    give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
    const calm = Array.from({length: 900}, (_, second) => `${stamp(second)} INFO job ${second} done`);
    for (const branchId of ['b-master', 'b-staging']) {
      const lines = [...calm, `${stamp(900)} ERROR disk is full`];
      play.windowArrives(answer({pods: [], lines, sessionId: 's'}), branchId);
    }
    give(play, 'toggleSummary');
    expect(section(play, 'new').slice(1)).toEqual([
      expect.stringMatching(/^▸ 1 master: ERROR disk is full /),
      expect.stringMatching(/^1 staging: ERROR disk is full /),
    ]);
  });

  test('a log without lines has nothing to sum up, and filters may leave none', () => {
    const empty = openLog(undefined, 0);
    give(empty, 'toggleSummary');
    expect(stateRow(empty)).toBe('the log has no lines yet');
    expect(empty.state.log?.overlay).toBeUndefined();
    const play = openLog();
    type(play, 'filterIn', 'nowhere');
    give(play, 'toggleSummary', 'moveDown', 'openLine');
    expect(paneOf(play).filter(row => row !== '')).toEqual([' summary of 0 lines that the filters leave']);
  });

  test.each([
    [20, 5],
    [40, 10],
    [69, 12],
    [80, 24],
    [200, 50],
  ])('on %i×%i every row fits, and the highlight is in sight wherever it goes', (columns, rows) => {
    const play = openLog({columns, rows});
    give(play, 'toggleSummary');
    for (let step = 0; step < 30; step++) {
      expect(chosen(play)).not.toBe('');
      const screen = showScreen(play.state);
      expect(Math.max(...screen.map(row => [...row].length))).toBeLessThanOrEqual(columns);
      expect(screen.length).toBeLessThanOrEqual(rows);
      give(play, 'moveDown');
    }
    expect(chosen(play)).toContain('10 %  ER');
  });

  test('foreign text in it is made safe', () => {
    const play = openLog(undefined, 0);
    play.windowArrives(answer({pods: [], lines: [`${stamp(1)} evil \u001b[31m\u202e\u0007 text`], sessionId: 's'}));
    give(play, 'toggleSummary');
    expect(paneOf(play).join('\n')).toContain('evil');
    expect(paneOf(play).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('new shapes and trends', () => {
  const arriveLines = (play: Play, lines: readonly (readonly [second: number, text: string])[]): void =>
    play.windowArrives(
      answer({
        pods: [],
        lines: lines.toSorted(([a], [b]) => a - b).map(([second, text]) => `${stamp(second)} ${text}`),
        sessionId: 's',
      }),
    );
  const calm = Array.from({length: 600}, (_, second) => [second, `INFO job ${second} done`] as const);
  const times = (from: number, to: number, count: number, text: string): readonly (readonly [number, string])[] =>
    Array.from({length: count}, (_, index) => [from + Math.floor(((to - from) * index) / count), text] as const);

  const openWith = (): Play => {
    const play = openLog(undefined, 0);
    arriveLines(play, [
      ...calm,
      ...times(0, 600, 20, 'ERROR old and steady'),
      ...times(0, 200, 8, 'ERROR old and gone'),
      ...times(500, 600, 7, 'ERROR pay 7 failed'),
      [560, 'WARN disk "a" nearly full'],
    ]);
    give(play, 'toggleSummary');
    return play;
  };

  test('what the log had not shown before stands first, the most frequent on top', () => {
    expect(section(openWith(), 'new')).toEqual([
      'new warnings and errors not shown before',
      '▸ 7 ERROR pay # failed 14:08:20 to 14:09:45',
      '1 WARN disk "‹text›" nearly full 14:09:20 to 14:09:20',
    ]);
  });

  test('an error rises, falls or goes on as it was', () => {
    expect(section(openWith(), 'errors').slice(1)).toEqual([
      '20 57 % ERROR old and steady steady 14:00:00 to 14:09:30',
      '8 22 % ERROR old and gone falling 14:00:00 to 14:02:55',
      '7 20 % ERROR pay # failed rising 14:08:20 to 14:09:45',
    ]);
  });

  test('Enter on a new one goes to its first line', () => {
    const play = openWith();
    give(play, 'openLine');
    expect(play.state.log?.overlay).toBeUndefined();
    expect(paneOf(play).find(row => row.startsWith('▸'))).toMatch(/14:08:20 ERROR pay 7 failed$/);
  });

  test('a part of the log says nothing of what is new', () => {
    const play = openWith();
    give(play, 'back');
    type(play, 'filterIn', 'ERROR');
    give(play, 'toggleSummary');
    expect(paneOf(play)[1]).toMatch(/^ errors/);
  });
});

describe('while it is made', () => {
  const countOnce = (play: Play): void => {
    play.send({kind: 'commandGiven', command: 'toggleSummary'});
    answerSummaries(play, {slices: 1});
  };

  test('the newest lines are counted first, and how far it is stands in the title', () => {
    const play = openLog(undefined, 2000);
    countOnce(play);
    const [, percent = ''] = /(\d+) % read/.exec(paneOf(play)[0] ?? '') ?? [];
    expect(Number(percent)).toBeGreaterThan(0);
    expect(Number(percent)).toBeLessThan(100);
    expect(paneOf(play)[0]).toContain('to 14:33:19');
  });

  test('keys move the highlight, and it stays on its row while counts grow', () => {
    const play = openLog(undefined, 2000);
    countOnce(play);
    const {effects} = play;
    const [order] = effects.flatMap(effect => (effect.kind === 'summarise' ? [effect.order] : []));
    play.send({kind: 'commandGiven', command: 'nextSection'});
    play.send({kind: 'commandGiven', command: 'moveDown'});
    const before = chosen(play).slice(20, 30);
    const log = play.state.log?.overlay;
    const running = log?.kind === 'summary' ? log.order : expect.fail('no summary');
    expect(order ?? running).toBe(running);
    const counted = countAll(running);
    play.send(counted);
    expect(chosen(play).slice(20, 30)).toBe(before);
    expect(paneOf(play)[0]).not.toContain('% read');
  });

  test('Esc ends it, and what comes of it afterwards changes nothing', () => {
    const play = openLog(undefined, 2000);
    countOnce(play);
    const {overlay} = play.state.log ?? expect.fail('no log');
    const order = overlay?.kind === 'summary' ? overlay.order : expect.fail('no summary');
    play.send({kind: 'commandGiven', command: 'back'});
    expect(play.effects).toContainEqual({kind: 'cancelSummary'});
    expect(play.state.screen).toBe('log');
    const before = play.state.log;
    play.send(countAll(order));
    expect(play.state.log).toBe(before);
    play.send({kind: 'commandGiven', command: 'toggleSummary'});
    play.send(countAll(order));
    expect(paneOf(play)[0]).toBe(' summary   0 % read');
  });

  test('lines that come meanwhile are not in it, and it stands still', () => {
    const play = openLog();
    give(play, 'toggleSummary');
    const before = paneOf(play);
    arrive(play, 500, 1200);
    expect(paneOf(play)).toEqual(before);
  });
});

describe('from it', () => {
  test('Enter on a row filters by it', () => {
    const play = openLog();
    give(play, 'toggleSummary', 'nextSection', 'nextSection', 'openLine');
    expect(play.state.log?.overlay).toBeUndefined();
    expect(paneOf(play).at(-1)).toMatch(/400 of 1,100 +x removes$/);
    expect(paneOf(play).at(-2)).toContain(' 200 GET  /cart/1099 ');
  });

  test('Enter on each row leaves as many lines as it counts', () => {
    const play = openLog();
    const toStatuses: readonly Command[] = ['toggleSummary', 'nextSection', 'nextSection'];
    give(play, ...toStatuses);
    for (let step = 0; step < 10; step++) {
      const count = Number(/▸ +(\d+)/.exec(chosen(play))?.[1]);
      give(play, 'openLine');
      expect(paneOf(play).at(-1)).toContain(` ${count} of 1,100`);
      give(play, 'removeFilter', ...toStatuses, ...Array.from({length: step + 1}, () => 'moveDown' as const));
    }
  });

  test('Enter on a level shows that level and worse', () => {
    const play = openLog();
    give(play, 'toggleSummary', 'nextSection', 'openLine');
    expect(paneOf(play).at(-1)).toContain('≥ error');
    expect(paneOf(play).at(-1)).toContain('500 of 1,100');
  });

  test('Tab goes from section to section, and round', () => {
    const play = openLog();
    give(play, 'toggleSummary');
    const seen: string[] = [];
    for (let step = 0; step < 7; step++) {
      seen.push(chosen(play).slice(17, 35).trim());
      give(play, 'nextSection');
    }
    expect(seen).toEqual(['POST /pay 502', 'error', '200', '/cart/#', '10.2.0.7', 'GET /cart/# 200', 'POST /pay 502']);
  });

  test('going up to the first row of a section shows what it is', () => {
    const play = openLog({columns: 80, rows: 12});
    give(play, 'toggleSummary', 'goLast', 'goFirst');
    expect(paneOf(play)[1]).toBe(' errors  in 400 lines, 2 different');
  });

  test('the log underneath stays where it is', () => {
    const play = openLog();
    give(play, 'moveUp', 'moveUp');
    const {viewport} = play.state.log ?? expect.fail('no log');
    const before = paneOf(play);
    give(
      play,
      'toggleSummary',
      'moveDown',
      'pageDown',
      'goLast',
      'goFirst',
      'togglePause',
      'nextPeak',
      'toggleSummary',
    );
    expect(play.state.log?.viewport).toBe(viewport);
    expect(paneOf(play)).toEqual(before);
  });
});

const countAll = (order: SummaryOrder): Extract<Event, {kind: 'summaryCounted'}> => {
  const due: (() => void)[] = [];
  const told: Extract<Event, {kind: 'summaryCounted'}>[] = [];
  createSummariser({
    setTimer: callback => {
      due.push(callback);
      return () => {};
    },
    nowMs: () => 0,
    onCounted: counted => told.push({kind: 'summaryCounted', ...counted}),
  }).count(order);
  while (due.length > 0) {
    due.shift()?.();
  }
  return told.at(-1) ?? expect.fail('nothing was told');
};
