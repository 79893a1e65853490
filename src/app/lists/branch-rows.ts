import type {Branch} from '#api/client/answer.ts';
import {branchName, matchName} from '#app/choices/branch-choices.ts';
import {matchSpans, span, type ViewRow} from '#app/rows/view-row.ts';
import {endOf} from '#app/words/branch-labels.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import type {FuzzyMatch} from '#log/fuzzy.ts';
import {cutMiddle, cutToCells, padToCells} from '#log/text/cut.ts';
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

/** Column widths of the list in cells; 0 for a dropped column. */
export type BranchWidths = {
  readonly gap: number;
  readonly name: number;
  readonly status: number;
  readonly listed: ReadonlyMap<ListedColumn, number>;
};

/** A column that claims room: a name or a status up to so many cells, or a listed column. */
type Claim = {readonly name: number} | {readonly status: number} | {readonly listed: ListedColumn['key']};

const whole = Number.POSITIVE_INFINITY;

/** What gets room, in this order. 13 cells hold `deploy failed`, and both ends of other statuses. */
const claims: readonly Claim[] = [
  {name: 12},
  {status: 13},
  {name: 22},
  {listed: 'pulse'},
  {listed: 'trouble'},
  {listed: 'trend'},
  {listed: 'since'},
  {name: 32},
  {status: whole},
  {listed: 'news'},
  {name: whole},
  {listed: 'pods'},
];

/** The record tells the last change, too, so names and statuses come first. */
export const claimsBesideRecord: readonly Claim[] = [
  {name: 12},
  {status: 13},
  {name: 40},
  {status: whole},
  {listed: 'pulse'},
  {listed: 'trouble'},
  {listed: 'trend'},
  {listed: 'news'},
  {listed: 'since'},
  {name: whole},
  {listed: 'pods'},
];

/** Fits the columns into the width, for all branches of the site, so that a filter moves no column. */
export const fitBranchColumns = (
  branches: readonly Branch[],
  columns: number,
  listedWith: ListedWith,
  inOrder = claims,
): BranchWidths => {
  const [wantedName, wantedStatus] = [widestName(branches), widestStatus(branches)];
  const cellsOf = (column: ListedColumn): number => column.cells(branches, listedWith);
  const wanted = listedColumns.map(cellsOf).reduce((sum, width) => sum + (width === 0 ? 0 : width + gapColumns), 0);
  const isTight = glyphColumns + wantedName + gapColumns + wantedStatus + wanted > columns;
  const gap = isTight ? tightGapColumns : gapColumns;
  let left = columns - glyphColumns - gap;
  const take = (most: number): number => {
    const taken = Math.max(0, Math.min(most, left));
    left -= taken;
    return taken;
  };
  let [name, status] = [0, 0];
  const listed = new Map<ListedColumn, number>();
  for (const claim of inOrder) {
    if ('name' in claim) {
      name += take(Math.min(wantedName, claim.name) - name);
    } else if ('status' in claim) {
      status += take(Math.min(wantedStatus, claim.status) - status);
    } else {
      for (const column of listedColumns.filter(({key}) => key === claim.listed)) {
        const width = cellsOf(column);
        const least = Math.min(width, column.cellsMin ?? width);
        const most = left >= width + gap || column.shortWords === undefined ? width : least;
        listed.set(column, width > 0 && left >= least + gap ? take(most + gap) - gap : 0);
      }
    }
  }
  return {gap, name, status, listed};
};

/** Returns the width at which every row is shown in full: indicator, marks, columns. */
export const branchListWidth = (branches: readonly Branch[], listedWith: ListedWith): number => {
  const {gap, name, status, listed} = fitBranchColumns(branches, Number.POSITIVE_INFINITY, listedWith);
  const extra = [...listed.values()].reduce((sum, width) => sum + (width === 0 ? 0 : width + gap), 0);
  return rowStartColumns + glyphColumns + name + gap + status + extra;
};

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
  const name = branchName(branch);
  const shown = cutMiddle(name, widths.name);
  return [
    span(`${look.glyph} `, look.tone),
    ...matchSpans(
      padToCells(shown, widths.name),
      isSelected ? 'strong' : look.tone === 'dim' ? 'dim' : 'plain',
      matchInCut(matchName(filter, branch), name, shown),
    ),
    span(`${gap}${padToCells(cutStatus(statusWords(branch), widths.status), widths.status)}`, look.tone),
    ...listedColumns.flatMap(column => {
      const width = widths.listed.get(column) ?? 0;
      if (width === 0) {
        return [];
      }
      const {tone, shortWords} = column;
      const words = listedWords(column, branch, listedWith);
      const shown = shortWords === undefined || width > (column.cellsMin ?? 0) ? words : shortWords(words);
      return [
        span(
          `${gap}${padToCells(cutToCells(shown, width), width)}`,
          typeof tone === 'string' ? tone : tone(branch, listedWith),
        ),
      ];
    }),
  ];
};
