import {expect, test} from 'vitest';
import {pulseGroups} from '#app/record/details.ts';
import type {BranchesState} from '#app/state/state.ts';
import type {KnownPulse} from '#app/tail/known-pulse.ts';
import {onBranches, sampleBranches} from '../../support/play.ts';

const branches = onBranches().state.branches ?? expect.fail();
const named = (name: string) => sampleBranches.find(each => each.name === name) ?? expect.fail();
const master = named('master');
const toMs = Date.UTC(2026, 10, 21, 14);

/** The fields of the branch by their labels. */
const fields = (pulse: object | undefined, of: Partial<KnownPulse> = {}, change: Partial<BranchesState> = {}) => {
  const known = {
    pulse: pulse && {errors: 0, lines: 9, spanMs: 60_000, toMs, minutes: [], ...pulse},
    ...of,
  } as never;
  const pulses = new Map([[master._id, known]]);
  const probes = {nextAtMs: 0, allAtMs: 0, slowDown: 1};
  const [group] = pulseGroups({...branches, probes, pulses, ...change}, master);
  return group && Object.fromEntries(group.fields.map(({label, value}) => [label, value]));
};
const errors = (pulse: object) => fields(pulse)?.errors;

test('the errors of a branch are of the last minute, or of what was seen of it', () => {
  expect(errors({})).toBe('none in the last minute, of 9 lines');
  expect(errors({errors: 1234, lines: 1})).toMatch(/^1,234 in the last minute, of 1 line/);
  expect(errors({spanMs: 59_999})).toBe('none in the last 59 s, which is all that was seen, of 9 lines');
  expect(errors({spanMs: 10})).toBe('none in the last 1 s, which is all that was seen, of 9 lines');
  expect(errors({spanMs: 1999})).toContain('the last 1 s,');
  expect(errors({spanMs: 0})).toBe('no line has a time that can be read');
  expect(errors({spanMs: 0, lines: 0})).toBe('no lines');
});

test('they have the last error and the times, where these are known', () => {
  expect(fields({})).toEqual({errors: expect.any(String), 'seen until': '2026-11-21T14:00:00.000Z'});
  expect(fields({lastLineMs: toMs - 1000, lastError: {text: 'ERROR x', atMs: toMs - 2000}})).toMatchObject({
    'last line at': '2026-11-21T13:59:59.000Z',
    'last error': 'ERROR x',
    'last error at': '2026-11-21T13:59:58.000Z',
  });
});

test('a failed look says why, and none that nobody looked', () => {
  const failure = {errorKind: 'timeout', status: undefined, message: 'timed out'} as const;
  expect(fields(undefined, {failure})).toEqual({'check failed': 'timed out'});
  expect(fields(undefined)).toEqual({errors: 'not checked'});
  expect(fields({}, {failure})).toMatchObject({'check failed': 'timed out', errors: expect.any(String)});
});

test('they are no part of the record if nobody probes, or of a branch that is not deployed', () => {
  expect(fields({}, {}, {probes: undefined})).toBeUndefined();
  const probes = {nextAtMs: 0, allAtMs: 0, slowDown: 1};
  const none = {...branches, probes, pulses: new Map()};
  expect(pulseGroups(none, named('feature/new-theme'))).toEqual([]);
  expect(pulseGroups(none, master)).toHaveLength(1);
});
