/** Painted rows that stand in the place of one row of Ink's frame; what is below that row moves down. */
export type RowBlock = {
  /** Which row of Ink's frame gives way, from 0. */
  readonly rowIndex: number;
  /** Coloured by SGR, otherwise plain, one row of the screen each. */
  readonly rows: readonly string[];
};

/** Whether two blocks look the same. */
export const isSameBlock = (a: RowBlock | undefined, b: RowBlock | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.rowIndex === b.rowIndex &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, index) => row === b.rows[index]));

/** The rows of the screen, exactly `rowCount`: Ink's frame, its rows joined by line feeds, with the block in its place. */
export const composeRows = (frame: string, block: RowBlock | undefined, rowCount: number): readonly string[] => {
  const rows = frame.split('\n', rowCount);
  if (block !== undefined) {
    rows.splice(block.rowIndex, 1, ...block.rows);
    rows.length = Math.min(rows.length, rowCount);
  }
  while (rows.length < rowCount) {
    rows.push('');
  }
  return rows;
};
