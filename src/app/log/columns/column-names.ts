import type {ColumnsPane, LogState} from '../../state/state.ts';

/** Returns the names in the list: the fields of the lines counted, then what is chosen but no line has. */
export const listColumnNames = ({look}: LogState, {counts}: ColumnsPane): readonly string[] => [
  ...new Set([...counts.fields, ...look.columns].map(({name}) => name)),
];
