import {describe, expect, test} from 'vitest';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {Entry} from '#log/line/entry.ts';
import type {WindowCut} from '#log/window/window-claims.ts';
import {changeWords} from '#log/words/describe-marker.ts';
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

const describeEntry = (entry: Entry): string => {
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

const shown = (log: BranchLog): readonly string[] => entriesOf(log).map(describeEntry);
const whole = {kind: 'whole'};

test('the pods of the first window give no marker, and its oldest line is the horizon', () => {
  const {log, added, verdict} = takeCut(empty, 'branch', 'a,b', '3 c', '4 d');
  expect(added.map(describeEntry)).toEqual(['3 c', '4 d']);
  expect(verdict).toEqual(whole);
  expect([log.horizon, log.wholeSince]).toEqual([nanos(3), nanos(3)]);
});

test('where nobody says that the branch is cut as one, the first window is whole only since the last line that may be a front', () => {
  const texts = Array.from({length: 18}, (_, index) => `${index + 1} line`);
  const sinceOf = (cut: WindowCut | undefined, sources?: number) =>
    takeWindow(empty, {
      lines: texts.map(line),
      pods: ['a', 'b'].map(name => ({name, createdAt: '1'})),
      cut,
      sources,
    }).log.wholeSince;
  // Two pods: the 18 lines may be 9 of each pod, or 3 of each container, if there are three.
  expect(sinceOf('branch')).toBe(nanos(1));
  expect(sinceOf('pod')).toBe(nanos(10));
  expect(sinceOf('source', 3)).toBe(nanos(16));
  // There may be eight in each pod.
  expect(sinceOf('source')).toBe(nanos(18));
  expect(sinceOf(undefined)).toBe(nanos(18));
});

test('a gap stands between what was held and what is newer, in the buffer and in what is handed out', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const {log, added, verdict} = takeCut(first, 'branch', 'a', '8 h', '9 i');
  // How late lines may be is not known yet, so a second is allowed for.
  expect(verdict).toEqual({
    kind: 'gap',
    after: nanos(2) - 1_000_000_000n,
    before: nanos(9),
    reason: 'moved-on',
  });
  expect(added.map(describeEntry)).toEqual(['gap 2 − 1 s to 9, moved-on', '8 h', '9 i']);
  expect(shown(log)).toEqual(['1 a', '2 b', 'gap 2 − 1 s to 9, moved-on', '8 h', '9 i']);
  expect([log.gapCount, log.wholeSince]).toEqual([1, nanos(9)]);
});

test('another line with the timestamp of the newest one does not prove the log whole', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const {log} = takeCut(first, 'branch', 'a', '2 y', '2 z', '3 c');
  expect(shown(log)).toEqual(['1 a', '2 b', '2 y', '2 z', 'gap 2 − 1 s to 3, moved-on', '3 c']);
  expect(log.wholeSince).toEqual(nanos(3));
});

test('of equal newest timestamps any that was held proves the log whole', () => {
  const first = take(empty, 'a', '1 a', '2 b', '2 c').log;
  expect(shown(take(first, 'a', '2 c', '2 d', '3 e').log)).toEqual(['1 a', '2 b', '2 c', '2 d', '3 e']);
});

test('the newest line held proves nothing: it may be that of a quiet pod whose clock is ahead', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '2 a', '3 a', '90 ahead').log;
  const {added, verdict} = takeCut(first, 'branch', 'a,b', '7 a', '8 a', '9 a', '90 ahead');
  expect(verdict.kind).toBe('gap');
  expect(added.map(describeEntry)).toEqual(['gap 90 − 1 s to 90, moved-on', '7 a', '8 a', '9 a']);
});

test('markers stand after late lines and new ties, ahead of what is newer', () => {
  const first = take(empty, 'a', '1 a', '3 c').log;
  const {log, added} = take(first, 'b,c', '1 a', '2 late', '3 c', '3 tie', '4 d');
  expect(added.map(describeEntry)).toEqual(['2 late', '3 tie', 'a gone since 3', 'b appeared', 'c appeared', '4 d']);
  expect(shown(log)).toEqual(['1 a', '2 late', '3 c', '3 tie', 'a gone since 3', 'b appeared', 'c appeared', '4 d']);
});

