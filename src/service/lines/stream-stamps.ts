import type {Instant} from '../../log/line/instant.ts';

/** What the lines of a stream are: written by a container runtime, with a timestamp and a stream each, or any text. */
export type LineFormat = 'container' | 'plain';

/** What is known of a stream's stamps. A file's are part of the state, so that they survive a restart. */
export type StreamStamps = {
  /** Undefined until the first lines have settled it. */
  readonly format: LineFormat | undefined;
  /** The stamp of the line read last; undefined if none was read. */
  readonly last: Instant | undefined;
  /** The line read last has its own time for a stamp, and the stream's end was not reached since. */
  readonly isBacklog: boolean;
};

/** Nothing read yet. */
export const emptyStreamStamps: StreamStamps = {format: undefined, last: undefined, isBacklog: false};
