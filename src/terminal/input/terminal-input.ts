import {Readable} from 'node:stream';
import {createInputFilter, type TerminalReport} from './input-filter.ts';

/** What may be the Esc key waits this long for the rest of a report: a terminal writes one in one piece, and it is rarely split on its way. */
const maybeHeldMs = 10;

/** A report that has begun waits this long for its end, as slow lines need, and is then dropped. */
const reportHeldMs = 1_000;

/** An answer that took longer than this does not come. */
const answerMsMax = 10_000;

/** What branchlog asks of the terminal that keys are read from; `process.stdin` has it. */
export type KeySource = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
};

export type TerminalInput = {
  /** Keys and pasted text as the terminal sent them, for Ink in place of stdin: it has `isTTY`, `setRawMode`, `ref` and `unref`. */
  readonly stream: Readable;
  /** A question goes out: its answer is taken out of what is typed. */
  expectAnswer(): void;
  /** The mouse is switched on. It stays expected, for a report may be on its way when it is switched off. */
  expectMouse(): void;
  /** Lets go of the source. */
  close(): void;
};

/**
 * Stands between the terminal and Ink, and takes out what the terminal reports by itself: Ink drops mouse reports, and would take an
 * answer of the terminal for typed letters. All other bytes pass unchanged and in order. The source is read from the first
 * `setRawMode(true)` on; when it ends, the stream ends.
 */
export const createTerminalInput = (source: KeySource, onReport: (report: TerminalReport) => void): TerminalInput => {
  let expectsMouse = false;
  let answerUntilMs = 0;
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  const filter = createInputFilter(() => ({
    mouse: expectsMouse,
    answer: performance.now() < answerUntilMs,
  }));

  const stream = new Readable({
    read() {
      if (isReading) {
        source.resume();
      }
    },
  });

  const pass = (typed: string): void => {
    // Latin-1 is one character a byte, so text in UTF-8 comes out as it went in, however it was split.
    if (typed !== '' && !stream.push(Buffer.from(typed, 'latin1'))) {
      source.pause();
    }
  };

  const release = (): void => {
    clearTimeout(timer);
    pass(filter.release());
  };

  const onData = (chunk: Buffer | string): void => {
    clearTimeout(timer);
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const {typed, reports} = filter.push(bytes.toString('latin1'));
    pass(typed);
    for (const report of reports) {
      if (report.kind === 'background') {
        answerUntilMs = 0;
      }
      onReport(report);
    }
    const held = filter.held();
    if (held !== 'nothing') {
      timer = setTimeout(release, held === 'maybe' ? maybeHeldMs : reportHeldMs);
      timer.unref();
    }
  };

  const onEnd = (): void => {
    release();
    stream.push(null);
  };

  const stopReading = (): void => {
    if (isReading) {
      isReading = false;
      source.off('data', onData);
      source.off('end', onEnd);
      source.pause();
    }
  };

  const startReading = (): void => {
    if (!isReading) {
      isReading = true;
      source.on('end', onEnd);
      source.on('data', onData);
    }
  };

  Object.assign(stream, {
    isTTY: source.isTTY === true,
    setRawMode: (isRaw: boolean) => {
      source.setRawMode?.(isRaw);
      if (isRaw) {
        startReading();
      } else {
        stopReading();
      }
      return stream;
    },
    ref: () => {
      source.ref?.();
      return stream;
    },
    unref: () => {
      source.unref?.();
      return stream;
    },
  });

  return {
    stream,
    expectAnswer() {
      answerUntilMs = performance.now() + answerMsMax;
    },
    expectMouse() {
      expectsMouse = true;
    },
    close() {
      clearTimeout(timer);
      stopReading();
    },
  };
};
