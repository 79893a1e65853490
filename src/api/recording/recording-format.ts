/**
 * The file that `--record` writes and `--replay` reads: one JSON object per row, first the header and then one row for
 * each answer, in order of arrival. It holds no token and no tenant, and secrets of branch records are masked. Whatever
 * is the same as in the previous answer of the same operation and ids is left out, so the file grows only by what is
 * new.
 */

export const recordingFormat = 'branchlog recording';
/**
 * From version 2 on, an answer of a service that numbers its lines may have only what its reader lacked; a program
 * that does not know this would see gaps. Version 1 has no such answers, and is played all the same.
 */
export const recordingVersion = 2;

/**
 * A row holds one body of at most 64 MB, which escapes may make longer. A file with a longer row is not a recording.
 */
export const recordingRowBytesMax = 256 * 1024 * 1024;

export type RecordingHeader = {
  readonly format: typeof recordingFormat;
  readonly version: number;
  /** When recording began, by the machine's clock: RFC 3339. */
  readonly recordedAt: string;
  /** The service's name and port, from its address. */
  readonly host: string;
  /** Buffer size of one branch. It affects the replay: it decides which late lines still fit. */
  readonly bufferMb: number;
  /** The requested freshness in milliseconds: how long a line of one branch waits for those of others. */
  readonly intervalMs: number;
};

export type RecordedOperation = 'branches' | 'deployed' | 'log';

/** When an answer was requested and when it arrived, in milliseconds since the recording's first request. */
export type AnswerTimes = {readonly beganMs: number; readonly cameMs: number};

/** What every row after the header begins with. */
export type RecordedCall = AnswerTimes & {
  readonly operation: RecordedOperation;
  readonly siteId: string;
  /** The site's name in the config, if it has one. */
  readonly siteName?: string | undefined;
  /** Only for a log. */
  readonly branchId?: string | undefined;
};

/** What a call asked for: its answers follow each other. */
export type CallSubject = Pick<RecordedCall, 'operation' | 'siteId' | 'branchId'>;

/** A part of a window: a new line, or a run of `lineCount` lines of the previous window that begins at `startIndex`. */
export type WindowPart = string | readonly [startIndex: number, lineCount: number];
