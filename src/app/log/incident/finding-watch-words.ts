import {type FindingWatch, watchedMs} from '#app/parts/finding-watch.ts';
import type {Tone} from '#app/rows/tones.ts';
import type {LogState, State} from '#app/state/state.ts';
import {formatLength, formatMoment} from '#app/words/format-time.ts';
import {doubtWords} from '#log/incident/doubt-words.ts';
import {isOfMissing} from '#log/incident/incident-finding.ts';
import {type GoneWatch, judgeGone} from '#log/incident/recovery-watch.ts';
import {formatClock} from '#log/line/instant.ts';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import {formatCount} from '#log/words/format-count.ts';
import {sinceWord} from '#log/words/proof-words.ts';

/** Whether what is watched stopped, in words that are safe to draw. Undefined if nothing is watched. */
export const findingWatchWords = (
  state: Pick<State, 'nowMs' | 'clockOffsetMs'>,
  {findingWatch, sources}: Pick<LogState, 'findingWatch' | 'sources'>,
): {readonly words: string; readonly tone: Tone} | undefined =>
  findingWatch && wordsOf(state, findingWatch, weakestProof(sources.map(({tail}) => tail.log.proof)));

const wordsOf = (
  state: Pick<State, 'nowMs' | 'clockOffsetMs'>,
  {finding, perSource, againAt}: FindingWatch,
  proof: Proof,
): {readonly words: string; readonly tone: Tone} => {
  // Polls may have come to an end, or wait for an answer.
  const known = perSource.map(each =>
    state.nowMs - (each.cameMs ?? state.nowMs) > watchedMs ? {...each, isReachable: false} : each,
  );
  const judged = known.map(judgeGone);
  const format = (ms: number): string => formatMoment(state, ms);
  const lost = known.findIndex(({isReachable}) => !isReachable);
  const unsure = lost === -1 ? judged.findIndex(({verdict}) => verdict === 'unknown') : lost;
  const isMissing = isOfMissing(finding);
  if (lost === -1 && judged.some(({verdict}) => verdict === 'there')) {
    const count = known.reduce((sum, each) => sum + countOfLate(each), 0);
    const span = Math.min(watchedMs, Math.max(...known.map(({cameMs = 0, sinceMs = cameMs}) => cameMs - sinceMs)));
    const often = `${formatCount(count)} in the last ${span === watchedMs ? 'minute' : formatLength(span)}`;
    return isMissing
      ? {words: `back: ${often}`, tone: 'good'}
      : {words: againAt === undefined ? `still: ${often}` : `again at ${formatClock(againAt)}, ${often}`, tone: 'bad'};
  }
  const doubt = judged[unsure]?.doubt;
  if (doubt !== undefined) {
    return {words: `can't tell: ${doubtWords(doubt, format)}`, tone: 'busy'};
  }
  const clearMs = Math.min(...known.map(({cameMs = 0, clearSinceMs = cameMs}) => cameMs - clearSinceMs));
  const doubted = known.find(({isDoubtful}) => isDoubtful);
  const before = doubted === undefined ? '' : `, before that: ${doubtWords(doubted.doubt, format)}`;
  const none = isMissing ? 'still none' : '0';
  return {
    words: `${none} in ${formatLength(clearMs)}, log ${sinceWord(proof)}${before}`,
    tone: isMissing ? 'bad' : 'good',
  };
};

const countOfLate = ({matchMs, cameMs = 0, forMs}: GoneWatch): number =>
  matchMs.filter(ms => ms > cameMs - forMs).length;
