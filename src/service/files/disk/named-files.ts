import {describeError} from '../../errors/describe-fault.ts';
import {type FoundFile, findFiles, identifyFile} from './find-files.ts';

/** A pod whose lines come from files. */
export type FilePod = {
  readonly name: string;
  /** Absolute paths; the last parts may contain `*` and `?`. */
  readonly files: readonly string[];
};

/**
 * Finds the files that match a pod's configured paths now, each once by identity. Returns undefined if a path cannot be
 * examined: the names are unknown then, so no file may be treated as gone.
 */
export const findNamedFiles = async (
  pod: FilePod,
  warn: (message: string) => void,
): Promise<Map<string, FoundFile> | undefined> => {
  const found = new Map<string, FoundFile>();
  for (const pattern of pod.files) {
    try {
      const files = await findFiles(pattern);
      for (const file of files) {
        found.set(identifyFile(file), file);
      }
      if (files.length === 0) {
        warn(`${pattern} is missing: pod ${pod.name} is served without it until it appears.`);
      }
    } catch (error) {
      warn(`${pattern} cannot be examined (${describeError(error)}): pod ${pod.name} is served without it.`);
      return undefined;
    }
  }
  return found;
};
