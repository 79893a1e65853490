import {entryAt, indexOfEntry, type LineBuffer, sliceEntries} from './buffer.ts';
import type {Entry} from './entry.ts';
import type {Instant} from './instant.ts';

/** Where the reader is: at the newest line, or with one entry held at the top of the pane while all else may change. */
export type Viewport =
  | {readonly kind: 'following'}
  | {readonly kind: 'paused'; readonly top: {readonly id: number; readonly at: Instant}};

export const following: Viewport = {kind: 'following'};

/** The index of the entry in the pane's first row. */
export const topIndex = (viewport: Viewport, buffer: LineBuffer, rows: number): number => {
  const last = Math.max(0, buffer.entryCount - rows);
  // While paused the top entry stays where it is, even where fewer entries follow it than the pane has rows.
  return viewport.kind === 'following'
    ? last
    : Math.min(indexOfEntry(buffer, viewport.top), Math.max(0, buffer.entryCount - 1));
};

/** The entries in the pane, from the top. */
export const visibleEntries = (viewport: Viewport, buffer: LineBuffer, rows: number): readonly Entry[] =>
  sliceEntries(buffer, topIndex(viewport, buffer, rows), rows);

/**
 * Moves the viewport, up with a negative count. Up stops following; down from the very end resumes it, so that whoever
 * reads down to the newest line and presses on is taken along.
 */
export const scrollBy = (viewport: Viewport, buffer: LineBuffer, rows: number, count: number): Viewport => {
  if (count === 0) {
    return viewport;
  }
  const last = Math.max(0, buffer.entryCount - rows);
  const top = topIndex(viewport, buffer, rows);
  if (count > 0 && top >= last) {
    return following;
  }
  return pauseAt(buffer, Math.max(0, Math.min(last, top + count)), viewport);
};

/** Stops following with the pane as it stands; a viewport that is paused stays as it is. */
export const pause = (viewport: Viewport, buffer: LineBuffer, rows: number): Viewport =>
  viewport.kind === 'paused' ? viewport : pauseAt(buffer, topIndex(viewport, buffer, rows), viewport);

const pauseAt = (buffer: LineBuffer, index: number, otherwise: Viewport): Viewport => {
  const entry = entryAt(buffer, index);
  return entry === undefined ? otherwise : {kind: 'paused', top: {id: entry.id, at: entry.at}};
};
