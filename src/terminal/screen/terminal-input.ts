import {Readable} from 'node:stream';
import {type MouseReport, parseMouseReport, parseOldMouseReport} from './escapes.ts';
import {type Backdrop, parseBackground} from './passthrough.ts';

/** A message from the terminal itself, between the keys. */
export type TerminalReport =
  | MouseReport
  | {readonly kind: 'ready'}
  | {readonly kind: 'background'; readonly backdrop: Backdrop};

type FilteredInput = {
  /** Typed or pasted bytes, unchanged. */
  readonly typed: string;
  readonly reports: readonly TerminalReport[];
};

/**
 * How certain it is that the held bytes are a report. `maybe`: they may be the Esc key, and are released after a
 * moment. `report`: a report has begun, and its end may take longer to arrive.
 */
type Held = 'nothing' | 'maybe' | 'report';

type InputFilter = {
  /** Sorts what was read, one character a byte. Holds an unfinished possible report until the next call. */
  push(bytes: string): FilteredInput;
  held(): Held;
  /** Ends the wait for more bytes: returns the held ones if they were typed, and drops them if they began a report. */
  release(): string;
};

const esc = '\u001b';
const pasteStart = `${esc}[200~`;
const pasteEnd = `${esc}[201~`;

/** Longer than any expected report. Input that continues past it is not a report. */
const reportCharsMax = 64;

