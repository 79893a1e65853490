import type {Capabilities} from '../colour/capabilities.ts';
import {enterScreen, leaveScreen, pasteBracketsOff, pasteBracketsOn} from '../sequences/escapes.ts';
import {mouseReportsOff, mouseReportsOn} from '../sequences/mouse.ts';
import {createFrameFormatter, type ShownFrame} from './frame-change.ts';
import type {FrameClock} from './frame-clock.ts';
import {composeRows, isSameBlock, type RowBlock} from './frame-rows.ts';
import {FrameStream} from './frame-stream.ts';
import {setBlocking} from './nonblocking-output.ts';
import {clampScreenSize, type ScreenSize} from './screen-size.ts';

/** At most 60 frames a second: the eye sees no more, and a slow line carries fewer. */
const frameIntervalMs = 1000 / 60;

/** A frame within this time after a key counts as its response; later ones have another cause. */
const keyAnswerMs = 200;

export type ScreenCounters = {
  /** Total bytes written to the terminal. */
  readonly bytesWritten: number;
  readonly framesPainted: number;
  /** Frames that were submitted but never painted: equal to the frame shown, or replaced by a newer one. */
  readonly framesDropped: number;
};

export type ScreenOptions = {
  readonly stdout: NodeJS.WriteStream;
  readonly clock: FrameClock;
  /**
   * What the terminal supports; nothing else is used. A terminal without control sequences (`TERM=dumb`) shows only the
   * last frame, as plain text, on leaving.
   */
  readonly capabilities: Capabilities;
};

/** The layer between Ink and the terminal: takes whole frames, writes only what changed. */
export type Screen = {
  /**
   * Ink's stdout:
   * `render(<App />, {stdout: screen.stream, debug: true, interactive: true, patchConsole: false, exitOnCtrlC:
   * false})`.
   */
  readonly stream: FrameStream;
  /** The size to draw for, at most 500×200. Changes with the stream's `resize` event. */
  readonly size: ScreenSize;
  readonly counters: ScreenCounters;
  /**
   * Inserts rows into the frame without Ink, in place of one of its rows; undefined removes them. They stay until the
   * next call. Call this in the commit that writes the frame they belong to (`useLayoutEffect`): nothing is painted
   * before the current task ends, so a frame never appears with another frame's rows.
   */
  putRows(block: RowBlock | undefined): void;
  /** Takes over the terminal, and paints a frame submitted earlier. */
  enter(): void;
  /** Restores the terminal. Safe to call at any time and repeatedly. */
  leave(): void;
  /** Sets every mode and redraws everything at once: Ctrl-L, `reset`, or after something else wrote to the terminal. */
  repaint(): void;
  /**
   * Reports that the terminal changed its size, if only for a moment: reads the size and redraws everything, at most
   * once a frame.
   */
  noteResize(): void;
  /** Reports a key press: the next frame is its response and is painted at once, whatever the frame rate. */
  noteKey(): void;
  /**
   * Sends a control sequence that leaves no trace on the screen, such as a text for the clipboard. Dropped while the
   * terminal is not ours.
   */
  writeControl(bytes: string): void;
  /**
   * Turns mouse reports (presses and the wheel) on or off; stays in effect through `suspend` and `resume`, until the
   * screen is left.
   */
  setMouse(isOn: boolean): void;
  /** Gives the terminal back temporarily, as before Ctrl-Z; frames are kept meanwhile. */
  suspend(): void;
  /** Takes over the terminal again after `suspend`, and redraws everything. */
  resume(): void;
  /** Resolves when the terminal has taken everything that was written. Never rejects. */
  flushed(): Promise<void>;
};

/**
 * Creates a screen on a terminal. Each frame is one write; equal frames are dropped; at most 60 are painted a second.
 * While the terminal has not taken the previous write, nothing more is written, and afterwards only the newest frame is
 * painted.
 */
