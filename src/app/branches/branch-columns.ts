import type {Branch} from '../../api/decode/branch.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {countOf} from '../../log/words/format-count.ts';
import {newsWords} from '../choices/row-news.ts';
import type {Tone} from '../rows/tones.ts';
import type {RowNews} from '../state/state.ts';
import {describeStatus} from '../words/describe-status.ts';
import {formatAgo} from '../words/format-time.ts';

/** What a column of the screen's list is made from beside the branch. */
export type ListedWith = {
  readonly news: ReadonlyMap<string, RowNews>;
  /** The service's clock, milliseconds since 1970. */
  readonly nowMs: number;
};

/**
 * A column on the screen, after name and status, which always are. Where there is no room the columns of the highest
 * rank leave first. A screen reader says them in their order.
 */
export type ListedColumn = {
  readonly words: (branch: Branch, listedWith: ListedWith) => string;
  readonly tone: Tone;
  readonly rank: number;
};

/** A column of the list of branches. */
type BranchColumn = {
  /** Its head where branches are printed. */
  readonly title: string;
  /** In `branchlog branches`; left out where only the screen has it. */
  readonly printed?: (branch: Branch) => {readonly text: string; readonly tone?: Tone};
  readonly listed?: ListedColumn;
};

const statusCell = ({status}: Branch): {readonly text: string; readonly tone: Tone} => {
  const {words, tone} = describeStatus(status);
  return {text: words, tone};
};

const newsOf = ({_id}: Branch, {news}: ListedWith): string => {
  const told = news.get(_id);
  return told === undefined ? '' : newsWords[told];
};

const podWords = ({replicas}: Branch): string => (replicas === undefined ? '' : countOf(replicas, 'pod'));

const sinceWords = ({status, createdAt, updatedAt}: Branch, {nowMs}: ListedWith): string => {
  const ago = formatAgo(status === null ? createdAt : updatedAt, nowMs);
  return ago === '' ? '' : `${status === null ? 'made' : 'changed'} ${ago}`;
};

/** All columns, from left to right. Words of the service are made safe by whoever shows them. */
export const branchColumns: readonly BranchColumn[] = [
  {title: 'NAME', printed: ({name}) => ({text: name})},
  {title: 'STATUS', printed: statusCell},
  {title: 'NEWS', listed: {words: newsOf, tone: 'accent', rank: 0}},
  {title: 'PODS', listed: {words: podWords, tone: 'dim', rank: 2}},
  {title: 'TYPE', printed: ({branchType}) => ({text: branchType})},
  {title: 'ID', printed: ({_id}) => ({text: _id})},
  {title: 'HOSTNAME', printed: ({hostname = ''}) => ({text: hostname})},
  {
    title: 'UPDATED',
    printed: ({updatedAt = ''}) => ({text: updatedAt}),
    listed: {words: sinceWords, tone: 'dim', rank: 1},
  },
];

/** What the screen's list has beside names and statuses, from left to right. */
export const listedColumns = branchColumns.flatMap(({listed}) => listed ?? []);

/** Columns beside names and statuses say little. */
const wordCharsMax = 40;

/** What a column says of a branch, safe to draw and to be read aloud. */
export const listedWords = ({words}: ListedColumn, branch: Branch, listedWith: ListedWith): string =>
  sanitiseWord(words(branch, listedWith), wordCharsMax);
