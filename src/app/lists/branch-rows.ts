import type {Branch} from '../../api/branch.ts';
import {cutToCells, padToCells} from '../../log/cut.ts';
import {countOf} from '../../log/format-count.ts';
import {sanitiseWord} from '../../log/sanitise.ts';
import {cellWidth} from '../../log/width.ts';
import {branchName, matchName} from '../branch-choices.ts';
import {describeStatus} from '../describe-status.ts';
import {formatAgo} from '../format-time.ts';
import type {BranchesState} from '../state.ts';
import {span, type ViewRow} from '../view-row.ts';
import {matchSpans} from './match-spans.ts';
import {newsWords} from './row-news.ts';

const statusCharsMax = 40;
const gapColumns = 3;
const nameColumnsMin = 12;

/** The indicator and the mark ahead of a row, its sign, and the blanks between them. */
const rowStartColumns = 6;

export const podWords = ({replicas}: Branch): string => (replicas === undefined ? '' : countOf(replicas, 'pod'));

export const sinceWords = ({status, createdAt, updatedAt}: Branch, nowMs: number): string => {
  const ago = formatAgo(status === null ? createdAt : updatedAt, nowMs);
  return ago === '' ? '' : `${status === null ? 'made' : 'changed'} ${ago}`;
};

const statusWords = (branch: Branch): string => sanitiseWord(describeStatus(branch.status).words, statusCharsMax);

const newsOf = ({news}: Pick<BranchesState, 'news'>, branch: Branch): string => {
  const told = news.get(branch._id);
  return told === undefined ? '' : newsWords[told];
};

/** The columns of the list, in cells; 0 for one that is left out. */
export type BranchColumns = {
  readonly name: number;
  readonly status: number;
  readonly news: number;
  readonly pods: number;
  readonly since: number;
};

/**
 * Where there is no room for all: first the pods go, then the time of change, then names are cut, then what is new goes, whose sign stays. Names and
 * statuses are what the list is read for.
 */
export const branchColumns = (
  branches: BranchesState,
  choices: readonly Branch[],
  columns: number,
  nowMs: number,
): BranchColumns => {
  const widest = (words: (branch: Branch) => string): number =>
    Math.max(0, ...choices.map(branch => cellWidth(words(branch))));
  const fixed = 2 + gapColumns;
  const wantedStatus = widest(statusWords);
  const wantedNews = widest(branch => newsOf(branches, branch));
  // A long name makes room for what is new, as long as enough of it is left.
  const forNews = wantedNews === 0 ? 0 : wantedNews + gapColumns;
  const kept = columns - fixed - wantedStatus - forNews < nameColumnsMin ? 0 : forNews;
  const name = Math.min(widest(branchName), Math.max(nameColumnsMin, columns - fixed - wantedStatus - kept));
  const status = Math.max(0, Math.min(wantedStatus, columns - fixed - name));
  let left = columns - fixed - name - status;
  /** The column's width where there is room for it and for those that matter more. */
  const take = (width: number): number => {
    if (width === 0 || left < width + gapColumns) {
      return 0;
    }
    left -= width + gapColumns;
    return width;
  };
  const news = take(wantedNews);
  const since = take(widest(branch => sinceWords(branch, nowMs)));
  return {name, status, news, since, pods: since > 0 ? take(widest(podWords)) : 0};
};

/** What the list takes where every row is shown whole: indicator, marks, columns. */
export const branchListWidth = (branches: BranchesState, choices: readonly Branch[], nowMs: number): number => {
  const {name, status, ...extras} = branchColumns(branches, choices, Number.POSITIVE_INFINITY, nowMs);
  const extra = Object.values(extras).reduce((sum, width) => sum + (width === 0 ? 0 : width + gapColumns), 0);
  return rowStartColumns + name + gapColumns + status + extra;
};

/** A row of the list, but for the highlight and the mark. */
export const branchRow = (
  branches: BranchesState,
  branch: Branch,
  widths: BranchColumns,
  nowMs: number,
  isSelected: boolean,
): ViewRow => {
  const look = describeStatus(branch.status);
  const column = (text: string, width: number): string => padToCells(cutToCells(text, width), width);
  const extra = (text: string, width: number, tone: 'accent' | 'dim'): ViewRow =>
    width === 0 ? [] : [span(`   ${column(text, width)}`, tone)];
  const name = branchName(branch);
  const shown = cutToCells(name, widths.name);
  return [
    span(`${look.glyph} `, look.tone),
    ...matchSpans(
      padToCells(shown, widths.name),
      isSelected ? 'strong' : look.tone === 'dim' ? 'dim' : 'plain',
      matchName(branches.picker.filter, branch),
      // The last letter of a name that was cut is the mark that says so.
      shown === name ? name.length : shown.length - 1,
    ),
    span(`   ${column(statusWords(branch), widths.status)}`, look.tone),
    ...extra(newsOf(branches, branch), widths.news, 'accent'),
    ...extra(podWords(branch), widths.pods, 'dim'),
    span(widths.since === 0 ? '' : `   ${sinceWords(branch, nowMs)}`, 'dim'),
  ];
};
