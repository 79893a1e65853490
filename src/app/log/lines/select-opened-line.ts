import {formatInstant} from '../../../log/line/instant.ts';
import {formatWhen} from '../../../log/words/format-when.ts';
import {type Hint, joinHints} from '../../help/select-hints.ts';
import {fitRow, rowWidth} from '../../rows/fit-row.ts';
import {type Span, span, type ViewRow} from '../../rows/view-row.ts';
import {type LogState, type OpenedLine, paneRows, type State} from '../../state/state.ts';
import {labelBranches} from '../../words/branch-labels.ts';
import {formatAgo, serviceNowMs} from '../../words/format-time.ts';
import {paneOf} from '../pane/log-pane.ts';
import {lineSections, type SectionGround} from './line-sections.ts';

const sectionRows = ({kept}: LogState, ground: SectionGround): readonly ViewRow[] => {
  const {line, buffer, columns, use, keepsColour} = ground;
  return kept.sections.answer([line, buffer, columns, use, keepsColour], () => lineSections(ground));
};

/** Returns all rows of an opened line: its time and branch, then a section for each thing known of it. */
export const openedRows = (state: State, log: LogState, opened: OpenedLine): readonly ViewRow[] => {
  const {columns} = state;
  const source = log.sources[opened.source];
  return [
    ...flow(titleFacts(state, log, opened), columns),
    ...sectionRows(log, {
      line: opened.line,
      buffer: source?.tail.log.buffer,
      columns,
      use: log.use,
      keepsColour: state.logSettings.keepsColour,
      style: paneOf(state, log).style,
    }),
  ];
};

/** Returns the visible rows of an opened line. */
export const selectOpenedLine = (state: State, log: LogState, opened: OpenedLine): readonly ViewRow[] => {
  const rows = openedRows(state, log, opened);
  const top = Math.min(opened.top, Math.max(0, rows.length - paneRows(state)));
  return rows.slice(top, top + paneRows(state)).map(row => fitRow(row, state.columns));
};

const titleFacts = (state: State, log: LogState, {source, line}: OpenedLine): readonly Span[] => {
  const {offsetMinutesAt} = state;
  const [label] = log.sources.length === 1 ? [] : labelBranches(log.sources.map(({branch}) => branch)).slice(source);
  const time = formatInstant(line.at);
  const times =
    line.textIndex === 0
      ? [span('no time in the line', 'busy'), span(`placed at ${time}`)]
      : [
          span(time, 'strong'),
          span(`${formatWhen(line.at, 'local', {offsetMinutesAt}).trim()} local`),
          span(formatAgo(time, serviceNowMs(state))),
        ];
  return [
    ...(label === undefined ? [] : [span(label.name, label.tone)]),
    ...times,
    ...(line.late ? [span('late: arrived after newer lines', 'busy')] : []),
  ].filter(({text}) => text !== '');
};

const gap = span('   ');

/** Lays facts out one after another, in as many rows as they need. */
const flow = (facts: readonly Span[], columns: number): readonly ViewRow[] => {
  const rows: Span[][] = [];
  for (const fact of facts) {
    const last = rows.at(-1);
    if (last !== undefined && rowWidth([...last, gap, fact]) < columns) {
      last.push(gap, fact);
    } else {
      rows.push([span(' '), fact]);
    }
  }
  return rows;
};

const hints: readonly Hint[] = [
  [['back'], 'back to the log'],
  [['moveLeft', 'moveRight'], 'other lines'],
  [['copyLines'], 'copy'],
  [['moveUp', 'moveDown'], 'scroll'],
  [['toggleHelp'], 'help'],
];

/** Returns the key hints of an opened line, which has its own keys. */
export const selectOpenedHints = (columns: number): ViewRow => joinHints('log', hints, columns);
