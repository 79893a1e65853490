import {rm} from 'node:fs/promises';
import {basename} from 'node:path';
import {formatOriginal} from '#app/log/line-sections.ts';
import {createTally, formatManifest} from '#app/log/manifest.ts';
import type {SaveRequest} from '#app/state/exporter.ts';
import {countOf} from '#log/words/format-count.ts';
import {type NewFile, openNewFile} from '../../export/new-file.ts';
import {textPieces} from '../../export/text-pieces.ts';

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
