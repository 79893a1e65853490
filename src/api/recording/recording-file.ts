import {open} from 'node:fs/promises';
import type {Writable} from 'node:stream';
import {errorCodeOf} from '../../config/memory/state-file.ts';
import {stringifySafe} from '../../log/text/escape-json.ts';
import {RecordingError} from './recording-error.ts';

/** An hour of a loud branch is some hundred megabytes; a recording that nobody thought of any more must not fill a disk. */
export const recordingBytesMax = 2 * 1024 * 1024 * 1024;

/** A disk that takes nothing for so long that this much waits is no place for a recording; the log matters more. */
export const recordingQueueBytesMax = 64 * 1024 * 1024;

/** Writes a recording's rows, in order. */
export type RecordingFile = {
  /** Makes a row and hands it on; never throws and never waits. After the file was given up no row is made any more. */
  write(makeRow: () => object): void;
  /** Resolves when the system has taken all rows, or the file was given up. */
  finish(): Promise<void>;
};

export type RecordingFileOptions = {
  readonly path: string;
  /** Called once, with a sentence, when the recording stops before its end. */
  readonly stopped: (sentence: string) => void;
  readonly bytesMax?: number;
  readonly queueBytesMax?: number;
};

/** A recording's rows into a stream. A stream that fails ends the recording, and nothing else. */
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
      stopped(`the recording ${path} stops here, ${reason}; all else goes on`);
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
        // JSON of more than half a gigabyte is more than a string can be.
        giveUp('an answer is too large to be written down');
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
 * Makes the file of a recording: readable by its owner only, and never in the place of another. Throws `RecordingError` where
 * that can't be done.
 */
export const openRecordingFile = async (options: RecordingFileOptions): Promise<RecordingFile> => {
  try {
    const handle = await open(options.path, 'wx', 0o600);
    return createRecordingFile(handle.createWriteStream(), options);
  } catch (error) {
    const {path} = options;
    throw new RecordingError(
      errorCodeOf(error) === 'EEXIST'
        ? `--record: ${path} is there already and is not overwritten: give another name, or remove it`
        : `--record: ${path} can't be made, ${reasonOf(error)}`,
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

/** Why a file could not be used, in words. */
export const reasonOf = (error: unknown): string => {
  const code = errorCodeOf(error);
  return reasonByCode[code] ?? code;
};
