import type {Instant} from '#log/line/instant.ts';

/** The form of a stream's lines: written by a container runtime, each with a timestamp and a stream, or any text. */
export type LineFormat = 'container' | 'plain';

/** What is known of a stream's stamps. Those of a file are part of the state and survive a restart. */
export type StreamStamps = {
  /** Undefined until the first lines determine it. */
  readonly format: LineFormat | undefined;
  /** The stamp of the last line read; undefined if none was read. */
  readonly last: Instant | undefined;
  /** The last line read kept its own time as its stamp, and the end of the stream has not been reached since. */
  readonly isBacklog: boolean;
};

/** Nothing read yet. */
export const emptyStreamStamps: StreamStamps = {format: undefined, last: undefined, isBacklog: false};
