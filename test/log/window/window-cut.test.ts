import {expect, test} from 'vitest';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import {proofOf, type WindowClaims} from '#log/window/window-claims.ts';

const arrivals = {series: 'a', last: 3, dropped: 0};
const numbering = {series: 'a', first: 1, runs: [], sources: [], losses: []};

test.each<readonly [WindowClaims, Proof]>([
  [{}, 'inferred'],
  [{sources: 3}, 'inferred'],
  [{cut: 'branch'}, 'said'],
  [{cut: 'pod'}, 'said'],
  [{cut: 'source'}, 'inferred'],
  [{cut: 'source', sources: 3}, 'said'],
  [{arrivals}, 'counted'],
  [{numbering}, 'counted'],
  [{cut: 'source', arrivals}, 'counted'],
])('the claim of an answer with %j is %s', (claims, proof) => {
  expect(proofOf(claims)).toBe(proof);
});

test('the weaker of two claims counts, and the weakest of several', () => {
  expect(weakestProof(['counted', 'said'])).toBe('said');
  expect(weakestProof(['inferred', 'said'])).toBe('inferred');
  expect(weakestProof(['said', 'said'])).toBe('said');
  expect(weakestProof(['said', 'inferred', 'counted'])).toBe('inferred');
  expect(weakestProof(['said', 'counted'])).toBe('said');
  expect(weakestProof([])).toBe('counted');
});
