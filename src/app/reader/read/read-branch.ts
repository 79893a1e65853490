import type {Branch} from '#api/client/answer.ts';
import {branchName, listBranches, markedBranches, selectedPlace} from '#app/choices/branch-choices.ts';
import {selectedIndex} from '#app/choices/palette.ts';
import {listSites, type SiteChoice} from '#app/choices/site-choices.ts';
import {listedColumns, listedWithOf, spokenWords} from '#app/lists/branch-columns.ts';
import {findHeld, heldLines} from '#app/log/held-logs.ts';
import type {Frame} from '#app/parts/frame.ts';
import {selectedBranch} from '#app/record/details.ts';
import {selectBranchRecord} from '#app/record/select-branch-record.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import {joinWords, listItems, placeInList, readRow, readStatusWord} from '#app/rows/read-entry.ts';
import type {BranchesState, HeldLog, State} from '#app/state/state.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {formatAgo, serviceNowMs} from '#app/words/format-time.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {countOf} from '#log/words/format-count.ts';

const choicesOf = ({sites, sitePicker}: State): readonly SiteChoice[] => listSites(sites, sitePicker.filter);

/** `shop, id 5f3c0a12, opened 2 h ago` */
const readSite = (frame: Frame, {id, name, openedAtMs, isTyped}: SiteChoice): string => {
  const safeId = sanitiseWord(id, nameCharsMax);
  if (isTyped) {
    return `Open ${safeId}, as the id of a site`;
  }
  const ago = openedAtMs === undefined ? '' : formatAgo(new Date(openedAtMs).toISOString(), serviceNowMs(frame));
  return joinWords([
    name === undefined ? safeId : sanitiseWord(name, nameCharsMax),
    name === undefined ? '' : `id ${safeId}`,
    ago === '' ? '' : `opened ${ago}`,
  ]);
};

/** Describes the selected site: `shop, id 5f3c0a12; item 1 of 3, selected`. Returns undefined if the list is empty. */
export const readSelectedSite = (state: State): string | undefined => {
  const choices = choicesOf(state);
  const index = selectedIndex(
    choices.map(({key}) => key),
    state.sitePicker,
  );
  const choice = choices[index];
  return choice && `${readSite(state, choice)}; ${placeInList(index, choices.length)}`;
};

/** Returns the sites as numbered items. */
export const readSiteList = (state: State): readonly string[] =>
  listItems(choicesOf(state).map(choice => readSite(state, choice)));

/** Returns `deployed`, or the status in words. */
const branchStatus = ({status}: Branch): string => readStatusWord(describeStatus(status).words);

/** `master, deployed, 2 pods, changed 2 h ago` */
const readBranch = (state: State, branches: BranchesState, branch: Branch): string =>
  joinWords([
    branchName(branch),
    branchStatus(branch),
    // News is announced when it comes, so not here.
    ...listedColumns.map(column => spokenWords(column, branch, {...listedWithOf(state, branches), news: new Map()})),
    markedBranches(branches).includes(branch) ? 'marked' : '',
    heldWords(findHeld(state, branches.siteId, [branch])),
  ]);

const heldWords = (held: HeldLog | undefined): string =>
  held === undefined ? '' : `${countOf(heldLines(held.log).count, 'line')} held`;

/**
 * Describes the selected branch: `master, deployed, 2 pods, changed 2 h ago; item 1 of 12, selected`. Returns undefined
 * if the list is empty.
 */
export const readSelectedBranch = (state: State, branches: BranchesState): string | undefined => {
  const branch = selectedBranch(branches);
  const place = placeInList(selectedPlace(branches), listBranches(branches).length);
  return branch && `${readBranch(state, branches, branch)}; ${place}`;
};

/** Returns the branches as numbered items. */
export const readBranchList = (state: State, branches: BranchesState): readonly string[] =>
  listItems(listBranches(branches).map(branch => readBranch(state, branches, branch)));

/** `12 branches, 5 deployed` */
export const countBranches = ({branches}: BranchesState): string => {
  const deployedCount = branches.filter(({status}) => describeStatus(status).isDeployed).length;
  return branches.length === 1
    ? `1 branch, ${deployedCount === 0 ? 'not ' : ''}deployed`
    : `${branches.length} branches, ${deployedCount} deployed`;
};

/** Maximum rows of a record. Its values are bounded already, and there are a few dozen of them. */
const recordRowsMax = 500;
/** Wider than any row of the record, so nothing is cut. */
const recordColumns = 1_000;

/** Returns the record of the selected branch, a line for each group and field. Secrets are masked. */
export const readBranchRecord = (frame: Frame, branches: BranchesState): readonly string[] => {
  const branch = selectedBranch(branches);
  return branch === undefined
    ? ['No branch is selected.']
    : selectBranchRecord(branches, branch, serviceNowMs(frame), recordColumns, recordRowsMax).map(row =>
        readRow(row, ': '),
      );
};

/** Describes what changed between two listings: statuses, new branches and branches that are gone. */
export const branchNews = (before: readonly Branch[], now: readonly Branch[]): readonly string[] => {
  const known = new Map(before.map(branch => [branch._id, branch]));
  const ids = new Set(now.map(({_id}) => _id));
  const changed = now.flatMap(branch => {
    const was = known.get(branch._id);
    if (was === undefined) {
      return [`New branch: ${branchName(branch)}, ${branchStatus(branch)}.`];
    }
    const isKnown = was.status !== undefined && branch.status !== undefined;
    return !isKnown || was.status === branch.status ? [] : [`${branchName(branch)} is now ${branchStatus(branch)}.`];
  });
  const gone = before.flatMap(branch => (ids.has(branch._id) ? [] : [`Branch ${branchName(branch)} is gone.`]));
  const all = [...changed, ...gone];
  return all.length <= newsMax
    ? all
    : [...all.slice(0, newsMax), `${countOf(all.length - newsMax, 'more change')} in the list.`];
};

/** With more changes, the user is better served by reading the list again. */
const newsMax = 10;
