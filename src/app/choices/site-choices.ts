import {headerNameCharsMax} from '#app/rows/fit-row.ts';
import type {KnownSite} from '#app/state/state.ts';
import {type FuzzyMatch, fuzzyMatch} from '#log/fuzzy.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';

/** A row of the sites screen. */
export type SiteChoice = KnownSite & {
  /** Unique among the rows. */
  readonly key: string;
  /** The typed text taken as a site id, for sites that are not listed. */
  readonly isTyped: boolean;
};

/** Returns a site's name as lists show it and filters match it; its id if it has no name. */
export const siteName = ({name, id}: Pick<KnownSite, 'id' | 'name'>): string =>
  sanitiseWord(name ?? id, headerNameCharsMax);

/** Returns the match ranges of the filter in a site's name; undefined if it does not match. */
export const matchSite = (filter: string, site: Pick<KnownSite, 'id' | 'name'>): FuzzyMatch | undefined =>
  filter.trim() === '' ? undefined : fuzzyMatch(filter, siteName(site));

/**
 * Sorts opened sites first, the latest at the top, then the others in the order of the config file, which its author
 * chose.
 */
const orderSites = (sites: readonly KnownSite[]): readonly KnownSite[] =>
  sites.toSorted((a, b) => (b.openedAtMs ?? 0) - (a.openedAtMs ?? 0));

const rankAfterNames = Number.MIN_SAFE_INTEGER;

/** An id must contain the text literally: a fuzzy match on an id would match anything. */
const scoreOf = (filter: string, site: KnownSite): number | undefined =>
  matchSite(filter, site)?.score ?? (site.id.toLowerCase().includes(filter.toLowerCase()) ? rankAfterNames : undefined);

/**
 * Returns the sites that match the filter, best match first, then the typed text as a site id if no site has that id.
 */
export const listSites = (sites: readonly KnownSite[], filter: string): readonly SiteChoice[] => {
  const typed = filter.trim();
  const ordered = orderSites(sites);
  const found =
    typed === ''
      ? ordered
      : ordered
          .flatMap(site => {
            const score = scoreOf(typed, site);
            return score === undefined ? [] : [{site, score}];
          })
          .sort((a, b) => b.score - a.score)
          .map(({site}) => site);
  const known = found.map(site => ({...site, key: site.id, isTyped: false}));
  const isNew = typed !== '' && !sites.some(site => site.id === typed || site.name === typed);
  return isNew
    ? [...known, {id: typed, name: undefined, openedAtMs: undefined, key: `\0${typed}`, isTyped: true}]
    : known;
};

/** Returns a site's name on screens: its name, or its id. */
export const siteLabel = (sites: readonly KnownSite[], siteId: string): string =>
  sites.find(site => site.id === siteId)?.name ?? siteId;
