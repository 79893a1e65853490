import type {FieldCounts} from '../../../log/layout/count-fields.ts';
import type {ChosenColumn} from '../../../log/layout/layout-context.ts';
import {withLog} from '../../state/handler.ts';
import type {LogState, State} from '../../state/state.ts';
import {countNewest} from './count-newest.ts';

/** For a field that no line has yet, such as one from the config file. */
const cellsUnseen = 12;

/** Returns a column of a field as wide as its widest value among the lines counted. */
export const columnOf = ({fields}: FieldCounts, name: string): Required<ChosenColumn> => ({
  name,
  columns: fields.find(field => field.name === name)?.columns ?? cellsUnseen,
});

/** Returns the log with every column as wide as the lines counted need it. */
export const withWidths = (log: LogState, counts: FieldCounts): LogState => ({
  ...log,
  look: {...log.look, columns: log.look.columns.map(({name}) => columnOf(counts, name))},
});

/** Gives columns that were remembered or configured their widths once there are lines. They then keep their places. */
export const measureColumns = (state: State): State => {
  const {log} = state;
  return log?.look.columns.some(({columns}) => columns === undefined) &&
    log.sources.some(({tail}) => tail.log.buffer.lineCount > 0)
    ? withLog(state, withWidths(log, countNewest(log)))
    : state;
};
