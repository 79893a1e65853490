import {describe, expect, test} from 'vitest';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import type {Count} from '#log/ingest/completeness/counted.ts';
import {type WindowVerdict, whole} from '#log/ingest/completeness.ts';
import {settle} from '#log/ingest/merge/settle.ts';
import type {Proof} from '#log/line/proof.ts';
import type {Arrivals} from '#log/window/window-claims.ts';

const gap = (after: bigint, before: bigint): WindowVerdict =>
  ({kind: 'gap', after, before, reason: 'moved-on'}) as WindowVerdict;
const numbersAt = (last: number, dropped = 0): Arrivals => ({series: 'a', last, dropped});
const windowWith = (arrivals?: Arrivals): LogWindow => ({lines: [], pods: [], arrivals});
const logWith = (more: Partial<BranchLog>): BranchLog => ({...createBranchLog(1e6), ...more});

type Judged = {
  readonly judged?: WindowVerdict;
  readonly count?: Count['kind'];
  readonly cameCount?: number;
  readonly proof?: Proof;
};

const settled = (
  log: Partial<BranchLog>,
  arrivals: Arrivals | undefined,
  {judged = whole, count = 'uncounted', cameCount = 0, proof = 'inferred'}: Judged = {},
) =>
  settle(logWith(log), windowWith(arrivals), {
    judged,
    count,
    cameCount,
    shownCount: cameCount,
    lostAfter: () => 1n,
    proof,
  });

const numbered = {arrivals: numbersAt(10), proof: 'counted'} as const;

describe('an answer of a service that never had numbers', () => {
  test('is judged by itself, and the weaker claim stays', () => {
    expect(settled({proof: 'said'}, undefined, {proof: 'inferred'})).toEqual({
      ...{verdict: whole, proof: 'inferred', unsettled: undefined},
    });
    expect(settled({proof: 'inferred'}, undefined, {proof: 'said'}).proof).toBe('inferred');
  });

  test('and begins anew after a gap', () => {
    const judged = gap(1n, 2n);
    expect(settled({proof: 'inferred'}, undefined, {judged, proof: 'said'})).toMatchObject({
      verdict: judged,
      proof: 'said',
    });
  });

  test('unless its first numbers join what was there', () => {
    expect(settled({proof: 'said'}, numbersAt(3), {count: 'joins', proof: 'counted'}).proof).toBe('said');
    expect(settled({proof: 'said'}, numbersAt(3), {count: 'lost', proof: 'inferred'}).proof).toBe('inferred');
  });
});

describe('an answer that lacks the numbers', () => {
  test('is not judged yet, and counts as joined', () => {
    const judged = gap(1n, 2n);
    expect(settled(numbered, undefined, {judged, cameCount: 4})).toEqual({
      verdict: whole,
      proof: 'inferred',
      unsettled: {guess: judged, cameCount: 4, shownCount: 4, lostAfter: 1n, answers: 1, proof: 'counted'},
    });
  });

  test('waits with those before it, up to three', () => {
    const unsettled = {
      guess: gap(5n, 6n),
      cameCount: 4,
      shownCount: 5,
      lostAfter: 9n,
      answers: 2,
      proof: 'counted',
    } as const;
    const third = settled({...numbered, proof: 'inferred', unsettled}, undefined, {judged: gap(3n, 9n), cameCount: 2});
    expect(third.unsettled).toEqual({...unsettled, guess: gap(3n, 9n), cameCount: 6, shownCount: 7, answers: 3});
    const fourth = settled({...numbered, unsettled: {...unsettled, answers: 3}}, undefined, {cameCount: 2});
    const told = {...unsettled, guess: whole, cameCount: 6, shownCount: 7, answers: 4};
    expect(fourth).toEqual({verdict: gap(5n, 6n), proof: 'inferred', unsettled: told});
    const back = settled({...numbered, unsettled: told}, numbersAt(17, 16), {
      count: 'lost',
      cameCount: 1,
      proof: 'counted',
    });
    expect(back).toEqual({verdict: whole, proof: 'counted', unsettled: undefined});
  });
});

describe('when the numbers are back', () => {
  const unsettled = {
    guess: gap(5n, 6n),
    cameCount: 4,
    shownCount: 4,
    lostAfter: 9n,
    answers: 1,
    proof: 'counted',
  } as const;
  const back = (arrivals: Arrivals, more: Judged, guess: WindowVerdict = unsettled.guess) =>
    settled({...numbered, proof: 'inferred', unsettled: {...unsettled, guess}}, arrivals, {proof: 'counted', ...more});

  test('and join, all is whole and counted as before', () => {
    expect(back(numbersAt(99), {count: 'joins'})).toEqual({verdict: whole, proof: 'counted', unsettled: undefined});
  });

  // Ten were counted, four came since, and three come now.
  test.each([
    [17, 'whole', 'counted'],
    [18, 'gap', 'counted'],
  ] as const)('and there are %d, of which each has come, it is %s', (last, kind, proof) => {
    const found = back(numbersAt(last, 99), {count: 'lost', cameCount: 3});
    expect([found.verdict.kind, found.proof, found.unsettled]).toEqual([kind, proof, undefined]);
  });

  test('and there are more than have come, it is a gap, though nothing seemed to be missing', () => {
    const found = back(numbersAt(99, 14), {count: 'lost', judged: gap(7n, 8n)}, whole);
    expect([found.verdict.kind, found.proof]).toEqual(['gap', 'counted']);
  });

  test('a gap begins no later than what came without numbers', () => {
    const early = {...unsettled, lostAfter: 2n};
    const {verdict} = settled({...numbered, unsettled: early}, numbersAt(99, 14), {count: 'lost', judged: gap(7n, 8n)});
    expect(verdict).toEqual(gap(2n, 8n));
  });

  test('and tell nothing, what was guessed stands', () => {
    expect(back(numbersAt(11), {count: 'uncounted'}).verdict).toEqual(gap(5n, 6n));
    expect(back(numbersAt(11), {count: 'uncounted', judged: gap(4n, 5n)}).verdict).toEqual(gap(4n, 6n));
    expect(back(numbersAt(11), {count: 'uncounted'}, whole)).toMatchObject({verdict: whole, proof: 'inferred'});
  });

  test('a gap is told rather than a quiet, over the time of both', () => {
    const quiet: WindowVerdict = {kind: 'quiet', after: 1n, before: 3n} as WindowVerdict;
    expect(back(numbersAt(11), {judged: quiet}).verdict).toEqual(gap(1n, 6n));
    expect(back(numbersAt(11), {judged: gap(5n, 6n)}, quiet).verdict).toEqual(gap(1n, 6n));
    expect(back(numbersAt(11), {}, quiet).verdict).toEqual(quiet);
  });
});
