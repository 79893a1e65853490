import {cutToCells, padToCells} from '../../log/cells/cut.ts';
import {cellWidth} from '../../log/cells/width.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {countOf, formatCount} from '../../log/words/format-count.ts';
import {keyFor} from '../keys/keymap.ts';
import {fitRow, joinParts, type Part} from '../rows/fit-row.ts';
import {span, type ViewRow} from '../rows/view-row.ts';
import {type Inspector, type LogState, paneRows, type State} from '../state/state.ts';
import {type PollSums, sumPolls} from '../tail/polls.ts';
import {describePace} from '../words/describe-pace.ts';
import {formatMoment} from '../words/format-time.ts';
import {inspectorFootRows, inspectorTableRows, inspectorTop, listPolls, type SourcedPoll} from './inspector.ts';
import {listProofWords} from './list-proof-words.ts';
import {columnGap, type FittedColumn, fitPollColumns, pollColumns} from './poll-columns.ts';

const nameCharsMax = 20;
const messageCharsMax = 200;

/** Renders the poll inspector: a table of the last polls, newest first, with totals below. */
export const selectInspector = (state: State, log: LogState, inspector: Inspector): readonly ViewRow[] => {
  const {columns} = state;
  const polls = listPolls(log);
  const rows = inspectorTableRows(state);
  const top = inspectorTop(inspector, polls, rows);
  const shown = polls.slice(top, top + rows);
  const fitted = fitPollColumns(
    pollColumns({
      formatMoment: ms => formatMoment(state, ms),
      branchNames: log.sources.map(({branch}) => sanitiseWord(branch.name, nameCharsMax)),
    }),
    // All polls, so that scrolling does not move the columns.
    polls,
    columns,
  );
  const hasFoot = paneRows(state) > 2 * inspectorFootRows;
  const sums = sumPolls(log.sources.map(({tail}) => tail.polls.sums));
  const table: readonly ViewRow[] = [
    titleRow(fitted),
    ...shown.map(poll => pollRow(fitted, poll)),
    ...Array.from({length: rows - shown.length}, (): ViewRow => []),
  ];
  const foot = hasFoot
    ? [
        [],
        selectCounts(sums, columns),
        selectListing(state, sums),
        selectPace(log, columns),
        selectProof(state, log, columns),
      ]
    : [selectCounts(sums, columns)];
  return [...table, ...foot].slice(0, paneRows(state)).map(row => fitRow(row, columns));
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
const selectListing = (state: State, sums: PollSums): ViewRow => {
  const listing = state.branches?.listing;
  const bytes: Part = {row: [span(`${countOf(sums.bytes, 'byte')} received`)], rank: 0};
  if (listing?.kind === 'failed') {
    const message = sanitiseWord(listing.message, messageCharsMax);
    const left = state.columns - 4 - cellWidth(bytes.row[0]?.text ?? '') - 2;
    return joinParts([bytes, {row: [span(cutToCells(`listing: ${message}`, left), 'bad')], rank: 1}], state.columns);
  }
  const asOf =
    listing?.kind === 'good' ? [span(`branch record as of ${formatMoment(state, listing.atMs)}`, 'dim')] : [];
  return joinParts([bytes, {row: asOf, rank: 1}], state.columns);
};

const selectPace = ({sources}: LogState, columns: number): ViewRow =>
  joinParts(
    sources.map(({branch, tail}, index) => ({
      row: [
        span(sources.length > 1 ? `${sanitiseWord(branch.name, nameCharsMax)}: ` : '', 'dim'),
        span(describePace(tail)),
      ],
      rank: index,
    })),
    columns,
  );

const selectProof = (state: State, log: LogState, columns: number): ViewRow =>
  joinParts(
    listProofWords(state, log).map((words, rank) => ({row: [span(words)], rank})),
    columns,
  );

/** The inspector's own hints while it is open. */
export const selectInspectorHints = (columns: number): ViewRow =>
  joinParts(
    [
      {
        row: [span(`${keyFor('moveUp', 'log')}${keyFor('moveDown', 'log')}`, 'strong'), span(' scroll', 'dim')],
        rank: 2,
      },
      {row: [span(keyFor('toggleInspector', 'log'), 'strong'), span(' back to the log', 'dim')], rank: 0},
      {row: [span(keyFor('toggleHelp', 'log'), 'strong'), span(' help', 'dim')], rank: 3},
    ],
    columns,
  );
