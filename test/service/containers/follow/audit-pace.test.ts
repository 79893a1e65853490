import {expect, test} from 'vitest';
import {createAuditPace} from '#service/containers/follow/audit-log.ts';

/** The silence after which an audit is due, in seconds. */
const dueAfter = (pace: ReturnType<typeof createAuditPace>): number | undefined =>
  Array.from({length: 400}, (_, second) => second).find(second => pace.isDue(second * 1000));

test('the pauses between audits double to five minutes while they find nothing', () => {
  const pace = createAuditPace({count: 0}, () => 0);
  const pauses = Array.from({length: 6}, () => {
    const pause = dueAfter(pace);
    pace.noteNothing();
    return pause;
  });
  expect(pauses).toEqual([15, 30, 60, 120, 240, 300]);
});

test('a stream that brings fifteen lines between two audits is audited soon, one that brings fewer is not', () => {
  const pace = createAuditPace({count: 0}, () => 0);
  pace.noteNothing();
  pace.noteLines(14);
  expect(dueAfter(pace)).toBe(30);
  pace.noteNothing();
  pace.noteLines(14);
  expect(dueAfter(pace)).toBe(60);
  pace.noteLines(1);
  expect(dueAfter(pace)).toBe(15);
});

test('where an audit of the cluster finds something, or cannot be made, all others come soon', () => {
  const finds = {count: 0};
  const pace = createAuditPace(finds, () => 0);
  pace.noteNothing();
  finds.count += 1;
  expect(dueAfter(pace)).toBe(15);
  pace.noteNothing();
  pace.noteFailure();
  expect(dueAfter(pace)).toBe(15);
  pace.noteReopened();
  expect(dueAfter(pace)).toBe(1);
});

test('chance spreads audits by a fifth', () => {
  expect(dueAfter(createAuditPace({count: 0}, () => 1))).toBe(18);
});
