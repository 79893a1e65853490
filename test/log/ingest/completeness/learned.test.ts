import {describe, expect, test} from 'vitest';
import {
  isCutByLines,
  type Learned,
  learnedNothing,
  learnFromWindow,
  mostOf,
  type SeenWindow,
  turnLearned,
} from '#log/ingest/completeness/learned.ts';
import {readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line} from '../../simulation/lines-at.ts';

const read = (...texts: readonly string[]) => finishWork(readWindow(texts.map(line), () => []));

/** Of a window of two lines that one line left and one came into, of one pod. */
const seen: SeenWindow = {
  before: read('1 a', '2 b'),
  now: read('2 b', '3 c'),
  extent: {lines: 2, characters: 64},
  podCount: 1,
  leftCount: 1,
  cameCount: 1,
  bannerLines: 0,
  hasHole: false,
  isMixed: false,
  span: 10n,
  youngestLeft: undefined,
};

const learn = (learned: Learned, more: Partial<SeenWindow> = {}): Learned =>
  learnFromWindow(learned, {...seen, ...more});

describe('how much windows hold', () => {
  const large = {lines: 900, characters: 9000};
  const small = {lines: 10, characters: 12_000};

  test('is the most of each that was seen', () => {
    const learned = learn(learn(learnedNothing, {extent: large}), {extent: small});
    expect(mostOf(learned)).toEqual({lines: 900, characters: 12_000});
  });

  /** Both of before the last turn and since. */
  const learned = turnLearned({...learn(learnedNothing, {extent: large}), pollsSinceTurn: 49});

  test('is learned anew where lines leave out of turn: a part is full', () => {
    expect(mostOf(learn(learned, {extent: small, hasHole: true}))).toEqual(small);
    expect(mostOf(learn(learned, {extent: small, hasHole: true, cameCount: 0})).lines).toBe(900);
  });

  test('is learned anew where the number of pods changes, which share a window', () => {
    expect(mostOf(learn(learned, {extent: small, podCount: 6}))).toEqual(small);
  });

  test('is learned anew where lines left that are younger than lines may become: then a window is full', () => {
    expect(mostOf(learn(learned, {extent: small, youngestLeft: 9n}))).toEqual(small);
    // They left by age, or nothing followed them: a container may have started anew.
    expect(mostOf(learn(learned, {extent: small, youngestLeft: 10n})).lines).toBe(900);
    expect(mostOf(learn(learned, {extent: small, youngestLeft: 9n, cameCount: 0})).lines).toBe(900);
  });

  test('goes by the longest time that any window spanned', () => {
    const spanned = learn(learn(learned, {span: 60n}), {span: 5n, podCount: 6, extent: large});
    expect(mostOf(learn(spanned, {extent: small, youngestLeft: 59n, podCount: 6}))).toEqual(small);
    expect(mostOf(learn(spanned, {extent: small, youngestLeft: 60n, podCount: 6})).lines).toBe(900);
  });

  test('is forgotten after two turns of fifty polls', () => {
    let last = learn(learnedNothing, {extent: large});
    const turn = (polls: number): void => {
      for (let poll = 0; poll < polls; poll++) {
        last = turnLearned(last);
      }
    };
    turn(99);
    expect(mostOf(last)).toEqual(large);
    turn(1);
    expect(mostOf(last)).toEqual({lines: 0, characters: 0});
  });
});

describe('windows are cut by lines', () => {
  /** As many lines, which are longer by more than a twentieth. */
  const even = {extent: {lines: 2, characters: 68}};
  const polls = (count: number, more: Partial<SeenWindow> = {}, from = learnedNothing): Learned =>
    Array.from({length: count}).reduce<Learned>(learned => learn(learned, {...even, ...more}), from);

  test('where as many lines left as came at four polls in a row, though those were longer or shorter', () => {
    expect([3, 4].map(count => isCutByLines(polls(count)))).toEqual([false, true]);
    expect(isCutByLines(polls(4, {extent: {lines: 2, characters: 60}}))).toBe(true);
  });

  test('polls at which sizes are alike show nothing', () => {
    expect(isCutByLines(polls(4, {extent: {lines: 2, characters: 67}}))).toBe(false);
    expect(isCutByLines(polls(1, {extent: {lines: 2, characters: 64}}, polls(4)))).toBe(true);
  });

  test('not where another number is there: some left by bytes or by age', () => {
    expect(isCutByLines(polls(4, {now: read('2 b', '3 c', '4 d')}))).toBe(false);
    // One such poll is enough to doubt.
    expect(isCutByLines(learn(polls(4), {now: read('2 b', '3 c', '4 d')}))).toBe(false);
    const alike = {now: read('2 b', '3 c', '4 d'), extent: {lines: 3, characters: 64}};
    expect(isCutByLines(learn(polls(4), alike))).toBe(false);
  });

  test('polls at which nothing left or came show nothing', () => {
    expect(isCutByLines(polls(4, {leftCount: 0}))).toBe(false);
    expect(isCutByLines(polls(4, {cameCount: 0}))).toBe(false);
    const same = {now: read('1 a', '2 b', '3 c')};
    expect(isCutByLines(polls(1, {...same, leftCount: 0}, polls(4)))).toBe(true);
    expect(isCutByLines(polls(1, {...same, cameCount: 0}, polls(4)))).toBe(true);
  });
});

test('that a hole was seen, and that lines leave, is never forgotten', () => {
  const learned = learn(learn(learnedNothing, {hasHole: true}), {leftCount: 0});
  expect([learnedNothing.sawHole, learned.sawHole, learned.sawLeave]).toEqual([false, true, true]);
  expect([
    learn(learnedNothing, {leftCount: 0}).sawLeave,
    turnLearned({...learned, pollsSinceTurn: 49}).sawHole,
  ]).toEqual([false, true]);
});

test('how many lines came of late is halved with each poll that brought fewer', () => {
  let learned = learn(learnedNothing, {cameCount: 9});
  const came = [learned.cameLately];
  for (const cameCount of [0, 3, 0, 0]) {
    learned = learn(learned, {cameCount});
    came.push(learned.cameLately);
  }
  expect(came).toEqual([9, 4, 3, 1, 0]);
});