test('a gap is told before late lines, which came after it, though its place in the log is after them', () => {
  const first = take(empty, 'a', '1 a', '3 c').log;
  const {log, added} = take(first, 'a', '2 late', '4 d');
  const gap = 'gap 3 − 1 s to 4, moved-on';
  expect(added.map(describeEntry)).toEqual([gap, '2 late', '4 d']);
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
  expect(added.map(describeEntry)).toEqual(['b appeared', 'c appeared', '1 a']);
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

test('after an empty window a few lines are quiet, however many there were long before', () => {
  const texts = Array.from({length: 20}, (_, index) => `${index + 1} a`);
  let {log} = takeCut(takeCut(empty, 'branch', 'a', '0 a').log, 'branch', 'a', '0 a', ...texts);
  const verdicts = [1, 2, 3, 4].map(() => {
    const blank = takeCut(log, 'branch', 'a').log;
    ({log} = takeCut(log, 'branch', 'a', '0 a', ...texts));
    return takeCut(blank, 'branch', 'a', '37 x', '38 y', '39 z').verdict.kind;
  });
  // Twenty lines had come, then ten, five and two of late.
  expect(verdicts).toEqual(['gap', 'gap', 'gap', 'quiet']);
});

test('after an empty window a full one that shows nothing held is a gap', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b', '3 c').log;
  const second = takeCut(first, 'branch', 'a').log;
  const {log} = takeCut(second, 'branch', 'a', '7 g', '8 h', '9 i');
  expect(shown(log)).toEqual(['1 a', '2 b', '3 c', 'gap 3 − 1 s to 9, empty', '7 g', '8 h', '9 i']);
});

test('after an empty window the front that was held proves the log whole', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 b').log;
  const second = takeCut(first, 'branch', 'a').log;
  expect(shown(takeCut(second, 'branch', 'a', '2 b', '7 g').log)).toEqual(['1 a', '2 b', '7 g']);
});

test('when a pod goes its lines leave at once, and those of the others show that nothing is missing', () => {
  const quiet = ['1 a', '1 b', '1 c', '1 d', '1 e'];
  const first = takeCut(empty, 'branch', 'a,b', ...quiet, '2 b', '3 b').log;
  const {log, verdict} = takeCut(first, 'branch', 'a', ...quiet, '4 a');
  expect(verdict).toEqual(whole);
  expect(shown(log)).toEqual([...quiet, '2 b', '3 b', 'b gone since 3', '4 a']);
  // What the pod logged at last may be missing.
  expect(log.wholeSince).toEqual(nanos(3));
});

test('when a pod goes a line or two of the others show that nothing is missing', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '2 b', '3 b').log;
  expect(takeCut(first, 'branch', 'a', '1 a', '4 a').verdict).toEqual(whole);
});

test('a pod that goes and takes its lines with it is told, though nothing else came', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '2 b', '3 b').log;
  expect(takeCut(first, 'branch', 'a', '1 a').added.map(describeEntry)).toEqual(['b gone since 3']);
});

test('the last lines of a pod that went are missing from earlier on where its clock was behind', () => {
  const slow = takeCut(empty, 'branch', 'a,b', '2 b', '9 a').log;
  expect(takeCut(slow, 'branch', 'a', '9 a', '10 a').added.map(describeEntry)[0]).toBe('b gone since 2');
  // Or lines were late, by three here.
  const first = takeCut(empty, 'branch', 'a,b', '1 a', '5 b').log;
  const late = takeCut(first, 'branch', 'a,b', '1 a', '3 a', '5 b', '6 b').log;
  const gone = takeCut(late, 'branch', 'a', '1 a', '3 a', '5 b', '6 b', '7 a');
  expect(gone.added.map(describeEntry)).toEqual(['b gone since 3', '7 a']);
});

