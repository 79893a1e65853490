import {cellWidth} from '#log/text/width.ts';

/**
 * Painted rows to insert into Ink's frame without passing through Ink. Each is one row of the screen, plain except for
 * SGR colours.
 */
export type RowBlock = {
  /** The row of Ink's frame that `rows` replace, from 0; rows below it move down. Replaces none if omitted. */
  readonly rowIndex?: number | undefined;
  readonly rows: readonly string[];
  /**
   * Rows drawn to the right of those from `rowIndex` of the whole frame on, starting at column `columnIndex`, which
   * those rows do not reach.
   */
  readonly beside?:
    | {readonly rowIndex: number; readonly columnIndex: number; readonly rows: readonly string[]}
    | undefined;
};

/** Checks whether two blocks look the same. */
export const isSameBlock = (a: RowBlock | undefined, b: RowBlock | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.rowIndex === b.rowIndex &&
    a.beside?.rowIndex === b.beside?.rowIndex &&
    a.beside?.columnIndex === b.beside?.columnIndex &&
    areSame(a.rows, b.rows) &&
    areSame(a.beside?.rows ?? [], b.beside?.rows ?? []));

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index]);

/**
 * Returns exactly `rowCount` rows of the screen: Ink's frame, whose rows are joined by line feeds, with the block
 * inserted.
 */
export const composeRows = (frame: string, block: RowBlock | undefined, rowCount: number): readonly string[] => {
  const rows = frame.split('\n', rowCount);
  if (block?.rowIndex !== undefined) {
    rows.splice(block.rowIndex, 1, ...block.rows);
    rows.length = Math.min(rows.length, rowCount);
  }
  while (rows.length < rowCount) {
    rows.push('');
  }
  for (const [index, row] of block?.beside?.rows.entries() ?? []) {
    const at = (block?.beside?.rowIndex ?? 0) + index;
    const left = rows[at];
    if (left !== undefined) {
      rows[at] = `${left}${' '.repeat(Math.max(0, (block?.beside?.columnIndex ?? 0) - widthOf(left)))}${row}`;
    }
  }
  return rows;
};

// SGR, and the links of OSC 8.
const sequences = /\u001b(?:\[[0-9;:]*m|\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

const widthOf = (row: string): number => cellWidth(row.replaceAll(sequences, ''));
