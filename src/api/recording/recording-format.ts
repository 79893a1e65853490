/**
 * The file that `--record` writes and `--replay` reads: JSON objects, one a row, the header first and then one for each answer in the
 * order in which they came. It holds no token and no tenant, and secrets of branch records as masks. What an answer has as the one before it of the same
 * operation and ids had it is left out, so that its size is that of what was new.
 */

export const recordingFormat = 'branchlog recording';
export const recordingVersion = 1;

/** A row holds one body of at most 64 MB; escapes may make it longer. What is longer than this is no recording. */
export const recordingRowBytesMax = 256 * 1024 * 1024;

export type RecordingHeader = {
  readonly format: typeof recordingFormat;
  readonly version: typeof recordingVersion;
  /** When recording began, by the clock of the machine: RFC 3339. */
  readonly recordedAt: string;
  /** Of the service's address: name and port. */
  readonly host: string;
  /** Room for one branch's lines: with other room other lines come late. */
  readonly bufferMb: number;
  /** The freshness that was wanted, milliseconds: how long a line of one branch waits for those of others. */
  readonly intervalMs: number;
};

export type RecordedOperation = 'branches' | 'deployed' | 'log';

/** When an answer was asked for and when it had come, milliseconds since the recording's first request. */
export type AnswerTimes = {readonly beganMs: number; readonly cameMs: number};

/** What every row behind the header begins with. */
export type RecordedCall = AnswerTimes & {
  readonly operation: RecordedOperation;
  readonly siteId: string;
  /** The site's name in the config, where it has one. */
  readonly siteName?: string | undefined;
  /** Of a log only. */
  readonly branchId?: string | undefined;
};

/** A part of a window: a new line, or so many lines of the window before from that index on. */
export type WindowPart = string | readonly [startIndex: number, lineCount: number];
