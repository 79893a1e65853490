import {type Anchor, anchorOf, type LogView, type SourcedEntry} from './log-view.ts';

/** Where the reader is: at the newest line, or with one entry held at the top of the pane while all else may change. */
export type Viewport = {readonly kind: 'following'} | {readonly kind: 'paused'; readonly top: Anchor};

export const following: Viewport = {kind: 'following'};

/** The index of the entry in the pane's first row. */
export const topIndex = (viewport: Viewport, view: LogView, rows: number): number => {
  const last = Math.max(0, view.entryCount - rows);
  // While paused the top entry stays where it is, even where fewer entries follow it than the pane has rows.
  return viewport.kind === 'following' ? last : Math.min(view.indexOf(viewport.top), Math.max(0, view.entryCount - 1));
};

/** The entries in the pane, from the top. */
export const visibleEntries = (viewport: Viewport, view: LogView, rows: number): readonly SourcedEntry[] =>
  view.slice(topIndex(viewport, view, rows), rows);

/**
 * Moves the viewport, up with a negative count. Up stops following; down from the very end resumes it, so that whoever
 * reads down to the newest line and presses on is taken along.
 */
export const scrollBy = (viewport: Viewport, view: LogView, rows: number, count: number): Viewport => {
  if (count === 0) {
    return viewport;
  }
  const last = Math.max(0, view.entryCount - rows);
  const top = topIndex(viewport, view, rows);
  if (count > 0 && top >= last) {
    return following;
  }
  return pauseAt(view, Math.max(0, Math.min(last, top + count)), viewport);
};

/** Stops following with the pane as it stands; a viewport that is paused stays as it is. */
export const pause = (viewport: Viewport, view: LogView, rows: number): Viewport =>
  viewport.kind === 'paused' ? viewport : pauseAt(view, topIndex(viewport, view, rows), viewport);

/** Stops following with the entry at an index on top. */
export const pauseAt = (view: LogView, index: number, otherwise: Viewport): Viewport => {
  const [first] = view.slice(index, 1);
  return first === undefined ? otherwise : {kind: 'paused', top: anchorOf(first)};
};

/** Where the entry on top has left its buffer, holds the one that took its place from now on, so that nothing comes in above it. */
export const holdTop = (viewport: Viewport, view: LogView): Viewport => {
  if (viewport.kind === 'following') {
    return viewport;
  }
  const [first] = view.slice(topIndex(viewport, view, 1), 1);
  const isHeld = first?.source === viewport.top.source && first.entry.id === viewport.top.id;
  return first === undefined || isHeld ? viewport : {kind: 'paused', top: anchorOf(first)};
};
