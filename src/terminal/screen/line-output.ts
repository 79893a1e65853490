import {Writable} from 'node:stream';
import {toAscii} from './ascii.ts';
import type {Capabilities} from './capabilities.ts';
import {pasteBracketsOff, pasteBracketsOn} from './escapes.ts';
import {flushed, setBlocking} from './frame-stream.ts';
import type {Screen} from './screen.ts';

/** Bytes that may be pending on a terminal that takes none: about the content of a screen. */
const bytesUnderWayMax = 16 * 1024;

/** Writes whole lines to a terminal, one after another, and never changes them afterwards. */
export type LineOutput = Pick<Screen, 'enter' | 'leave' | 'suspend' | 'resume' | 'noteResize' | 'flushed'> & {
  /**
   * Ink's stdout:
   * `render(<ReaderApp />, {stdout: output.stream, isScreenReaderEnabled: true, interactive: false, patchConsole:
   * false})`.
   */
  readonly stream: LineStream;
  /** The terminal has not taken the previous output: better wait. */
  readonly isBusy: () => boolean;
};

/**
 * Ink's stdout in append-only mode. It does not look like a terminal to Ink, which then writes only text. The line feed
 * with which Ink closes its last frame is not passed on: there is no frame.
 */
export class LineStream extends Writable {
  readonly isTTY = false;
  /** Ink does no layout for a screen reader, but still reads the size. */
  readonly columns = 80;
  readonly rows = 24;

  constructor(onText: (text: string) => void) {
    super({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        const text = chunk.toString();
        if (text !== '' && text !== '\n') {
          onText(text);
        }
        done();
      },
    });
  }
}

/**
 * Writes lines to a terminal's main screen. The only control sequences are those that bracket pasted text, so that its
 * letters are not treated as commands.
 */
export const createLineOutput = (stdout: NodeJS.WriteStream, {hasUtf8}: Pick<Capabilities, 'hasUtf8'>): LineOutput => {
  let isEntered = false;
  let isSuspended = false;
  let bytesUnderWay = 0;

  const write = (given: string): void => {
    if (stdout.destroyed) {
      return;
    }
    const text = hasUtf8 ? given : toAscii(given);
    const bytes = Buffer.byteLength(text);
    bytesUnderWay += bytes;
    stdout.write(text, () => {
      bytesUnderWay -= bytes;
      if (isSuspended && bytesUnderWay === 0) {
        setBlocking(stdout, true);
      }
    });
  };

  const takeOver = (): void => {
    setBlocking(stdout, false);
    write(pasteBracketsOn);
  };

  return {
    stream: new LineStream(write),
    isBusy: () => bytesUnderWay > bytesUnderWayMax,
    enter() {
      isEntered = true;
      takeOver();
    },
    leave() {
      if (isEntered && !isSuspended) {
        write(pasteBracketsOff);
      }
      isEntered = false;
    },
    suspend() {
      if (isEntered && !isSuspended) {
        write(pasteBracketsOff);
        isSuspended = true;
      }
    },
    resume() {
      if (isEntered) {
        isSuspended = false;
        takeOver();
      }
    },
    noteResize() {},
    flushed: () => flushed(stdout),
  };
};
