import {describe, expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {selectView} from '#app/select-view.ts';
import type {StripMark} from '#log/overview/strip-marks.ts';
import {answer, openBranch, type Play, showScreen, stateRow} from '../../../support/play.ts';
import {answerSearches} from '../../play-search.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
  }
};

const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, 19);

/** A line a second; those from 305 to 311 say error, and in the hundredth second there are a hundred. */
const linesOf = (from: number, to: number): readonly string[] =>
  Array.from({length: to - from + 1}, (_, index) => from + index).flatMap(second =>
    Array.from(
      {length: second === 100 ? 100 : 1},
      (_, copy) =>
        `${stamp(second)}.${String(copy).padStart(9, '0')}Z ${second >= 305 && second <= 311 ? 'ERROR ' : ''}line ${second}`,
    ),
  );

const arrive = (play: Play, lines: readonly string[]): void =>
  play.windowArrives(answer({pods: [], lines, sessionId: 's'}));

const openLog = (columns = 80, lines = linesOf(0, 599)): Play => {
  const play = openBranch({columns, rows: 10});
  arrive(play, lines);
  return play;
};

const stripRow = (play: Play): string => showScreen(play.state)[1] ?? '';
const cursorRow = (play: Play): string => showScreen(play.state).find(row => row.startsWith('▸')) ?? '';
const tonesOf = (play: Play): ReadonlySet<string> => {
  const view = selectView(play.state);
  return new Set('tooSmall' in view ? [] : view.second.filter(({text}) => text.trim() !== '').map(({tone}) => tone));
};

describe('the place of the pane', () => {
  test('stands in brackets, at the right end while following, and moves with the reader', () => {
    const play = openLog();
    const place = (): number => stripRow(play).indexOf('[');
    const atEnd = place();
    expect(stripRow(play)).toMatch(/^ ·*[▁-█▞]+\[[▁-█]{1,2}\] {3}most 114 in 15 s$/);
    give(play, 'goFirst');
    const atBegin = place();
    expect(stripRow(play)).toMatch(/^ ·*\[[▁-█]{1,2}\][▁-█▞]+ {3}most 114 in 15 s$/);
    give(play, ...Array.from({length: 50}, () => 'pageDown' as const));
    expect(place()).toBeGreaterThan(atBegin);
    expect(place()).toBeLessThan(atEnd);
  });

  test('stands around the first column where that is all that is shown', () => {
    const play = openLog();
    give(play, 'goFirst', 'zoomStripIn');
    expect(stripRow(play)).toMatch(/^ \[[▁-█]\][▁-█◆]+ {3}14:00:00 to/);
  });

  test('few tones, and as wide as ever, whatever it shows', () => {
    const play = openLog();
    for (const command of ['goFirst', 'nextPeak', 'zoomStripIn', 'zoomStripIn', 'goLast'] as const) {
      give(play, command);
      expect([...tonesOf(play)].filter(tone => !['dim', 'plain', 'warn', 'bad'].includes(tone))).toEqual([]);
      expect([...stripRow(play)].length).toBeLessThanOrEqual(80);
    }
  });

  test('a gap stands in it', () => {
    const play = openLog();
    arrive(play, linesOf(700, 1299));
    expect(stripRow(play)).toContain('╳');
    expect(stripRow(play)).not.toContain('│');
  });

  test('a terminal too narrow has none, and says so', () => {
    const play = openLog(39);
    expect(stripRow(play)).toBe('');
    give(play, 'nextPeak');
    expect(stateRow(play)).toContain('no strip');
  });
});

/** Lines of one minute from 14:00 on: this many each second, the first of them errors. */
const burstAt = (second: number, lines: number, errors: number): readonly string[] =>
  Array.from(
    {length: lines},
    (_, copy) => `${stamp(second)}.${String(copy).padStart(9, '0')}Z ${copy < errors ? 'ERROR' : 'line'} ${copy}`,
  );

/** Calm seconds with a burst in one of them. */
const withBurst = (lines: number, errors: number): readonly string[] => [
  ...linesOf(0, 19),
  ...burstAt(20, lines, errors),
  ...linesOf(21, 39),
];

/** The tone of the strip's highest column. */
const highestTone = (play: Play): string | undefined => {
  const view = selectView(play.state);
  return 'tooSmall' in view ? undefined : view.second.find(({text}) => /[▅-█]/.test(text))?.tone;
};

describe('errors', () => {
  test.each([
    [0, 'dim', 'most 100 in 1 s'],
    [1, 'plain', 'most 100 in 1 s, 1 failed'],
    [9, 'warn', 'most 100 in 1 s, 9 failed'],
    [10, 'bad', 'most 100 in 1 s, 10 failed'],
    [60, 'bad', 'most 100 in 1 s, 60 failed'],
  ])('%i of a hundred lines give their column the tone %s, and the highest column is told in words', (...expected) => {
    const [errors, tone, words] = expected;
    const play = openLog(80, withBurst(100, errors));
    expect(highestTone(play)).toBe(tone);
    expect(stripRow(play).endsWith(`   ${words}`)).toBe(true);
  });

  test('stand beside the time range where there is room for both', () => {
    expect(stripRow(openLog(120, withBurst(100, 60)))).toMatch(/ {3}most 100 in 1 s, 60 failed +13:59 to 14:00$/);
  });
});

test('a marker in a burst leaves the burst to be seen, and before the oldest line is what is not known', () => {
  const strip = {from: 0n, to: 4n, bucket: 1n, isZoomed: false, firstColumn: 1, usualErrors: 0};
  const play = openLog(80, withBurst(100, 60));
  const log = play.state.log ?? expect.fail('no log');
  const lines = [0, 2, 100, 100].map(count => ({lines: count, errors: 0}));
  const kept = {...log.kept, strip: {answer: () => ({strip: {...strip, buckets: lines}, marks: marks(), peaks: []})}};
  const marks = (): readonly (StripMark | undefined)[] => [undefined, 'gap', 'gap', 'marker'];
  const shown = showScreen({...play.state, log: {...log, kept}})[1];
  expect(shown?.slice(1, 5)).toBe('·╳▓▌');
});

