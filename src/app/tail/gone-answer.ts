import type {GoneAnswer} from '#log/incident/recovery-watch.ts';
import type {Tail} from './tail.ts';

/** Returns what the last answer of a branch proves, for a watch. */
export const goneAnswerOf = (
  {log, unreadable, isNumbered, notLineCount}: Tail,
  {cameMs, hasMore = false}: Pick<GoneAnswer, 'cameMs'> & Partial<Pick<GoneAnswer, 'hasMore'>>,
): GoneAnswer => ({
  ...{cameMs, proof: log.proof, isNumbered, notLineCount, isUnreadable: unreadable !== undefined},
  ...{podNames: log.pods.map(({name}) => name), hasMore},
});
