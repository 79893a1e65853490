import type {Proof} from '#log/line/proof.ts';
import {proofOf, type WindowClaims, type WindowCut} from '#log/window/window-claims.ts';

/** The word for a log before "since": `whole` is a promise, and is made only where the service numbers its lines. */
export const sinceWord = (proof: Proof): 'whole' | 'joined' => (proof === 'counted' ? 'whole' : 'joined');

/** The claims of an answer about its window, and who said how it was cut: the service itself if left out. */
export type CutSaid = Omit<WindowClaims, 'numbering'> & {
  readonly saidBy?: 'context' | 'recording' | undefined;
};

/** The object in "the service cuts each pod on its own". */
export const cutWords: Readonly<Record<WindowCut, string>> = {
  branch: 'the branch as one',
  pod: 'each pod on its own',
  source: 'each source of a pod on its own',
};

/** Says on what a log's proof rests, and what it lacks. `said` is from the last answer. */
export const proofWords = (proof: Proof, said: CutSaid): string => {
  const {cut, sources, saidBy} = said;
  if (proof === 'counted') {
    return 'its lines are numbered';
  }
  if (cut === undefined) {
    return 'this service does not say how it cuts its windows';
  }
  // A log is only as good as the weakest answer since its last gap.
  if (proof !== proofOf(said)) {
    return proof === 'said' ? 'not every response numbers its lines' : 'not every response says how its window was cut';
  }
  if (cut === 'source' && sources === undefined) {
    return 'the number of sources in a pod is not known: set sources = N';
  }
  return `the service cuts ${cutWords[cut]}, ${saidBy === undefined ? 'it says so itself' : `the ${saidBy} says so`}`;
};
