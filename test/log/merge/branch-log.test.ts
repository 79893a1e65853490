import {expect, test} from 'vitest';
import type {Entry} from '../../../src/log/line/entry.ts';
import type {WindowCut} from '../../../src/log/line/window-cut.ts';
import {type BranchLog, createBranchLog, takeWindow} from '../../../src/log/merge/branch-log.ts';
import {changeWords} from '../../../src/log/words/change-words.ts';
import {describeMarker} from '../../../src/log/words/describe-marker.ts';
import {line, nanos, short} from '../simulation/lines-at.ts';
import {entriesOf} from '../simulation/subject.ts';

const empty = createBranchLog(1e6);

/** A window of pods `a,b`; the service says how it cuts where `cut` is given. */
const takeCut = (log: BranchLog, cut: WindowCut | undefined, pods: string, ...texts: readonly string[]) =>
  takeWindow(log, {
    lines: texts.map(line),
    pods: pods === '' ? [] : pods.split(',').map(name => ({name, createdAt: '1'})),
    cut,
  });

const take = (log: BranchLog, pods: string, ...texts: readonly string[]) => takeCut(log, undefined, pods, ...texts);

/** Nanoseconds after 14:02; `2 − 1 s` is one second before the second of them. */
const since = (instant: bigint): string => {
  const count = Number(instant - nanos(0));
  return count < -500_000_000 ? `${count + 1e9} − 1 s` : `${count}`;
};

const describe = (entry: Entry): string => {
  switch (entry.kind) {
    case 'line':
      return short(entry.raw);
    case 'gap':
      return `${entry.grows ? 'grown gap' : 'gap'} ${since(entry.after)} to ${since(entry.before)}, ${entry.reason}`;
    case 'quiet':
      return `quiet since ${since(entry.since)}`;
    case 'pod':
      return entry.since === undefined
        ? `${entry.name} ${entry.change}`
        : `${entry.name} ${entry.change} since ${since(entry.since)}`;
    case 'change':
      return `change ${changeWords(entry.change)}`;
    case 'horizon':
      return `horizon ${since(entry.at)}`;
    default:
      return entry satisfies never;
  }
};

const shown = (log: BranchLog): readonly string[] => entriesOf(log).map(describe);
const whole = {kind: 'whole'};

test('the pods of the first window give no marker, and its oldest line is the horizon', () => {
  const {log, added, verdict} = takeCut(empty, 'branch', 'a,b', '3 c', '4 d');
  expect(added.map(describe)).toEqual(['3 c', '4 d']);
  expect(verdict).toEqual(whole);
  expect([log.horizon, log.wholeSince]).toEqual([nanos(3), nanos(3)]);
});

test('where nobody says that the branch is cut as one, the first window is whole only since the last line that may be a front', () => {
  const texts = Array.from({length: 18}, (_, index) => `${index + 1} line`);
  // Two pods: the 18 lines may be 9 of each pod, or 3 of each container.
  expect(takeCut(empty, 'branch', 'a,b', ...texts).log.wholeSince).toBe(nanos(1));
  expect(takeCut(empty, 'pod', 'a,b', ...texts).log.wholeSince).toBe(nanos(10));
  expect(takeCut(empty, 'source', 'a,b', ...texts).log.wholeSince).toBe(nanos(16));
  expect(take(empty, 'a,b', ...texts).log.wholeSince).toBe(nanos(16));
});

test('a gap stands between what was held and what is newer, in the buffer and in what is handed out', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const {log, added, verdict} = takeCut(first, 'branch', 'a', '8 h', '9 i');
  // How late lines may be is not known yet, so a second is allowed for.
  expect(verdict).toEqual({
    kind: 'gap',
    after: nanos(2) - 1_000_000_000n,
    before: nanos(8),
    reason: 'moved-on',
  });
  expect(added.map(describe)).toEqual(['gap 2 − 1 s to 8, moved-on', '8 h', '9 i']);
  expect(shown(log)).toEqual(['1 a', '2 b', 'gap 2 − 1 s to 8, moved-on', '8 h', '9 i']);
  expect([log.gapCount, log.wholeSince]).toEqual([1, nanos(8)]);
});

test('another line with the timestamp of the newest one does not prove the log whole', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const {log} = takeCut(first, 'branch', 'a', '2 y', '2 z', '3 c');
  expect(shown(log)).toEqual(['1 a', '2 b', '2 y', '2 z', 'gap 2 − 1 s to 2, moved-on', '3 c']);
  expect(log.wholeSince).toEqual(nanos(2));
});

