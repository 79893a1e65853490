import type {Branch} from '../../api/decode/branch.ts';
import {findNamed} from '../../app/choices/branch-choices.ts';
import {findClosestWords} from '../../config/values/closest-word.ts';
import {NotFoundError} from '../io/not-found-error.ts';
import {UsageError} from '../io/usage-error.ts';

/** Number of names listed if none is similar: enough to recognise one's own in a single sentence. */
const listedNamesMax = 8;

/**
 * Returns the branch with this id or, failing that, this name, workload or release. Throws `NotFoundError` with the
 * closest names if there is none, and `UsageError` if several branches are meant.
 */
export const resolveBranch = (branches: readonly Branch[], word: string, siteWord: string): Branch => {
  const found = findNamed(branches, word);
  const [named, ...others] = found;
  if (named === undefined) {
    throw new NotFoundError(`site ${siteWord} has no branch "${word}"${suggest(branches, word)}`);
  }
  if (others.length > 0) {
    const names = new Set(found.map(({name}) => name));
    const words = names.size === found.length ? `name, ${[...names].join(' or ')}` : `id, ${joinIds(found)}`;
    throw new UsageError(`"${word}" names ${found.length} branches of site ${siteWord}: give the ${words}`);
  }
  return named;
};

const joinIds = (branches: readonly Branch[]): string => branches.map(({_id}) => _id).join(' or ');

const suggest = (branches: readonly Branch[], word: string): string => {
  if (branches.length === 0) {
    return ': it has no branches at all';
  }
  const names = branches.map(({name}) => name);
  const closest = findClosestWords(word, [...names, ...branches.map(({_id}) => _id)]);
  if (closest.length > 0) {
    return `, did you mean ${closest.join(' or ')}?`;
  }
  const more = names.length > listedNamesMax ? ` and ${names.length - listedNamesMax} more` : '';
  return `: it has ${names.slice(0, listedNamesMax).join(', ')}${more}`;
};
