import {Writable} from 'node:stream';
import {pasteBracketsOff, pasteBracketsOn} from '../sequences/escapes.ts';
import type {ScreenSize} from './screen-size.ts';

export type FrameStreamEvents = {
  /** A whole frame: rows joined by line feeds, coloured by SGR and otherwise plain. */
  readonly onFrame: (frame: string) => void;
  /** Ink wants pasted text bracketed, or no longer. */
  readonly onPasteBrackets: (isOn: boolean) => void;
};

// What Ink writes beside frames: private modes such as `?25h` at unmount, an empty text to learn when all is written,
// and, where it takes the terminal for a pipe, a lone line feed.
const controlPattern = /^(?:\u001b\[[?<>=][0-9;]*[a-z])*\n?$/;

/**
 * What Ink takes for its stdout. Run with `debug: true` Ink writes whole frames without cursor codes, one at each
 * commit and even if nothing changed; this takes them apart from its control writes and hands them on.
 *
 * An empty frame cannot be told from Ink's empty write and is dropped; draw a blank to show an empty screen.
 */
export class FrameStream extends Writable {
  /** Ink asks this before it takes keys and sizes seriously. */
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
    // Every component that asks for the size listens; their number is no leak.
    this.setMaxListeners(0);
  }

  /** Takes on a new size and tells whoever lays out frames. */
  resizeTo({columns, rows}: ScreenSize): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }
}
