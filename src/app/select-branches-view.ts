import type {Branch} from '../api/branch.ts';
import {cutToCells, padToCells} from '../log/cut.ts';
import {sanitiseWord} from '../log/sanitise.ts';
import {cellWidth} from '../log/width.ts';
import {listBranches} from './branch-choices.ts';
import {describeStatus} from './describe-status.ts';
import {fitRow, joinParts, type Part, rowWidth} from './fit-row.ts';
import {countOf, formatAgo, formatMoment, serviceNowMs} from './format-time.ts';
import {markedBranches} from './mark-branches.ts';
import {selectedIndex, visibleRange} from './picker.ts';
import {selectBranchRecord} from './select-branch-record.ts';
import {selectFailure} from './select-failure.ts';
import {selectHints, selectInputHints} from './select-hints.ts';
import {selectTokenPart} from './select-token-part.ts';
import {siteLabel} from './site-choices.ts';
import {type BranchesState, paneRows, type State} from './state.ts';
import {areDetailsShown, detailsColumnsMin} from './update-branches.ts';
import {indicatorColumns, type ScreenView} from './view.ts';
import {span, type ViewRow} from './view-row.ts';
import {wrapProse} from './wrap-prose.ts';

const nameCharsMax = 80;
const statusCharsMax = 40;

/** The record beside the list is worth its room from this width on; what the list leaves over is its too. */
const recordColumnsMin = 38;

/** The branches screen. */
export const selectBranchesView = (state: State, branches: BranchesState): ScreenView => {
  const {columns} = state;
  const rows = paneRows(state);
  const choices = listBranches(branches);
  const selected = selectedIndex(
    choices.map(branch => branch._id),
    branches.picker,
  );
  const current = choices[selected];
  const markedCount = markedBranches(branches).length;
  const showsDetails = areDetailsShown(state) && current !== undefined;
  const isBeside = showsDetails && columns >= detailsColumnsMin;
  const listColumns = isBeside
    ? Math.min(columns - recordColumnsMin - 2, listWidth(choices, serviceNowMs(state)))
    : columns;
  const record = showsDetails
    ? selectBranchRecord(current, serviceNowMs(state), isBeside ? columns - listColumns - 2 : columns - 1, rows)
    : [];
  return {
    header: joinParts(
      [
        {row: [span(sanitiseWord(siteLabel(state.sites, branches.siteId), nameCharsMax), 'accent')], rank: 0},
        {row: [span(sanitiseWord(state.context.name, nameCharsMax), 'strong')], rank: 2},
        {row: [span(countWords(branches))], rank: 3},
        {row: markedCount === 0 ? [] : [span(`${markedCount} marked`, 'accent')], rank: 1},
        listingPart(state, branches),
      ],
      columns,
      selectTokenPart(state),
    ),
    second: fitRow(selectPrompt(state, branches), columns),
    pane: selectPane(state, branches, {choices, selected, listColumns, record, showsDetails, isBeside}),
    paneRows: rows,
    state: fitRow(selectState(state, branches), columns),
    hints: state.isFilterOpen ? selectInputHints(columns) : selectHints('branches', columns),
  };
};

type PaneInput = {
  readonly choices: readonly Branch[];
  readonly selected: number;
  readonly listColumns: number;
  readonly record: readonly ViewRow[];
  readonly showsDetails: boolean;
  readonly isBeside: boolean;
};

const selectPane = (state: State, branches: BranchesState, input: PaneInput): ScreenView['pane'] => {
  const {choices, selected, listColumns, record, showsDetails, isBeside} = input;
  if (choices.length === 0) {
    return {kind: 'rows', rows: [[], ...selectEmpty(branches).flatMap(row => wrapProse(row, state.columns))]};
  }
  if (showsDetails && !isBeside) {
    return {kind: 'rows', rows: record.map(row => fitRow([span(' '), ...row], state.columns))};
  }
  const {from, to} = visibleRange(choices.length, selected, paneRows(state));
  const widths = columnWidths(choices, listColumns - 3, serviceNowMs(state));
  const marked = markedBranches(branches);
  return {
    kind: 'pick',
    pick: {
      items: choices.slice(from, to).map((branch, index) => ({
        key: branch._id,
        row: fitRow(
          [
            span(marked.includes(branch) ? '*' : ' ', 'accent'),
            ...branchRow(branch, widths, serviceNowMs(state), from + index === selected),
          ],
          listColumns - indicatorColumns,
        ),
      })),
      selectedIndex: selected - from,
    },
    beside: record,
  };
};

/** What the list takes where every row is shown whole: indicator, glyph, columns. */
const listWidth = (branches: readonly Branch[], nowMs: number): number => {
  const widths = columnWidths(branches, Number.POSITIVE_INFINITY, nowMs);
  return Math.max(0, ...branches.map(branch => rowWidth(branchRow(branch, widths, nowMs, false)))) + 4;
};

type Widths = {readonly name: number; readonly status: number; readonly pods: number; readonly since: number};

const gapColumns = 3;
const nameColumnsMin = 12;

