import type {Branch} from '#api/client/answer.ts';
import {branchName, matchName} from '#app/choices/branch-choices.ts';
import {matchSpans, span, type ViewRow} from '#app/rows/view-row.ts';
import {endOf} from '#app/words/branch-labels.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import type {FuzzyMatch} from '#log/fuzzy.ts';
import {cutMiddle, cutToCells, padToCells} from '#log/text/cut.ts';
import {type ColumnClaim, type ColumnWidths, fitColumns, tableWidth} from '#log/text/fit-columns.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth, cutMark} from '#log/text/width.ts';
import {type ListedColumn, type ListedWith, listedColumns, listedWords, widestIn} from './branch-columns.ts';

const statusCharsMax = 40;
/** Between columns; the narrower one if not everything fits. */
const gapColumns = 3;
const tightGapColumns = 2;
const glyphColumns = 2;

/** The indicator and the mark before a row. */
const rowStartColumns = 3;

const statusWords = (branch: Branch): string => sanitiseWord(describeStatus(branch.status).words, statusCharsMax);

const widestName = widestIn(branchName);
const widestStatus = widestIn(statusWords);

type Name = 'name' | 'status' | ListedColumn['key'];

/** How wide the columns of the list are, and the space between them, in cells. */
export type BranchWidths = {readonly gap: number; readonly cellsOf: ColumnWidths<Name>};

const whole = Number.POSITIVE_INFINITY;

/** The beginning of a trouble says more than nothing: `CrashLoopBackOff`. */
const troubleCellsMin = 16;

/** Met before all others. 13 cells hold `deploy failed`, and both ends of other statuses. */
const least: readonly ColumnClaim<Name>[] = [
  {column: 'name', cells: 12},
  {column: 'status', cells: 13},
];

const guard: readonly ColumnClaim<Name>[] = [{column: 'guard', least: whole}];

/** All but a rate of thousands with its trend: `····· not checked`, `▁▁▁▁▆ 196/min new`. */
const pulseCellsMin = 17;

/** A glyph a minute, without words; its heading is the first word of the wider one's. */
const stripCells = 'ERRORS'.length;

const pulse: readonly ColumnClaim<Name>[] = [
  {column: 'pulse', cells: pulseCellsMin, least: pulseCellsMin},
  {column: 'pulse', cells: stripCells, least: stripCells},
  {column: 'trouble', cells: troubleCellsMin},
];

const rest: readonly ColumnClaim<Name>[] = [{column: 'name'}, {column: 'trouble'}, {column: 'pods', least: whole}];

const claims: readonly ColumnClaim<Name>[] = [
  ...least,
  {column: 'name', cells: 22},
  ...guard,
  ...pulse,
  {column: 'status', cells: 17},
  {column: 'since', least: whole},
  {column: 'name', cells: 32},
  {column: 'status'},
  {column: 'news', least: whole},
  ...rest,
];

/** The record tells the last change, too, so names and statuses come first. */
export const claimsBesideRecord: readonly ColumnClaim<Name>[] = [
  ...least,
  {column: 'name', cells: 40},
  ...guard,
  {column: 'status'},
  ...pulse,
  {column: 'news', least: whole},
  {column: 'since', least: whole},
  ...rest,
];

/** Fits the columns into the width, for all branches of the site, so that a filter moves no column. */
export const fitBranchColumns = (
  branches: readonly Branch[],
  columns: number,
  listedWith: ListedWith,
  inOrder = claims,
): BranchWidths => {
  const natural = naturalIn(branches, listedWith);
  const gap = glyphColumns + tableWidth(columnNames.map(natural), gapColumns) > columns ? tightGapColumns : gapColumns;
  return {gap, cellsOf: fitColumns({natural, claims: inOrder, room: columns - glyphColumns, gap})};
};

const headingOf = {name: 'BRANCH', status: 'STATUS'};

const columnNames: readonly Name[] = ['name', 'status', ...listedColumns.map(({key}) => key)];

