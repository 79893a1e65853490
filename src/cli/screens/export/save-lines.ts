import {createHash, randomUUID} from 'node:crypto';
import {type FileHandle, open, rename, rm} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {SaveRequest} from '#app/export/exporter.ts';
import {createTally, formatManifest} from '#app/export/manifest.ts';
import {batchesOf, formatOriginal, type Scope} from '#app/parts/log-parts.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {countOf} from '#log/words/format-count.ts';

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

type PieceOptions = {
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

/** Creates a file that only its owner can read. This and all its methods reject with the file system's error. */
const openNewFile = async (path: string) => {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.partial`;
  const handle: FileHandle = await open(temporary, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) {
      isOpen = false;
      await handle.close();
    }
  };
  return {
    write: async (data: string | Buffer): Promise<void> => {
      const chunk = typeof data === 'string' ? Buffer.from(data) : data;
      hash.update(chunk);
      bytes += chunk.length;
      // All or nothing: `write` alone may write only a part.
      await handle.writeFile(chunk);
    },
    /** Bytes written so far. */
    bytes: () => bytes,
    /** Flushes everything to the device. Returns the SHA-256 of the bytes in hexadecimal. */
    finish: async (): Promise<string> => {
      await handle.sync();
      await close();
      return hash.digest('hex');
    },
    /** Moves the finished file to its place, replacing an existing file. */
    publish: async (): Promise<void> => {
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
    /** Removes the file unless it has been moved to its place. Never rejects. */
    discard: async (): Promise<void> => {
      await close().catch(() => {});
      await rm(temporary, {force: true}).catch(() => {});
    },
  };
};

/**
 * Writes a file that appears only when it is complete, unless `signal` aborts meanwhile. `fill` writes to it; its value
 * is returned. Rejects with its error, the file system's or the signal's.
 */
export const writeAtomically = async <T>(
  path: string,
  signal: AbortSignal,
  fill: (file: NewFile) => Promise<T>,
): Promise<T> => {
  const file = await openNewFile(path);
  try {
    const value = await fill(file);
    await file.finish();
    signal.throwIfAborted();
    await file.publish();
    return value;
  } catch (error) {
    await file.discard();
    throw error;
  }
};

/** A file that is written next to its final place and appears there only when complete. */
type NewFile = Awaited<ReturnType<typeof openNewFile>>;

/** Makes the new name survive a power loss. Not every file system supports this. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
};

/** Path of the manifest: next to the log file. */
export const manifestPath = (path: string): string => `${path}.manifest.json`;

export type SaveJob = {
  readonly request: SaveRequest;
  /** Absolute path. An existing file there may be replaced. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly progress: (share: number) => void;
  /** The version of branchlog. */
  readonly version: string;
  /** Undefined without a home folder. */
  readonly stateFolder: string | undefined;
};

/**
 * Saves lines as received or as written, and a manifest next to them. Either both files appear, complete, or neither
 * does; only when files are replaced, an error at the very end may leave the new lines with the old manifest. Returns
 * what was saved.
 */
export const saveLines = async ({request, path, signal, progress, version}: SaveJob): Promise<string> => {
  const {scope, facts} = request;
  const tally = createTally();
  const files: NewFile[] = [];
  const begin = async (at: string): Promise<NewFile> => {
    const file = await openNewFile(at);
    files.push(file);
    return file;
  };
  try {
    const log = await begin(path);
    const pieces = textPieces(scope, {
      format: formatOriginal(scope),
      onBatch: (entries, doneCount) => {
        tally.take(entries);
        progress(doneCount / (scope.end - scope.first));
      },
    });
    for await (const piece of pieces) {
      signal.throwIfAborted();
      await log.write(piece);
    }
    const sha256 = await log.finish();
    const result = tally.result();
    const manifest = await begin(manifestPath(path));
    const file = {name: basename(path), bytes: log.bytes(), sha256};
    await manifest.write(formatManifest({facts, tally: result, chosen: scope.chosen, file, version}));
    await manifest.finish();
    signal.throwIfAborted();
    await log.publish();
    await manifest.publish().catch(async (error: unknown) => {
      if (!request.replaces) {
        await rm(path, {force: true}).catch(() => {});
      }
      throw error;
    });
    return `${countOf(result.lineCount, 'line')}, ${countOf(log.bytes(), 'byte')}`;
  } catch (error) {
    await Promise.all(files.map(file => file.discard()));
    throw error;
  }
};