test('a line that comes hardly changes it', () => {
  const play = openLog(80, linesOf(0, 300));
  let changed = 0;
  for (let second = 301; second <= 400; second++) {
    const before = stripRow(play);
    arrive(play, linesOf(second - 200, second));
    const now = stripRow(play);
    changed += [...now].filter((glyph, index) => glyph !== [...before][index]).length;
  }
  expect(changed / 100).toBeLessThan(3);
});

describe('peaks', () => {
  test('of errors are gone to, the cursor on the first error, with the counts told', () => {
    const play = openLog();
    give(play, 'previousPeak');
    expect(cursorRow(play)).toContain('14:05:05 ERROR line 305');
    expect(stateRow(play)).toMatch(/^a peak: \d+ errors, \d+ lines in \d+ s$/);
    give(play, 'previousPeak');
    expect(stateRow(play)).toBe('no more peaks above');
    give(play, 'goFirst', 'nextPeak');
    expect(cursorRow(play)).toContain('14:05:05 ERROR line 305');
    give(play, 'nextPeak');
    expect(stateRow(play)).toBe('no more peaks below');
  });

  test('of lines are gone to where there are no errors', () => {
    const play = openLog(80, linesOf(0, 250));
    give(play, 'previousPeak');
    expect(cursorRow(play)).toMatch(/line (?:9\d|100)$/);
    expect(stateRow(play)).toMatch(/^a peak: 1\d\d lines in \d+ s$/);
  });

  test('and columns are of what the filters show', () => {
    const play = openLog();
    const filterIn = (text: string): void => {
      give(play, 'filterIn');
      play.send({kind: 'textTyped', text});
      play.send({kind: 'inputKey', key: 'Enter'});
      answerSearches(play);
    };
    filterIn('line 1');
    expect(stripRow(play)).toMatch(/most 104 in 15 s$/);
    give(play, 'previousPeak');
    expect(cursorRow(play)).toMatch(/line 1\d\d$/);
    filterIn('ERROR');
    give(play, 'goLast', 'previousPeak');
    expect(cursorRow(play)).toContain('ERROR line 305');
  });

  test('are where errors begin to exceed what is usual and keep on, however few of the lines they are', () => {
    const sustained = linesOf(0, 599).flatMap(line => [
      ...Array.from({length: 20}, (_, copy) => line.replace(/\.\d+Z .*/, `.${500 + copy}000000Z calm`)),
      ...(Number(/line (\d+)/.exec(line)?.[1]) >= 400
        ? [line.replace(/\.\d+Z .*/, '.900000000Z ERROR sustained')]
        : []),
    ]);
    const play = openLog(
      80,
      sustained.filter(line => !line.includes('ERROR line')),
    );
    expect(stripRow(play)).toContain('▲');
    expect(tonesOf(play)).toContain('bad');
    give(play, 'goFirst', 'nextPeak');
    expect(cursorRow(play)).toContain('14:06:40.900 ERROR sustained');
    expect(stateRow(play)).toMatch(/^errors begin to exceed what is usual: \d+ errors/);
  });
});

describe('the zoom', () => {
  const span = (play: Play): string => /\d\d:\d\d(?::\d\d)? to .*$/.exec(stripRow(play))?.[0] ?? '';

  test('goes in round what is read, and out again to all', () => {
    const play = openLog();
    const whole = stripRow(play);
    give(play, 'previousPeak');
    const paused = stripRow(play);
    const spans: string[] = [];
    for (let step = 0; step < 3; step++) {
      give(play, 'zoomStripIn');
      const [from = '', to = ''] = span(play).split(' to ');
      expect(from <= '14:05:05' && '14:05:05' <= to).toBe(true);
      expect(stripRow(play)).toContain('[');
      spans.push(span(play));
    }
    expect(new Set(spans).size).toBe(3);
    give(play, ...Array.from({length: 9}, () => 'zoomStripIn' as const));
    expect(stateRow(play)).toBe('the strip cannot zoom in further');
    give(play, ...Array.from({length: 9}, () => 'zoomStripOut' as const));
    expect(stateRow(play)).toBe('the strip already shows the whole buffer');
    expect(stripRow(play)).toBe(paused);
    give(play, 'goLast');
    expect(stripRow(play)).toBe(whole);
  });

  test('goes along with the reader', () => {
    const play = openLog();
    give(play, 'zoomStripIn', 'zoomStripIn');
    expect(span(play)).toMatch(/to 14:09:59$/);
    give(play, 'goFirst');
    expect(stripRow(play)).toContain('[');
    const [, to = ''] = span(play).split(' to ');
    expect(to < '14:04:00').toBe(true);
  });

  test('that was left is none any more, however much the log grows', () => {
    const play = openLog(120, linesOf(0, 99));
    give(play, 'zoomStripIn', 'zoomStripOut', 'zoomStripOut');
    expect(stateRow(play)).toBe('the strip already shows the whole buffer');
    arrive(play, linesOf(0, 3000));
    expect(span(play)).toMatch(/^\d\d:\d\d to 14:50$/);
  });

  test('comes back with the log', () => {
    const play = openLog();
    const whole = stripRow(play);
    give(play, 'zoomStripIn');
    const zoomed = stripRow(play);
    expect(zoomed).not.toBe(whole);
    give(play, 'back', 'open');
    arrive(play, linesOf(0, 599));
    expect(stripRow(play)).toBe(zoomed);
  });
});
