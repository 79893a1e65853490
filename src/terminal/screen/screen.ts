import {toAscii} from './ascii.ts';
import type {Capabilities} from './capabilities.ts';
import {
  enterScreen,
  leaveScreen,
  mouseReportsOff,
  mouseReportsOn,
  pasteBracketsOff,
  pasteBracketsOn,
} from './escapes.ts';
import {
  composeRows,
  createFrameFormatter,
  firstChanges,
  isSameBlock,
  type RowBlock,
  type ShownFrame,
} from './frame-change.ts';
import {clampScreenSize, type FrameClock, FrameStream, flushed, type ScreenSize, setBlocking} from './frame-stream.ts';
import {createLinePace} from './line-pace.ts';

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
   * The features that the terminal supports; no others are used. A terminal without control sequences
   * (`TERM=dumb`) shows only the last frame, as plain text, on leaving.
   */
  readonly capabilities: Capabilities;
  /** The line to the terminal became slow, or quick again. Without this, the terminal is not asked how quick it is. */
  readonly onPace?: (isSlow: boolean) => void;
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
  /** Reports that the terminal has answered whether it works. */
  noteReady(): void;
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
  /** Resolves when the terminal has taken all that was written, and answered what it was asked. Never rejects. */
  flushed(): Promise<void>;
};

/** Whose the terminal is: the shell's, ours, or the shell's until `resume`. */
type Owner = 'shell' | 'us' | 'shellForNow';

/** The work of the next turn of the event loop: nothing, a frame, or a new size and so a new layout. */
type Pending =
  | {readonly kind: 'nothing'}
  | {readonly kind: 'paint'; readonly cancel: () => void}
  | {readonly kind: 'resize'; readonly cancel: () => void};

/** A frame and the rows to insert into it. */
type Picture = {readonly frame: string; readonly block: RowBlock | undefined};

/** The picture on the terminal: unknown after others wrote to it, or the last picture. */
type OnScreen =
  | {readonly kind: 'unknown'}
  | {readonly kind: 'known'; readonly shown: ShownFrame; readonly of?: Picture};

/** A picture that is on the screen in part, and its rows. */
type Unfinished = Picture & {readonly rows: readonly string[]};

const nothing: Pending = {kind: 'nothing'};
const unknown: OnScreen = {kind: 'unknown'};

/**
 * Creates a screen on a terminal. Each frame is one write; equal frames are dropped; at most 60 are painted a second.
 * While the terminal has not taken the previous write, nothing more is written, and afterwards only the newest frame is
 * painted.
 */
