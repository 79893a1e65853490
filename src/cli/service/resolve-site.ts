import {ApiError} from '#api/client/api-error.ts';
import {NotFoundError} from '#cli/io/not-found-error.ts';
import {UsageError} from '#cli/io/usage-error.ts';
import {findClosestWords} from '#config/settings/closest-word.ts';
import type {SiteSetting} from '#config/settings/settings.ts';

/**
 * Returns the id of the site with this configured id or name, or else the word itself, because a site need not be
 * configured. Throws `UsageError` if two configured sites have the name.
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