test('what a pod that went leaves at the front proves nothing, if it is no more than a banner', () => {
  const first = takeCut(empty, 'branch', 'a,b', '1 ==', '2 a', '3 b', '4 a').log;
  const second = takeCut(first, 'branch', 'a,b', '1 ==', '3 b', '4 a', '5 a').log;
  expect(takeCut(second, 'branch', 'a', '1 ==', '15 a', '16 a').verdict).toMatchObject({reason: 'moved-on'});
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
  const {log, verdict, cutsEachPod} = take(second, 'a', '1 a', '5 a');
  expect([verdict, cutsEachPod]).toEqual([whole, false]);
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
  expect(older.log).toEqual(second);
  const next = take(older.log, 'a', '5 e', '6 f');
  expect(next.verdict).toEqual(whole);
  expect(shown(next.log)).toEqual(['1 a', '2 b', '3 c', '4 d', '5 e', '6 f']);
});

test('a line that left while nothing newer came is no hole: the answer may be an older one', () => {
  const first = take(empty, 'a', '1 a', '2 b', '3 c').log;
  expect(take(first, 'a', '1 a', '3 c').cutsEachPod).toBe(false);
  expect(take(first, 'a', '1 a', '3 c', '4 d').cutsEachPod).toBe(true);
});

test('an answer whose lines are all older, and new, is no older answer', () => {
  const first = takeCut(empty, 'branch', 'a', '60 a', '100 b').log;
  expect(takeCut(first, 'branch', 'a', '3 x', '4 y').verdict.kind).toBe('gap');
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
  expect(third.added.map(describeEntry)).toEqual(['grown gap 2 − 1 s to 19, moved-on', '18 r', '19 s']);
  expect(third.added[0]?.id).toBe(second.standingGap?.id);
  expect(shown(third.log)).toEqual(['1 a', '2 b', 'grown gap 2 − 1 s to 19, moved-on', '8 h', '9 i', '18 r', '19 s']);
  expect([third.log.gapCount, third.log.wholeSince]).toEqual([1, nanos(19)]);
  // An empty answer in between proves nothing, a window that joins does.
  const blank = takeCut(third.log, 'branch', 'a').log;
  expect(takeCut(blank, 'branch', 'a', '28 t', '29 u').added.map(describeEntry)).toEqual([
    'grown gap 2 − 1 s to 29, empty',
    '28 t',
    '29 u',
  ]);
  const joined = takeCut(third.log, 'branch', 'a', '19 s', '20 t').log;
  const next = takeCut(joined, 'branch', 'a', '30 x', '31 y');
  expect(next.added.map(describeEntry)).toEqual(['gap 20 − 1 s to 31, moved-on', '30 x', '31 y']);
  expect(next.log.gapCount).toBe(2);
});

test('a gap whose marker has left the buffer does not grow: another one begins', () => {
  const first = takeCut(createBranchLog(150), 'branch', 'a', '1 a', '2 b').log;
  const second = takeCut(first, 'branch', 'a', '8 h', '9 i').log;
  const third = takeCut(second, 'branch', 'a', '18 r', '19 s', '20 t').log;
  const fourth = takeCut(third, 'branch', 'a', '28 x', '29 y', '30 z');
  expect(fourth.added.map(describeEntry)[0]).toBe('gap 20 − 1 s to 30, moved-on');
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
  expect(third.added.map(describeEntry)).toEqual(['gap 3 − 1 s to 9, moved-on', '8 h', '9 i']);
  expect(third.log.wholeSince).toEqual(nanos(9));
  expect(entriesOf(third.log).at(-1)).toMatchObject({raw: future});
  // A log of such lines alone is held and judged all the same.
  expect(takeAt(empty, [future]).log.buffer.newestLine?.raw ?? future).toBe(future);
});

test('how the service cuts its windows is kept over an answer that does not say', () => {
  const first = takeWindow(empty, {
    lines: ['1 a', '2 b', '3 c', '4 d', '5 e', '6 f'].map(line),
    pods: [{name: 'a', createdAt: '1'}],
    cut: 'source',
    sources: 2,
  }).log;
  const texts = ['3 c', '4 d', '5 e', '6 f', '7 g', '8 h', '9 i', '10 j'];
  const {log, verdict} = take(first, 'a', ...texts);
  expect([log.said, verdict]).toMatchObject([{cut: 'source', sources: 2}, {reason: 'share'}]);
  // What it says next holds, its sources too.
  expect(takeCut(log, 'pod', 'a', ...texts).log.said).toEqual({cut: 'pod', sources: undefined});
});