export const createScreen = ({stdout, clock, capabilities, onPace}: ScreenOptions): Screen => {
  const {isPlain, hasUtf8} = capabilities;
  const showable = (text: string): string => (hasUtf8 ? text : toAscii(text));
  const formatFrameChange = createFrameFormatter(capabilities);
  const counters = {bytesWritten: 0, framesPainted: 0, framesDropped: 0};
  const modes = {pasteBrackets: false, mouse: false, mustBeSet: false};
  let size = clampScreenSize(stdout);
  let owner: Owner = 'shell';
  let pending: Pending = nothing;
  let frame: string | undefined;
  let block: RowBlock | undefined;
  let onScreen: OnScreen = unknown;
  let unfinished: Unfinished | undefined;
  let onReady: (() => void) | undefined;
  const pace = createLinePace(capabilities.hasScrollRegions && onPace !== undefined);
  let hasUnpaintedFrame = false;
  let writesUnderWay = 0;
  let paintedAtMs = Number.NEGATIVE_INFINITY;
  let keyAtMs = Number.NEGATIVE_INFINITY;

  const write = (bytes: string): void => {
    if (bytes === '' || stdout.destroyed) {
      return;
    }
    counters.bytesWritten += Buffer.byteLength(bytes);
    writesUnderWay += 1;
    // The stream also emits an error as its own event; the lifecycle listens there.
    stdout.write(bytes, () => {
      writesUnderWay -= 1;
      if (owner === 'shellForNow' && writesUnderWay === 0) {
        setBlocking(stdout, true);
      }
      schedulePaint();
    });
  };

  /** Writes while the terminal is ours. A frame is one write, so this goes between two of them. */
  const control = (bytes: string): void => {
    if (owner === 'us' && !isPlain) {
      write(showable(bytes));
    }
  };

  const enterBytes = (): string =>
    enterScreen + (modes.pasteBrackets ? pasteBracketsOn : '') + (modes.mouse ? mouseReportsOn : '');

  /**
   * Returns whether a frame may be painted: not while the terminal is busy with the previous write, nor while a new
   * size is about to bring a new layout.
   */
  const mayPaint = (): boolean => owner === 'us' && !isPlain && writesUnderWay === 0 && pending.kind !== 'resize';

  const isUpToDate = (): boolean =>
    onScreen.kind === 'known' &&
    onScreen.of !== undefined &&
    frame === onScreen.of.frame &&
    isSameBlock(block, onScreen.of.block);

  const isKeyAnswer = (): boolean => clock.nowMs() - keyAtMs < keyAnswerMs;

  const dropFrame = (): void => {
    counters.framesDropped += hasUnpaintedFrame ? 1 : 0;
    hasUnpaintedFrame = false;
  };

  const cancelPaint = (): void => {
    if (pending.kind === 'paint') {
      pending.cancel();
      pending = nothing;
    }
  };

  const paint = (): void => {
    pending = nothing;
    if (frame === undefined || !mayPaint()) {
      return;
    }
    if (isUpToDate()) {
      dropFrame();
      return;
    }
    const nowMs = clock.nowMs();
    if (pace.waitMs(isKeyAnswer(), nowMs) > 0) {
      schedulePaint();
      return;
    }
    const before = onScreen.kind === 'known' ? onScreen.shown : undefined;
    // What was begun is finished first, so that a slow line shows whole screens, unless a key asks for another.
    const next =
      before !== undefined && unfinished !== undefined && !isKeyAnswer()
        ? unfinished
        : {frame, block, rows: composeRows(frame, block, size.rows).map(showable)};
    let change = formatFrameChange(before, next.rows, size);
    const isWhole = before === undefined || change.bytes.length <= pace.bytesMax();
    if (!isWhole) {
      change = formatFrameChange(before, firstChanges(before, next.rows, pace.bytesMax()), size);
    }
    const {shown, bytes} = change;
    unfinished = isWhole ? undefined : next;
    onScreen = {kind: 'known', shown, ...(isWhole && {of: next})};
    hasUnpaintedFrame = false;
    paintedAtMs = nowMs;
    keyAtMs = Number.NEGATIVE_INFINITY;
    counters.framesPainted += 1;
    write((modes.mustBeSet ? enterBytes() : '') + bytes + pace.wrote(bytes.length, nowMs));
    modes.mustBeSet = false;
  };

  const schedulePaint = (): void => {
    cancelPaint();
    if (frame === undefined || !mayPaint() || isUpToDate()) {
      return;
    }
    const nowMs = clock.nowMs();
    const isAnswer = isKeyAnswer();
    const delayMs = Math.max(
      pace.waitMs(isAnswer, nowMs),
      isAnswer ? 0 : Math.max(0, paintedAtMs + frameIntervalMs - nowMs),
    );
    pending = {kind: 'paint', cancel: clock.schedule(delayMs, paint)};
  };

  const onFrame = (newest: string): void => {
    dropFrame();
    frame = newest;
    hasUnpaintedFrame = true;
    schedulePaint();
  };

  const onPasteBrackets = (isOn: boolean): void => {
    if (isOn !== modes.pasteBrackets) {
      modes.pasteBrackets = isOn;
      control(isOn ? pasteBracketsOn : pasteBracketsOff);
    }
  };

  const stream = new FrameStream(size, {onFrame, onPasteBrackets});

  const takeSize = (): void => {
    pending = nothing;
    // Whatever the terminal did to its rows, the content of the screen is unknown from here on.
    onScreen = unknown;
    size = clampScreenSize(stdout);
    stream.resizeTo(size);
    schedulePaint();
  };

  // A window dragged to a new size reports every step; one layout a frame is enough.
  const onResize = (): void => {
    onScreen = unknown;
    if (pending.kind !== 'resize') {
      cancelPaint();
      const delayMs = Math.max(0, paintedAtMs + frameIntervalMs - clock.nowMs());
      pending = {kind: 'resize', cancel: clock.schedule(delayMs, takeSize)};
    }
  };

  const takeOver = (): void => {
    owner = 'us';
    onScreen = unknown;
    pace.forget();
    setBlocking(stdout, false);
    control(enterBytes() + pace.begin(clock.nowMs()));
    schedulePaint();
  };

  const giveBack = (to: Owner): void => {
    cancelPaint();
    onScreen = unknown;
    control(leaveScreen);
    owner = to;
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
      return {...counters};
    },
    enter() {
      if (owner === 'shell') {
        stdout.on('resize', onResize);
        takeOver();
      }
    },
    leave() {
      if (owner === 'shell') {
        return;
      }
      giveBack('shell');
      if (pending.kind === 'resize') {
        pending.cancel();
        pending = nothing;
      }
      stdout.off('resize', onResize);
      if (isPlain && frame !== undefined) {
        write(showable(`${toPlainText(composeRows(frame, block, size.rows).join('\n'))}\n`));
      }
    },
    repaint() {
      onScreen = unknown;
      modes.mustBeSet = true;
      keyAtMs = clock.nowMs();
      schedulePaint();
    },
    noteResize() {
      if (owner !== 'shell') {
        onResize();
      }
    },
    noteKey() {
      keyAtMs = clock.nowMs();
    },
    noteReady() {
      const wasSlow = pace.isSlow();
      pace.answered(clock.nowMs());
      if (pace.isSlow() !== wasSlow) {
        onPace?.(!wasSlow);
      }
      onReady?.();
      schedulePaint();
    },
    writeControl: control,
    setMouse(isOn) {
      if (isOn !== modes.mouse) {
        modes.mouse = isOn;
        control(isOn ? mouseReportsOn : mouseReportsOff);
      }
    },
    suspend() {
      if (owner === 'us') {
        giveBack('shellForNow');
      }
    },
    resume() {
      if (owner !== 'shell') {
        takeOver();
      }
    },
    flushed: () =>
      pace.isAsked(clock.nowMs())
        ? new Promise(resolve => {
            onReady = resolve;
          })
        : flushed(stdout),
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
