import {setImmediate as nextTurn} from 'node:timers/promises';
import {batchesOf, type Scope} from '../../app/parts/scope.ts';
import type {SourcedEntry} from '../../log/view/log-view.ts';

/** Text is handed on in pieces of about this many characters. */
const pieceCharsMax = 64 * 1024;

/** After so long, milliseconds, keys and polls get their turn; a batch more is a millisecond or two. */
const sliceMsMax = 2;

/** Reads the clock of the slices. */
export type Slices = {
  /** Lets others have their turn where it is theirs. */
  readonly share: () => Promise<void>;
};

/** What takes long is cut into slices, so that no key waits for it. */
export const createSlices = (): Slices => {
  let beganAtMs = performance.now();
  return {
    share: async () => {
      if (performance.now() - beganAtMs > sliceMsMax) {
        await nextTurn();
        beganAtMs = performance.now();
      }
    },
  };
};

export type PieceOptions = {
  /** The text of an entry without a line feed; undefined where it has none. */
  readonly format: (entry: SourcedEntry) => string | undefined;
  /** Hears of every entry, and how many of all are done, in batches. */
  readonly heard?: (entries: readonly SourcedEntry[], doneCount: number) => void;
};

/** The text of a scope, a row for each entry that has one. */
export async function* textPieces(scope: Scope, {format, heard}: PieceOptions): AsyncGenerator<string> {
  const slices = createSlices();
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
    heard?.(entries, doneCount);
    await slices.share();
  }
  if (piece !== '') {
    yield piece;
  }
}