test('of equal newest timestamps any that was held proves the log whole', () => {
  const first = take(empty, 'a', '1 a', '2 b', '2 c').log;
  expect(shown(take(first, 'a', '2 c', '2 d', '3 e').log)).toEqual(['1 a', '2 b', '2 c', '2 d', '3 e']);
});

test('the newest line held proves nothing: it may be that of a quiet pod whose clock is ahead', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '2 a', '3 a', '90 ahead').log;
  const {added, verdict} = takeCut(first, 'branch', 'a,b', '7 a', '8 a', '9 a', '90 ahead');
  expect(verdict.kind).toBe('gap');
  expect(added.map(describe)).toEqual(['gap 90 − 1 s to 90, moved-on', '7 a', '8 a', '9 a']);
});

test('markers stand behind late lines and new ties, ahead of what is newer', () => {
  const first = take(empty, 'a', '1 a', '3 c').log;
  const {log, added} = take(first, 'b,c', '1 a', '2 late', '3 c', '3 tie', '4 d');
  expect(added.map(describe)).toEqual(['2 late', '3 tie', 'a gone since 3', 'b appeared', 'c appeared', '4 d']);
  expect(shown(log)).toEqual(['1 a', '2 late', '3 c', '3 tie', 'a gone since 3', 'b appeared', 'c appeared', '4 d']);
});

test('a gap is told before late lines, which came behind it, though its place in the log is after them', () => {
  const first = take(empty, 'a', '1 a', '3 c').log;
  const {log, added} = take(first, 'a', '2 late', '4 d');
  const gap = 'gap 3 − 1 s to 4, moved-on';
  expect(added.map(describe)).toEqual([gap, '2 late', '4 d']);
  expect(shown(log)).toEqual(['1 a', '2 late', '3 c', gap, '4 d']);
});

test('pods and a gap stand together, and a later late line does not part them', () => {
  const first = take(empty, 'a', '1 a').log;
  const second = take(first, 'b', '8 h').log;
  const gap = 'gap 1 − 1 s to 8, moved-on';
  expect(shown(second)).toEqual(['1 a', 'a gone since 1', 'b appeared', gap, '8 h']);
  expect(shown(take(second, 'b', '2 late', '8 h').log)).toEqual([
    '1 a',
    'a gone since 1',
    'b appeared',
    '2 late',
    gap,
    '8 h',
  ]);
});

test('pods that come to a log that was empty stand ahead of its first line, in order', () => {
  const first = take(empty, 'a').log;
  const {log, added} = take(first, 'a,b,c', '1 a');
  expect(shown(log)).toEqual(['b appeared', 'c appeared', '1 a']);
  expect(added.map(describe)).toEqual(['b appeared', 'c appeared', '1 a']);
});

test('a pod that comes and goes while nothing is logged stands at the end', () => {
  const first = take(empty, 'a', '1 a').log;
  const second = take(first, 'a,b', '1 a').log;
  expect(shown(take(second, 'a', '1 a').log)).toEqual(['1 a', 'b appeared', 'b gone since 1']);
});

test('after an empty window that came and went by age it is quiet: a mark and no gap, and nothing is called whole before it', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const second = takeCut(first, 'branch', 'a');
  expect(second.verdict).toEqual(whole);
  const {log, verdict} = takeCut(second.log, 'branch', 'a', '7 g');
  expect(verdict).toEqual({kind: 'quiet', after: nanos(2) - 1_000_000_000n, before: nanos(7)});
  expect(shown(log)).toEqual(['1 a', '2 b', 'quiet since 2 − 1 s', '7 g']);
  expect([log.gapCount, log.wholeSince]).toEqual([0, nanos(7)]);
});

test('after an empty window a full one that shows nothing held is a gap', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b', '3 c').log;
  const second = takeCut(first, 'branch', 'a').log;
  const {log} = takeCut(second, 'branch', 'a', '7 g', '8 h', '9 i');
  expect(shown(log)).toEqual(['1 a', '2 b', '3 c', 'gap 3 − 1 s to 7, empty', '7 g', '8 h', '9 i']);
});

test('after an empty window the front that was held proves the log whole', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const second = takeCut(first, 'branch', 'a').log;
  expect(shown(takeCut(second, 'branch', 'a', '2 b', '7 g').log)).toEqual(['1 a', '2 b', '7 g']);
});

