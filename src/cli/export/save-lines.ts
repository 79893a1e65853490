import {basename} from 'node:path';
import {formatManifest} from '../../app/export/manifest.ts';
import {createTally} from '../../app/export/tally.ts';
import type {SaveRequest} from '../../app/state/exporter.ts';
import {countOf} from '../../log/words/format-count.ts';
import {type NewFile, openNewFile} from './new-file.ts';
import {textPieces} from './text-pieces.ts';

/** Where it stands: beside the log file. */
export const manifestPath = (path: string): string => `${path}.manifest.json`;

export type SaveJob = {
  readonly request: SaveRequest;
  /** Absolute, and a file that may be replaced where one is there. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly progress: (share: number) => void;
  /** Of branchlog. */
  readonly version: string;
};

/** Saves lines as they were received, and what is known of them beside them. Both files are there when both are whole, or neither. Answers what was saved. */
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
      format: ({entry}) => (entry.kind === 'line' ? entry.raw : undefined),
      heard: (entries, doneCount) => {
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
    await manifest.publish();
    return `${countOf(result.lineCount, 'line')}, ${countOf(log.bytes(), 'byte')}`;
  } catch (error) {
    await Promise.all(files.map(file => file.discard()));
    throw error;
  }
};
