import type {ReadDirection} from '../../log/line/unread.ts';

/** How far a search has come: the file that it is in, and bytes of all files. */
export type ScanProgress = {readonly name: string; readonly doneBytes: number; readonly allBytes: number};

/** A search of what was not read, for one of the patterns in use. */
export type UnreadScan = {
  readonly patternId: number;
  readonly direction: ReadDirection;
  readonly progress?: ScanProgress | undefined;
};