test('what a window can hold is learned anew when pods share it, and when it shrinks at once', () => {
  const texts = (from: number, count: number) => Array.from({length: count}, (_, index) => `${from + index} x`);
  const first = takeCut(empty, 'pod', 'a,b', ...texts(1, 30)).log;
  const same = takeCut(first, 'pod', 'a,b', ...texts(5, 30));
  expect([same.verdict, same.shareLines]).toEqual([whole, 15]);
  const more = takeCut(same.log, 'pod', 'a,b,c', ...texts(7, 30));
  expect([more.verdict, more.shareLines]).toEqual([whole, 10]);
  const shrunk = takeCut(same.log, 'pod', 'a,b', ...texts(19, 18));
  expect([shrunk.verdict, shrunk.shareLines]).toEqual([whole, 9]);
  // It shows less while nothing came: a container may have started anew.
  expect(takeCut(same.log, 'pod', 'a,b', ...texts(17, 18)).shareLines).toBe(15);
  // It let go of lines by age: they are older than it was long.
  const aged = takeCut(same.log, 'pod', 'a,b', ...texts(31, 4), '80 x');
  expect([aged.verdict, aged.shareLines]).toEqual([whole, 15]);
});

test('an item that is no line is a gap, once, whatever else is whole', () => {
  const takeItems = (log: BranchLog, notLines: readonly number[], ...texts: readonly string[]) =>
    takeWindow(log, {lines: texts.map(line), pods: [], cut: 'branch', notLines});
  const first = takeItems(empty, [], '1 a', '2 b').log;
  const second = takeItems(first, [2], '1 a', '2 b', '3 c');
  expect(second.added.map(describeEntry)).toEqual(['gap 2 − 1 s to 3, not-lines', '3 c']);
  const third = takeItems(second.log, [1], '2 b', '3 c', '4 d');
  expect([third.verdict, third.added.map(describeEntry)]).toEqual([whole, ['4 d']]);
  const fourth = takeItems(third.log, [1, 3], '2 b', '3 c', '4 d');
  expect(fourth.verdict).toMatchObject({kind: 'gap', reason: 'not-lines'});
  // Also in the first window, and where there is nothing else.
  expect(takeItems(empty, [0], '1 a').verdict).toMatchObject({kind: 'gap', reason: 'not-lines'});
  expect(takeItems(empty, [0]).verdict).toMatchObject({kind: 'gap', reason: 'not-lines'});
  // A window that lost lines says that.
  expect(takeItems(second.log, [0], '8 h', '9 i').verdict).toMatchObject({reason: 'moved-on'});
});

test('an item that is no line is known again ahead of which a line was cut off, and in a window turned round', () => {
  const takeItems = (log: BranchLog, notLines: readonly number[], lines: readonly string[]) =>
    takeWindow(log, {lines, pods: [], cut: 'branch', notLines});
  const lines = ['1 GET /index', '2 GET /style', '3 end'].map(line);
  const first = takeItems(empty, [2], lines).log;
  // `ET /index` is the rest of the first line.
  const cut = takeItems(first, [2], ['ET /index', line('2 GET /style'), line('3 end'), line('4 more')]);
  expect([cut.added.map(describeEntry), cut.verdict]).toEqual([['4 more'], whole]);
  const newestFirst = ['5 e', '4 d', '3 c', '2 b', '1 a'].map(line);
  const turned = takeItems(empty, [1], newestFirst).log;
  const next = takeItems(turned, [2], [line('6 f'), ...newestFirst.slice(0, 4)]);
  expect([next.verdict, next.log.isReversed]).toEqual([whole, true]);
  expect(takeItems(turned, [1], [line('6 f'), ...newestFirst.slice(0, 4)]).verdict).toMatchObject({
    reason: 'not-lines',
  });
});

