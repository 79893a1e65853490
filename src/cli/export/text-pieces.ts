import {setImmediate as nextTurn} from 'node:timers/promises';
import {batchesOf, type Scope} from '#app/parts/log-parts.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';

/** Text is passed on in pieces of about this many characters. */
const pieceCharsMax = 64 * 1024;

/** After this many milliseconds, keys and polls get a turn. One more batch takes a millisecond or two. */
const sliceMsMax = 2;

/**
 * Cuts long work into slices, so that no key has to wait for it: returns what yields the event loop if the current one
 * is used up.
 */
export const createSlices = (): (() => Promise<void>) => {
  let beganAtMs = performance.now();
  return async () => {
    if (performance.now() - beganAtMs > sliceMsMax) {
      await nextTurn();
      beganAtMs = performance.now();
    }
  };
};

export type PieceOptions = {
  /** Returns the text of an entry without a line feed, or undefined if it has none. */
  readonly format: (entry: SourcedEntry) => string | undefined;
  /** Called with every entry, in batches, and the number of entries done so far. */
  readonly onBatch?: (entries: readonly SourcedEntry[], doneCount: number) => void;
};

/** Yields the text of a scope, one row for each entry that has one. */
export async function* textPieces(scope: Scope, {format, onBatch}: PieceOptions): AsyncGenerator<string> {
  const share = createSlices();
  let piece = '';
  let doneCount = 0;
  for (const entries of batchesOf(scope)) {
    for (const entry of entries) {
      const text = format(entry);
      if (text !== undefined) {
        piece += `${text}\n`;
        if (piece.length >= pieceCharsMax) {
          yield piece;
          piece = '';
        }
      }
    }
    doneCount += entries.length;
    onBatch?.(entries, doneCount);
    await share();
  }
  if (piece !== '') {
    yield piece;
  }
}
