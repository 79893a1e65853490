import {describe, expect, test} from 'vitest';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {orderLines, readNext} from '#log/ingest/window/read-next.ts';
import {eachLine} from '#log/window/window-lines.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos, short} from '../../simulation/lines-at.ts';
import {linesOf} from '../../simulation/subject.ts';

const empty = createBranchLog(1e6);
const take = (log: BranchLog, ...texts: readonly string[]) =>
  takeWindow(log, {lines: texts.map(line), pods: [{name: 'a', createdAt: '1'}], cut: 'branch'});
const logOf = (...windows: readonly (readonly string[])[]): BranchLog =>
  windows.reduce((log, texts) => take(log, ...texts).log, empty);
const held = (log: BranchLog): readonly string[] => linesOf(log).map(({raw}) => short(raw));

describe('the order of a service that lists the newest line first', () => {
  /** The lines as they are taken, after other windows. */
  const ordered = (now: readonly string[], ...windows: readonly (readonly string[])[]) => {
    const {raws, isReversed} = finishWork(orderLines(logOf(...windows), now.map(line)));
    return {raws: Array.from(raws, short), isReversed};
  };

  test('shows in stamps that only fall, from the first window on', () => {
    expect(ordered(['4 d', '3 c', '2 b', '1 a'])).toEqual({raws: ['1 a', '2 b', '3 c', '4 d'], isReversed: true});
    // Equal stamps say nothing of it, and lines without one neither.
    expect(ordered(['3 d', '}', '2 c', '2 b', '1 a', '0 z']).isReversed).toBe(true);
  });

  test('is not told by two falls, nor by stamps that rise somewhere', () => {
    expect(ordered(['3 c', '2 b', '1 a'])).toEqual({raws: ['3 c', '2 b', '1 a'], isReversed: false});
    expect(ordered(['4 d', '3 c', '2 b', '1 a', '9 i']).isReversed).toBe(false);
  });

  test('is kept where a window does not show it', () => {
    const newestFirst = ['4 d', '3 c', '2 b', '1 a'];
    expect(ordered(['5 e', '4 d', '5 x'], newestFirst)).toEqual({raws: ['5 x', '4 d', '5 e'], isReversed: true});
  });

  test('ends where stamps only rise', () => {
    const newestFirst = ['4 d', '3 c', '2 b', '1 a'];
    expect(ordered(['2 b', '3 c', '4 d', '5 e'], newestFirst).isReversed).toBe(false);
  });

  test('shows by what the window shares with the one before, where several clocks stamp lines', () => {
    const before = ['4 a', '14 b', '3 a', '13 b', '2 a'];
    const now = ['15 b', '5 a', ...before.slice(0, 3)];
    expect(ordered(now, before)).toEqual({raws: now.toReversed(), isReversed: true});
    const log = take(logOf(before), ...now);
    expect([log.verdict, log.added.length, log.log.isReversed]).toEqual([{kind: 'whole'}, 2, true]);
    expect(log.log.recent.map(({raws}) => Array.from(raws, short))).toEqual([now.toReversed(), before.toReversed()]);
  });

  test('shows so by three different lines at least', () => {
    const before = ['4 a', '14 b', '3 a', '13 b', '2 a'];
    expect(ordered(['15 b', '5 a', '6 a', '4 a', '14 b'], before).isReversed).toBe(false);
    const copies = ['4 a', '4 a', '14 b', '3 a', '13 b'];
    expect(ordered(['15 b', '5 a', '4 a', '4 a', '14 b'], copies).isReversed).toBe(false);
    const unstamped = ['4 a', '}', '14 b', '3 a', '13 b'];
    expect(ordered(['15 b', '5 a', '4 a', '}', '14 b'], unstamped).isReversed).toBe(false);
  });

  test('does not show where the windows join as they are, a line cut off at the front or not', () => {
    // Whichever way it is read, it shares three lines.
    const before = ['3 a', '13 b', '2 a', '12 b', '2 a', '13 b', '3 a'];
    const now = ['2 a', '13 b', '3 a', '20 c', '3 a', '13 b', '2 a'];
    expect(ordered(now, before).isReversed).toBe(false);
    expect(ordered(['rest', ...now], before).isReversed).toBe(false);
    expect(ordered(['21 d', '20 c', '3 a', '13 b', '2 a'], before).isReversed).toBe(true);
  });

  test('does not show in an older answer, which begins with what is known', () => {
    const older = ['2 a', '12 b', '3 a', '13 b', '4 a'];
    const newer = ['3 a', '13 b', '4 a', '14 b', '5 a'];
    expect(ordered(older, older, newer).isReversed).toBe(false);
  });

  test('does not show where sources are listed one after another', () => {
    const before = ['4 b', '4 c', '4 d'];
    expect(ordered(['4 a', ...before], before).isReversed).toBe(false);
    expect(ordered(['5 a', '6 a', '7 a', ...before], before).isReversed).toBe(false);
  });

  test('shows at any time where stamps only fall, and is given up where they rise again', () => {
    const windows = ['1', '2', '3', '4'].map(from => [`${from}01 x`, `${from}02 y`, `${from}03 x`, `${from}04 y`]);
    const before = ['900 d', '900 c', '900 b', '900 a'];
    expect(ordered(['901 f', '901 e', ...before], ...windows, before).isReversed).toBe(true);
    const newestFirst = ['4 d', '3 c', '2 b', '1 a'];
    expect(ordered(['1 a', '2 b', '3 c', '4 d', '4 e'], newestFirst).isReversed).toBe(false);
  });

  test('is learned from the first windows and not later', () => {
    const before = ['4 a', '14 b', '3 a', '13 b', '2 a'];
    const now = ['15 b', '5 a', ...before.slice(0, 3)];
    const windows = ['1', '3', '5'].map(from => [`${from}01 x`, `${from}11 y`, `${from}02 x`, `${from}12 y`]);
    expect(ordered(now, ...windows.slice(0, 2), before).isReversed).toBe(true);
    expect(ordered(now, ...windows, before).isReversed).toBe(false);
  });
});