export const createScreen = ({stdout, clock, capabilities}: ScreenOptions): Screen => {
  const {isPlain} = capabilities;
  const formatFrameChange = createFrameFormatter(capabilities);
  let size = clampScreenSize(stdout);
  let isEntered = false;
  let isSuspended = false;
  let frame: string | undefined;
  let block: RowBlock | undefined;
  let shown: ShownFrame | undefined;
  let shownFrame: string | undefined;
  let shownBlock: RowBlock | undefined;
  let hasUnpaintedFrame = false;
  let mustSetModes = false;
  let writesUnderWay = 0;
  let hasPasteBrackets = false;
  let hasMouse = false;
  let paintedAtMs = Number.NEGATIVE_INFINITY;
  let keyAtMs = Number.NEGATIVE_INFINITY;
  let cancelPaint: (() => void) | undefined;
  let cancelResize: (() => void) | undefined;
  let bytesWritten = 0;
  let framesPainted = 0;
  let framesDropped = 0;

  const write = (bytes: string): void => {
    if (bytes === '' || stdout.destroyed) {
      return;
    }
    bytesWritten += Buffer.byteLength(bytes);
    writesUnderWay += 1;
    // The stream also emits an error as its own event; the lifecycle listens there.
    stdout.write(bytes, () => {
      writesUnderWay -= 1;
      if (isSuspended && writesUnderWay === 0) {
        setBlocking(stdout, true);
      }
      schedulePaint();
    });
  };

  const enterBytes = (): string =>
    enterScreen + (hasPasteBrackets ? pasteBracketsOn : '') + (hasMouse ? mouseReportsOn : '');

  const isDrawing = (): boolean => isEntered && !isSuspended && !isPlain;

  /**
   * Returns whether a frame may be painted: not while the terminal is busy with the previous write, nor while a new
   * size is about to bring a new layout.
   */
  const mayPaint = (): boolean => isDrawing() && writesUnderWay === 0 && cancelResize === undefined;

  const isUpToDate = (): boolean => shown !== undefined && frame === shownFrame && isSameBlock(block, shownBlock);

  const dropFrame = (): void => {
    framesDropped += hasUnpaintedFrame ? 1 : 0;
    hasUnpaintedFrame = false;
  };

  const paint = (): void => {
    cancelPaint = undefined;
    if (frame === undefined || !mayPaint()) {
      return;
    }
    if (isUpToDate()) {
      dropFrame();
      return;
    }
    const change = formatFrameChange(shown, composeRows(frame, block, size.rows), size);
    shown = change.shown;
    shownFrame = frame;
    shownBlock = block;
    hasUnpaintedFrame = false;
    paintedAtMs = clock.nowMs();
    keyAtMs = Number.NEGATIVE_INFINITY;
    framesPainted += 1;
    write((mustSetModes ? enterBytes() : '') + change.bytes);
    mustSetModes = false;
  };

  const schedulePaint = (): void => {
    cancelPaint?.();
    cancelPaint = undefined;
    if (frame === undefined || !mayPaint() || isUpToDate()) {
      return;
    }
    const nowMs = clock.nowMs();
    const isKeyAnswer = nowMs - keyAtMs < keyAnswerMs;
    cancelPaint = clock.schedule(isKeyAnswer ? 0 : Math.max(0, paintedAtMs + frameIntervalMs - nowMs), paint);
  };

  const onFrame = (newest: string): void => {
    dropFrame();
    frame = newest;
    hasUnpaintedFrame = true;
    schedulePaint();
  };

  const onPasteBrackets = (isOn: boolean): void => {
    if (isOn !== hasPasteBrackets) {
      hasPasteBrackets = isOn;
      if (isDrawing()) {
        write(isOn ? pasteBracketsOn : pasteBracketsOff);
      }
    }
  };

  const stream = new FrameStream(size, {onFrame, onPasteBrackets});

  const takeSize = (): void => {
    cancelResize = undefined;
    // Whatever the terminal did to its rows, the content of the screen is unknown from here on.
    shown = undefined;
    size = clampScreenSize(stdout);
    stream.resizeTo(size);
    schedulePaint();
  };

  // A window dragged to a new size reports every step; one layout a frame is enough.
  const onResize = (): void => {
    shown = undefined;
    cancelResize ??= clock.schedule(Math.max(0, paintedAtMs + frameIntervalMs - clock.nowMs()), takeSize);
  };

  const takeOver = (): void => {
    shown = undefined;
    setBlocking(stdout, false);
    if (!isPlain) {
      write(enterBytes());
    }
    schedulePaint();
  };

  const giveBack = (): void => {
    cancelPaint?.();
    cancelPaint = undefined;
    shown = undefined;
    if (!isPlain) {
      write(leaveScreen);
    }
  };

  return {
    stream,
    putRows(rows) {
      block = rows;
      schedulePaint();
    },
    get size() {
      return size;
    },
    get counters() {
      return {bytesWritten, framesPainted, framesDropped};
    },
    enter() {
      if (isEntered) {
        return;
      }
      isEntered = true;
      isSuspended = false;
      stdout.on('resize', onResize);
      takeOver();
    },
    leave() {
      if (!isEntered) {
        return;
      }
      if (!isSuspended) {
        giveBack();
      }
      isEntered = false;
      isSuspended = false;
      cancelResize?.();
      cancelResize = undefined;
      stdout.off('resize', onResize);
      if (isPlain && frame !== undefined) {
        write(`${toPlainText(composeRows(frame, block, size.rows).join('\n'))}\n`);
      }
    },
    repaint() {
      shown = undefined;
      mustSetModes = true;
      keyAtMs = clock.nowMs();
      schedulePaint();
    },
    noteResize() {
      if (isEntered) {
        onResize();
      }
    },
    noteKey() {
      keyAtMs = clock.nowMs();
    },
    writeControl(bytes) {
      // A frame is one write, so this goes between two of them.
      if (isDrawing()) {
        write(bytes);
      }
    },
    setMouse(isOn) {
      if (isOn !== hasMouse) {
        hasMouse = isOn;
        if (isDrawing()) {
          write(isOn ? mouseReportsOn : mouseReportsOff);
        }
      }
    },
    suspend() {
      if (isEntered && !isSuspended) {
        giveBack();
        isSuspended = true;
      }
    },
    resume() {
      if (isEntered) {
        isSuspended = false;
        takeOver();
      }
    },
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

/** Removes colours and links from a frame, for a terminal without control sequences. */
const toPlainText = (frame: string): string =>
  frame
    .replaceAll(/\u001b(?:\[[0-9;:]*m|\]8;;[!-~]*\u001b\\)/g, '')
    .split('\n')
    .map(row => row.trimEnd())
    .join('\n')
    .trimEnd();
