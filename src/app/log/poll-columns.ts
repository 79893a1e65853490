import type {Inspector} from '#app/panes/panes.ts';
import type {Tone} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {PollRecord} from '#app/tail/polls.ts';
import {fitColumns} from '#log/text/fit-columns.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {gapWords} from '#log/words/describe-marker.ts';
import {formatCount} from '#log/words/format-count.ts';
import {proofWords, sinceWord} from '#log/words/proof-words.ts';

const nameCharsMax = 20;

/**
 * Returns whether the log is whole or joined, and on what that rests: once if it is the same for all branches, else for
 * each. Empty before the first window. Safe to draw.
 */
export const listProofWords = (
  {context}: Pick<State, 'context'>,
  {sources}: Pick<LogState, 'sources'>,
): readonly string[] => {
  const branches = sources
    .filter(({tail}) => tail.log.before !== undefined)
    .map(({branch, tail: {log, said}}) => ({
      name: sanitiseWord(branch.name, nameCharsMax),
      words: `${sinceWord(log.proof)}: ${proofWords(log.proof, {...said, saidBy: context.cutSaidBy})}`,
    }));
  return branches.every(({words}) => words === branches[0]?.words)
    ? branches.slice(0, 1).map(({words}) => words)
    : branches.map(({name, words}) => `${name} is ${words}`);
};

/** A poll, and the index of its branch in the log, from 0. */
export type SourcedPoll = {readonly source: number; readonly poll: PollRecord};

/** Returns the last polls of all branches, newest first. */
export const listPolls = ({sources}: LogState): readonly SourcedPoll[] =>
  sources
    .flatMap(({tail}, source) => tail.polls.latest.map((poll): SourcedPoll => ({source, poll})))
    .toReversed()
    .toSorted((a, b) => b.poll.atMs - a.poll.atMs);

/** Returns the index of the first poll shown; new polls don't move what the user is reading. */
export const inspectorTop = ({topAtMs}: Inspector, polls: readonly SourcedPoll[]): number => {
  const found = topAtMs === undefined ? 0 : polls.findIndex(({poll}) => poll.atMs <= topAtMs);
  return found < 0 ? polls.length : found;
};

/** Returns the inspector with this poll at its top; the newest ones move as polls come. */
export const inspectorAt = (polls: readonly SourcedPoll[], top: number): Inspector => ({
  kind: 'inspector',
  topAtMs: top === 0 ? undefined : polls[top]?.poll.atMs,
});

/** A column of the table of polls. */
type PollColumn = {
  readonly title: string;
  /** If there is not enough room, the columns with the highest rank are dropped first. */
  readonly rank: number;
  readonly isNumber: boolean;
  readonly text: (poll: SourcedPoll) => string;
  readonly tone?: (poll: PollRecord) => Tone;
  /**
   * Cells that suffice for most texts; longer ones continue to the edge and are cut there. Only for the last column.
   */
  readonly widthMax?: number;
};

type GoodPoll = Extract<PollRecord, {kind: 'good'}>;

const none = '–';

/** A number that only successful polls have. */
const count =
  (read: (poll: GoodPoll) => number) =>
  ({poll}: SourcedPoll): string =>
    poll.kind === 'good' ? formatCount(read(poll)) : none;

const overlapText = ({poll}: SourcedPoll): string =>
  // Rounded down: 100 % means all.
  poll.kind === 'good' && poll.overlapShare !== undefined ? `${Math.floor(poll.overlapShare * 100)} %` : none;

const statusText = ({poll}: SourcedPoll): string =>
  poll.kind === 'good' ? String(poll.status) : poll.status === undefined ? poll.errorKind : String(poll.status);

/** The reason for the time of the next poll; after a gap, the reason for the gap. */
const because = (poll: PollRecord): string =>
  poll.kind === 'good' && poll.gap !== undefined ? gapWords(poll.gap) : poll.reason;

type PollColumnsInput = {
  /** Formats a time of the monotonic clock by the service's clock. */
  readonly formatMoment: (ms: number) => string;
  /** The names of the branches, if there are several. */
  readonly branchNames: readonly string[];
};

/** All columns, from left to right. */
export const pollColumns = ({formatMoment, branchNames}: PollColumnsInput): readonly PollColumn[] => [
  {title: 'when', rank: 0, isNumber: false, text: ({poll}) => formatMoment(poll.atMs)},
  ...(branchNames.length > 1
    ? [{title: 'branch', rank: 1, isNumber: false, text: ({source}: SourcedPoll) => branchNames[source] ?? ''}]
    : []),
  {
    title: 'status',
    rank: 0,
    isNumber: false,
    text: statusText,
    tone: ({kind}) => (kind === 'good' ? 'plain' : 'bad'),
  },
  {title: 'ms', rank: 4, isNumber: true, text: count(({durationMs}) => Math.round(durationMs))},
  {title: 'bytes', rank: 6, isNumber: true, text: count(({bytes}) => bytes)},
  {title: 'lines', rank: 5, isNumber: true, text: count(({lines}) => lines)},
  {title: 'new', rank: 1, isNumber: true, text: count(({newLines}) => newLines)},
  {title: 'late', rank: 3, isNumber: true, text: count(({lateLines}) => lateLines)},
  {
    title: 'overlap',
    rank: 2,
    isNumber: true,
    text: overlapText,
    tone: poll => (poll.kind === 'good' && poll.hasGap ? 'busy' : 'plain'),
  },
  {
    title: 'next in',
    rank: 7,
    isNumber: true,
    text: ({poll}) => `${(poll.nextPollInMs / 1000).toFixed(poll.nextPollInMs < 1000 ? 2 : 1)} s`,
  },
  {
    title: 'because',
    rank: 8,
    isNumber: false,
    text: ({poll}) => because(poll),
    tone: () => 'dim',
    widthMax: 'less than half of the window is left'.length,
  },
];

/** A column, and the width it needs for the given polls, in cells. */
export type FittedColumn = PollColumn & {readonly width: number};

export const columnGap = 2;
/** A blank on either side of the table. */
const edgeColumns = 2;

/** The columns without which a poll says nothing. */
const rankKept = 0;

/** Returns the columns that fit for these polls; those of the highest rank are dropped first. */
export const fitPollColumns = (
  all: readonly PollColumn[],
  polls: readonly SourcedPoll[],
  columns: number,
): readonly FittedColumn[] => {
  const wanted = all.map(
    (column): FittedColumn => ({
      ...column,
      width: Math.min(
        column.widthMax ?? Number.POSITIVE_INFINITY,
        Math.max(cellWidth(column.title), ...polls.map(poll => cellWidth(column.text(poll)))),
      ),
    }),
  );
  const cellsOf = fitColumns({
    natural: title => wanted.find(each => each.title === title)?.width ?? 0,
    claims: wanted
      .toSorted((a, b) => a.rank - b.rank)
      .map(({title}) => ({column: title, least: Number.POSITIVE_INFINITY})),
    room: columns - edgeColumns,
    gap: columnGap,
    isStrict: true,
  });
  return wanted.filter(({title, rank}) => rank === rankKept || cellsOf(title) > 0);
};
