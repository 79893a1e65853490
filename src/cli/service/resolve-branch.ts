import type {Branch} from '../../api/decode/branch.ts';
import {isOfWorkload} from '../../app/choices/branch-choices.ts';
import {findClosestWords} from '../../config/values/closest-word.ts';
import {NotFoundError} from '../io/not-found-error.ts';
import {UsageError} from '../io/usage-error.ts';

/** Number of names listed if none is similar: enough to recognise one's own in a single sentence. */
const listedNamesMax = 8;

/**
 * Returns the branch with this id or, failing that, this name or workload. Throws `NotFoundError` with the closest
 * names if there is none, and `UsageError` if two branches have the name.
 */
export const resolveBranch = (branches: readonly Branch[], word: string, siteWord: string): Branch => {
  const byId = branches.find(branch => branch._id === word);
  if (byId) {
    return byId;
  }
  const withName = branches.filter(branch => branch.name === word);
  const [named, ...others] = withName.length > 0 ? withName : branches.filter(branch => isOfWorkload(branch, word));
  if (named === undefined) {
    throw new NotFoundError(`site ${siteWord} has no branch "${word}"${suggest(branches, word)}`);
  }
  if (others.length > 0) {
    const ids = [named, ...others].map(({_id}) => _id).join(' or ');
    throw new UsageError(`"${word}" names ${others.length + 1} branches of site ${siteWord}: give the id, ${ids}`);
  }
  return named;
};

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
