import {Writable} from 'node:stream';
import {setBlocking} from '../screen/nonblocking-output.ts';
import type {Screen} from '../screen/screen.ts';
import {pasteBracketsOff, pasteBracketsOn} from '../sequences/escapes.ts';

/** So many bytes may be under way to a terminal that takes none: about what stands on a screen. */
const bytesUnderWayMax = 16 * 1024;

/** Whole lines to a terminal, one behind the other; nothing on it is ever changed. */
export type LineOutput = Pick<Screen, 'enter' | 'leave' | 'suspend' | 'resume' | 'noteResize' | 'flushed'> & {
  /** Ink's stdout: `render(<ReaderApp />, {stdout: output.stream, isScreenReaderEnabled: true, interactive: false, patchConsole: false})`. */
  readonly stream: LineStream;
  /** The terminal has not taken what was written: better wait. */
  readonly isBusy: () => boolean;
};

/**
 * What Ink takes for its stdout while it only appends. It is no terminal to Ink, which then writes text and nothing else. The line feed it
 * closes a frame with when it ends is not passed on: there is no frame.
 */
export class LineStream extends Writable {
  readonly isTTY = false;
  /** Ink lays nothing out for a screen reader; it asks all the same. */
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
 * Puts lines on a terminal, on its main screen. The only control sequences are those that mark pasted text, so that its letters are not taken
 * for commands.
 */
export const createLineOutput = (stdout: NodeJS.WriteStream): LineOutput => {
  let isEntered = false;
  let isSuspended = false;
  let bytesUnderWay = 0;

  const write = (text: string): void => {
    if (stdout.destroyed) {
      return;
    }
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
    flushed: () =>
      new Promise(resolve => {
        if (stdout.destroyed || stdout.writableLength === 0) {
          resolve();
          return;
        }
        stdout.write('', () => resolve());
      }),
  };
};
