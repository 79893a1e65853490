import {type Anchor, anchorOf, type LogView, type SourcedEntry} from './log-view.ts';

/**
 * Where the reader is: at the newest line, or with one entry held at the top of the pane while all else may change. Of an entry of several rows
 * `rowsAbove` may have left the pane already.
 */
export type Viewport =
  | {readonly kind: 'following'}
  | {
      readonly kind: 'paused';
      readonly top: Anchor;
      readonly rowsAbove: number;
      /** What was on top until a filter hid it, and will be again where it is seen again before the reader moves. */
      readonly hiddenTop?: Anchor;
    };

/** What the log is seen in. */
export type LogPane = {
  /** Its height. */
  readonly rows: number;
  /** How many rows an entry takes, 1 at the least; where it is left out, each takes 1, and no entry is looked at to find that out. */
  readonly rowsOf?: ((entry: SourcedEntry) => number) | undefined;
};

/** A row of the log: the index of its entry, and how many rows of that entry stand above it. */
export type RowPlace = {readonly index: number; readonly rowsAbove: number};

/** An entry in the pane: its rows from `fromRow` to, not including, `toRow`. */
export type VisibleEntry = SourcedEntry & {readonly index: number; readonly fromRow: number; readonly toRow: number};

export const following: Viewport = {kind: 'following'};

/** Every entry takes one row. */
export const oneRowPane = (rows: number): LogPane => ({rows});

const rowsOfEntry = ({rowsOf}: LogPane, entry: SourcedEntry): number => rowsOf?.(entry) ?? 1;

/** The place in the pane's first row. Costs rows of the pane, however much is held. */
export const topPlace = (viewport: Viewport, view: LogView, pane: LogPane): RowPlace => {
  if (viewport.kind === 'following') {
    return lastTop(view, pane);
  }
  // While paused the top entry stays where it is, even where fewer rows follow it than the pane has.
  const index = Math.min(view.indexOf(viewport.top), Math.max(0, view.entryCount - 1));
  if (pane.rowsOf === undefined) {
    return {index, rowsAbove: 0};
  }
  const [entry] = view.slice(index, 1);
  const isTop = entry !== undefined && isOf(viewport.top, entry);
  return {index, rowsAbove: isTop ? Math.min(viewport.rowsAbove, pane.rowsOf(entry) - 1) : 0};
};

/** The index of the entry in the pane's first row. */
export const topIndex = (viewport: Viewport, view: LogView, pane: LogPane): number =>
  topPlace(viewport, view, pane).index;

/** The entries in the pane, from the top. */
export const visibleEntries = (viewport: Viewport, view: LogView, pane: LogPane): readonly VisibleEntry[] => {
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
 * Moves the viewport by rows, up with a negative count. Up stops following; down from the very end resumes it, so that whoever
 * reads down to the newest line and presses on is taken along.
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

/** Stops following with the pane as it stands; a viewport that is paused stays as it is. */
export const pause = (viewport: Viewport, view: LogView, pane: LogPane): Viewport =>
  viewport.kind === 'paused' ? viewport : pauseAt(view, topPlace(viewport, view, pane), viewport);

/** Stops following with a place on top. */
export const pauseAt = (view: LogView, {index, rowsAbove}: RowPlace, otherwise: Viewport): Viewport => {
  const [first] = view.slice(index, 1);
  return first === undefined ? otherwise : {kind: 'paused', top: anchorOf(first), rowsAbove};
};

/** Of the pane stands above what is gone to: what led to it is read first. */
const contextShare = 1 / 3;

/**
 * Stops following with the entry at an index in view: the pane stays as it stands where the whole entry is in it already, else the entry comes to its
 * upper third.
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

/** Stops following with the entry at an index in view, moving no further than that takes. */
export const keepInView = (viewport: Viewport, view: LogView, pane: LogPane, index: number): Viewport => {
  const top = topPlace(viewport, view, pane);
  const wanted: RowPlace = {index, rowsAbove: 0};
  if (!isBefore(top, wanted)) {
    return pauseAt(view, wanted, viewport);
  }
  const lowest = rowsUp(view, pane, {index: index + 1, rowsAbove: 0}, pane.rows);
  // Of an entry taller than the pane the beginning is what counts.
  const needed = isBefore(wanted, lowest) ? wanted : lowest;
  return isBefore(top, needed) ? pauseAt(view, needed, viewport) : pause(viewport, view, pane);
};

/** Where the entry on top has left its buffer, holds the one that took its place from now on, so that nothing comes in above it. */
export const holdTop = (viewport: Viewport, view: LogView): Viewport => {
  if (viewport.kind === 'following') {
    return viewport;
  }
  const [first] = view.slice(topIndex(viewport, view, oneRowPane(1)), 1);
  return first === undefined || isOf(viewport.top, first)
    ? viewport
    : {...viewport, top: anchorOf(first), rowsAbove: 0};
};

/**
 * As `holdTop`, where a filter may hide the entry on top: that one is remembered. A filter that hides all would else lead a reader to the oldest marker
 * and leave them there.
 */
export const holdShownTop = (viewport: Viewport, view: LogView): Viewport => {
  const held = holdTop(viewport, view);
  return held === viewport || held.kind === 'following' || viewport.kind === 'following'
    ? viewport
    : {...held, hiddenTop: viewport.hiddenTop ?? viewport.top};
};

/** What a filter had hidden is on top again, once the view has it. */
export const restoreTop = (viewport: Viewport, view: LogView): Viewport =>
  viewport.kind === 'paused' && viewport.hiddenTop !== undefined && isShown(view, viewport.hiddenTop)
    ? {kind: 'paused', top: viewport.hiddenTop, rowsAbove: 0}
    : viewport;

const isOf = ({source, id}: Anchor, entry: SourcedEntry): boolean => entry.source === source && entry.entry.id === id;

const isShown = (view: LogView, anchor: Anchor): boolean =>
  view.slice(view.indexOf(anchor), 1).some(entry => isOf(anchor, entry));

const isBefore = (a: RowPlace, b: RowPlace): boolean =>
  a.index < b.index || (a.index === b.index && a.rowsAbove < b.rowsAbove);

/** The place on top where the newest row stands in the pane's last. */
const lastTop = (view: LogView, pane: LogPane): RowPlace =>
  rowsUp(view, pane, {index: view.entryCount, rowsAbove: 0}, pane.rows);

/** So many rows further up, or the first row of the log. */
const rowsUp = (view: LogView, pane: LogPane, from: RowPlace, count: number): RowPlace => {
  if (count <= from.rowsAbove) {
    return {index: from.index, rowsAbove: from.rowsAbove - count};
  }
  let left = count - from.rowsAbove;
  if (pane.rowsOf === undefined) {
    return {index: Math.max(0, from.index - left), rowsAbove: 0};
  }
  // Every entry takes a row at the least, so no more of them can be on the way.
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

/** So many rows further down, or past the last. */
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
