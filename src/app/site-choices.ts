import {matchesFilter} from './picker.ts';
import type {KnownSite} from './state.ts';

/** A row of the sites screen. */
export type SiteChoice = KnownSite & {
  /** Unlike every other row's. */
  readonly key: string;
  /** What was typed, taken as an id: for sites that no list knows. */
  readonly isTyped: boolean;
};

/** The sites that a filter leaves, and what was typed as an id of its own where it is none of theirs. */
export const listSites = (sites: readonly KnownSite[], filter: string): readonly SiteChoice[] => {
  const found = sites
    .filter(site => matchesFilter(filter, [site.name, site.id]))
    .map(site => ({...site, key: site.id, isTyped: false}));
  const typed = filter.trim();
  const isNew = typed !== '' && !sites.some(site => site.id === typed || site.name === typed);
  return isNew
    ? [...found, {id: typed, name: undefined, openedAtMs: undefined, key: `\0${typed}`, isTyped: true}]
    : found;
};

/** What a site is called on screens: its name, or its id. */
export const siteLabel = (sites: readonly KnownSite[], siteId: string): string =>
  sites.find(site => site.id === siteId)?.name ?? siteId;
