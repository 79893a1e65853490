import {type FuzzyMatch, fuzzyMatch} from '../../log/fuzzy/fuzzy.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {headerNameCharsMax} from '../rows/word-limits.ts';
import type {KnownSite} from '../state/state.ts';

/** A row of the sites screen. */
export type SiteChoice = KnownSite & {
  /** Unlike every other row's. */
  readonly key: string;
  /** What was typed, taken as an id: for sites that no list knows. */
  readonly isTyped: boolean;
};

/** A site's name as lists show it, or its id where it has none; a filter is matched against it. */
export const siteName = ({name, id}: Pick<KnownSite, 'id' | 'name'>): string =>
  sanitiseWord(name ?? id, headerNameCharsMax);

/** Where a site's name matches what was typed; undefined where it doesn't. */
export const matchSite = (filter: string, site: Pick<KnownSite, 'id' | 'name'>): FuzzyMatch | undefined =>
  filter.trim() === '' ? undefined : fuzzyMatch(filter, siteName(site));

/** Those that were opened, the latest first, then the others in the config file's order, which is somebody's choice. */
const orderSites = (sites: readonly KnownSite[]): readonly KnownSite[] =>
  sites.toSorted((a, b) => (b.openedAtMs ?? 0) - (a.openedAtMs ?? 0));

const behindNames = Number.MIN_SAFE_INTEGER;

/** An id has to hold what was typed as it is: letters that are strewn over an id fit anything. */
const scoreOf = (filter: string, site: KnownSite): number | undefined =>
  matchSite(filter, site)?.score ?? (site.id.toLowerCase().includes(filter.toLowerCase()) ? behindNames : undefined);

/** The sites that a filter leaves, the best fit first, and what was typed as an id of its own where it is none of theirs. */
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

/** What a site is called on screens: its name, or its id. */
export const siteLabel = (sites: readonly KnownSite[], siteId: string): string =>
  sites.find(site => site.id === siteId)?.name ?? siteId;
