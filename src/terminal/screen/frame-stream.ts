import {Writable} from 'node:stream';
import {pasteBracketsOff, pasteBracketsOn} from './escapes.ts';

type BlockingHandle = {setBlocking(isBlocking: boolean): unknown};

const handleOf = (stream: Writable): BlockingHandle | undefined => {
  const handle: unknown = '_handle' in stream ? stream._handle : undefined;
  const isHandle = typeof handle === 'object' && handle !== null && 'setBlocking' in handle;
  return isHandle && typeof handle.setBlocking === 'function' ? (handle as BlockingHandle) : undefined;
};

/**
 * Sets whether writes to a terminal block until the terminal has taken them.
 *
 * Node opens terminals as blocking: on a stalled line, or after Ctrl-S, the next write blocks the whole program,
 * including polls, keys and even signals. The switch is not in Node's documentation; if it is missing, the stream stays
 * as it is, which is slower in these cases and otherwise the same. Node undoes the switch on exit; code that stops the
 * program must do so too, because a shell may share the terminal's flags.
 */
export const setBlocking = (stream: Writable, isBlocking: boolean): void => {
  handleOf(stream)?.setBlocking(isBlocking);
};

/** Resolves when a terminal has taken everything that was written. Never rejects. */
export const flushed = (stream: Writable): Promise<void> =>
  new Promise(resolve => {
    if (stream.destroyed || stream.writableLength === 0) {
      resolve();
      return;
    }
    stream.write('', () => resolve());
  });

/** The clock of the screen, injected so that tests can control it. */
export type FrameClock = {
  /** Returns milliseconds on a monotonic clock; its origin has no meaning. */
  nowMs(): number;
  /**
   * Calls `run` once after `delayMs`; 0 means as soon as the current task and the work it queued have ended. Returns a
   * function that cancels the call.
   */
  schedule(delayMs: number, run: () => void): () => void;
};

/** The machine's clock. */
export const systemFrameClock: FrameClock = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    if (delayMs <= 0) {
      // Cancelled by a flag, not by clearImmediate: if an immediate throws and the next one is cleared while the
      // exception is handled, which happens when the screen is left, Node 24 corrupts its own list and throws again
      // forever.
      let isCalledOff = false;
      setImmediate(() => isCalledOff || run());
      return () => {
        isCalledOff = true;
      };
    }
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export type ScreenSize = {readonly columns: number; readonly rows: number};

/** A larger size is a mistake or an attack (5000×5000 was seen); a layout of that size would stall the program. */
const screenSizeMax: ScreenSize = {columns: 500, rows: 200};

/** The size assumed if a terminal does not report one, as usual since the VT100. */
const screenSizeUnknown: ScreenSize = {columns: 80, rows: 24};

const clamp = (value: number | undefined, unknown: number, max: number): number =>
  value === undefined || !Number.isInteger(value) || value < 1 ? unknown : Math.min(value, max);

/**
 * Returns the size to draw for, given the reported size. 0×0, as from serial consoles and containers, counts as not
 * reported.
 */
export const clampScreenSize = (told: {columns?: number | undefined; rows?: number | undefined}): ScreenSize => ({
  columns: clamp(told.columns, screenSizeUnknown.columns, screenSizeMax.columns),
  rows: clamp(told.rows, screenSizeUnknown.rows, screenSizeMax.rows),
});

type FrameStreamEvents = {
  /** A whole frame: rows joined by line feeds, plain except for SGR colours. */
  readonly onFrame: (frame: string) => void;
  /** Ink switches bracketed paste on or off. */
  readonly onPasteBrackets: (isOn: boolean) => void;
};

// Ink's output besides frames: private modes such as `?25h` at unmount, an empty text to learn when everything is
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
