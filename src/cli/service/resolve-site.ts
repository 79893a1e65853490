import {ApiError} from '../../api/api-error.ts';
import type {SiteSetting} from '../../config/client/settings.ts';
import {findClosestWords} from '../../config/values/closest-word.ts';
import {NotFoundError} from '../io/not-found-error.ts';
import {UsageError} from '../io/usage-error.ts';

/**
 * The id of the site that a word means: a configured id, a configured name, or else the word itself, since a site need
 * not be configured. Throws `UsageError` where two configured sites have the name.
 */
export const resolveSiteId = (sites: readonly SiteSetting[], word: string): string => {
  if (sites.some(({id}) => id === word)) {
    return word;
  }
  const named = sites.filter(({name}) => name === word);
  if (named.length > 1) {
    throw new UsageError(`"${word}" names ${named.length} sites: give the id, ${named.map(({id}) => id).join(' or ')}`);
  }
  return named[0]?.id ?? word;
};

/** The error of a listing; where the service knows no such site, with the configured names that were probably meant. */
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