test('lines are taken in the order in which they came, whichever the service lists first', () => {
  const log = logOf(['4 d', '3 c', '2 b', '1 b', '1 a'], ['5 e', '4 d', '3 c', '2 b', '1 b']);
  expect(held(log)).toEqual(['1 a', '1 b', '2 b', '3 c', '4 d', '5 e']);
});

describe('a window is read beside the one before', () => {
  const read = (log: BranchLog, ...texts: readonly string[]) => finishWork(readNext(log, texts.map(line)));

  test('of which it repeats the end', () => {
    const {now, overlap} = read(logOf(['1 a', '2 b', '3 c']), '2 b', '3 c', '4 d');
    expect([overlap, now.fragment, Array.from(now.raws, short)]).toEqual([2, undefined, ['2 b', '3 c', '4 d']]);
    // Lines without a timestamp are equal by chance.
    expect(read(logOf(['1 a', '}', '}']), '}', '}', '4 d').overlap).toBe(0);
    expect(read(empty, '1 a').overlap).toBe(0);
  });

  test('without the rest of a line at its front', () => {
    const {now, overlap} = read(logOf(['1 GET /index', '2 b', '3 c']), 'ET /index', '2 b', '3 c', '4 d');
    expect([now.fragment, overlap, Array.from(now.raws, short)]).toEqual(['ET /index', 2, ['2 b', '3 c', '4 d']]);
  });

  test('or the one before that, if the last answer was an older one', () => {
    const windows = [
      ['1 a', '2 b', '3 c', '4 d'],
      ['3 c', '4 d', '5 e', '6 f'],
      ['1 a', '5 e', '6 f'],
    ];
    const log = logOf(...windows);
    expect(log.possiblyNewerWindow).toBeDefined();
    const next = read(log, '4 d', '5 e', '6 f', '7 g');
    expect([next.overlap, next.log.possiblyNewerWindow, next.log.recent.map(({raws}) => raws.length)]).toEqual([
      3,
      undefined,
      [4, 3, 4],
    ]);
    expect(take(log, '4 d', '5 e', '6 f', '7 g')).toMatchObject({verdict: {kind: 'whole'}, overlapShare: 0.75});
    // If it follows the last answer, that was none.
    expect(read(log, '5 e', '6 f', '7 g')).toMatchObject({overlap: 2});
    expect(read({...log, possiblyNewerWindow: undefined}, '4 d', '5 e', '6 f', '7 g').overlap).toBe(0);
  });

  test('or the one before several that may have been older ones', () => {
    const log = logOf(
      ['1 a', '2 b', '3 c', '4 d'],
      ['3 c', '4 d', '5 e', '6 f'],
      ['1 a', '5 e', '6 f'],
      ['1 a', '6 f'],
    );
    expect(read(log, '4 d', '5 e', '6 f', '7 g').overlap).toBe(3);
    // One that brought something was none.
    const newer = take(log, '1 a', '6 f', '8 h').log;
    expect(read(newer, '4 d', '5 e', '6 f', '7 g').overlap).toBe(0);
  });

  test('or the one of which it has more lines, where it repeats the end of neither', () => {
    const log = logOf(['1 a', '2 a', '3 a', '4 a', '1 b', '2 b', '3 b', '4 b'], ['1 a', '2 a', '1 b', '4 b']);
    expect(log.possiblyNewerWindow).toBeDefined();
    const now = ['3 a', '4 a', '5 a', '3 b', '4 b', '5 b'];
    expect(read(log, ...now).log.possiblyNewerWindow).toBeUndefined();
  });

  test('or the last one, if it repeats more of that', () => {
    const log = logOf(['1 a', '6 f', '5 x', '6 f'], ['1 a', '6 f', '6 f']);
    expect(read(log, '6 f', '6 f', '7 g').overlap).toBe(2);
    expect(take(log, '1 a', '6 f', '6 f').log.possiblyNewerWindow?.raws.length).toBe(4);
    expect(logOf(['1 a', '6 f'], ['1 a', '6 f']).possiblyNewerWindow).toBeUndefined();
  });
});

