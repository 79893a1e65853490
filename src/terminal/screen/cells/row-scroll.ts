/** Rows `topIndex` to `bottomIndex` (inclusive) move up by `byRows`, or down if it is negative. */
export type Scroll = {readonly topIndex: number; readonly bottomIndex: number; readonly byRows: number};

/** Cost of a scroll in bytes, rounded up; a shift that saves less is not worth it. */
const scrollBytes = 24;

/** Returns the approximate cost of writing a row; a blank one is only erased. */
const rowBytes = (row: string): number => (row === '' ? 0 : row.length + 6);

/** Returns the rows of the screen after a scroll: moved rows, and blank ones in the places they left. */
export const scrollLines = <Row>(rows: readonly Row[], {topIndex, bottomIndex, byRows}: Scroll, blank: Row): Row[] =>
  rows.map((row, index) => {
    if (index < topIndex || index > bottomIndex) {
      return row;
    }
    const from = index + byRows;
    return from < topIndex || from > bottomIndex ? blank : (rows[from] ?? blank);
  });

type Stretch = {readonly start: number; readonly end: number; readonly savedBytes: number};

/**
 * Finds the stretch of rows for which a shift saves most: a row found on the screen `byRows` away saves its bytes, one
 * that is already in place loses them. This is the maximum subarray (Kadane's algorithm).
 */
const findBestStretch = (before: readonly string[], after: readonly string[], byRows: number): Stretch | undefined => {
  let best: Stretch | undefined;
  let start = 0;
  let savedBytes = 0;
  const first = Math.max(0, -byRows);
  const end = Math.min(after.length, before.length - byRows);
  for (let index = first; index < end; index += 1) {
    if (savedBytes <= 0) {
      start = index;
      savedBytes = 0;
    }
    const row = after[index] ?? '';
    const isMoved = before[index + byRows] === row;
    const isInPlace = before[index] === row;
    if (isMoved !== isInPlace) {
      savedBytes += isMoved ? rowBytes(row) : -rowBytes(row);
    }
    if (isMoved && savedBytes > (best?.savedBytes ?? scrollBytes)) {
      best = {start, end: index, savedBytes};
    }
  }
  return best;
};

const costOf = (before: readonly string[], after: readonly string[]): number =>
  after.reduce((sum, row, index) => (before[index] === row ? sum : sum + rowBytes(row)), 0);

/**
 * Finds the one shift of adjacent rows that saves most bytes. Returns undefined if none saves more than its own cost.
 * Both lists have the same length.
 *
 * Tries only shifts that bring some changed row into place, so a frame with few changes costs little.
 */
export const findScroll = (before: readonly string[], after: readonly string[]): Scroll | undefined => {
  const placesOf = new Map<string, number[]>();
  before.forEach((row, index) => {
    if (row !== '') {
      placesOf.set(row, [...(placesOf.get(row) ?? []), index]);
    }
  });
  const shifts = new Set<number>();
  after.forEach((row, index) => {
    if (before[index] !== row) {
      for (const place of placesOf.get(row) ?? []) {
        shifts.add(place - index);
      }
    }
  });
  let found: (Stretch & {byRows: number}) | undefined;
  for (const byRows of shifts) {
    const stretch = findBestStretch(before, after, byRows);
    if (stretch && stretch.savedBytes > (found?.savedBytes ?? 0)) {
      found = {...stretch, byRows};
    }
  }
  if (!found) {
    return undefined;
  }
  const {start, end, byRows} = found;
  const scroll = {topIndex: Math.min(start, start + byRows), bottomIndex: Math.max(end, end + byRows), byRows};
  // The shift may have displaced rows that were in place, so compare total costs.
  const scrolledCost = costOf(scrollLines(before, scroll, ''), after) + scrollBytes;
  return scrolledCost < costOf(before, after) ? scroll : undefined;
};
