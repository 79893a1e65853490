import {open} from 'node:fs/promises';
import type {Writable} from 'node:stream';
import {errorCodeOf} from '#base/error-code.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {RecordingError} from './recording-format.ts';

/** An hour of a loud branch is a few hundred megabytes; a forgotten recording must not fill a disk. */
export const recordingBytesMax = 2 * 1024 * 1024 * 1024;

/** A disk so slow that this much is waiting cannot hold a recording; the log matters more. */
export const recordingQueueBytesMax = 64 * 1024 * 1024;

/** Writes the rows of a recording in order. */
export type RecordingFile = {
  /**
   * Creates a row and queues it; never throws and never waits. Once the recording has been abandoned, no more rows are
   * created.
   */
  write(makeRow: () => object): void;
  /** Resolves when the system has accepted all rows, or the recording was abandoned. */
  finish(): Promise<void>;
};

export type RecordingFileOptions = {
  readonly path: string;
  /** Called once, with a sentence, if the recording stops early. */
  readonly stopped: (sentence: string) => void;
  readonly bytesMax?: number;
  readonly queueBytesMax?: number;
};

/** Writes a recording's rows to a stream. If the stream fails, only the recording ends. */
export const createRecordingFile = (
  stream: Writable,
  {path, stopped, bytesMax = recordingBytesMax, queueBytesMax = recordingQueueBytesMax}: RecordingFileOptions,
): RecordingFile => {
  const {promise: ended, resolve: end} = Promise.withResolvers<void>();
  let bytes = 0;
  let isOver = false;

  const giveUp = (reason: string): void => {
    if (!isOver) {
      isOver = true;
      stopped(`the recording ${path} stops here, ${reason}; everything else continues`);
      stream.destroy();
      end();
    }
  };
  stream.on('error', error => {
    giveUp(reasonOf(error));
    end();
  });
  stream.on('close', () => end());

  return {
    write: makeRow => {
      if (isOver) {
        return;
      }
      let text: string;
      try {
        text = `${stringifySafe(makeRow())}\n`;
      } catch {
        // JSON of more than half a gigabyte exceeds the longest possible string.
        giveUp('an answer is too large to be recorded');
        return;
      }
      const rowBytes = Buffer.byteLength(text);
      if (bytes + rowBytes > bytesMax) {
        giveUp(`it has reached ${Math.round(bytesMax / 1024 / 1024)} MB`);
      } else if (stream.writableLength + rowBytes > queueBytesMax && stream.writableLength > 0) {
        giveUp('the disk is too slow for it');
      } else {
        bytes += rowBytes;
        stream.write(text);
      }
    },
    finish: () => {
      isOver = true;
      stream.end();
      return ended;
    },
  };
};

/**
 * Creates the file of a recording, readable only by its owner. Never overwrites a file. Throws a `RecordingError` if
 * the file can't be created.
 */
export const openRecordingFile = async (options: RecordingFileOptions): Promise<RecordingFile> => {
  try {
    const handle = await open(options.path, 'wx', 0o600);
    return createRecordingFile(handle.createWriteStream(), options);
  } catch (error) {
    const {path} = options;
    throw new RecordingError(
      errorCodeOf(error) === 'EEXIST'
        ? `--record: ${path} already exists and is not overwritten: give another name, or remove it`
        : `--record: ${path} cannot be created, ${reasonOf(error)}`,
      {cause: error},
    );
  }
};

const reasonByCode: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
  EIO: 'the device does not answer',
  EACCES: 'permission is denied',
  EPERM: 'that is not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  'unknown error': 'for an unknown reason',
};

/** Returns why a file could not be used, in words. */
export const reasonOf = (error: unknown): string => {
  const code = errorCodeOf(error);
  return reasonByCode[code] ?? code;
};
