import {type Branch, isOfWorkload} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {findNamed} from '#app/choices/branch-choices.ts';
import {troubleWords} from '#app/words/describe-status.ts';
import {globPattern, isNamePattern, isNameRegex} from '#base/glob-pattern.ts';
import {contextNamespace} from '#cli/arguments/args.ts';
import {branchesMax} from '#cli/arguments/commands.ts';
import {compilePattern} from '#cli/arguments/logs-options.ts';
import {NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import type {Say} from '#cli/io/io.ts';
import {findClosestWords} from '#config/settings/closest-word.ts';
import type {SiteSetting} from '#config/settings/settings.ts';
import {countOf} from '#log/words/format-count.ts';

/**
 * Returns the id of the site with this configured id or name, or else the word itself, because a site need not be
 * configured; for `.`, as in a cluster, that of the only one. Throws `UsageError` if two configured sites have the
 * name.
 */
export const resolveSiteId = (sites: readonly SiteSetting[], word: string): string => {
  const [only, ...others] = sites;
  if (word === contextNamespace && only && others.length === 0) {
    return only.id;
  }
  if (sites.some(({id}) => id === word)) {
    return word;
  }
  const named = sites.filter(({name}) => name === word);
  if (named.length > 1) {
    throw new UsageError(`"${word}" names ${named.length} sites: give the id, ${named.map(({id}) => id).join(' or ')}`);
  }
  return named[0]?.id ?? word;
};

/**
 * Returns the error of a failed listing. If the service does not know the site, adds the configured names that were
 * probably meant.
 */
export const explainSiteError = (error: unknown, sites: readonly SiteSetting[], word: string): unknown => {
  if (!(error instanceof ApiError) || error.kind !== 'notFound') {
    return error;
  }
  const meant = findClosestWords(
    word,
    sites.flatMap(({id, name}) => [name ?? id, id]),
  );
  const known = sites.some(({id, name}) => id === word || name === word);
  return meant.length === 0 || known
    ? error
    : new NotFoundError(`${error.message} Did you mean ${meant.join(' or ')}?`, {cause: error});
};

type ChooseBranchesInput = {
  readonly client: Client;
  readonly sites: readonly SiteSetting[];
  readonly siteId: string;
  /** The words on the command line: ids or names. */
  readonly siteWord: string;
  readonly branchWords: readonly string[];
  /** A line is waited for, so a branch without a log is an error. */
  readonly mustHaveLog?: boolean;
  /** So many may be meant. */
  readonly countMax?: number;
  readonly say: Say;
  readonly signal: AbortSignal;
};

/**
 * Returns the requested branches that have a log; reports those that have none because they are not built out. Throws
 * `NotFoundError` for an unknown branch, and `UsageError` for one that is given twice.
 */
export const chooseBranches = async (input: ChooseBranchesInput): Promise<readonly Branch[]> => {
  const {client, sites, siteId, branchWords, countMax = branchesMax, say, signal} = input;
  // The namespace of the context is named by what it is called.
  const siteWord = input.siteWord === '.' ? siteId : input.siteWord;
  const listing = await client.listBranches(siteId, signal).catch((error: unknown) => {
    throw explainSiteError(error, sites, siteWord);
  });
  const branches = branchWords.flatMap(word => {
    const found = resolveBranches(listing.value, word, siteWord);
    const [only] = found;
    const others = listing.value.filter(branch => branch !== only && isOfWorkload(branch, word));
    if (only?.name === word && others.length > 0) {
      say(`"${word}" is ${only.workloads.join(', ')}; there is also ${others.map(({name}) => name).join(', ')}`);
    }
    return found;
  });
  if (branches.length > countMax) {
    throw new UsageError(
      `${branches.length} branches match, at most ${countMax} can be watched together: ${branches.map(({name}) => name).join(', ')}`,
    );
  }
  for (const [index, {_id, name}] of branches.entries()) {
    if (branches.findIndex(other => other._id === _id) < index) {
      throw new UsageError(`branch ${name} of site ${siteWord} is given twice: remove one of them`);
    }
  }
  for (const {name, troubles} of branches) {
    const [worst] = troubles;
    if (worst?.state === 'now') {
      const more =
        troubles.length === 1 ? '' : `; ${countOf(troubles.length - 1, 'trouble')} more: see branchlog branches`;
      say(`branch ${name}: ${troubleWords(worst)}${more}`);
    }
  }
  return branches.filter(({name, status}) => {
    if (status === null) {
      const sentence = `branch ${name} of site ${siteWord} is not built out: it has no log`;
      if (input.mustHaveLog) {
        throw new NotFoundError(sentence);
      }
      say(sentence);
    }
    return status !== null;
  });
};

/** Returns the branch of a word, or those that are built out and match a pattern, of a shell or of stern. */
const resolveBranches = (branches: readonly Branch[], word: string, siteWord: string): readonly Branch[] => {
  const isPattern = isNamePattern(word) && !branches.some(({_id, name}) => _id === word || name === word);
  if (!isPattern) {
    return [resolveBranch(branches, word, siteWord)];
  }
  const matches = isNameRegex(word) ? compilePattern('BRANCH', word) : globPattern(word);
  const found = branches.filter(({name, status}) => status !== null && matches.test(name));
  if (found.length === 0) {
    throw new NotFoundError(`no branch of site ${siteWord} that is built out matches "${word}"`);
  }
  return found;
};

/** Number of names listed if none is similar: enough to recognise one's own in a single sentence. */
const listedNamesMax = 8;

/**
 * Returns the branch with this id or, failing that, this name, workload or release. Throws `NotFoundError` with the
 * closest names if there is none, and `UsageError` if several branches are meant.
 */
const resolveBranch = (branches: readonly Branch[], word: string, siteWord: string): Branch => {
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
