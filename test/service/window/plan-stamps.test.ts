import {expect, test} from 'vitest';
import {planStamps} from '#service/window/line-stamper.ts';

/** Lines that are their own times, in seconds; a line that is no number has none. It is 100, and older than 2 is old. */
const plan = (lines: readonly string[], isBacklog = false) => {
  const readTime = (line: string) => (/^\d+$/.test(line) ? BigInt(line) : undefined);
  const {plans, ...rest} = planStamps(lines, {now: 100n, oldNs: 2n, isBacklog, readTime});
  return [plans.map(String).join(' '), rest.isBacklog];
};

test.each([
  ['no times', ['a', 'b'], false, 'read read', false],
  ['no times, after a backlog', ['a', 'b'], true, 'after after', true],
  ['old times', ['50', '40', '97'], false, '50 40 97', true],
  ['times of now', ['98', '100', '102'], true, 'read read read', false],
  ['from old to now', ['50', 'a', '99', 'b'], false, '50 after read read', false],
  ['text ahead of an old time', ['a', 'b', '50'], false, '50 50 50', true],
  ['text ahead of a time of now', ['a', '99'], false, 'read read', false],
  ['text ahead, after a backlog', ['a', '60'], true, 'after 60', true],
  ['a time that is not believed', ['50', '103', 'a'], false, '50 after after', true],
  ['nothing', [], true, '', true],
] as const)('%s', (_, lines, isBacklog, plans, isStillBacklog) => {
  expect(plan(lines, isBacklog)).toEqual([plans, isStillBacklog]);
});
