import type {Instant} from './instant.ts';

/**
 * From when on a service has read all lines that there were. Before, there are others: only so many were to be read
 * (`asked`), those are read as soon as they are wanted (`unread`), the file that the source still has may not reach
 * further back (`file`), or no more fit (`memory`). There are none if it was read from its beginning (`start`).
 */
export type HeldFrom = {
  readonly at: Instant;
  readonly why: 'asked' | 'unread' | 'file' | 'memory' | 'start';
  /**
   * Set if the lines say no time of their own, as far as they were looked at: theirs is that of their arrival. Those up
   * to this time were there already, and came at once.
   */
  readonly arrivalsFrom?: Instant | undefined;
};

/** Towards the first line of a log, or towards its newest. */
export type ReadDirection = 'earlier' | 'later';

/**
 * Up to when a service has read all lines, of a part of a log. After that, there are others that are read as soon as
 * they are wanted (`unread`), or the newest lines of the log, which are another part (`newest`).
 */
export type HeldTo = {readonly at: Instant; readonly why: 'unread' | 'newest'};

/** Bytes of a file that were not read. */
export type UnreadRange = {
  /** Names the file in requests. */
  readonly file: number;
  readonly name: string;
  /** The file is open for reading under this number, in all threads of the process. */
  readonly descriptor: number;
  readonly from: number;
  readonly to: number;
};

/** A time before any line. As a place to go to, it means the first lines of the log. */
export const startOfLog: Instant = 0n;

/** The part of a log to read next. */
export type UnreadWish =
  | {readonly kind: 'time'; readonly at: Instant}
  /** The first lines. */
  | {readonly kind: 'start'}
  /** The nearest in this direction of some places in files, each at the beginning of a line or within one. */
  | {
      readonly kind: 'nearest';
      readonly places: readonly {readonly file: number; readonly offset: number}[];
      readonly direction: ReadDirection;
    }
  /** The work in progress at one end of the part that was read. */
  | {readonly kind: 'edge'; readonly direction: ReadDirection};

export type UnreadFound =
  /** It can be read as the log of another branch id. `at` is the time that the line has there. */
  | {readonly kind: 'part'; readonly branchId: string; readonly at: Instant}
  /** It is a little before what is held, or nothing tells where (`why`): reading on comes to it. */
  | {readonly kind: 'near'; readonly why?: string}
  /** It is in the newest part, or nowhere. */
  | {readonly kind: 'newest'}
  /** It can't be found; `why` is a sentence without a full stop. */
  | {readonly kind: 'none'; readonly why: string};

/** How far a search has come: the file that it is in, and bytes of all files. */
export type ScanProgress = {readonly name: string; readonly doneBytes: number; readonly allBytes: number};

/** Finds what of a log was not read, in a backend in this program that has left out some. */
export type UnreadLog = {
  /** Returns what was not read of the files of a log, in one direction from what was. */
  ranges(branchId: string, direction: ReadDirection): readonly UnreadRange[];
  /** Opens the lines around a place as a log of its own, which replaces the one opened before. */
  open(branchId: string, wish: UnreadWish): Promise<UnreadFound>;
};