test('when a pod goes its lines leave at once, and those of the others show that nothing is missing', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '2 b', '3 b').log;
  const {log, verdict} = takeCut(first, 'branch', 'a', '1 a', '4 a');
  expect(verdict).toEqual(whole);
  expect(shown(log)).toEqual(['1 a', '2 b', '3 b', 'b gone since 3', '4 a']);
  // What the pod logged at last may be missing.
  expect(log.wholeSince).toEqual(nanos(3));
});

test('the newest line of a pod that went polls ago is not missed', () => {
  const first = take(empty, 'a,b', '1 a', '2 b').log;
  const quiet = take(take(take(first, 'a', '1 a').log, 'a', '1 a').log, 'a', '1 a').log;
  const {log, verdict} = take(quiet, 'a', '1 a', '5 a');
  expect(verdict).toEqual(whole);
  expect(shown(log)).toEqual(['1 a', '2 b', 'b gone since 2', '5 a']);
});

test('the lines of a pod may leave an answer after it has left the list', () => {
  const first = take(empty, 'a,b', '1 a', '2 b').log;
  const second = take(first, 'a', '1 a', '2 b').log;
  const {log, verdict} = take(second, 'a', '1 a', '5 a');
  expect(verdict).toEqual(whole);
  expect(shown(log)).toEqual(['1 a', '2 b', 'b gone since 2', '5 a']);
});

test('a hole of its own in the answer after is not put down to a pod whose lines had left', () => {
  const first = take(empty, 'a,b,c', '1 quiet', '2 b', '3 c', '4 c').log;
  const second = take(first, 'a,c', '1 quiet', '3 c', '4 c', '5 c').log;
  const {verdict, cutsEachPod} = take(second, 'a,c', '1 quiet', '7 c', '8 c', '9 c');
  expect(cutsEachPod).toBe(true);
  expect(verdict).toEqual({
    kind: 'gap',
    after: nanos(5) - 1_000_000_000n,
    before: nanos(9),
    reason: 'moved-on',
  });
});

test('a pod that goes excuses no burst of another', () => {
  const first = take(empty, 'a,b', '1 a', '2 b', '3 b', '4 b', '5 b', '6 b').log;
  expect(take(first, 'b', '11 b', '12 b', '13 b', '14 b', '15 b', '16 b').verdict.kind).toBe('gap');
  const steady = take(empty, 'a,b,c', '1 c', '2 a', '3 b', '4 b', '5 b', '6 c').log;
  // The line of `c` stayed, and as much came as `b` may hold.
  expect(take(steady, 'b,c', '1 c', '6 c', '13 b', '14 b', '15 b').verdict).toMatchObject({reason: 'unproven'});
});

test('a list of pods that is empty, or other at each poll, explains nothing', () => {
  const lists = [
    ['a,b', ''],
    ['a,b', 'c,d', 'e,f'],
  ];
  for (const [pods = '', ...more] of lists) {
    let {log} = take(empty, pods, '1 quiet', '2 b', '3 b', '4 b', '5 quiet');
    for (const [index, next] of more.entries()) {
      const taken = take(log, next, '1 quiet', '5 quiet', ...[6, 7, 8].map(at => `${at + 10 * index} b`));
      log = taken.log;
    }
    expect(log.learned.sawHole).toBe(true);
  }
});

test('where each source is cut on its own, a share that is all new is a gap though the front is there', () => {
  const first = take(empty, 'a,b', '1 a', '2 b', '3 b', '4 a', '5 b', '6 a').log;
  const {log, verdict, cutsEachPod} = take(first, 'a,b', '1 a', '4 a', '6 a', '16 b', '17 b', '18 b');
  expect(cutsEachPod).toBe(true);
  expect(verdict).toMatchObject({kind: 'gap', reason: 'unproven'});
  expect(shown(log)).toEqual([
    ...['1 a', '2 b', '3 b', '4 a', '5 b', '6 a'],
    'gap 6 − 1 s to 18, unproven',
    ...['16 b', '17 b', '18 b'],
  ]);
  expect(log.wholeSince).toEqual(nanos(18));
});

test('a pod that had shown little and bursts past its share leaves a gap though little left', () => {
  const first = take(empty, 'a,b', '1 quiet', '2 b', '3 b', '4 a', '5 quiet').log;
  const {verdict} = take(first, 'a,b', '1 quiet', '2 b', '3 b', '5 quiet', '7 a', '8 a', '9 a', '10 a');
  expect(verdict).toMatchObject({kind: 'gap', reason: 'unproven', before: nanos(10)});
});

