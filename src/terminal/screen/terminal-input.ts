import {Readable} from 'node:stream';
import {createInputFilter, type TerminalReport} from '../input/input-filter.ts';

/**
 * Bytes that may be the Esc key wait this long for the rest of a report: a terminal writes a report in one piece, and
 * it is rarely split in transit.
 */
const maybeHeldMs = 10;

/** A report that has begun waits this long for its end, for slow lines, and is then dropped. */
const reportHeldMs = 1_000;

/** After this time, an answer is no longer expected. */
const answerMsMax = 10_000;

/** What branchlog needs of the terminal input; `process.stdin` provides it. */
export type KeySource = Readable & {
  readonly isTTY?: boolean;
  ref?(): unknown;
  unref?(): unknown;
};

export type TerminalInput = {
  /**
   * Keys and pasted text as the terminal sent them, used by Ink in place of stdin: it has `isTTY`, `ref`, `unref`, and
   * `setRawMode`, which starts and stops reading. The terminal's own mode is left to the lifecycle.
   */
  readonly stream: Readable;
  /** Expects the answer to a query, and removes it from typed input. */
  expectAnswer(): void;
  /** Expects mouse reports from now on, even after the mouse is switched off: a report may still be in transit. */
  expectMouse(): void;
  /** Releases the source. */
  close(): void;
};

/**
 * Creates the filter between the terminal and Ink that removes the terminal's own reports: Ink drops mouse reports, and
 * would treat an answer of the terminal as typed letters. All other bytes pass unchanged and in order. The source is
 * read from the first `setRawMode(true)` on; when it ends, the stream ends.
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
    // Latin-1 maps each byte to one character, so UTF-8 text is unchanged, however it was split.
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
