/** Asks whether the terminal works (ECMA-48, DSR): its answer says that it has taken all that came before. */
const question = '\u001b[5n';

/** Bytes that may be on their way before it is known how quick the line is, and on a quick line. */
const [firstBytesMax, quickBytesMax] = [4096, 32_768];
/** Fewer at once would cost more for the questions than for the rows. */
const bytesMin = 256;
/** An answer that takes longer means that too much is on its way; the next is to take about `aimMs`, milliseconds. */
const [longMs, aimMs] = [600, 300];
/** Longer than the quickest answer: less is sent at once, or more. */
const [shrinkMs, growMs] = [250, 60];
/**
 * Nothing more is asked until so many bytes are written: while little is drawn, no answer is on its way that a shell
 * could take for keys if the program is stopped in that moment.
 */
const askedBytesMin = 2048;
/** A terminal that gave answers may be so slow, milliseconds. */
const lostMs = 30_000;
/** A first answer that takes longer may never come, milliseconds. */
const firstMs = 2000;
/** With less at once the line is called slow, and with more not slow any longer. */
const [slowBytes, notSlowBytes] = [1500, 3000];

/**
 * How much may be on its way to the terminal, so that the answer to a key does not wait behind it. Nothing is held back
 * from a terminal that has not answered yet: it may never.
 */
export type LinePace = {
  /** Returns what to send before the first frame: the first question, which is answered at once. */
  begin(nowMs: number): string;
  /** Counts a frame that is written now; returns what to send after it. */
  wrote(bytes: number, nowMs: number): string;
  /** The terminal has answered. */
  answered(nowMs: number): void;
  /** Returns for how long a frame has to wait, milliseconds; less for the answer to a key. */
  waitMs(isKeyAnswer: boolean, nowMs: number): number;
  /** Bytes to write at once. */
  bytesMax(): number;
  isSlow(): boolean;
  /** Another program may have had the answer. */
  forget(): void;
  /** A question has no answer yet. */
  isAsked(nowMs: number): boolean;
};

/** `asks`: the terminal is of a kind that answers. */
export const createLinePace = (asks: boolean): LinePace => {
  let isMute = !asks;
  let asked: {readonly atMs: number; readonly bytes: number} | undefined;
  let unasked = 0;
  let leastMs = Number.POSITIVE_INFINITY;
  let bytesMax = firstBytesMax;
  let isSlow = false;

  const hasAnswered = (): boolean => Number.isFinite(leastMs);

  return {
    begin(nowMs) {
      if (isMute || hasAnswered()) {
        return '';
      }
      asked = {atMs: nowMs, bytes: 0};
      return question;
    },
    wrote(bytes, nowMs) {
      unasked += bytes;
      if (isMute || asked !== undefined || (unasked < askedBytesMin && !isSlow)) {
        return '';
      }
      asked = {atMs: nowMs, bytes: unasked};
      unasked = 0;
      return question;
    },
    answered(nowMs) {
      if (asked === undefined) {
        return;
      }
      const tookMs = nowMs - asked.atMs;
      const {bytes} = asked;
      asked = undefined;
      leastMs = Math.min(leastMs, tookMs);
      if (bytes === 0) {
        return;
      }
      const overMs = tookMs - leastMs;
      if (tookMs > longMs || overMs > shrinkMs) {
        bytesMax = Math.max(bytesMin, Math.min(bytesMax / 2, (bytes * aimMs) / tookMs));
      } else if (overMs < growMs) {
        bytesMax = Math.min(quickBytesMax, Math.max(bytesMax * 1.25, bytes * 2));
      }
      isSlow = bytesMax < (isSlow ? notSlowBytes : slowBytes);
    },
    waitMs(isKeyAnswer, nowMs) {
      if (isMute || asked === undefined || !hasAnswered()) {
        return 0;
      }
      if (asked.bytes + unasked < bytesMax * (isKeyAnswer ? 2 : 1)) {
        return 0;
      }
      const leftMs = asked.atMs + lostMs - nowMs;
      if (leftMs <= 0) {
        isMute = true;
        isSlow = false;
        bytesMax = Number.POSITIVE_INFINITY;
      }
      return Math.max(0, leftMs);
    },
    bytesMax: () => (isMute || !hasAnswered() ? Number.POSITIVE_INFINITY : bytesMax),
    isSlow: () => isSlow,
    forget() {
      asked = undefined;
      unasked = 0;
    },
    isAsked: nowMs => asked !== undefined && !isMute && (hasAnswered() || nowMs - asked.atMs < firstMs),
  };
};
