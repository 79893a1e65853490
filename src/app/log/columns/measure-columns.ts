import {withLog} from '#app/state/handler.ts';
import type {ColumnsPane, LogState, State} from '#app/state/state.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {countFields, createColumns, type FieldCounts} from '#log/reading/lay-out-columns.ts';
import {readingOf} from '#log/reading/reading.ts';

/** Enough to see fields that one line in a hundred has, and few enough to read between two keys. */
const entriesMax = 2000;

/** Counts the fields of the newest lines that are held, of all branches alike. */
export const countNewest = ({sources}: LogState): FieldCounts => {
  const share = Math.floor(entriesMax / sources.length);
  const lines = sources.flatMap(({tail}) => {
    const {buffer} = tail.log;
    return sliceEntries(buffer, Math.max(0, buffer.entryCount - share), share)
      .toReversed()
      .flatMap(entry => (entry.kind === 'line' ? [readingOf(entry)] : []));
  });
  return countFields(lines);
};

/** Returns the names in the list: the fields of the lines counted, then what is chosen but no line has. */
export const listColumnNames = ({look}: LogState, {counts}: ColumnsPane): readonly string[] => [
  ...new Set([...counts.fields, ...look.columns].map(({name}) => name)),
];

/** For a field that no line has yet, such as one from the config file. */
const cellsUnseen = 12;

/** Returns the log with these fields as columns, each as wide as the lines counted need it. */
export const withColumns = (log: LogState, names: readonly string[], {fields}: FieldCounts): LogState => ({
  ...log,
  look: {
    ...log.look,
    columns: createColumns(names, name => fields.find(field => field.name === name)?.columns ?? cellsUnseen),
  },
});

/** Returns the names of the fields that are columns, in the order in which they were chosen. */
export const columnNames = ({look}: LogState): readonly string[] => look.columns.map(({name}) => name);

/** Returns the log with its columns as wide as the lines counted need them. */
export const withWidths = (log: LogState, counts: FieldCounts): LogState => withColumns(log, columnNames(log), counts);

/** Gives columns that were remembered or configured their widths once there are lines. They then keep their places. */
export const measureColumns = (state: State): State => {
  const {log} = state;
  return log?.look.columns.some(({columns}) => columns === undefined) &&
    log.sources.some(({tail}) => tail.log.buffer.lineCount > 0)
    ? withLog(state, withWidths(log, countNewest(log)))
    : state;
};
