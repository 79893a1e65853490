import {decodeNumbering} from '#api/client/decode-numbering.ts';
import {createFieldProblems} from '#api/client/field-reader.ts';
import {isTable} from '#base/table.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import type {Numbering} from '#log/window/window-claims.ts';

/** Thrown if a recording can't be created or replayed: exit code 2. The message is a sentence for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** Returns a numbering as JSON, in the form in which a service sends it. */
export const formatNumbering = ({losses, ...numbering}: Numbering): object => ({
  ...numbering,
  losses: losses.map(({after, before, ...loss}) => ({...loss, ...timeOf('after', after), ...timeOf('before', before)})),
});

const timeOf = (name: string, at: Instant | undefined): object => (at === undefined ? {} : {[name]: formatInstant(at)});

/** Parses what `formatNumbering` wrote for so many lines; returns undefined if anything in it is not valid. */
export const parseNumbering = (json: unknown, lineCount: number): Numbering | undefined => {
  const problems = createFieldProblems();
  const numbering = decodeNumbering(json, lineCount, problems)?.numbering;
  const last = isTable(json) ? json.last : undefined;
  const isWhole = problems.list().length === 0 && (last === undefined || Number.isSafeInteger(last));
  return numbering && isWhole ? {...numbering, ...(typeof last === 'number' && {last})} : undefined;
};

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

/** Version 3 is a hand-over, which has no answers: see `hand-over.ts`. */
export const handOverVersion = 3;

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

type RecordedOperation = 'branches' | 'deployed' | 'log';

/** When an answer was requested and when it arrived, in milliseconds since the recording's first request. */
export type AnswerTimes = {readonly beganMs: number; readonly cameMs: number};

/** The fields that every row after the header begins with. */
export type RecordedCall = AnswerTimes & {
  readonly operation: RecordedOperation;
  readonly siteId: string;
  /** The site's name in the config, if it has one. */
  readonly siteName?: string | undefined;
  /** Only for a log. */
  readonly branchId?: string | undefined;
};

/** The question of a call: its answers follow each other. */
export type CallSubject = Pick<RecordedCall, 'operation' | 'siteId' | 'branchId'>;

/** A part of a window: a new line, or a run of `lineCount` lines of the previous window that begins at `startIndex`. */
export type WindowPart = string | readonly [startIndex: number, lineCount: number];

/**
 * Describes a window by the previous one. Windows overlap, so most of a window is one run; if windows are cut for each
 * pod, lines also leave from the middle and there are several runs. For any windows, `expandWindow` restores exactly
 * the same lines.
 */
export const shortenWindow = (before: readonly string[], now: readonly string[]): readonly WindowPart[] => {
  const places = new Map<string, number>();
  for (const [index, line] of before.entries()) {
    if (!places.has(line)) {
      places.set(line, index);
    }
  }
  const parts: WindowPart[] = [];
  let run: {start: number; count: number} | undefined;
  const endRun = (): void => {
    if (run) {
      parts.push([run.start, run.count]);
      run = undefined;
    }
  };
  for (const line of now) {
    if (run && before[run.start + run.count] === line) {
      run.count += 1;
      continue;
    }
    endRun();
    const start = places.get(line);
    if (start === undefined) {
      parts.push(line);
    } else {
      run = {start, count: 1};
    }
  }
  endRun();
  return parts;
};

/** Returns the window's lines, or undefined if a part refers to lines that the previous window did not have. */
export const expandWindow = (
  before: readonly string[],
  parts: readonly WindowPart[],
): readonly string[] | undefined => {
  const lines: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      lines.push(part);
      continue;
    }
    const [start, count] = part;
    if (start + count > before.length) {
      return undefined;
    }
    for (let index = start; index < start + count; index += 1) {
      lines.push(before[index] ?? '');
    }
  }
  return lines;
};
