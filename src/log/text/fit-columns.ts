/**
 * A column's claim on the room of a table. Claims are met in order, and a column may have several: a name's first
 * letters matter more than the last change, its end less.
 */
export type ColumnClaim<Name extends string> = {
  readonly column: Name;
  /** It grows to this width at most; default its natural width. */
  readonly cells?: number;
  /** If it cannot become this wide, or as wide as it asks if that is less, it stays as it is; default 1. */
  readonly least?: number;
};

/** All in cells. `natural`: the width at which nothing of a column is cut; 0 if it is empty. */
type Table<Name extends string> = {
  readonly natural: (column: Name) => number;
  readonly claims: readonly ColumnClaim<Name>[];
  readonly room: number;
  /** Between two columns. */
  readonly gap: number;
  /** No claim is met after one that was not, even if there is room for it. */
  readonly isStrict?: boolean;
};

/** The width of each column, 0 for one without room. */
export type ColumnWidths<Name extends string> = (column: Name) => number;

/**
 * Gives columns their widths. What no claim asked for goes to the columns that are cut, in the order of their first
 * claims: no column is cut beside room that is left.
 */
export const fitColumns = <Name extends string>({
  natural,
  claims,
  room,
  gap,
  isStrict = false,
}: Table<Name>): ColumnWidths<Name> => {
  const widths = new Map<Name, number>();
  const columns = new Set(claims.map(({column}) => column));
  const naturals = new Map([...columns].map(column => [column, natural(column)]));
  // The first column has no gap before it.
  let left = room + gap;
  /** Returns whether the column is as wide as it asked for. */
  const grow = (column: Name, cells: number, least: number): boolean => {
    const width = widths.get(column) ?? 0;
    const wanted = Math.min(naturals.get(column) ?? 0, cells);
    const before = width === 0 ? gap : 0;
    const reached = Math.min(wanted, width + left - before);
    if (reached <= width || reached < Math.min(wanted, least)) {
      return width >= wanted;
    }
    widths.set(column, reached);
    left -= reached - width + before;
    return reached === wanted;
  };
  for (const {column, cells = Number.POSITIVE_INFINITY, least = 1} of claims) {
    if (!grow(column, cells, least) && isStrict) {
      break;
    }
  }
  for (const column of widths.keys()) {
    const leasts = claims.filter(each => each.column === column).map(each => each.least ?? 1);
    grow(column, Number.POSITIVE_INFINITY, Math.max(...leasts));
  }
  return column => widths.get(column) ?? 0;
};

/** Returns the width of a table: its columns, and a gap between those that are not empty. */
export const tableWidth = (widths: readonly number[], gap: number): number => {
  const filled = widths.filter(width => width > 0);
  return filled.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, filled.length - 1);
};
