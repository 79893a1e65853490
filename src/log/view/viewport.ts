import {createWeakCache} from '#log/buffer/weak-cache.ts';
import {type Anchor, anchorOf, type LogView, type SourcedEntry} from './log-view.ts';

/**
 * Where the reader is: following the newest line, or paused with one entry held at the top of the pane while everything
 * else may change. `rowsAbove` rows of that entry may already be above the pane.
 */
export type Viewport =
  | {readonly kind: 'following'}
  | {
      readonly kind: 'paused';
      readonly top: Anchor;
      readonly rowsAbove: number;
      /** The entry that keeps its row while filters and the look change, until the reader moves. */
      readonly held?: HeldRow;
    };

/** An entry, and the row of the pane that its text begins in; negative above the pane. */
export type HeldRow = {readonly anchor: Anchor; readonly row: number};

/** The area that shows the log. */
export type LogPane = {
  /** Its height. */
  readonly rows: number;
  /** Returns how many rows an entry takes, at least 1. If omitted, each takes 1 and no entry is read to find out. */
  readonly rowsOf?: ((entry: SourcedEntry) => number) | undefined;
};

/** A row of the log: the index of its entry, and how many rows of that entry are above it. */
export type RowPlace = {readonly index: number; readonly rowsAbove: number};

/** An entry in the pane: its rows from `fromRow` up to but not including `toRow`. */
export type VisibleEntry = SourcedEntry & {readonly index: number; readonly fromRow: number; readonly toRow: number};

export const following: Viewport = {kind: 'following'};

/** A pane in which every entry takes one row. */
export const oneRowPane = (rows: number): LogPane => ({rows});

const rowsOfEntry = ({rowsOf}: LogPane, entry: SourcedEntry): number => rowsOf?.(entry) ?? 1;

/** Returns the place in the pane's first row. O(rows of the pane), however much is held. */
export const topPlace = (viewport: Viewport, view: LogView, pane: LogPane): RowPlace => {
  if (viewport.kind === 'following') {
    return lastTop(view, pane);
  }
  // While paused the top entry stays where it is, even if fewer rows follow it than the pane has.
  const index = Math.min(view.indexOf(viewport.top), Math.max(0, view.entryCount - 1));
  if (pane.rowsOf === undefined) {
    return {index, rowsAbove: 0};
  }
  const [entry] = view.slice(index, 1);
  const isTop = entry !== undefined && isOf(viewport.top, entry);
  return {index, rowsAbove: isTop ? Math.min(viewport.rowsAbove, pane.rowsOf(entry) - 1) : 0};
};

/** Returns the index of the entry in the pane's first row. */
export const topIndex = (viewport: Viewport, view: LogView, pane: LogPane): number =>
  topPlace(viewport, view, pane).index;

type Shown = {readonly viewport: Viewport; readonly view: LogView; readonly entries: readonly VisibleEntry[]};

/** A key asks for them a dozen times. */
const shownIn = createWeakCache<LogPane, Shown>();

/** Returns the entries in the pane, from the top. */
export const visibleEntries = (viewport: Viewport, view: LogView, pane: LogPane): readonly VisibleEntry[] => {
  const known = shownIn.get(pane);
  if (known?.viewport === viewport && known.view === view) {
    return known.entries;
  }
  const entries = findVisible(viewport, view, pane);
  shownIn.set(pane, {viewport, view, entries});
  return entries;
};

const findVisible = (viewport: Viewport, view: LogView, pane: LogPane): readonly VisibleEntry[] => {
  const top = topPlace(viewport, view, pane);
  const visible: VisibleEntry[] = [];
  let left = pane.rows;
  for (const [offset, entry] of view.slice(top.index, pane.rows).entries()) {
    const fromRow = offset === 0 ? top.rowsAbove : 0;
    const toRow = Math.min(rowsOfEntry(pane, entry), fromRow + left);
    visible.push({...entry, index: top.index + offset, fromRow, toRow});
    left -= toRow - fromRow;
    if (left <= 0) {
      break;
    }
  }
  return visible;
};

/**
 * Moves the viewport by rows; a negative count moves up. Moving up stops following; moving down from the very end
 * resumes it, so a reader who keeps scrolling at the newest line starts following.
 */
export const scrollBy = (viewport: Viewport, view: LogView, pane: LogPane, count: number): Viewport => {
  if (count === 0) {
    return viewport;
  }
  const last = lastTop(view, pane);
  const top = topPlace(viewport, view, pane);
  if (count > 0 && !isBefore(top, last)) {
    return following;
  }
  const moved = count < 0 ? rowsUp(view, pane, top, -count) : rowsDown(view, pane, top, count);
  return pauseAt(view, isBefore(moved, last) ? moved : last, viewport);
};

/** Stops following without moving the pane; a paused viewport stays as it is. */
export const pause = (viewport: Viewport, view: LogView, pane: LogPane): Viewport =>
  viewport.kind === 'paused' ? viewport : pauseAt(view, topPlace(viewport, view, pane), viewport);

/** Stops following with the given place on top. */
export const pauseAt = (view: LogView, {index, rowsAbove}: RowPlace, otherwise: Viewport): Viewport => {
  const [first] = view.slice(index, 1);
  return first === undefined ? otherwise : {kind: 'paused', top: anchorOf(first), rowsAbove};
};

