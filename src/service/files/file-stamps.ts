import type {Instant} from '../../log/instant.ts';

/** What the lines of a file are: written by a container runtime, each behind a timestamp and a stream, or any text. */
export type LineFormat = 'container' | 'plain';

/** What is known of a file's stamps. It is part of the state, so that a restart goes on as if there had been none. */
export type FileStamps = {
  /** Undefined until the first lines have settled it. */
  readonly format: LineFormat | undefined;
  /** The stamp of the line read last; undefined where none was read. */
  readonly last: Instant | undefined;
  /** The line read last has its own time for a stamp, and the file's end was not reached since. */
  readonly isBacklog: boolean;
};

/** Nothing read yet. */
export const emptyFileStamps: FileStamps = {format: undefined, last: undefined, isBacklog: false};