/** Where there is no room for all: first the pods go, then the time of change, then names are cut. Names and statuses are what the list is read for. */
const columnWidths = (branches: readonly Branch[], columns: number, nowMs: number): Widths => {
  const widest = (words: (branch: Branch) => string): number =>
    Math.max(0, ...branches.map(branch => cellWidth(words(branch))));
  const fixed = 2 + gapColumns;
  const wantedStatus = widest(statusWords);
  const name = Math.min(widest(nameOf), Math.max(nameColumnsMin, columns - fixed - wantedStatus));
  const status = Math.max(0, Math.min(wantedStatus, columns - fixed - name));
  const pods = widest(podWords);
  const since = widest(branch => sinceWords(branch, nowMs));
  const left = columns - fixed - name - status;
  const hasSince = since > 0 && left >= since + gapColumns;
  const hasPods = pods > 0 && hasSince && left >= since + pods + 2 * gapColumns;
  return {name, status, pods: hasPods ? pods : 0, since: hasSince ? since : 0};
};

const nameOf = (branch: Branch): string => sanitiseWord(branch.name, nameCharsMax);

const statusWords = (branch: Branch): string => sanitiseWord(describeStatus(branch.status).words, statusCharsMax);

const podWords = ({replicas}: Branch): string => (replicas === undefined ? '' : countOf(replicas, 'pod'));

const sinceWords = ({status, createdAt, updatedAt}: Branch, nowMs: number): string => {
  const ago = formatAgo(status === null ? createdAt : updatedAt, nowMs);
  return ago === '' ? '' : `${status === null ? 'made' : 'changed'} ${ago}`;
};

const branchRow = (branch: Branch, widths: Widths, nowMs: number, isSelected: boolean): ViewRow => {
  const look = describeStatus(branch.status);
  const column = (text: string, width: number): string => padToCells(cutToCells(text, width), width);
  return [
    span(`${look.glyph} `, look.tone),
    span(column(nameOf(branch), widths.name), isSelected ? 'strong' : look.tone === 'dim' ? 'dim' : 'plain'),
    span(`   ${column(statusWords(branch), widths.status)}`, look.tone),
    span(widths.pods === 0 ? '' : `   ${column(podWords(branch), widths.pods)}`, 'dim'),
    span(widths.since === 0 ? '' : `   ${sinceWords(branch, nowMs)}`, 'dim'),
  ];
};

const countWords = ({branches, listing, deployedOnly}: BranchesState): string => {
  if (branches.length === 0 && listing.kind !== 'good') {
    return '';
  }
  const deployed = branches.filter(branch => describeStatus(branch.status).isDeployed).length;
  return `${formatBranches(branches.length)}, ${deployed} deployed${deployedOnly ? ' (only these shown)' : ''}`;
};

const formatBranches = (count: number): string => (count === 1 ? '1 branch' : `${count} branches`);

const listingPart = (state: State, {listing}: BranchesState): Part => {
  switch (listing.kind) {
    case 'loading':
      return {row: [span('asking…', 'dim')], rank: 1};
    case 'good':
      return {row: [span(`as of ${formatMoment(state, listing.atMs)}`, 'dim')], rank: 1};
    case 'failed':
      return {row: [span(`failing since ${formatMoment(state, listing.sinceMs)}`, 'bad')], rank: 1};
    default:
      return listing satisfies never;
  }
};

const selectPrompt = ({isFilterOpen}: State, {picker}: BranchesState): ViewRow => {
  const typed = sanitiseWord(picker.filter, nameCharsMax);
  if (isFilterOpen) {
    return [span(' / ', 'accent'), span(typed), span('█', 'accent'), span('   name, id or status', 'dim')];
  }
  return picker.filter === '' ? [] : [span(' / ', 'dim'), span(typed), span('   Esc clears', 'dim')];
};

const selectEmpty = ({listing, branches, picker, deployedOnly}: BranchesState): readonly ViewRow[] => {
  if (branches.length > 0) {
    const why = picker.filter === '' ? 'is deployed' : 'fits the filter';
    const key = picker.filter === '' && deployedOnly ? 'a' : 'Esc';
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
        [span('Press '), span('Esc', 'strong'), span(' to go back to the sites.')],
      ];
    case 'failed':
      return [[span('No branches to show: the service has not answered yet. The reason stands below.')]];
    default:
      return listing satisfies never;
  }
};

const messageCharsMax = 500;

const selectState = (state: State, {listing, skippedCount}: BranchesState): ViewRow => {
  const notice = state.notice ?? (listing.kind === 'failed' ? undefined : state.tokenNotice);
  if (notice !== undefined) {
    return [span(` ${sanitiseWord(notice, messageCharsMax)}`, 'busy')];
  }
  if (listing.kind === 'failed') {
    return selectFailure(state, listing);
  }
  return skippedCount === 0
    ? []
    : [
        span(
          ` ${countOf(skippedCount, 'part')} of the answer could not be read and ${skippedCount === 1 ? 'was' : 'were'} left out`,
          'busy',
        ),
      ];
};