describe('the order is told', () => {
  const ordered = (now: readonly string[], ...windows: readonly (readonly string[])[]) =>
    finishWork(orderLines(logOf(...windows), now.map(line)));

  test('by the first thousand lines', () => {
    const ties = (count: number) => Array.from({length: count}, () => '9 x');
    expect(ordered([...ties(997), '8 a', '7 b', '6 c', '99 d']).isReversed).toBe(true);
    expect(ordered([...ties(996), '8 a', '7 b', '6 c', '99 d']).isReversed).toBe(false);
    expect(ordered([...ties(998), '8 a', '7 b', '6 c']).isReversed).toBe(false);
  });

  test('by three lines with different stamps that both windows have', () => {
    expect(ordered(['5 d', '4 c', '3 b', '2 a'].slice(1), ['4 c', '3 b', '2 a']).isReversed).toBe(false);
    const before = ['4 a', '14 b', '3 a'];
    expect(ordered(['15 b', '5 a', ...before], before).isReversed).toBe(true);
    expect(ordered(['15 b', '5 a', ...before.slice(0, 2)], before.slice(0, 2)).isReversed).toBe(false);
  });

  test('and the window before is turned round with this one', () => {
    const before = ['4 a', '14 b', '3 a', '13 b', '2 a'];
    const {log} = ordered(['15 b', '5 a', ...before.slice(0, 3)], ['1 first', '1 second', '2 third'], before);
    expect(log.recent.map(({raws}) => Array.from(raws, short))).toEqual([
      before.toReversed(),
      ['1 first', '1 second', '2 third'],
    ]);
    expect([log.recent[0]?.cameSorted, log.recent[0]?.received.length]).toEqual([false, 5]);
    expect(log.recent[0]?.received.get(0)?.raw).toBe(line('2 a'));
    expect(log.recent[0]?.lines.get(4)?.raw).toBe(line('14 b'));
  });

  test('by turning round again what was newest first', () => {
    const newestFirst = ['34 d', '33 c', '32 b', '31 a'];
    const mixed = ['4 a', '14 b', '3 a', '13 b', '2 a'];
    const turned = ordered([...mixed.slice(2), '15 b', '16 a'], newestFirst, mixed);
    expect(turned.isReversed).toBe(true);
  });
});

describe('lines without a timestamp at the front of a window that joins none', () => {
  const read = (log: BranchLog, ...texts: readonly string[]) => {
    const {now} = finishWork(readNext(log, texts.map(line)));
    return [...eachLine(now.received)].map(([, {at}]) => Number(at - nanos(0)));
  };

  test('are of the time of the line after them, if they are new', () => {
    expect(read(empty, '}', '4 d')).toEqual([4, 4]);
    expect(read(logOf(['1 a', '}', '2 b']), 'new', '9 d')).toEqual([9, 9]);
  });

  test('are of the time of the newest line, or the first of all, if no other is there', () => {
    expect(read(logOf(['1 a', '2 b']), 'new', 'other')).toEqual([2, 2]);
    expect(read(empty, 'new')).toEqual([Number(-nanos(0))]);
  });

  // The windows that were read last are not asked: nothing of them is the same.
  const old = (...texts: readonly string[]) => ({...logOf(texts), recent: logOf(['9 x']).recent});

  test('are of the time at which they are held ahead of the line after them', () => {
    expect(read(old('1 a', '} one', '3 b', '} two', '5 c', '7 d'), '} one', '} two', '5 c')).toEqual([1, 3, 5]);
    // Of several, the last ones ahead of that line.
    expect(read(old('1 a', '}', '3 b', '}', '5 c', '}', '7 d'), '}', '5 c')).toEqual([3, 5]);
    expect(read(old('1 a', '}', '3 b', '}', '5 c', '}', '7 d'), '}', '}', '5 c')).toEqual([1, 3, 5]);
    // One that is not held goes with the one after it.
    expect(read(old('1 a', '}', '3 b', '5 c'), 'new', '}', 'new', '5 c')).toEqual([1, 1, 5, 5]);
  });

  test('are not known by text where the line after them is not held', () => {
    expect(read(old('1 a', '}', '3 b', '5 c'), '}', '5 other')).toEqual([5, 5]);
    expect(read(old('1 a', '}', '3 b', '5 c'), '}', '4 other')).toEqual([4, 4]);
    expect(read(old('1 a', '}', '5 b', '5 c'), '}', '5 c')).toEqual([1, 5]);
  });

  test('are known by text if no line has a timestamp', () => {
    expect(read(old('1 a', '}', '3 b'), '}')).toEqual([1]);
  });

  test('are looked for among twenty thousand entries', () => {
    const many = (count: number) =>
      read(old('1 a', '}', ...Array.from({length: count}, (_, index) => `${index + 2} b`), '99999 c'), '}', '99999 c');
    expect([many(19_999)[0], many(20_000)[0]]).toEqual([1, 99_999]);
  });
});
