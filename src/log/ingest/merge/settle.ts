import type {Instant} from '#log/line/instant.ts';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import type {BranchLog, LogWindow, Unsettled} from '../branch-log.ts';
import type {Count} from '../completeness/counted.ts';
import {type WindowVerdict, whole} from '../completeness.ts';

export type Settled = {
  readonly verdict: WindowVerdict;
  /** On what the log rests from here on. */
  readonly proof: Proof;
  readonly unsettled: Unsettled | undefined;
};

type JudgedAnswer = Pick<Unsettled, 'cameCount' | 'shownCount' | 'proof'> & {
  readonly judged: WindowVerdict;
  readonly count: Count['kind'];
  readonly lostAfter: () => Instant;
};

/**
 * Judges an answer without numbers together with the next one: if numbers come back, they tell about both, and the log
 * is counted as before. Until then it counts as joined; if they stay away, or do not join, what was guessed stands.
 * However late they come back, the lines that came without them have numbers of their own.
 */
export const settle = (
  {arrivals, unsettled, proof: proofBefore}: BranchLog,
  window: LogWindow,
  {judged, count, cameCount, shownCount, lostAfter, proof}: JudgedAnswer,
): Settled => {
  const weaker = weakestProof([proofBefore, proof]);
  if (arrivals !== undefined && window.arrivals === undefined) {
    const before = unsettled ?? {
      guess: whole,
      cameCount: 0,
      shownCount: 0,
      lostAfter: lostAfter(),
      answers: 0,
      proof: proofBefore,
    };
    const next = {
      ...before,
      cameCount: before.cameCount + cameCount,
      shownCount: before.shownCount + shownCount,
      answers: before.answers + 1,
    };
    const guess = combine(before.guess, judged);
    return next.answers <= unsettledMax
      ? {verdict: whole, proof: weaker, unsettled: {...next, guess}}
      : {verdict: guess, proof: guess.kind === 'gap' ? proof : weaker, unsettled: {...next, guess: whole}};
  }
  if (arrivals === undefined || unsettled === undefined) {
    const kept = count === 'joins' ? proofBefore : weaker;
    return {verdict: judged, proof: judged.kind === 'gap' ? proof : kept, unsettled: undefined};
  }
  const {guess} = unsettled;
  const {last} = window.arrivals ?? {last: Number.POSITIVE_INFINITY};
  // Each new line has a number of its own, higher than all before: as many as there are numbers are all of them.
  if (
    (count === 'joins' && judged.kind === 'whole') ||
    (count === 'lost' && last <= arrivals.last + unsettled.cameCount + cameCount)
  ) {
    return {verdict: whole, proof: unsettled.proof, unsettled: undefined};
  }
  const both = combine(guess, judged);
  const verdict =
    both.kind === 'whole' || both.after < unsettled.lostAfter ? both : {...both, after: unsettled.lostAfter};
  return {verdict, proof: verdict.kind === 'gap' ? proof : weaker, unsettled: undefined};
};

/** Returns what two answers in a row say together. */
const combine = (a: WindowVerdict, b: WindowVerdict): WindowVerdict => {
  if (a.kind === 'whole' || b.kind === 'whole') {
    return a.kind === 'whole' ? b : a;
  }
  const [gap, other] = b.kind === 'gap' ? [b, a] : [a, b];
  return {
    ...gap,
    after: gap.after < other.after ? gap.after : other.after,
    before: gap.before > other.before ? gap.before : other.before,
  };
};

/** Maximum answers without numbers that wait for the next numbers: a proxy drops a header now and then. */
const unsettledMax = 3;
