import type {LogState, State} from '#app/state/state.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {proofWords, sinceWord} from '#log/words/proof-words.ts';

const nameCharsMax = 20;

/**
 * Returns whether the log is whole or joined, and on what that rests: once if it is the same for all branches, else for
 * each. Empty before the first window. Safe to draw.
 */
export const listProofWords = (
  {context}: Pick<State, 'context'>,
  {sources}: Pick<LogState, 'sources'>,
): readonly string[] => {
  const branches = sources
    .filter(({tail}) => tail.log.before !== undefined)
    .map(({branch, tail: {log, said}}) => ({
      name: sanitiseWord(branch.name, nameCharsMax),
      words: `${sinceWord(log.proof)}: ${proofWords(log.proof, {...said, saidBy: context.cutSaidBy})}`,
    }));
  return branches.every(({words}) => words === branches[0]?.words)
    ? branches.slice(0, 1).map(({words}) => words)
    : branches.map(({name, words}) => `${name} is ${words}`);
};
