import {listBranches, markedBranches, orderWords} from '#app/choices/branch-choices.ts';
import {listingFaults} from '#app/choices/list-words.ts';
import {listSites, siteLabel} from '#app/choices/site-choices.ts';
import {keyWord} from '#app/help/read-help.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import {keyFor} from '#app/keys/keymap.ts';
import {focusedField} from '#app/record/details.ts';
import type {RecordField} from '#app/record/record-fields.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {
  branchNews,
  countBranches,
  readBranchList,
  readBranchRecord,
  readSelectedBranch,
  readSelectedSite,
  readSiteList,
} from '../read/read-branch.ts';
import {retryWords} from './announce-log.ts';

const fieldCharsMax = 300;

/** Describes the sites screen in full, as on arrival. */
export const readSitesPlace = (state: State): readonly string[] => {
  const {name, host} = state.context;
  const where = name === host || host.startsWith(`${name}:`) ? host : `${name}, ${host}`;
  return [
    `Sites of ${sanitiseWord(where, 2 * nameCharsMax)}.`,
    ...readRemarks(state),
    ...readSiteList(state),
    readSelectedSite(state) ??
      `No site is configured, and none was opened yet. Press ${keyWord(keyFor('openFilter', 'sites'))} and type the id of a site.`,
  ];
};

const readRemarks = ({context: {remarks = []}}: State): readonly string[] =>
  remarks.map(({words, isWarning}) => `${isWarning ? 'Warning: ' : ''}${sanitiseWord(words, nameCharsMax)}.`);

/** Describes the branches screen in full, as on arrival. */
export const readBranchesPlace = (state: State, branches: BranchesState): readonly string[] => [
  `Branches of ${sanitiseWord(siteLabel(state.sites, branches.siteId), nameCharsMax)}.`,
  ...readRemarks(state),
  ...readListing(state, branches),
];

const readListing = (state: State, branches: BranchesState): readonly string[] => {
  switch (branches.listing.kind) {
    case 'loading':
      return ['Asking the service for them.'];
    case 'failed':
      return branches.branches.length === 0
        ? [retryWords(branches.listing.message, branches.listing.retryAtMs - state.nowMs)]
        : readBranches(state, branches);
    case 'good':
      return readBranches(state, branches);
    default:
      return branches.listing satisfies never;
  }
};

const readBranches = (state: State, branches: BranchesState): readonly string[] => [
  branches.branches.length === 0 ? 'This site has no branches.' : `${countBranches(branches)}.`,
  ...readBranchList(state, branches),
  ...(branches.branches.length === 0 ? [] : [readSelectedBranch(state, branches) ?? nothingFits]),
];

const nothingFits = 'Nothing fits.';

/** Announces changes on the sites screen. */
export const announceSites = (before: State, now: State): readonly string[] => {
  if (before.screen !== 'sites') {
    return ['Back to the sites.', readSelectedSite(now) ?? nothingFits];
  }
  if (before.context !== now.context) {
    return readSitesPlace(now);
  }
  const filtered = announceFilter(before, now, before.sitePicker.filter, now.sitePicker.filter, {
    prompt: 'Filter: type a name, or the id of a site. Enter opens, Escape clears.',
    count: `${listSites(now.sites, now.sitePicker.filter).length}`,
    selected: readSelectedSite(now),
  });
  if (filtered.length > 0) {
    return filtered;
  }
  const selected = readSelectedSite(now);
  return selected === undefined || selected === readSelectedSite(before) || before.sitePicker === now.sitePicker
    ? []
    : [selected];
};