const naturalIn =
  (branches: readonly Branch[], listedWith: ListedWith): ColumnWidths<Name> =>
  name => {
    if (name === 'name' || name === 'status') {
      return Math.max(headingOf[name].length, name === 'name' ? widestName(branches) : widestStatus(branches));
    }
    const column = listedColumns.find(({key}) => key === name);
    const cells = column?.cells(branches, listedWith) ?? 0;
    return cells === 0 ? 0 : Math.max(column?.heading.length ?? 0, cells);
  };

/** Returns the width at which every row is shown in full: indicator, marks, columns. */
export const branchListWidth = (branches: readonly Branch[], listedWith: ListedWith): number =>
  rowStartColumns + glyphColumns + tableWidth(columnNames.map(naturalIn(branches, listedWith)), gapColumns);

/** Cuts a status in the middle: its last word says what became of it. */
const cutStatus = (words: string, cells: number): string => {
  const [ending = ''] = /[_ -][^_ -]*$/.exec(words) ?? [];
  const room = cells - cellWidth(ending) - cellWidth(cutMark);
  if (cellWidth(words) <= cells || ending === '') {
    return cutToCells(words, cells);
  }
  return room < 0 ? endOf(words, cells) : `${cutToCells(words, room, {ellipsis: ''})}${cutMark}${ending}`;
};

/** Moves the matched letters of a name to where they are in the name cut in the middle. */
const matchInCut = (match: FuzzyMatch | undefined, name: string, shown: string): FuzzyMatch | undefined => {
  if (match === undefined || shown === name) {
    return match;
  }
  const start = shown.indexOf(cutMark);
  const cutCount = name.length - shown.length;
  const positions = match.positions.flatMap(place =>
    place < start ? [place] : place - cutCount > start ? [place - cutCount] : [],
  );
  return {...match, positions};
};

/** Returns a row of the list, without highlight and mark. `filter` is the typed filter. */
export const branchRow = (
  branch: Branch,
  filter: string,
  widths: BranchWidths,
  listedWith: ListedWith,
  isSelected: boolean,
): ViewRow => {
  const look = describeStatus(branch.status);
  const gap = ' '.repeat(widths.gap);
  const nameCells = widths.cellsOf('name');
  const statusCells = widths.cellsOf('status');
  const name = branchName(branch);
  const shown = cutMiddle(name, nameCells);
  return [
    span(`${look.glyph} `, look.tone),
    ...matchSpans(
      padToCells(shown, nameCells),
      isSelected ? 'strong' : look.tone === 'dim' ? 'dim' : 'plain',
      matchInCut(matchName(filter, branch), name, shown),
    ),
    span(`${gap}${padToCells(cutStatus(statusWords(branch), statusCells), statusCells)}`, look.tone),
    ...listedColumns.flatMap(column => {
      const width = widths.cellsOf(column.key);
      if (width === 0) {
        return [];
      }
      const {tone} = column;
      return [
        span(
          gap + placed(column, listedWords(column, branch, listedWith), width),
          typeof tone === 'string' ? tone : tone(branch, listedWith),
        ),
      ];
    }),
  ];
};

/** Returns the headings of the columns, as they stand above the rows. */
export const branchHeadings = ({gap, cellsOf}: BranchWidths): ViewRow => [
  span(' '.repeat(rowStartColumns)),
  span(padToCells(headingOf.name, glyphColumns + cellsOf('name')), 'dim'),
  span(' '.repeat(gap) + padToCells(headingOf.status, cellsOf('status')), 'dim'),
  ...listedColumns
    .filter(({key}) => cellsOf(key) > 0)
    .map(column => span(' '.repeat(gap) + placed(column, column.heading, cellsOf(column.key)), 'dim')),
];

const placed = ({key, isAtRight = false}: ListedColumn, words: string, cells: number): string => {
  const [first = ''] = words.split(/[ ,]/, 1);
  const shown = key === 'pulse' && cells < pulseCellsMin ? first : cutToCells(words, cells);
  return isAtRight ? ' '.repeat(cells - cellWidth(shown)) + shown : padToCells(shown, cells);
};
