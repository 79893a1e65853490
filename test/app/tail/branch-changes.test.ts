import {expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {type BranchSnapshot, compareSnapshot, snapshotOf} from '#app/tail/branch-changes.ts';
import {formatInstant} from '#log/line/instant.ts';
import {changeWords} from '#log/words/describe-marker.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';

const activity = (number: number, status: string, second: number) => ({
  _id: `activity-${number}`,
  action: 'DEPLOY_APPLICATION',
  createdBy: 'user-9',
  status,
  updatedAt: `2026-11-21T14:12:${String(second).padStart(2, '0')}.000Z`,
});

const record = (changes: object): Branch => {
  const [branch] = decodeBranches([
    makeBuiltBranch('b-1', 'master', {lastActivity: activity(1, 'SUCCESS', 1), ...changes}),
  ]).value;
  return branch ?? expect.fail('the record is not of the interface');
};

const before = snapshotOf(record({}));

/** What each record in turn says of those before, in words with the time it happened. */
const tell = (...records: readonly Branch[]): readonly (readonly string[])[] => {
  let snapshot: BranchSnapshot = before;
  return records.map(branch => {
    const compared = compareSnapshot(snapshot, branch);
    snapshot = compared.snapshot;
    return compared.changes.map(
      ({change, happenedAt}) =>
        `${happenedAt === undefined ? 'some time' : formatInstant(happenedAt).slice(11, 19)} ${changeWords(change)}`,
    );
  });
};

test('the record as it was tells nothing, however often it comes', () => {
  expect(tell(record({}), record({updatedAt: 'later'}), record({}))).toEqual([[], [], []]);
});

test('a new activity is told with its time, once, and each of its steps as well', () => {
  const running = record({lastActivity: activity(2, 'RUNNING', 20)});
  const done = record({lastActivity: activity(2, 'SUCCESS', 40)});
  expect(tell(running, running, done, done)).toEqual([
    ['14:12:20 DEPLOY_APPLICATION RUNNING by user-9'],
    [],
    ['14:12:40 DEPLOY_APPLICATION SUCCESS by user-9'],
    [],
  ]);
});

test('a status that changes with an activity changed when that did; alone nobody knows when', () => {
  const status = 'BUILD_APPLICATION_RUNNING';
  expect(tell(record({status, lastActivity: activity(2, 'RUNNING', 20)}))).toEqual([
    [
      '14:12:20 DEPLOY_APPLICATION RUNNING by user-9',
      '14:12:20 status DEPLOY_APPLICATION_SUCCESS → BUILD_APPLICATION_RUNNING',
    ],
  ]);
  expect(tell(record({status}), record({status: null}))).toEqual([
    ['some time status DEPLOY_APPLICATION_SUCCESS → BUILD_APPLICATION_RUNNING'],
    ['some time status BUILD_APPLICATION_RUNNING → not built out'],
  ]);
});

test('a malformed field is no change, and the next record is compared with what was known before', () => {
  const running = record({status: 'BUILD_APPLICATION_RUNNING'});
  expect(tell(record({status: 7}), record({}), record({status: ['x']}), running)).toEqual([
    [],
    [],
    [],
    ['some time status DEPLOY_APPLICATION_SUCCESS → BUILD_APPLICATION_RUNNING'],
  ]);
  expect(
    tell(
      record({lastActivity: {...activity(1, 'SUCCESS', 1), status: 7}}),
      record({lastActivity: 'none'}),
      record({lastActivity: {...activity(2, 'SUCCESS', 20), _id: null, updatedAt: 20}}),
      record({lastActivity: activity(1, 'SUCCESS', 1)}),
    ),
  ).toEqual([[], [], [], []]);
});

test('a status that was malformed when the log was opened is no change once it is readable', () => {
  const opened = snapshotOf(record({status: 7}));
  const {snapshot, changes} = compareSnapshot(opened, record({}));
  expect([snapshot.status, changes]).toEqual(['DEPLOY_APPLICATION_SUCCESS', []]);
});

test('an answer of a replica that lags tells nothing, and neither does the one after it', () => {
  const done = record({lastActivity: activity(2, 'SUCCESS', 40)});
  const older = record({status: 'OLD', lastActivity: activity(1, 'SUCCESS', 1)});
  expect(tell(done, older, done)).toEqual([['14:12:40 DEPLOY_APPLICATION SUCCESS by user-9'], [], []]);
});

test('activities whose times cannot be read are told once each, even where they come in turn', () => {
  const one = record({lastActivity: {...activity(2, 'RUNNING', 20), updatedAt: 'soon'}});
  const other = record({lastActivity: {...activity(3, 'SUCCESS', 20), updatedAt: 'later'}});
  expect(tell(one, other, one, other)).toEqual([
    ['some time DEPLOY_APPLICATION RUNNING by user-9'],
    ['some time DEPLOY_APPLICATION SUCCESS by user-9'],
    [],
    [],
  ]);
});

test('an activity that says little is told all the same, and one that went is none', () => {
  expect(tell(record({lastActivity: {_id: 'x'}}), record({lastActivity: undefined}))).toEqual([
    ['some time an activity'],
    [],
  ]);
  expect(tell(record({lastActivity: {_id: 'y', action: '', status: 'SUCCESS'}}))).toEqual([
    ['some time an activity SUCCESS'],
  ]);
});

test('a crash is told once, at its time, whatever the container does about it; what starts is not', () => {
  const trouble = {pod: 'web-1', container: 'php', state: 'now', since: '2026-11-21T14:12:07.000Z'};
  const of = (...troubles: readonly object[]): Branch => record({troubles});
  const later = '2026-11-21T14:13:00.000Z';
  expect(
    tell(
      of({...trouble, state: 'starting', reason: 'ContainerCreating'}),
      of({...trouble, reason: 'OOMKilled exit 137'}),
      of({...trouble, reason: 'CrashLoopBackOff ×1, OOMKilled exit 137'}),
      of({...trouble, state: 'past', reason: 'restarted ×1, OOMKilled exit 137'}),
      of({...trouble, reason: 'OOMKilled exit 137 ×1', since: later}),
      of(),
    ),
  ).toEqual([
    [],
    ['14:12:07 pod web-1/php: OOMKilled exit 137'],
    [],
    [],
    ['14:13:00 pod web-1/php: OOMKilled exit 137 ×1'],
    [],
  ]);
});

test('what did not work when the log was opened is not news', () => {
  const troubles = [{reason: 'FailedCreate', state: 'now'}];
  expect(compareSnapshot(snapshotOf(record({troubles})), record({troubles})).changes).toEqual([]);
});
