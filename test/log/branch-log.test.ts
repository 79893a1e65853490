import {expect, test} from 'vitest';
import {type BranchLog, createBranchLog, holesRememberedPolls, takeWindow} from '../../src/log/branch-log.ts';
import {changeWords} from '../../src/log/change-words.ts';
import type {Entry} from '../../src/log/entry.ts';
import {line, nanos, short} from './simulation/lines-at.ts';
import {entriesOf} from './simulation/subject.ts';

const empty = createBranchLog(1e6);

/** `a,b` are two pods. */
const take = (log: BranchLog, pods: string, ...texts: readonly string[]) =>
  takeWindow(log, {
    lines: texts.map(line),
    pods: pods.split(',').map(name => ({name, createdAt: '1'})),
  });

const since = (instant: bigint): number => Number(instant - nanos(0));

const describe = (entry: Entry): string => {
  switch (entry.kind) {
    case 'line':
      return short(entry.raw);
    case 'gap':
      return `gap ${since(entry.after)}–${since(entry.before)}`;
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

test('the pods of the first window give no marker, and its oldest line is the horizon', () => {
  const {log, added, verdict} = take(empty, 'a,b', '3 c', '4 d');
  expect(added.map(describe)).toEqual(['3 c', '4 d']);
  expect(verdict).toEqual({kind: 'whole'});
  expect([log.horizon, log.wholeSince]).toEqual([nanos(3), nanos(3)]);
});

test('a gap stands between what was held and what is newer, in the buffer and in what is handed out', () => {
  const first = take(empty, 'a', '1 a', '2 b').log;
  const {log, added, verdict} = take(first, 'a', '8 h', '9 i');
  expect(verdict).toEqual({kind: 'gap', after: nanos(2), before: nanos(8)});
  expect(added.map(describe)).toEqual(['gap 2–8', '8 h', '9 i']);
  expect(shown(log)).toEqual(['1 a', '2 b', 'gap 2–8', '8 h', '9 i']);
  expect([log.gapCount, log.wholeSince]).toEqual([1, nanos(8)]);
});

test('another line with the timestamp of the newest one does not prove the log whole', () => {
  const first = take(empty, 'a', '1 a', '2 b').log;
  const {log} = take(first, 'a', '2 y', '2 z', '3 c');
  expect(shown(log)).toEqual(['1 a', '2 b', 'gap 2–2', '2 y', '2 z', '3 c']);
  expect(log.wholeSince).toEqual(nanos(2));
});

test('of equal newest timestamps any that was held proves the log whole', () => {
  const first = take(empty, 'a', '1 a', '2 b', '2 c').log;
  expect(shown(take(first, 'a', '2 c', '2 d', '3 e').log)).toEqual(['1 a', '2 b', '2 c', '2 d', '3 e']);
});

test('markers stand behind late lines and new ties, ahead of what is newer', () => {
  const first = take(empty, 'a', '1 a', '3 c').log;
  const {log, added} = take(first, 'b,c', '2 late', '3 c', '3 tie', '4 d');
  expect(added.map(describe)).toEqual(['2 late', '3 tie', 'a gone since 3', 'b appeared', 'c appeared', '4 d']);
  expect(shown(log)).toEqual(['1 a', '2 late', '3 c', '3 tie', 'a gone since 3', 'b appeared', 'c appeared', '4 d']);
});

test('pods and a gap stand together, and a later late line does not part them', () => {
  const first = take(empty, 'a', '1 a').log;
  const second = take(first, 'b', '8 h').log;
  expect(shown(second)).toEqual(['1 a', 'a gone since 1', 'b appeared', 'gap 1–8', '8 h']);
  expect(shown(take(second, 'b', '2 late', '8 h').log)).toEqual([
    '1 a',
    'a gone since 1',
    'b appeared',
    '2 late',
    'gap 1–8',
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

test('an empty window makes what follows quiet: a mark and no gap, and nothing is called whole before it', () => {
  const first = take(empty, 'a', '1 a', '2 b').log;
  const second = take(first, 'a');
  expect(second.verdict).toEqual({kind: 'whole'});
  const {log, verdict} = take(second.log, 'a', '7 g');
  expect(verdict).toEqual({kind: 'quiet'});
  expect(shown(log)).toEqual(['1 a', '2 b', 'quiet since 2', '7 g']);
  expect([log.gapCount, log.wholeSince]).toEqual([0, nanos(7)]);
});

test('when a pod goes its lines leave at once, and those of the others show that nothing is missing', () => {
  const first = take(empty, 'a,b', '1 a', '2 b', '3 b').log;
  const {log, verdict} = take(first, 'a', '1 a', '4 a');
  expect(verdict).toEqual({kind: 'whole'});
  expect(shown(log)).toEqual(['1 a', '2 b', '3 b', 'b gone since 3', '4 a']);
});

test('the newest line of a pod that went polls ago is not missed', () => {
  const first = take(empty, 'a,b', '1 a', '2 b').log;
  const quiet = take(take(take(first, 'a', '1 a').log, 'a', '1 a').log, 'a', '1 a').log;
  const {log, verdict} = take(quiet, 'a', '1 a', '5 a');
  expect(verdict).toEqual({kind: 'whole'});
  expect(shown(log)).toEqual(['1 a', '2 b', 'b gone since 2', '5 a']);
});

test('the lines of a pod may leave an answer after it has left the list', () => {
  const first = take(empty, 'a,b', '1 a', '2 b').log;
  const second = take(first, 'a', '1 a', '2 b').log;
  const {log, verdict} = take(second, 'a', '1 a', '5 a');
  expect(verdict).toEqual({kind: 'whole'});
  expect(shown(log)).toEqual(['1 a', '2 b', 'b gone since 2', '5 a']);
});

test('a hole of its own in the answer after is not put down to a pod whose lines had left', () => {
  const first = take(empty, 'a,b,c', '1 quiet', '2 b', '3 c', '4 c').log;
  const second = take(first, 'a,c', '1 quiet', '3 c', '4 c', '5 c').log;
  const {verdict, cutsEachPod} = take(second, 'a,c', '1 quiet', '7 c', '8 c', '9 c');
  expect(cutsEachPod).toBe(true);
  expect(verdict).toEqual({kind: 'gap', after: nanos(3), before: nanos(9)});
});

test('where each pod is cut on its own a loud one may have moved past its share while the newest line is there', () => {
  const first = take(empty, 'a,b', '1 a', '2 b', '3 b', '4 a').log;
  const {log, verdict, cutsEachPod} = take(first, 'a,b', '1 a', '4 a', '6 b', '7 b');
  expect(cutsEachPod).toBe(true);
  expect(verdict).toEqual({kind: 'gap', after: nanos(2), before: nanos(7)});
  expect(shown(log)).toEqual(['1 a', '2 b', '3 b', '4 a', 'gap 2–7', '6 b', '7 b']);
  expect(log.wholeSince).toEqual(nanos(7));
});

test('a pod that had shown little and bursts past its share leaves a gap though little left', () => {
  const first = take(empty, 'a,b', '1 quiet', '2 b', '3 b', '4 a', '5 quiet').log;
  const {verdict} = take(first, 'a,b', '1 quiet', '2 b', '3 b', '5 quiet', '7 a', '8 a', '9 a', '10 a');
  expect(verdict).toEqual({kind: 'gap', after: nanos(4), before: nanos(10)});
});

test('holes are remembered for so many polls, then the newest line counts again', () => {
  let {log} = take(take(empty, 'a,b', '1 a', '2 b', '3 b').log, 'a,b', '1 a', '3 b', '4 b');
  const remembered: boolean[] = [];
  for (let poll = 0; poll < holesRememberedPolls; poll++) {
    const taken = take(log, 'a,b', '1 a', '3 b', '4 b');
    log = taken.log;
    remembered.push(taken.cutsEachPod);
  }
  expect(remembered.slice(0, -1).every(isRemembered => isRemembered)).toBe(true);
  expect(remembered.at(-1)).toBe(false);
});

test('an older answer makes no gap, no hole and nothing new, and the next one joins', () => {
  const first = take(empty, 'a', '1 a', '2 b', '3 c').log;
  const second = take(first, 'a', '3 c', '4 d', '5 e').log;
  const older = take(second, 'a', '1 a', '2 b', '3 c');
  expect([older.added, older.cutsEachPod, older.verdict.kind]).toEqual([[], false, 'whole']);
  const next = take(older.log, 'a', '5 e', '6 f');
  expect(next.verdict).toEqual({kind: 'whole'});
  expect(shown(next.log)).toEqual(['1 a', '2 b', '3 c', '4 d', '5 e', '6 f']);
});

test('how much left and stayed is told for the pace', () => {
  const first = take(empty, 'a', '1 a', '2 b', '3 c', '4 d');
  expect([first.overlapShare, first.leftCount]).toEqual([1, 0]);
  const second = take(first.log, 'a', '4 d', '5 e');
  expect([second.overlapShare, second.leftCount]).toEqual([0.25, 3]);
});
