import type {Branch} from '#api/client/answer.ts';
import {
  areInOrder,
  branchesToOpen,
  listBranches,
  markedBranches,
  orderWords,
  selectedPlace,
} from '#app/choices/branch-choices.ts';
import {filterRow, listingFaults} from '#app/choices/list-words.ts';
import {siteLabel} from '#app/choices/site-choices.ts';
import {type Hint, selectDetailsHints, selectHints, selectInputHints} from '#app/help/select-hints.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import {keyFor} from '#app/keys/keymap.ts';
import {findHeld, heldLines} from '#app/log/held-logs.ts';
import type {Frame} from '#app/parts/frame.ts';
import {detailsPlace, detailsRows, focusedField, listRows, selectedBranch} from '#app/record/details.ts';
import {isRevealed} from '#app/record/open-record.ts';
import type {RecordField} from '#app/record/record-fields.ts';
import {selectBranchRecord} from '#app/record/select-branch-record.ts';
import {fitRow, fitsParts, joinParts, messageCharsMax, nameCharsMax, type Part, wrapProse} from '#app/rows/fit-row.ts';
import {indicatorColumns, type ScreenView, type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {branchesIntervalMs} from '#app/tail/branch-changes.ts';
import {connectionWord, selectFailure, selectRemarks, selectTokenPart} from '#app/words/connection-words.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {formatLength, formatLogTime, formatMoment, serviceNowMs} from '#app/words/format-time.ts';
import {Secret} from '#base/secret.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {listedWithOf} from './branch-columns.ts';
import {branchHeadings, branchListWidth, branchRow, claimsBesideRecord, fitBranchColumns} from './branch-rows.ts';
import {shownBranches} from './update-probes.ts';

/**
 * The minimum width for the record beside the list; it also gets the width that the list does not need. On wider
 * screens it has room for whole ids before the list has room for what the record tells, too.
 */
const recordColumnsMin = (columns: number): number => Math.max(38, Math.min(44, columns - 76));

/** Renders the branches screen. */
export const selectBranchesView = (state: State, branches: BranchesState): ScreenView => {
  const {columns} = state;
  const {pane, headings} = selectPane(state, branches);
  const filter = sanitiseWord(branches.picker.filter, nameCharsMax);
  const typed = filterRow(state, 'branches', filter, 'name, id or status');
  const counted = countWords(branches);
  const markedCount = markedBranches(branches).length;
  const token = selectTokenPart(state);
  const partsOf = (isNarrow: boolean): readonly Part[] => [
    {row: [span(sanitiseWord(siteLabel(state.sites, branches.siteId), nameCharsMax), 'accent')], rank: 0},
    {row: [span(sanitiseWord(state.context.name, nameCharsMax), 'strong')], rank: 2},
    ...selectRemarks(state),
    // The user's choice comes before what is always shown.
    {row: counted === '' ? [] : [span(counted)], rank: isNarrowed(branches) ? 1 : 3},
    {row: orderPart(branches), rank: branches.order === 'status' ? 4 : 1},
    {row: markedCount === 0 ? [] : [span(`${markedCount} marked`, 'accent')], rank: 1},
    listingPart(state, branches),
    probePart(state, branches, isNarrow),
    asOfPart(state, branches),
  ];
  const isNarrow = !fitsParts([...partsOf(false).filter(({rank}) => rank <= probeRank), token], columns);
  return {
    header: joinParts(partsOf(isNarrow), columns, token),
    second: fitRow(typed.length > 0 ? typed : headings, columns),
    pane,
    paneRows: paneRows(state),
    state: fitRow(selectState(state, branches), columns),
    hints: isFilterOpen(state)
      ? selectInputHints(columns)
      : branches.details === undefined
        ? selectHints('branches', columns, openHints(branches))
        : selectDetailsHints(columns, focusedField(branches)?.value instanceof Secret),
  };
};

/** Describes the order of the list: the chosen one, or by best match while a filter is typed. */
const orderPart = (state: BranchesState): ViewRow => {
  const {order, picker, branches} = state;
  const words = picker.filter.trim() === '' ? orderWords[order] : 'best fit first';
  const hint = areInOrder(state) ? '' : `: ${keyFor('tryNow', 'branches')} reorders`;
  return branches.length === 0 ? [] : [span(`${words}${hint}`, 'dim')];
};

/** Says that Enter opens more than the row under the highlight. */
const openHints = (branches: BranchesState): readonly Hint[] => {
  const highlighted = selectedBranch(branches);
  const {length} = highlighted === undefined ? [] : branchesToOpen(branches, highlighted);
  return length > 1 ? [[['open'], `opens the ${length} marked`]] : [];
};

const selectPane = (
  state: State,
  branches: BranchesState,
): {readonly pane: ScreenView['pane']; readonly headings: ViewRow} => {
  const {columns} = state;
  const choices = listBranches(branches);
  const selected = selectedPlace(branches);
  const current = choices[selected];
  if (current === undefined) {
    return {
      pane: {kind: 'rows', rows: [[], ...selectEmpty(branches).flatMap(row => wrapProse(row, columns))]},
      headings: [],
    };
  }
  const nowMs = serviceNowMs(state);
  const listedWith = listedWithOf(state, branches);
  const place = detailsPlace(state);
  const field = focusedField(branches);
  const focus = field && {fieldKey: field.key, isRevealed: isRevealed({ownerId: current._id, place: branches}, field)};
  const selectRecord = (width: number): readonly ViewRow[] =>
    selectBranchRecord(branches, current, nowMs, width, detailsRows(state, choices.length), focus);
  // While a filter is typed, users look at the list.
  if (place === 'instead' && !isFilterOpen(state)) {
    const rows = selectRecord(columns - 1).map(row => fitRow([span(' '), ...row], columns));
    return {pane: {kind: 'rows', rows}, headings: []};
  }
  const listColumns =
    place === 'beside'
      ? Math.min(columns - recordColumnsMin(columns) - 2, branchListWidth(branches.branches, listedWith))
      : columns;
  const from = branches.top;
  const to = from + listRows(state, choices.length);
  const widths = fitBranchColumns(
    branches.branches,
    listColumns - 3,
    listedWith,
    place === 'beside' ? claimsBesideRecord : undefined,
  );
  const marked = markedBranches(branches);
  const pane: ScreenView['pane'] = {
    kind: 'pick',
    pick: {
      items: choices.slice(from, to).map((branch, index) => ({
        key: branch._id,
        row: fitRow(
          [
            markSpan(branches, marked, branch),
            ...branchRow(branch, branches.picker.filter, widths, listedWith, from + index === selected),
          ],
          listColumns - indicatorColumns,
        ),
      })),
      selectedIndex: selected - from,
      isLit: branches.details === undefined,
    },
    beside: place === 'beside' ? selectRecord(columns - listColumns - 2) : [],
    below: place === 'below' ? [[], ...selectRecord(columns - 1).map(row => fitRow([span(' '), ...row], columns))] : [],
  };
  return {pane, headings: branchHeadings(widths)};
};

/** The sign for a marked branch or for a change since the last look. Marks win: the user set them and can undo them. */
const markSpan = ({news}: BranchesState, marked: readonly Branch[], branch: Branch): Span => {
  const glyph = marked.includes(branch) ? '*' : news.has(branch._id) ? '+' : ' ';
  return span(glyph, 'accent');
};

const countDeployed: (branches: readonly Branch[]) => number = once(
  createWeakCache(),
  branches => branches.filter(({status}) => describeStatus(status).isDeployed).length,
);

/** Not all branches are listed. */
const isNarrowed = ({shows, picker}: BranchesState): boolean => shows !== 'all' || picker.filter.trim() !== '';

const countWords = (state: BranchesState): string => {
  const {branches, listing, shows} = state;
  if (branches.length === 0 && listing.kind !== 'good') {
    return '';
  }
  if (!isNarrowed(state)) {
    return `${formatBranches(branches.length)}, ${formatCount(countDeployed(branches))} deployed`;
  }
  const which = shows === 'all' ? '' : `, ${shows === 'faults' ? 'failed' : 'deployed'} only`;
  return `${formatCount(listBranches(state).length)} of ${formatBranches(branches.length)}${which}`;
};

const formatBranches = (count: number): string => (count === 1 ? '1 branch' : `${formatCount(count)} branches`);

const listingPart = (frame: Frame, {listing}: BranchesState): Part => {
  switch (listing.kind) {
    case 'loading':
      return {row: [span('asking…', 'dim')], rank: 1};
    case 'good': {
      const {atMs} = listing;
      const polled = {lastGoodAtMs: atMs, nextPollAtMs: atMs + branchesIntervalMs, slowedToMs: undefined};
      return {row: [connectionWord(frame, {kind: 'live', ...polled})], rank: 6};
    }
    case 'failed':
      return {row: [connectionWord(frame, {...listing, kind: 'failing'})], rank: 1};
    default:
      return listing satisfies never;
  }
};

const probeRank = 5;

/**
 * How old the oldest counts on the screen are. Single seconds would redraw the row for nothing. In a narrow row the
 * heading of the column says what was checked.
 */
const probePart = (state: State, branches: BranchesState, isNarrow: boolean): Part => {
  const ages = shownBranches(state, branches).flatMap(({_id}) => {
    const countedAtMs = branches.pulses.get(_id)?.countedAtMs;
    return countedAtMs === undefined ? [] : [state.nowMs - countedAtMs];
  });
  const tens = Math.floor(Math.max(0, ...ages) / 10_000) * 10_000;
  const ago = tens === 0 ? 'just now' : `${formatLength(tens)} ago`;
  const slowed = (branches.probes?.slowDown ?? 1) > 1 ? ', slowed' : '';
  return {
    row: ages.length === 0 ? [] : [span(`${isNarrow ? '' : 'errors '}checked ${ago}${slowed}`, 'dim')],
    rank: probeRank,
  };
};

const asOfPart = (frame: Frame, {listing}: BranchesState): Part => ({
  row: listing.kind === 'good' ? [span(`as of ${formatMoment(frame, listing.atMs)}`, 'dim')] : [],
  rank: 7,
});

const selectEmpty = ({listing, branches, picker, shows}: BranchesState): readonly ViewRow[] => {
  if (branches.length > 0) {
    const isFiltered = picker.filter !== '';
    const why = isFiltered ? 'fits the filter' : shows === 'faults' ? 'has failed' : 'is deployed';
    const key = keyFor(isFiltered ? 'back' : shows === 'faults' ? 'toggleFaults' : 'toggleDeployed', 'branches');
    return [
      [span(`None of the ${formatBranches(branches.length)} ${why}.`)],
      [span('Press '), span(key, 'strong'), span(' to see them all.')],
    ];
  }
  switch (listing.kind) {
    case 'loading':
      return [[span('Asking the service for the branches…', 'dim')]];
    case 'good':
      return [
        [span('This site has no branches.')],
        [span('Press '), span(keyFor('back', 'branches'), 'strong'), span(' to go back to the sites.')],
      ];
    case 'failed':
      return [[span('No branches to show: the service has not answered with any yet. The reason stands below.')]];
    default:
      return listing satisfies never;
  }
};

/** Returns a field's whole value as received; secrets stay masked. */
const selectWhole = ({label, value, prefix = '', summary}: RecordField): string =>
  sanitiseWord(`${label.trim()}  ${prefix}${summary ?? value}`, messageCharsMax);

const selectState = (state: State, branches: BranchesState): ViewRow => {
  const {listing} = branches;
  const {notice = listing.kind === 'failed' ? undefined : state.tokenNotice} = state;
  const told = notice === undefined ? [] : [span(sanitiseWord(notice, messageCharsMax), 'busy')];
  if (listing.kind === 'failed') {
    return selectFailure(state, listing, told);
  }
  if (told.length > 0) {
    return [span(' '), ...told];
  }
  // The record beside the list is narrow; this row is as wide as the terminal.
  const field = focusedField(branches);
  if (field !== undefined) {
    return [span(` ${selectWhole(field)}`, 'dim')];
  }
  const faults = listingFaults(branches);
  return faults === undefined ? selectHeld(state, branches) : [span(` ${faults}`, 'busy')];
};

/** Says that lines of the log to be opened are held, and from when on. */
const selectHeld = (state: State, branches: BranchesState): ViewRow => {
  const highlighted = selectedBranch(branches);
  const opened = highlighted && branchesToOpen(branches, highlighted);
  const held = opened && findHeld(state, branches.siteId, opened);
  if (held === undefined) {
    return [];
  }
  const {count, from} = heldLines(held.log);
  const words = `${countOf(count, 'line')} held${from === undefined ? '' : ` from ${formatLogTime(state, from)} on`}`;
  return [
    span(` ${words}: `, 'dim'),
    span(keyFor('open', 'branches'), 'strong'),
    span(' opens the log as you left it', 'dim'),
  ];
};
