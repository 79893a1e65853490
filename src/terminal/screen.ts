import {enterScreen, leaveScreen, pasteBracketsOff, pasteBracketsOn} from './escapes.ts';
import {formatFrameChange, type ShownFrame} from './frame-change.ts';
import type {FrameClock} from './frame-clock.ts';
import {FrameStream} from './frame-stream.ts';
import {setBlocking} from './nonblocking-output.ts';
import {toPlainText} from './plain-text.ts';
import {clampScreenSize, type ScreenSize} from './screen-size.ts';

/** At most 60 frames a second: no eye sees more, and a slow line carries fewer. */
const frameIntervalMs = 1000 / 60;

/** A frame this long after a key is taken for its answer; later ones have another cause. */
const keyAnswerMs = 200;

export type ScreenCounters = {
  /** Everything written to the terminal, in bytes. */
  readonly bytesWritten: number;
  readonly framesPainted: number;
  /** Frames that were handed over and never painted: equal to what was shown, or overtaken by a newer one. */
  readonly framesDropped: number;
};

export type ScreenOptions = {
  readonly stdout: NodeJS.WriteStream;
  readonly clock: FrameClock;
  /** True for a terminal that takes no control sequences (`TERM=dumb`): nothing is drawn but the last frame, as plain text, on leaving. */
  readonly isPlain?: boolean;
};

/** The seam between Ink and the terminal: whole frames in, and out of it only what changed. */
export type Screen = {
  /** Ink's stdout: `render(<App />, {stdout: screen.stream, debug: true, interactive: true, patchConsole: false, exitOnCtrlC: false})`. */
  readonly stream: FrameStream;
  /** The size to draw for, at most 500×200. It changes with the stream's `resize` event. */
  readonly size: ScreenSize;
  readonly counters: ScreenCounters;
  /** Takes the terminal over. Frames that came before are painted now. */
  enter(): void;
  /** Gives the terminal back as it was. May be called at any time and as often as one likes. */
  leave(): void;
  /** Draws everything anew, at once: Ctrl-L, or after something else wrote to the terminal. */
  repaint(): void;
  /** Says that the terminal had another size, if only for a moment: the size is read and everything drawn anew, at most once a frame. */
  noteResize(): void;
  /** Says that a key was pressed: the next frame is its answer and is painted at once, whatever the frame rate. */
  noteKey(): void;
  /** Gives the terminal back for a while, as before Ctrl-Z; frames are kept meanwhile. */
  suspend(): void;
  /** Takes the terminal over again after `suspend`, and draws everything anew. */
  resume(): void;
  /** Resolves when the terminal has taken all that was written. Never rejects. */
  flushed(): Promise<void>;
};

/**
 * Puts a screen on a terminal. One write a frame, equal frames dropped, at most 60 a second. As long as the terminal
 * has not taken the write before, nothing more is written, and then only the newest frame is painted.
 */
export const createScreen = ({stdout, clock, isPlain = false}: ScreenOptions): Screen => {
  let size = clampScreenSize(stdout);
  let isEntered = false;
  let isSuspended = false;
  let newest: string | undefined;
  let shown: ShownFrame | undefined;
  let shownFrame: string | undefined;
  let writesUnderWay = 0;
  let hasPasteBrackets = false;
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
    // An error also arrives as the stream's own event; whoever runs the program listens there.
    stdout.write(bytes, () => {
      writesUnderWay -= 1;
      if (isSuspended && writesUnderWay === 0) {
        setBlocking(stdout, true);
      }
      schedulePaint();
    });
  };

  const isDrawing = (): boolean => isEntered && !isSuspended && !isPlain;

  /** Not while the terminal is still busy with the write before, nor while a new size is about to bring a new layout. */
  const mayPaint = (): boolean => isDrawing() && writesUnderWay === 0 && cancelResize === undefined;

  const paint = (): void => {
    cancelPaint = undefined;
    if (newest === undefined || !mayPaint()) {
      return;
    }
    const change = formatFrameChange(shown, newest, size);
    shown = change.shown;
    shownFrame = newest;
    paintedAtMs = clock.nowMs();
    keyAtMs = Number.NEGATIVE_INFINITY;
    framesPainted += 1;
    write(change.bytes);
  };

  const schedulePaint = (): void => {
    const isUpToDate = shown !== undefined && newest === shownFrame;
    if (newest === undefined || isUpToDate || !mayPaint()) {
      return;
    }
    cancelPaint?.();
    const nowMs = clock.nowMs();
    const isKeyAnswer = nowMs - keyAtMs < keyAnswerMs;
    cancelPaint = clock.schedule(isKeyAnswer ? 0 : Math.max(0, paintedAtMs + frameIntervalMs - nowMs), paint);
  };

  const onFrame = (frame: string): void => {
    if (frame === shownFrame || newest !== shownFrame) {
      framesDropped += 1;
    }
    newest = frame;
    if (shown !== undefined && frame === shownFrame) {
      cancelPaint?.();
      cancelPaint = undefined;
      return;
    }
    schedulePaint();
  };

  const onPasteBrackets = (isOn: boolean): void => {
    hasPasteBrackets = isOn;
    if (isDrawing()) {
      write(isOn ? pasteBracketsOn : pasteBracketsOff);
    }
  };

  const stream = new FrameStream(size, {onFrame, onPasteBrackets});

  const takeSize = (): void => {
    cancelResize = undefined;
    // Whatever the terminal did to its rows, from here on nothing is known of them.
    shown = undefined;
    size = clampScreenSize(stdout);
    stream.resizeTo(size);
    schedulePaint();
  };

  // A window dragged to a new size tells of every step; one layout a frame is enough.
  const onResize = (): void => {
    shown = undefined;
    cancelResize ??= clock.schedule(Math.max(0, paintedAtMs + frameIntervalMs - clock.nowMs()), takeSize);
  };

  const takeOver = (): void => {
    shown = undefined;
    setBlocking(stdout, false);
    if (!isPlain) {
      write(enterScreen + (hasPasteBrackets ? pasteBracketsOn : ''));
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
      if (isPlain && newest !== undefined) {
        write(`${toPlainText(newest)}\n`);
      }
    },
    repaint() {
      shown = undefined;
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