test('a hole is remembered as long as the log is watched', () => {
  let {log} = take(take(empty, 'a,b', '1 a', '2 b', '3 b').log, 'a,b', '1 a', '3 b', '4 b');
  for (let poll = 0; poll < 1000; poll++) {
    ({log} = take(log, 'a,b', '1 a', '3 b', '4 b'));
  }
  expect(take(log, 'a,b', '1 a', '3 b', '4 b', '5 b').cutsEachPod).toBe(true);
});

test('where the service says that it cuts the branch as one, a hole changes nothing', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '2 b', '3 b', '4 a').log;
  const second = takeCut(first, 'branch', 'a,b', '1 a', '3 b', '4 a', '5 b');
  expect(second.cutsEachPod).toBe(false);
  expect(takeCut(second.log, 'branch', 'a,b', '3 b', '4 a', '5 b', '6 b', '7 b', '8 b').verdict).toEqual(whole);
});

test('an older answer makes no gap, no hole and nothing new, and the next one joins', () => {
  const first = take(empty, 'a', '1 a', '2 b', '3 c').log;
  const second = take(first, 'a', '3 c', '4 d', '5 e').log;
  const older = take(second, 'a', '1 a', '2 b', '3 c');
  expect([older.added, older.cutsEachPod, older.verdict.kind]).toEqual([[], false, 'whole']);
  const next = take(older.log, 'a', '5 e', '6 f');
  expect(next.verdict).toEqual(whole);
  expect(shown(next.log)).toEqual(['1 a', '2 b', '3 c', '4 d', '5 e', '6 f']);
});

test('how much left and stayed is told for the pace', () => {
  const first = take(empty, 'a', '1 a', '2 b', '3 c', '4 d');
  expect([first.overlapShare, first.leftCount]).toEqual([1, 0]);
  const second = take(first.log, 'a', '4 d', '5 e');
  expect([second.overlapShare, second.leftCount]).toEqual([0.25, 3]);
  const blank = take(second.log, 'a');
  expect([blank.overlapShare, blank.leftCount]).toEqual([0, 2]);
  // They left once, not again at each empty answer that follows.
  const again = take(blank.log, 'a');
  expect([again.overlapShare, again.leftCount]).toEqual([1, 0]);
});

test('polls that follow each other without proof make one gap that grows', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const second = takeCut(first, 'branch', 'a', '8 h', '9 i').log;
  const third = takeCut(second, 'branch', 'a', '18 r', '19 s');
  // It is handed out again, to take the place of the one before, under the same number.
  expect(third.added.map(describe)).toEqual(['grown gap 2 − 1 s to 18, moved-on', '18 r', '19 s']);
  expect(third.added[0]?.id).toBe(second.standingGap?.id);
  expect(shown(third.log)).toEqual(['1 a', '2 b', 'grown gap 2 − 1 s to 18, moved-on', '8 h', '9 i', '18 r', '19 s']);
  expect([third.log.gapCount, third.log.wholeSince]).toEqual([1, nanos(18)]);
  // An empty answer in between proves nothing, a window that joins does.
  const blank = takeCut(third.log, 'branch', 'a').log;
  expect(takeCut(blank, 'branch', 'a', '28 t', '29 u').added.map(describe)).toEqual([
    'grown gap 2 − 1 s to 28, empty',
    '28 t',
    '29 u',
  ]);
  const joined = takeCut(third.log, 'branch', 'a', '19 s', '20 t').log;
  const next = takeCut(joined, 'branch', 'a', '30 x', '31 y');
  expect(next.added.map(describe)).toEqual(['gap 20 − 1 s to 30, moved-on', '30 x', '31 y']);
  expect(next.log.gapCount).toBe(2);
});

test('a gap whose marker has left the buffer does not grow: another one begins', () => {
  const first = takeCut(createBranchLog(150), 'branch', 'a', '1 a', '2 b').log;
  const second = takeCut(first, 'branch', 'a', '8 h', '9 i').log;
  const third = takeCut(second, 'branch', 'a', '18 r', '19 s', '20 t').log;
  const fourth = takeCut(third, 'branch', 'a', '28 x', '29 y', '30 z');
  expect(fourth.added.map(describe)[0]).toBe('gap 20 − 1 s to 28, moved-on');
});