/**
 * Stops following with the first row of the entry at `index` in a row of the pane, or as near as the beginning of the
 * log lets it be. A negative row is above the pane.
 */
export const putInRow = (viewport: Viewport, view: LogView, pane: LogPane, index: number, row: number): Viewport =>
  pauseAt(view, row < 0 ? {index, rowsAbove: -row} : rowsUp(view, pane, {index, rowsAbove: 0}, row), viewport);

/** Share of the pane shown above a jump target, so that what led up to it is visible. */
const contextShare = 1 / 3;

/**
 * Stops following with the entry at an index in view: the pane does not move if it shows the whole entry already;
 * otherwise the entry goes to its upper third.
 */
export const reveal = (viewport: Viewport, view: LogView, pane: LogPane, index: number): Viewport => {
  const shown = visibleEntries(viewport, view, pane).find(visible => visible.index === index);
  if (shown !== undefined && shown.fromRow === 0 && shown.toRow === rowsOfEntry(pane, shown)) {
    return pause(viewport, view, pane);
  }
  const [entry] = view.slice(index, 1);
  const room = Math.max(0, pane.rows - (entry === undefined ? 1 : rowsOfEntry(pane, entry)));
  const top = rowsUp(view, pane, {index, rowsAbove: 0}, Math.min(room, Math.floor(pane.rows * contextShare)));
  const last = lastTop(view, pane);
  return pauseAt(view, isBefore(top, last) ? top : last, viewport);
};

/** Stops following with the entry at an index in view, and moves no further than necessary. */
export const keepInView = (viewport: Viewport, view: LogView, pane: LogPane, index: number): Viewport => {
  const top = topPlace(viewport, view, pane);
  const wanted: RowPlace = {index, rowsAbove: 0};
  if (!isBefore(top, wanted)) {
    return pauseAt(view, wanted, viewport);
  }
  const lowest = rowsUp(view, pane, {index: index + 1, rowsAbove: 0}, pane.rows);
  // If an entry is taller than the pane, its beginning takes priority.
  const needed = isBefore(wanted, lowest) ? wanted : lowest;
  return isBefore(top, needed) ? pauseAt(view, needed, viewport) : pause(viewport, view, pane);
};

/**
 * If the top entry has left its buffer, holds the one that took its place from now on, so that nothing new appears
 * above it.
 */
export const holdTop = (viewport: Viewport, view: LogView): Viewport => {
  if (viewport.kind === 'following') {
    return viewport;
  }
  const [first] = view.slice(topIndex(viewport, view, oneRowPane(1)), 1);
  return first === undefined || isOf(viewport.top, first)
    ? viewport
    : {...viewport, top: anchorOf(first), rowsAbove: 0};
};

const isOf = ({source, id}: Anchor, entry: SourcedEntry): boolean => entry.source === source && entry.entry.id === id;

const isBefore = (a: RowPlace, b: RowPlace): boolean =>
  a.index < b.index || (a.index === b.index && a.rowsAbove < b.rowsAbove);

/** Returns the top place that puts the newest row in the pane's last row. */
const lastTop = (view: LogView, pane: LogPane): RowPlace =>
  rowsUp(view, pane, {index: view.entryCount, rowsAbove: 0}, pane.rows);

/** Moves up by `count` rows, at most to the first row of the log. */
const rowsUp = (view: LogView, pane: LogPane, from: RowPlace, count: number): RowPlace => {
  if (count <= from.rowsAbove) {
    return {index: from.index, rowsAbove: from.rowsAbove - count};
  }
  let left = count - from.rowsAbove;
  if (pane.rowsOf === undefined) {
    return {index: Math.max(0, from.index - left), rowsAbove: 0};
  }
  // Every entry takes at least one row, so no more entries than this are needed.
  const first = Math.max(0, from.index - left);
  if (left === Number.POSITIVE_INFINITY) {
    return {index: 0, rowsAbove: 0};
  }
  const entries = view.slice(first, from.index - first);
  for (let offset = entries.length - 1; offset >= 0; offset--) {
    const entry = entries[offset];
    const rows = entry === undefined ? 1 : pane.rowsOf(entry);
    if (rows >= left) {
      return {index: first + offset, rowsAbove: rows - left};
    }
    left -= rows;
  }
  return {index: 0, rowsAbove: 0};
};

/** Moves down by `count` rows, or past the last row. */
const rowsDown = (view: LogView, pane: LogPane, from: RowPlace, count: number): RowPlace => {
  if (count === Number.POSITIVE_INFINITY) {
    return {index: view.entryCount, rowsAbove: 0};
  }
  let left = from.rowsAbove + count;
  if (pane.rowsOf === undefined) {
    return {index: Math.min(view.entryCount, from.index + left), rowsAbove: 0};
  }
  for (const [offset, entry] of view.slice(from.index, left + 1).entries()) {
    const rows = pane.rowsOf(entry);
    if (left < rows) {
      return {index: from.index + offset, rowsAbove: left};
    }
    left -= rows;
  }
  return {index: view.entryCount, rowsAbove: 0};
};