/** Announces changes on the branches screen. */
export const announceBranches = (before: State, now: State, branches: BranchesState): readonly string[] => {
  const was = before.branches;
  if (was === undefined || before.screen === 'sites') {
    return readBranchesPlace(now, branches);
  }
  const selected = readSelectedBranch(now, branches);
  if (before.screen !== 'branches') {
    return ['Back to the branches.', selected ?? nothingFits];
  }
  const filtered = announceFilter(before, now, was.picker.filter, branches.picker.filter, {
    prompt: 'Filter: type a name, an id or a status. Enter opens the log, Escape clears.',
    count: `${listBranches(branches).length} of ${branches.branches.length}`,
    selected,
  });
  return [
    ...announceListing(now, was, branches),
    ...filtered,
    ...announceMarks(was, branches),
    ...(before.showsDetails === now.showsDetails ? [] : readBranchRecord(now, branches)),
    ...announceShown(was, branches, selected),
    ...announceDetails(was, branches),
    ...(isSelectionTold(was, branches) || filtered.length > 0 || selected === undefined ? [] : [selected]),
  ];
};

/** Returns whether the highlight stayed, or another announcement reads it. */
const isSelectionTold = (was: BranchesState, {picker, shows}: BranchesState): boolean =>
  was.picker.selectedId === picker.selectedId || was.picker.selectedId === undefined || was.shows !== shows;

const shownWords: Readonly<Record<BranchesState['shows'], string>> = {
  all: 'All branches',
  deployed: 'Only deployed branches',
  faults: 'Only branches where something failed',
};

/** Announces which branches are listed, and in which order. */
const announceShown = (
  was: BranchesState,
  branches: BranchesState,
  selected: string | undefined,
): readonly string[] => [
  ...(was.shows === branches.shows
    ? []
    : [
        `${shownWords[branches.shows]}: ${listBranches(branches).length} of ${branches.branches.length}.`,
        selected ?? nothingFits,
      ]),
  ...(was.order === branches.order ? [] : [`Order: ${orderWords[branches.order]}.`]),
];

/**
 * Announces the focused field of the record. Revealed secrets are not read out: text written here stays on the
 * terminal.
 */
const announceDetails = (was: BranchesState, branches: BranchesState): readonly string[] => {
  const field = focusedField(branches);
  if (branches.revealed !== undefined && branches.revealed !== was.revealed) {
    return [`Secrets are not read out. Press ${keyWord(keyFor('copyField', 'branches'))} to copy it.`];
  }
  if (field === undefined) {
    return was.details === undefined ? [] : ['Back in the list.'];
  }
  return was.details === branches.details ? [] : [readField(field)];
};

const readField = ({label, value, prefix = '', summary}: RecordField): string =>
  sanitiseWord(`${label.trim()}: ${prefix}${summary ?? value}.`, fieldCharsMax);

const announceListing = (now: State, was: BranchesState, branches: BranchesState): readonly string[] => {
  const {listing} = branches;
  if (listing === was.listing || listing.kind === 'loading') {
    return [];
  }
  if (listing.kind === 'failed') {
    return was.listing.kind === 'failed' && was.listing.message === listing.message
      ? []
      : [retryWords(listing.message, listing.retryAtMs - now.nowMs)];
  }
  const faults = listingFaults(branches);
  const skipped = faults !== undefined && branches.skippedCount > was.skippedCount ? [`${faults}.`] : [];
  const again = was.listing.kind === 'failed' ? ['The service answers again.'] : [];
  return was.branches.length === 0 && was.listing.kind !== 'good'
    ? [...again, ...readBranches(now, branches), ...skipped]
    : [...again, ...branchNews(was.branches, branches.branches), ...skipped];
};

const announceMarks = (was: BranchesState, branches: BranchesState): readonly string[] => {
  const before = markedBranches(was).length;
  const count = markedBranches(branches).length;
  if (was.marked === branches.marked || count === before) {
    return [];
  }
  return [`${count > before ? 'Marked' : 'No longer marked'}, ${count} marked in all.`];
};

type FilterWords = {readonly prompt: string; readonly count: string; readonly selected: string | undefined};

const announceFilter = (
  before: State,
  now: State,
  wasFilter: string,
  filter: string,
  {prompt, count, selected}: FilterWords,
): readonly string[] => {
  if (filter === wasFilter) {
    return isFilterOpen(now) && !isFilterOpen(before) ? [prompt] : [];
  }
  const words = filter === '' ? 'Filter cleared.' : `Filter ${sanitiseWord(filter, nameCharsMax)}: ${count}.`;
  return [words, selected ?? nothingFits];
};
