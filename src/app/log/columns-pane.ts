import {type ListPane, selectedRow} from '#app/choices/list-pane.ts';
import {type Hint, hintsOfLists} from '#app/help/select-hints.ts';
import type {ColumnsPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {joinParts, nameCharsMax} from '#app/rows/fit-row.ts';
import {span} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {closePane, type ListHandler, next, withLog} from '#app/state/step.ts';
import {columnsMax} from '#base/bounds.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {countFields, createColumns, type FieldCounts} from '#log/reading/lay-out-columns.ts';
import {readingOf} from '#log/reading/reading.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {fitColumns} from '#log/text/fit-columns.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countOf, percentWords} from '#log/words/format-count.ts';

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
const withWidths = (log: LogState, counts: FieldCounts): LogState => withColumns(log, columnNames(log), counts);

/** Gives columns that were remembered or configured their widths once there are lines. They then keep their places. */
export const measureColumns = (state: State): State => {
  const {log} = state;
  return log?.look.columns.some(({columns}) => columns === undefined) &&
    log.sources.some(({tail}) => tail.log.buffer.lineCount > 0)
    ? withLog(state, withWidths(log, countNewest(log)))
    : state;
};

/** A field as the list shows it; `place` is its place among the columns, from 1 on, or 0. */
type FieldRow = {readonly key: string; readonly place: number; readonly name: string; readonly share: string};

const listFields = (log: LogState, pane: ColumnsPane): readonly FieldRow[] => {
  const {lineCount, fields} = pane.counts;
  return listColumnNames(log, pane).map(key => ({
    key,
    place: log.look.columns.findIndex(({name}) => name === key) + 1,
    name: sanitiseWord(key, nameCharsMax),
    share: percentWords((fields.find(({name}) => name === key)?.lineCount ?? 0) / Math.max(1, lineCount)),
  }));
};

const indicatorColumns = ' ▸ ● 12 '.length;
const nameCellsMin = 8;
const shareCells = '100 % of lines'.length;

/** Returns the pane of the fields: the place of each among the columns, and the share of lines that have it. */
export const listColumnsPane = ({columns}: Frame, log: LogState, pane: ColumnsPane): ListPane => {
  const rows = listFields(log, pane);
  const chosen = log.look.columns.length;
  const widthOf = fitColumns<'name' | 'share'>({
    natural: column => (column === 'share' ? shareCells : Math.max(0, ...rows.map(({name}) => cellWidth(name)))),
    claims: [{column: 'name', cells: nameCellsMin}, {column: 'share'}, {column: 'name'}],
    room: columns - indicatorColumns,
    gap: 2,
  });
  const nameCells = widthOf('name');
  return {
    title: joinParts(
      [
        {
          row: [
            span(`${countOf(rows.length, 'field')} of the newest ${countOf(pane.counts.lineCount, 'line')}`, 'strong'),
          ],
          rank: 0,
        },
        {
          row: [span(chosen === 0 ? 'all shown' : countOf(chosen, 'column'), chosen === 0 ? 'dim' : 'accent')],
          rank: 1,
        },
      ],
      columns,
    ),
    rows: rows.map(({key, place, name, share}) => ({
      key,
      row: () => [
        span(place === 0 ? '○    ' : `● ${String(place).padEnd(2)} `, place === 0 ? 'dim' : 'good'),
        span(padToCells(cutToCells(name, nameCells), nameCells), place === 0 ? 'plain' : 'strong'),
        span(`  ${share.padStart(5)} of lines`, 'dim'),
      ],
    })),
    hints,
  };
};

/** Returns the selected field in words. */
export const readColumnRow = (log: LogState, pane: ColumnsPane): string => {
  const row = selectedRow(listFields(log, pane), pane);
  return row === undefined
    ? 'There are no fields.'
    : `${row.name}, ${row.share} of lines, ${row.place === 0 ? 'no column' : `column ${row.place}`}`;
};

const hints: readonly Hint[] = [
  [['togglePause'], 'a column or not'],
  [['removeFilter'], 'all fields'],
  ...hintsOfLists,
];

/** Opens the list of fields; says so if there are none to choose from. */
export const openColumns = (state: State, log: LogState): State => {
  const counts = countNewest(log);
  return counts.fields.length === 0 && log.look.columns.length === 0
    ? {...state, notice: `no fields in the newest ${countOf(counts.lineCount, 'line')}: neither JSON nor logfmt`}
    : withLog(state, {
        ...withWidths(log, counts),
        overlay: {kind: 'columns', counts, selectedKey: undefined, top: 0},
      });
};

/** Handles the commands that only the list of fields has. */
export const updateColumns: ListHandler<ColumnsPane> = (state, log, pane, command) => {
  const names = listColumnNames(log, pane);
  const name = names.find(each => each === pane.selectedKey) ?? names[0];
  const chosen = columnNames(log);
  const choose = (columns: readonly string[]) => {
    const nextState = withColumns(log, columns, pane.counts);
    // Only rows that are laid out have columns.
    return next(withLog(state, {...nextState, look: {...nextState.look, rows: 'laid-out', cellsLeft: 0}}));
  };
  switch (command) {
    case 'openLine':
      return closePane(state, log);
    case 'removeFilter':
    case 'removeFilters':
      return choose([]);
    case 'togglePause': {
      if (name === undefined) {
        return undefined;
      }
      const others = chosen.filter(each => each !== name);
      return others.length < chosen.length
        ? choose(others)
        : chosen.length >= columnsMax
          ? next({...state, notice: `no more than ${columnsMax} columns fit: unmark one first`})
          : choose([...chosen, name]);
    }
    default:
      return undefined;
  }
};