const mouseWhole = /^\u001b\[<[\d;]{0,20}[Mm]/;
const mouseBegun = /^\u001b\[<[\d;]{0,20}$/;
const oldMouseWhole = /^\u001b\[M[\s\S]{3}/;
const oldMouseBegun = /^\u001b\[M[\s\S]{0,2}$/;
// Answers to OSC 4, 10 to 19 and the like: no key sequence has this form.
const oscWhole = /^\u001b\]\d{1,4};[^\u0007\u001b]{0,56}(?:\u0007|\u001b\\)/;
const oscBegun = /^\u001b\]\d{1,4};[^\u0007\u001b]*\u001b?$/;
/** The answer to whether the terminal works. No key begins like it. */
const readyWhole = /^\u001b\[0n/;
const readyBegun = /^\u001b\[0$/;
const focusWhole = /^\u001b\[[IO]/;

/** A possible start of one of the above, which may also be Esc or a key with Alt. */
const maybeBegun = /^\u001b(?:\[|\]\d{0,4})?$/;

/**
 * The reports that the terminal may send by itself. If none is expected, all input passes at once, so that Esc is not
 * delayed.
 */
type Expected = {readonly mouse: boolean; readonly answer: boolean};

/**
 * Creates a filter that separates the terminal's reports from typed input: mouse reports, and answers to queries, which
 * a slow line may split and which may arrive long after the query. Pasted text passes unparsed.
 *
 * The old form of mouse reports looks like F1 on some consoles followed by letters, so it is recognised only while the
 * mouse is expected.
 */
export const createInputFilter = (expected: () => Expected): InputFilter => {
  const expectsMouse = (): boolean => expected().mouse;
  let pending = '';
  /** During a paste: the end of what has passed so far, because the closing bracket may be split. */
  let pasteTail: string | undefined;

  const readWhole = (
    rest: string,
  ): {readonly length: number; readonly report?: TerminalReport | undefined} | undefined => {
    const mouse = mouseWhole.exec(rest)?.[0];
    if (mouse !== undefined) {
      return {length: mouse.length, report: parseMouseReport(mouse)};
    }
    const oldMouse = expectsMouse() ? oldMouseWhole.exec(rest)?.[0] : undefined;
    if (oldMouse !== undefined) {
      return {length: oldMouse.length, report: parseOldMouseReport(oldMouse)};
    }
    const osc = oscWhole.exec(rest)?.[0];
    if (osc !== undefined) {
      const backdrop = parseBackground(osc);
      return {length: osc.length, report: backdrop && {kind: 'background', backdrop}};
    }
    if (readyWhole.test(rest)) {
      return {length: '\u001b[0n'.length, report: {kind: 'ready'}};
    }
    const focus = focusWhole.exec(rest)?.[0];
    return focus === undefined ? undefined : {length: focus.length};
  };

  const heldOf = (rest: string): Held => {
    if (maybeBegun.test(rest)) {
      return 'maybe';
    }
    const hasBegun =
      mouseBegun.test(rest) ||
      readyBegun.test(rest) ||
      (rest.length <= reportCharsMax && oscBegun.test(rest)) ||
      (expectsMouse() && oldMouseBegun.test(rest));
    if (hasBegun) {
      return 'report';
    }
    return pasteStart.startsWith(rest) ? 'maybe' : 'nothing';
  };

  /** Returns how many characters of the input belong to the current paste. */
  const lengthOfPaste = (input: string): number => {
    const tail = pasteTail ?? '';
    const end = (tail + input).indexOf(pasteEnd);
    pasteTail = end === -1 ? (tail + input).slice(1 - pasteEnd.length) : undefined;
    return end === -1 ? input.length : end + pasteEnd.length - tail.length;
  };

  const push = (bytes: string): FilteredInput => {
    const input = pending + bytes;
    pending = '';
    if (!expected().mouse && !expected().answer) {
      return {typed: input, reports: []};
    }
    let typed = '';
    const reports: TerminalReport[] = [];
    let index = 0;
    while (index < input.length) {
      if (pasteTail !== undefined) {
        const length = lengthOfPaste(input.slice(index));
        typed += input.slice(index, index + length);
        index += length;
        continue;
      }
      const next = input.indexOf(esc, index);
      if (next === -1) {
        typed += input.slice(index);
        break;
      }
      typed += input.slice(index, next);
      const rest = input.slice(next, next + reportCharsMax + 1);
      const whole = readWhole(rest);
      if (whole !== undefined) {
        index = next + whole.length;
        if (whole.report !== undefined) {
          reports.push(whole.report);
        }
        continue;
      }
      if (heldOf(rest) !== 'nothing') {
        pending = rest;
        break;
      }
      const isPaste = rest.startsWith(pasteStart);
      pasteTail = isPaste ? '' : undefined;
      const length = isPaste ? pasteStart.length : 1;
      typed += input.slice(next, next + length);
      index = next + length;
    }
    return {typed, reports};
  };

  const held = (): Held => (pending === '' ? 'nothing' : heldOf(pending));

  return {
    push,
    held,
    release() {
      const released = held() === 'maybe' ? pending : '';
      pending = '';
      return released;
    },
  };
};

/**
 * Bytes that may be the Esc key wait this long for the rest of a key or report, whose bytes come apart over a slow or
 * busy line. A user who presses Esc does not notice it.
 */
const keyHeldMs = 75;

/** The beginning of a key's sequence (ECMA-48, 5.4; SS3 of xterm), or Esc alone, at the end of what came. */
const unfinishedKey = /\u001b(?:\[[0-?]*[ -/]*|O)?$/;

/** A report that has begun waits this long for its end, for slow lines, and is then dropped. */
const reportHeldMs = 1_000;

/** After this time, an answer is no longer expected. */
const answerMsMax = 10_000;

/** The part of `process.stdin` that reading keys needs. */
type KeySource = Readable & {
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
  /** Expects answers for as long as it reads. */
  expectAnswers(): void;
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
  let unfinished = '';
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
    pass(unfinished + filter.release());
    unfinished = '';
  };

  const onData = (chunk: Buffer | string): void => {
    clearTimeout(timer);
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const {typed, reports} = filter.push(bytes.toString('latin1'));
    const held = filter.held();
    const keys = unfinished + typed;
    // What is held in the filter begins again, so nothing before it can go on.
    unfinished = held === 'nothing' ? (unfinishedKey.exec(keys)?.[0] ?? '') : '';
    pass(keys.slice(0, keys.length - unfinished.length));
    for (const report of reports) {
      if (report.kind === 'background' && Number.isFinite(answerUntilMs)) {
        answerUntilMs = 0;
      }
      onReport(report);
    }
    if (held !== 'nothing' || unfinished !== '') {
      timer = setTimeout(release, held === 'report' ? reportHeldMs : keyHeldMs);
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
      answerUntilMs = Math.max(answerUntilMs, performance.now() + answerMsMax);
    },
    expectAnswers() {
      answerUntilMs = Number.POSITIVE_INFINITY;
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