// `05 tick` left as lines do, and `05.75 tick` is another line.
test('a line is held though one with the same text and fewer decimals left', () => {
  const lines = (...texts: readonly string[]) => texts.map(text => text.replace(/^(\S+) /, '2026-11-21T14:02:$1Z '));
  const pods = ['a', 'b'].map(name => ({name, createdAt: '1'}));
  const first = takeWindow(empty, {lines: lines('05 tick', '05.25 a', '05.5 a', '05.1 b'), pods, cut: 'pod'}).log;
  const second = takeWindow(first, {lines: lines('05.25 a', '05.5 a', '05.75 tick', '05.1 b', '05.8 b'), pods});
  expect(second.added).toMatchObject(lines('05.75 tick', '05.8 b').map(raw => ({raw})));
});

test('a line that was read while it was being written takes the place of its piece, and is no other line', () => {
  const first = takeCut(empty, 'branch', 'a', '1 a', '2 GET /che').log;
  const second = takeCut(first, 'branch', 'a', '1 a', '2 GET /checkout 200', '3 c');
  expect(second.added.map(entry => [describeEntry(entry), entry.kind === 'line' && entry.grown === true])).toEqual([
    ['2 GET /checkout 200', true],
    ['3 c', false],
  ]);
  expect([shown(second.log), second.verdict]).toEqual([['1 a', '2 GET /checkout 200', '3 c'], whole]);
  expect(takeCut(second.log, 'branch', 'a', '2 GET /checkout 200', '3 c').added).toEqual([]);
});

describe('lines whose stamps a service writes with fewer decimals', () => {
  const fine = (...texts: readonly string[]) => texts.map(text => `2026-11-21T14:02:00.${text[0]}23456789Z ${text}`);
  const coarse = (...texts: readonly string[]) => fine(...texts).map(raw => raw.replace('456789Z', 'Z'));
  const takeLines = (log: BranchLog, ...lines: readonly string[]) => takeWindow(log, {lines, pods: [], cut: 'branch'});
  const added = ({added: entries}: ReturnType<typeof takeLines>) =>
    entries.map(entry => (entry.kind === 'line' ? entry.raw : entry.kind));

  test('are not held twice, at that answer and at those that follow', () => {
    const first = takeLines(empty, ...fine('1 a', '2 b', '3 c')).log;
    const second = takeLines(first, ...coarse('1 a', '2 b', '3 c', '4 d', '5 e'));
    expect([second.verdict, added(second)]).toEqual([whole, coarse('4 d', '5 e')]);
    const third = takeLines(second.log, ...coarse('2 b', '3 c', '4 d', '5 e'));
    expect([third.verdict, added(third)]).toEqual([whole, []]);
    const back = takeLines(third.log, ...fine('3 c', '4 d', '5 e', '6 f'));
    expect([back.verdict, added(back)]).toEqual([whole, fine('6 f')]);
  });

  test('are not held twice where some have so already and others come to', () => {
    const first = takeLines(empty, ...fine('1 a', '2 b', '3 c')).log;
    const second = takeLines(first, ...coarse('1 a', '2 b', '3 c'), ...fine('4 d')).log;
    expect(added(takeLines(second, ...coarse('2 b', '3 c', '4 d', '5 e')))).toEqual(coarse('5 e'));
  });

  test('are not held twice where one came in between, as with two replicas that answer in turns', () => {
    const first = takeLines(empty, ...fine('1 a', '2 b', '3 c')).log;
    const second = takeLines(first, ...coarse('1 a', '2 b', '3 c', '4 d')).log;
    expect(added(takeLines(second, ...fine('1 a', '2 b', '3 c', '4 d', '5 e')))).toEqual(fine('5 e'));
  });
});

test('a change always has words', () => {
  expect(changeWords({kind: 'activity', action: '', status: undefined, createdBy: undefined})).toBe('an activity');
  expect(changeWords({kind: 'trouble', who: '', reason: ''})).toBe('trouble');
});
