import {Writable} from 'node:stream';
import {pasteBracketsOff, pasteBracketsOn} from './escapes.ts';
import type {ScreenSize} from './screen-size.ts';

export type FrameStreamEvents = {
  /** A whole frame: rows joined by line feeds, plain except for SGR colours. */
  readonly onFrame: (frame: string) => void;
  /** Ink switches bracketed paste on or off. */
  readonly onPasteBrackets: (isOn: boolean) => void;
};

// What Ink writes besides frames: private modes such as `?25h` at unmount, an empty text to learn when everything is
// written, and, if it takes the terminal for a pipe, a lone line feed.
const controlPattern = /^(?:\u001b\[[?<>=][0-9;]*[a-z])*\n?$/;

/**
 * Ink's stdout. With `debug: true`, Ink writes whole frames without cursor codes, one per commit even if nothing
 * changed; this stream separates them from control writes and passes them on.
 *
 * An empty frame looks the same as Ink's empty write and is dropped; to show an empty screen, draw a blank.
 */
export class FrameStream extends Writable {
  /** Ink requires this before it uses keys and sizes. */
  readonly isTTY = true;
  columns: number;
  rows: number;

  constructor(size: ScreenSize, {onFrame, onPasteBrackets}: FrameStreamEvents) {
    super({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        const text = chunk.toString();
        if (!controlPattern.test(text)) {
          onFrame(text);
        } else if (text.includes(pasteBracketsOn) || text.includes(pasteBracketsOff)) {
          onPasteBrackets(text.includes(pasteBracketsOn));
        }
        done();
      },
    });
    this.columns = size.columns;
    this.rows = size.rows;
    // Every component that reads the size listens; their number is no leak.
    this.setMaxListeners(0);
  }

  /** Applies a new size and notifies the layout. */
  resizeTo({columns, rows}: ScreenSize): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }
}
