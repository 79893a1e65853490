import type {ListPane} from '#app/choices/list-pane.ts';
import type {Hint} from '#app/help/select-hints.ts';
import type {OpenedLine} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {LineSections} from '#app/parts/kept-views.ts';
import {fitRow, rowWidth} from '#app/rows/fit-row.ts';
import {lightRow, type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {formatAgo, serviceNowMs} from '#app/words/format-time.ts';
import {formatInstant} from '#log/line/instant.ts';
import {readingOf} from '#log/reading/reading.ts';
import {formatWhen} from '#log/words/format-when.ts';
import {isAsWritten, lineSections} from './line-sections.ts';
import {paneOf} from './log-pane.ts';

/** The rows of an opened line, and its values, each with the row where it begins. */
const layOut = (frame: Frame, log: LogState, opened: OpenedLine): LineSections => {
  const {columns} = frame;
  const {line} = opened;
  const buffer = log.sources[opened.source]?.tail.log.buffer;
  const {use, kept} = log;
  const {keepsColour} = frame.logSettings;
  const sections = kept.sections.answer([line, buffer, columns, use, keepsColour], () =>
    lineSections({
      line,
      buffer,
      columns,
      use,
      keepsColour,
      asWritten: isAsWritten(frame),
      style: paneOf(frame, log).style,
    }),
  );
  const title = flow(titleFacts(frame, log, opened), columns);
  return {
    rows: [...title, ...sections.rows],
    values: sections.values.map(value => ({...value, rowIndex: title.length + value.rowIndex})),
  };
};

/** Returns the values of an opened line that can be chosen. */
export const openedValues = (frame: Frame, log: LogState, opened: OpenedLine): LineSections['values'] =>
  layOut(frame, log, opened).values;

/** Returns the row that a screen reader reads: the one of the chosen value, or the first that is not scrolled out. */
export const openedRowIndex = (frame: Frame, log: LogState, opened: OpenedLine): number =>
  openedValues(frame, log, opened)[opened.chosen ?? -1]?.rowIndex ?? opened.top;

/** Returns all rows of an opened line: its time and branch, then a section for each thing known of it. */
export const openedRows = (frame: Frame, log: LogState, opened: OpenedLine): readonly ViewRow[] => {
  const {rows, values} = layOut(frame, log, opened);
  const chosen = values[opened.chosen ?? -1];
  return chosen === undefined
    ? rows
    : rows.map((row, index) =>
        index === chosen.rowIndex ? lightRow(fitRow([span(' ▸ ', 'accent'), ...row.slice(1)], frame.columns)) : row,
      );
};

/** Returns the pane of an opened line. It scrolls, also with a value chosen. */
export const listOpenedLine = (frame: Frame, log: LogState, opened: OpenedLine): ListPane => {
  const values = openedValues(frame, log, opened);
  const chosen = values[opened.chosen ?? -1];
  const hasId = values.some(({name}) => name === 'id');
  const rows = openedRows(frame, log, opened);
  return {
    rows: rows.map(row => ({row: () => row})),
    hints:
      chosen === undefined
        ? hintsOf(rows.length > paneRows(frame), hasId)
        : chosen.name === 'time'
          ? timeHints
          : valueHints,
  };
};

const titleFacts = (frame: Frame, log: LogState, {source, line}: OpenedLine): readonly Span[] => {
  const {offsetMinutesAt} = frame;
  const [label] = paneOf(frame, log).labels.slice(source);
  const time = formatInstant(line.at);
  const {isRecord, parts} = readingOf(line);
  // A record may have its own time in any field.
  const isStampedOnArrival =
    log.sources[source]?.tail.log.heldFrom?.arrivalsFrom !== undefined && !isRecord && parts.time === undefined;
  const times =
    line.textIndex === 0
      ? [span('no time in the line', 'busy'), span(`placed at ${time}`)]
      : [
          span(time, 'strong'),
          span(`${formatWhen(line.at, 'local', {offsetMinutesAt}).trim()} local`),
          span(formatAgo(time, serviceNowMs(frame))),
        ];
  return [
    ...(label === undefined ? [] : [span(label.name, label.tone)]),
    ...times,
    ...(isStampedOnArrival ? [span('time of arrival', 'busy')] : []),
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

const scroll: Hint = [['moveUp', 'moveDown'], 'scroll'];
const otherLines: Hint = [['moveLeft', 'moveRight'], 'other lines'];

/** Where not all of a line is shown, how to see the rest matters most. */
const hintsOf = (isLong: boolean, hasId: boolean): readonly Hint[] => [
  [['back'], 'back to the log'],
  ...(isLong ? [scroll] : []),
  [['nextSection'], 'choose a field'],
  ...(hasId ? [[['showTrail'], 'trail of the id'] satisfies Hint] : []),
  ...(isLong ? [] : [otherLines]),
  [['copyLines'], 'copy'],
  [['toggleHelp'], 'help'],
  ...(isLong ? [otherLines] : []),
];

const valueHints: readonly Hint[] = [
  [['copyLines'], 'copy'],
  [['filterIn'], 'only lines with it'],
  [['showTrail'], 'its trail'],
  [['filterOut'], 'none with it'],
  [['nextSection'], 'next'],
  [['back'], 'done'],
  [['toggleHelp'], 'help'],
];

const timeHints: readonly Hint[] = [[['goToTime'], 'go there'], ...valueHints];
