import type {Branch} from '../../api/decode/branch.ts';
import {cutToCells, padToCells} from '../../log/cells/cut.ts';
import {cutMark} from '../../log/cells/marks.ts';
import {cellWidth} from '../../log/cells/width.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {branchName, matchName} from '../choices/branch-choices.ts';
import {matchSpans} from '../rows/match-spans.ts';
import {span, type ViewRow} from '../rows/view-row.ts';
import {endOf} from '../words/branch-labels.ts';
import {describeStatus} from '../words/describe-status.ts';
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

/** The cells that a name and a status get before the listed column of rank 0. */
type Least = {readonly name: number; readonly status: number};

/** Enough for the beginning and the ending of a status: `DEPLO…_RUNNING`. */
const leastAlone: Least = {name: 12, status: 14};

/** The record tells the last change of the highlighted branch, too, so names and statuses come first. */
export const leastBesideRecord: Least = {name: 24, status: statusCharsMax};

/**
 * Fits the columns into the width, for all branches of the site, so that a filter moves no column. Of the listed
 * columns, rank 0 comes before a status in full, rank 1 before a long name, and rank 2 gets what is left.
 */
export const fitBranchColumns = (
  branches: readonly Branch[],
  columns: number,
  listedWith: ListedWith,
  least = leastAlone,
): BranchWidths => {
  const [wantedName, wantedStatus] = [widestName(branches), widestStatus(branches)];
  const byRank = listedColumns
    .map(column => ({column, width: column.cells(branches, listedWith)}))
    .sort((a, b) => a.column.rank - b.column.rank);
  const wanted = byRank.reduce((sum, {width}) => sum + (width === 0 ? 0 : width + gapColumns), 0);
  const isTight = glyphColumns + wantedName + gapColumns + wantedStatus + wanted > columns;
  const gap = isTight ? tightGapColumns : gapColumns;
  let left = columns - glyphColumns - gap;
  const take = (most: number): number => {
    const taken = Math.max(0, Math.min(most, left));
    left -= taken;
    return taken;
  };
  const listed = new Map<ListedColumn, number>();
  const takeRank = (wantedRank: number): void => {
    for (const {column, width} of byRank.filter(({column: {rank}}) => rank === wantedRank)) {
      const fits = width > 0 && left >= width + gap;
      listed.set(column, fits ? take(width + gap) - gap : 0);
    }
  };
  const nameMin = take(Math.min(wantedName, least.name));
  const statusMin = take(Math.min(wantedStatus, least.status));
  takeRank(0);
  const status = statusMin + take(wantedStatus - statusMin);
  takeRank(1);
  const name = nameMin + take(wantedName - nameMin);
  takeRank(2);
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
  const shown = cutToCells(name, widths.name);
  return [
    span(`${look.glyph} `, look.tone),
    ...matchSpans(
      padToCells(shown, widths.name),
      isSelected ? 'strong' : look.tone === 'dim' ? 'dim' : 'plain',
      matchName(filter, branch),
      // The last letter of a cut name is the ellipsis.
      shown === name ? name.length : shown.length - 1,
    ),
    span(`${gap}${padToCells(cutStatus(statusWords(branch), widths.status), widths.status)}`, look.tone),
    ...listedColumns.flatMap(column => {
      const width = widths.listed.get(column) ?? 0;
      return width === 0
        ? []
        : [span(`${gap}${padToCells(listedWords(column, branch, listedWith), width)}`, column.tone)];
    }),
  ];
};
