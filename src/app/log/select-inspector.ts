import type {ListPane} from '#app/choices/list-pane.ts';
import type {Hint} from '#app/help/select-hints.ts';
import type {Frame} from '#app/parts/frame.ts';
import {fitsParts, joinParts, type Part} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {type PollSums, sumPolls} from '#app/tail/polls.ts';
import type {Tail} from '#app/tail/tail.ts';
import {formatMoment} from '#app/words/format-time.ts';
import {fillMsOf} from '#log/ingest/pace.ts';
import {cutToCells, padToCells, wrapRanges} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {
  columnGap,
  type FittedColumn,
  fitPollColumns,
  listPolls,
  listProofWords,
  pollColumns,
  type SourcedPoll,
} from './poll-columns.ts';

const nameCharsMax = 20;
const messageCharsMax = 200;

/** Rows below the table: a blank row, the sums, the pace, and why the log counts as complete. */
const footRows = 5;

/** Returns the poll inspector: a table of the last polls, newest first, with totals below. */
export const listInspector = (frame: Frame & Pick<State, 'branches'>, log: LogState): ListPane => {
  const {columns} = frame;
  const polls = listPolls(log);
  const fitted = fitPollColumns(
    pollColumns({
      formatMoment: ms => formatMoment(frame, ms),
      branchNames: log.sources.map(({branch}) => sanitiseWord(branch.name, nameCharsMax)),
    }),
    // All polls, so that scrolling does not move the columns.
    polls,
    columns,
  );
  const sums = sumPolls(log.sources.map(({tail}) => tail.polls.sums));
  const counts = selectCounts(sums, columns);
  const foot = [
    [],
    counts,
    selectListing(frame, sums),
    ...wrapParts(paceWords(log), columns),
    ...wrapParts(listProofWords(frame, log), columns),
  ];
  return {
    title: titleRow(fitted),
    rows: polls.map(poll => ({row: () => pollRow(fitted, poll)})),
    foot: paneRows(frame) > 2 * footRows ? foot.slice(0, Math.floor(paneRows(frame) / 2)) : [counts],
    hints,
  };
};

const place = (text: string, {width, isNumber}: FittedColumn): string =>
  isNumber ? ' '.repeat(Math.max(0, width - cellWidth(text))) + text : padToCells(text, width);

const gap = span(' '.repeat(columnGap));

const titleRow = (columns: readonly FittedColumn[]): ViewRow => [
  span(' '),
  ...columns.flatMap((column, index) => [...(index > 0 ? [gap] : []), span(place(column.title, column), 'strong')]),
];

const pollRow = (columns: readonly FittedColumn[], poll: SourcedPoll): ViewRow => [
  span(' '),
  ...columns.flatMap((column, index) => [
    ...(index > 0 ? [gap] : []),
    span(place(column.text(poll), column), column.tone?.(poll.poll) ?? 'plain'),
  ]),
];

/** Renders the totals with their words; a narrow terminal drops the least important ones. */
const selectCounts = (sums: PollSums, columns: number): ViewRow =>
  joinParts(
    [
      {row: [span('in all', 'strong')], rank: 7},
      {row: [span(countOf(sums.polls, 'poll'))], rank: 0},
      {row: [span(`${formatCount(sums.failed)} failed`, sums.failed === 0 ? 'plain' : 'bad')], rank: 3},
      {row: [span(`${countOf(sums.lines, 'line')} received`)], rank: 4},
      {row: [span(`${formatCount(sums.newLines)} new`)], rank: 1},
      {row: [span(`${formatCount(sums.lateLines)} late`)], rank: 5},
      {row: [span(countOf(sums.gaps, 'gap'), sums.gaps === 0 ? 'plain' : 'busy')], rank: 2},
    ],
    columns,
  );

/** Renders the bytes and the state of the branch listing, whose failures are shown nowhere else. */
const selectListing = (frame: Frame & Pick<State, 'branches'>, sums: PollSums): ViewRow => {
  const listing = frame.branches?.listing;
  const bytes: Part = {row: [span(`${countOf(sums.bytes, 'byte')} received`)], rank: 0};
  if (listing?.kind === 'failed') {
    const message = sanitiseWord(listing.message, messageCharsMax);
    const left = frame.columns - 4 - cellWidth(bytes.row[0]?.text ?? '') - 2;
    return joinParts([bytes, {row: [span(cutToCells(`listing: ${message}`, left), 'bad')], rank: 1}], frame.columns);
  }
  const asOf =
    listing?.kind === 'good' ? [span(`branch record as of ${formatMoment(frame, listing.atMs)}`, 'dim')] : [];
  return joinParts([bytes, {row: asOf, rank: 1}], frame.columns);
};

/** Shows sentences side by side where there is room, else one below another. */
const wrapParts = (sentences: readonly string[], columns: number): readonly ViewRow[] => {
  const parts = sentences.map((words, rank) => ({row: [span(words)], rank}));
  return fitsParts(parts, columns)
    ? [joinParts(parts, columns)]
    : sentences.flatMap(words =>
        wrapRanges(words, columns - 2).map(({start, end}) => [span(` ${words.slice(start, end).trim()}`)]),
      );
};

const paceWords = ({sources}: LogState): readonly string[] =>
  sources.map(
    ({branch, tail}) =>
      `${sources.length > 1 ? `${sanitiseWord(branch.name, nameCharsMax)}: ` : ''}${describePace(tail)}`,
  );

const hints: readonly Hint[] = [
  [['toggleInspector'], 'back to the log'],
  [['moveUp', 'moveDown'], 'scroll'],
  [['toggleHelp'], 'help'],
];

/**
 * Describes how soon lines go: `window 1,000 lines ≈ 38 s, 19 polls a window`; of a service that holds more than its
 * answers have, `service holds 108,000 lines ≈ 10 h, 19,378 polls`. Uses the highest recent rate.
 */
const describePace = ({pace, polls, log}: Pick<Tail, 'pace' | 'polls' | 'log'>): string => {
  const latest = polls.latest.findLast(poll => poll.kind === 'good');
  if (latest === undefined) {
    return 'no window yet';
  }
  const windowLines = log.numbered?.windowLines ?? log.before?.lines.length ?? 0;
  const fillMs = fillMsOf(pace);
  // What fills is what the service holds, which may be far more than a window.
  const heldLines = Math.round(pace.capacityLines);
  const isHeld = log.numbered !== undefined && heldLines > windowLines;
  const held = isHeld ? `service holds ${countOf(heldLines, 'line')}` : `window ${countOf(windowLines, 'line')}`;
  if (!Number.isFinite(fillMs)) {
    return `${held}, nothing new since the first`;
  }
  const pollCount = Math.floor(fillMs / latest.nextPollInMs);
  const often = `${pollCount < 1 ? 'less than a poll' : countOf(pollCount, 'poll')}${isHeld ? '' : ' a window'}`;
  return `${held} ≈ ${formatFill(fillMs)}, ${often}`;
};

const formatFill = (ms: number): string => {
  const seconds = ms / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  if (seconds < 600) {
    return `${Math.round(seconds)} s`;
  }
  return seconds < 36_000 ? `${Math.round(seconds / 60)} min` : `${formatCount(Math.round(seconds / 3600))} h`;
};
