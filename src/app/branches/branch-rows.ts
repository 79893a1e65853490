import type {Branch} from '../../api/decode/branch.ts';
import {cutToCells, padToCells} from '../../log/cells/cut.ts';
import {cellWidth} from '../../log/cells/width.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {branchName, matchName} from '../choices/branch-choices.ts';
import {matchSpans} from '../rows/match-spans.ts';
import {span, type ViewRow} from '../rows/view-row.ts';
import {describeStatus} from '../words/describe-status.ts';
import {type ListedColumn, type ListedWith, listedColumns, listedWords} from './branch-columns.ts';

const statusCharsMax = 40;
const gapColumns = 3;
const nameColumnsMin = 12;

/** The indicator and mark before a row, its sign, and the blanks between them. */
const rowStartColumns = 6;

const statusWords = (branch: Branch): string => sanitiseWord(describeStatus(branch.status).words, statusCharsMax);

/** Column widths of the list in cells; 0 for a dropped column. */
export type BranchWidths = {
  readonly name: number;
  readonly status: number;
  readonly listed: ReadonlyMap<ListedColumn, number>;
};

/**
 * Fits the columns into the width. Columns are dropped from the highest rank down, but names are cut before the column
 * of rank 0 is dropped. Names and statuses are what users read the list for.
 */
export const fitBranchColumns = (choices: readonly Branch[], columns: number, listedWith: ListedWith): BranchWidths => {
  const widest = (words: (branch: Branch) => string): number =>
    Math.max(0, ...choices.map(branch => cellWidth(words(branch))));
  const byRank = listedColumns
    .map(column => ({column, width: widest(branch => listedWords(column, branch, listedWith))}))
    .sort((a, b) => a.column.rank - b.column.rank);
  const fixed = 2 + gapColumns;
  const wantedStatus = widest(statusWords);
  // A long name is cut to make room for the most important column, as long as enough of the name remains.
  const first = byRank[0]?.width ?? 0;
  const forFirst = first === 0 ? 0 : first + gapColumns;
  const kept = columns - fixed - wantedStatus - forFirst < nameColumnsMin ? 0 : forFirst;
  const name = Math.min(widest(branchName), Math.max(nameColumnsMin, columns - fixed - wantedStatus - kept));
  const status = Math.max(0, Math.min(wantedStatus, columns - fixed - name));
  let left = columns - fixed - name - status;
  const widths = new Map<ListedColumn, number>();
  for (const {column, width} of byRank) {
    const fits = width > 0 && left >= width + gapColumns;
    widths.set(column, fits ? width : 0);
    // Don't show a narrower, less important column just because it happens to fit.
    left = fits ? left - width - gapColumns : width > 0 ? 0 : left;
  }
  return {name, status, listed: widths};
};

/** Returns the width at which every row is shown in full: indicator, marks, columns. */
export const branchListWidth = (choices: readonly Branch[], listedWith: ListedWith): number => {
  const widths = fitBranchColumns(choices, Number.POSITIVE_INFINITY, listedWith);
  const extra = [...widths.listed.values()].reduce((sum, width) => sum + (width === 0 ? 0 : width + gapColumns), 0);
  return rowStartColumns + widths.name + gapColumns + widths.status + extra;
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
  const inColumn = (text: string, width: number): string => padToCells(cutToCells(text, width), width);
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
    span(`   ${inColumn(statusWords(branch), widths.status)}`, look.tone),
    ...listedColumns.flatMap(column => {
      const width = widths.listed.get(column) ?? 0;
      return width === 0 ? [] : [span(`   ${inColumn(listedWords(column, branch, listedWith), width)}`, column.tone)];
    }),
  ];
};
