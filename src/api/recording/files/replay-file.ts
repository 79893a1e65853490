import type {FileHandle} from 'node:fs/promises';
import {openRegular, PathError} from '#base/system/open-regular.ts';
import {reasonOf} from '../recording-file.ts';
import {
  type CallSubject,
  type RecordedCall,
  RecordingError,
  type RecordingHeader,
  recordingRowBytesMax,
} from '../recording-format.ts';
import {lineCountOf, parseHeader, parseReplayRow, type RecordedRow} from './replay-row.ts';

/** Where an answer is in the file. */
export type RecordedPlace = RecordedCall & {
  /** In order of arrival, from 0. */
  readonly index: number;
  readonly byteStart: number;
  readonly byteCount: number;
  readonly lineNumber: number;
};

/**
 * A recording that has been checked. Rows are read again one at a time, so that a long recording takes little memory.
 */
export type ReplayFile = {
  readonly header: RecordingHeader;
  readonly places: readonly RecordedPlace[];
  /** A sentence saying that the recording's last row was cut off and left out. */
  readonly notice: string | undefined;
  /** Throws a `RecordingError` if the file has changed in the meantime. */
  read(place: RecordedPlace): Promise<RecordedRow>;
  close(): Promise<void>;
};

/** Each takes a hundred bytes of memory; at four answers a second this lasts for five days. */
const answersMax = 2_000_000;

const chunkBytes = 1024 * 1024;

/**
 * Opens a recording and checks every row, so that damage is reported before anything is shown. Throws a
 * `RecordingError` with the line number. Only the last row may be cut off, as it is after the recording program was
 * killed.
 */
export const openReplayFile = async (path: string): Promise<ReplayFile> => {
  let handle: FileHandle;
  try {
    // Whose it is does not matter: its lines are foreign text, as those of a service.
    ({file: handle} = await openRegular(path));
  } catch (error) {
    const words = error instanceof PathError ? error.message : `cannot be read, ${reasonOf(error)}`;
    throw new RecordingError(`--replay: ${path} ${words}`, {cause: error});
  }
  try {
    return await scanRows(handle, path);
  } catch (error) {
    await handle.close();
    throw error instanceof RecordingError
      ? error
      : new RecordingError(`--replay: ${path} cannot be read, ${reasonOf(error)}`, {cause: error});
  }
};

const scanRows = async (handle: FileHandle, path: string): Promise<ReplayFile> => {
  const places: RecordedPlace[] = [];
  const check = createRowCheck();
  let header: RecordingHeader | undefined;
  let notice: string | undefined;
  for await (const {text, byteStart, byteCount, lineNumber, isCut} of rowsOf(handle, path)) {
    if (!header) {
      const read = parseHeader(text);
      if (typeof read === 'string') {
        throw new RecordingError(`--replay: line ${lineNumber} of ${path} ${read}`);
      }
      header = read;
      continue;
    }
    const row = parseReplayRow(text);
    const problem = row ? check(row) : 'is damaged';
    if (row && problem === undefined) {
      if (places.length === answersMax) {
        throw new RecordingError(`--replay: ${path} holds more than ${answersMax} answers`);
      }
      places.push({...row.call, index: places.length, byteStart, byteCount, lineNumber});
    } else if (isCut && places.length > 0) {
      notice = `line ${lineNumber} of ${path}, its last, is cut off and left out`;
    } else {
      throw new RecordingError(`--replay: line ${lineNumber} of ${path} ${problem}`);
    }
  }
  if (!header) {
    throw new RecordingError(`--replay: line 1 of ${path} is missing: the file is empty`);
  }
  return {
    header,
    places,
    notice,
    read: async place => {
      const bytes = Buffer.alloc(place.byteCount);
      const {bytesRead} = await handle.read(bytes, 0, place.byteCount, place.byteStart);
      const row = parseReplayRow(bytes.toString('utf8', 0, bytesRead));
      if (!row) {
        throw new RecordingError(`--replay: line ${place.lineNumber} of ${path} was changed while it was played`);
      }
      return row;
    },
    close: () => handle.close(),
  };
};

/**
 * Creates a check of what no single row shows: time moves forward, the first answer of each call is complete, and
 * windows refer to lines that exist.
 */
const createRowCheck = (): ((row: RecordedRow) => string | undefined) => {
  const lineCounts = new Map<string, number>();
  const listings = new Set<string>();
  let lastMs = 0;
  return ({call, answer}) => {
    if (call.cameMs < lastMs || call.beganMs > call.cameMs) {
      return 'is damaged: its time is before that of the line before';
    }
    lastMs = call.cameMs;
    if (!answer) {
      return undefined;
    }
    const key = callKey(call);
    if (call.operation === 'log') {
      const before = lineCounts.get(key);
      if (before === undefined && (answer.pods === undefined || answer.sessionId === undefined)) {
        return 'is damaged: it lacks the pods of a first answer';
      }
      if (!answer.window.every(part => typeof part === 'string' || part[0] + part[1] <= (before ?? 0))) {
        return 'is damaged: it names lines that the answer before did not have';
      }
      const count = lineCountOf(answer.window);
      lineCounts.set(key, count);
      const lastPlace = answer.notLines?.at(-1) ?? 0;
      return lastPlace > count ? 'is damaged: it names a place after its last line' : undefined;
    }
    if (!listings.has(key) && answer.branches === undefined) {
      return 'is damaged: it lacks the branches of a first answer';
    }
    listings.add(key);
    return undefined;
  };
};

/** Returns a key that identifies a call: its operation and ids. */
export const callKey = ({operation, siteId, branchId}: CallSubject): string =>
  JSON.stringify([operation, siteId, branchId]);

type FileRow = {
  readonly text: string;
  readonly byteStart: number;
  readonly byteCount: number;
  readonly lineNumber: number;
  /** The file ends in this row, without a newline. */
  readonly isCut: boolean;
};

/** Yields the rows of a file one at a time. */
async function* rowsOf(handle: FileHandle, path: string): AsyncGenerator<FileRow> {
  const chunk = Buffer.alloc(chunkBytes);
  let pieces: Buffer[] = [];
  let byteStart = 0;
  let byteCount = 0;
  let lineNumber = 1;
  const takeRow = (isCut: boolean): FileRow => {
    const row = {text: Buffer.concat(pieces).toString('utf8'), byteStart, byteCount, lineNumber, isCut};
    pieces = [];
    byteStart += byteCount + 1;
    byteCount = 0;
    lineNumber += 1;
    return row;
  };
  for (;;) {
    const {bytesRead} = await handle.read(chunk, 0, chunkBytes, byteStart + byteCount);
    if (bytesRead === 0) {
      break;
    }
    let from = 0;
    while (from < bytesRead) {
      const newline = chunk.subarray(0, bytesRead).indexOf(10, from);
      const to = newline === -1 ? bytesRead : newline;
      pieces.push(Buffer.from(chunk.subarray(from, to)));
      byteCount += to - from;
      if (byteCount > recordingRowBytesMax) {
        throw new RecordingError(`--replay: line ${lineNumber} of ${path} is longer than any line of a recording`);
      }
      from = to + 1;
      if (newline !== -1) {
        yield takeRow(false);
      }
    }
  }
  if (byteCount > 0) {
    yield takeRow(true);
  }
}