test('a line stamped far in the future changes nothing but its own place', () => {
  const future = '2199-01-01T00:00:00.000000000Z x';
  const serviceAt = nanos(0);
  const takeAt = (log: BranchLog, lines: readonly string[]) =>
    takeWindow(log, {lines, pods: [{name: 'a', createdAt: '1'}], cut: 'branch', serviceAt});
  const first = takeAt(empty, [...['1 a', '2 b'].map(line), future]).log;
  expect([first.buffer.newestLine?.raw, first.wholeSince]).toEqual([line('2 b'), nanos(1)]);
  const second = takeAt(first, [...['2 b', '3 c'].map(line), future]);
  expect(second.added.map(entry => entry.kind === 'line' && [short(entry.raw), entry.late])).toEqual([['3 c', false]]);
  expect(second.verdict).toEqual(whole);
  const third = takeAt(second.log, [...['8 h', '9 i'].map(line), future]);
  expect(third.added.map(describe)).toEqual(['gap 3 − 1 s to 8, moved-on', '8 h', '9 i']);
  expect(third.log.wholeSince).toEqual(nanos(8));
  expect(entriesOf(third.log).at(-1)).toMatchObject({raw: future});
  // A log of such lines alone is held and judged all the same.
  expect(takeAt(empty, [future]).log.buffer.newestLine?.raw ?? future).toBe(future);
});

const numberedOf = (pods: string, log: BranchLog, last: number, dropped: number, ...texts: readonly string[]) =>
  takeWindow(log, {
    lines: texts.map(line),
    pods: pods.split(',').map(name => ({name, createdAt: '1'})),
    arrivals: {series: 'one', last, dropped},
  });

const numbered = numberedOf.bind(undefined, 'a');

test('of a service that numbers its lines a gap is where it dropped a line after the answer before, and nowhere else', () => {
  const first = numbered(empty, 2, 0, '1 a', '2 b').log;
  expect(numbered(first, 4, 2, '8 h', '9 i').verdict).toEqual(whole);
  expect(numbered(first, 5, 3, '8 h', '9 i').verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  // A loss that no line has shown yet is told with the first that comes.
  const silent = numbered(first, 5, 5);
  expect(silent.verdict).toEqual(whole);
  expect(numbered(silent.log, 6, 5, '9 i').verdict.kind).toBe('gap');
});

test('a pod that went is no reason for doubt where the numbers of the lines join', () => {
  const first = numberedOf('a,b', empty, 2, 0, '1 a', '2 b').log;
  const joined = numberedOf('a', first, 3, 0, '1 a', '2 b', '3 a');
  expect(joined.added.filter(({kind}) => kind === 'pod')).toMatchObject([{name: 'b', change: 'gone', isWhole: true}]);
  expect(joined.log.wholeSince).toBe(nanos(1));
  expect(joined.added.map(entry => (entry.kind === 'line' ? '' : describeMarker(entry, 'sentence')))).toEqual([
    'pod b gone',
    '',
  ]);
  const unread = takeWindow(first, {
    lines: ['1 a', '2 b', '3 a'].map(line),
    pods: [{name: 'a', createdAt: '1'}],
    arrivals: {series: 'one', last: 4, dropped: 0, unread: 3},
  });
  expect([unread.verdict, unread.added.map(describe)]).toEqual([whole, ['b gone since 2', '3 a']]);
  const broken = numberedOf('a', first, 4, 3, '4 a');
  expect(broken.added.map(describe)).toContain('b gone since 2');
  const uncounted = take(first, 'a', '1 a', '2 b', '3 a');
  expect(uncounted.added.map(describe)).toEqual(['b gone since 2', '3 a']);
  expect(uncounted.log.wholeSince).toBe(nanos(2));
});

test('a pod that came and went between two answers, and was not read to its end, is a gap', () => {
  const first = numbered(empty, 2, 0, '1 a', '2 b').log;
  const arrivals = {series: 'one', last: 4, dropped: 0, unread: 4};
  const window = {lines: ['1 a', '2 b', '8 h'].map(line), pods: [{name: 'a', createdAt: '1'}], arrivals};
  const silent = takeWindow(first, {...window, lines: window.lines.slice(0, 2)});
  expect(silent.verdict).toEqual(whole);
  const second = takeWindow(silent.log, window);
  expect(second.verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  expect(takeWindow(second.log, {...window, lines: [...window.lines, line('9 i')]}).verdict).toEqual(whole);
});

test('a window of nothing but its banner is an empty one', () => {
  const first = takeCut(empty, 'branch', 'a', '1 == log ==', '2 a', '3 b', '4 c', '5 d').log;
  const blank = takeCut(first, 'branch', 'a', '1 == log ==').log;
  expect(takeCut(blank, 'branch', 'a', '1 == log ==', '7 g').verdict.kind).toBe('quiet');
});
