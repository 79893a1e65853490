import {canonicalStampLength, formatInstant, type Instant, parseInstant} from '#log/line/instant.ts';
import {cutBefore} from '#service/window/split-lines.ts';

/**
 * What a kubelet writes at the end of a stream that it cannot follow on, since its runtime has removed the container:
 * containerd's words, and CRI-O's. No newline need stand before them.
 */
const removedWords =
  /rpc error: code = NotFound desc = (?:an error occurred when try to find|could not find) container "[0-9a-f]{64}".*$/s;

/** What it writes in place of a log that is gone, such as that of the instance before one that has ended, too. */
const goneWords = /^unable to retrieve container logs for (\w+:\/\/[0-9a-f]{64})$/;

/** Returns where such words begin in a text that no newline ends; -1 if they are not there. */
export const findRemovedWords = (text: string): number => text.search(removedWords);

/** Returns the runtime's id of the instance whose log a sentence says is gone; undefined if it says something else. */
export const readGoneInstance = (sentence: string): string | undefined => goneWords.exec(sentence)?.[1];

/**
 * A line of a container, and of which stream, where that is known. `line` is `<timestamp> <text>` as it is served, the
 * timestamp in UTC with nine decimals.
 */
export type LogLine = {readonly stamp: Instant; readonly line: string; readonly stream?: string};

/** The lines that some bytes held. After a fault nothing more is read. */
type LogBatch = {readonly lines: readonly LogLine[]; readonly fault: string | undefined};

export type LogFront = {
  /** The answer may begin inside a line, because of `sinceTime` or `tailLines`: a text without a stamp is the rest. */
  readonly isCut: boolean;
  /**
   * Leave out the first line: `tailLines` counts pieces of long lines, and the rest of a line has a stamp like a line.
   */
  readonly dropsFirst: boolean;
};

/** The kubelet joins the pieces of a line, however many there are: a longer one is cut. */
export const logLineBytesMax = 1024 * 1024;

const newline = 0x0a;
const noBytes = Buffer.alloc(0);
/** Characters of a fault that are kept: the kubelet's sentences are shorter. */
const faultCharsMax = 300;

/**
 * Creates the reader of one answer. Every line has a stamp; the kubelet writes its own errors between them, without
 * one. Lines longer than `logLineBytesMax` are cut into lines with the same stamp, always at the same places.
 */
export const createLogLines = ({isCut, dropsFirst}: LogFront, stream?: string) => {
  const ofStream = stream === undefined ? undefined : {stream};
  let rest: Buffer = noBytes;
  let isAtFront = true;
  let dropsNext = dropsFirst;
  let cutFront: string | undefined;
  let fault: string | undefined;

  const readLine = (text: string): LogLine | undefined => {
    const space = text.indexOf(' ');
    const stampEnd = space === -1 ? text.length : space;
    const stampText = text.slice(0, stampEnd);
    const stamp = parseInstant(stampText);
    if (stamp === undefined) {
      return undefined;
    }
    const isCanonical = stampEnd === canonicalStampLength && space !== -1 && stampText.endsWith('Z');
    const line = isCanonical ? text : `${formatInstant(stamp)} ${text.slice(stampEnd + 1)}`;
    return {stamp, line, ...ofStream};
  };

  const takeLine = (text: string, lines: LogLine[]): LogLine | undefined => {
    const line = readLine(text);
    if (!line) {
      if (isAtFront && isCut) {
        cutFront = text;
      } else if (text !== '') {
        fault = text.slice(0, faultCharsMax);
      }
    } else if (dropsNext) {
      dropsNext = false;
    } else {
      lines.push(line);
    }
    cutFront = line ? undefined : cutFront;
    isAtFront = false;
    return line;
  };

  const takeAll = (all: Buffer, lines: LogLine[]): Buffer => {
    let bytes = all;
    let start = 0;
    while (fault === undefined) {
      const end = bytes.indexOf(newline, start);
      const size = (end === -1 ? bytes.length : end) - start;
      if (size > logLineBytesMax) {
        const cut = cutBefore(bytes, start + logLineBytesMax);
        const line = takeLine(bytes.toString('utf8', start, cut), lines);
        // The rest continues with the same stamp.
        const stamp = line ? `${formatInstant(line.stamp)} ` : '';
        bytes = Buffer.concat([Buffer.from(stamp), bytes.subarray(cut)]);
        start = 0;
      } else if (end === -1) {
        return start === 0 ? bytes : bytes.subarray(start);
      } else {
        takeLine(bytes.toString('utf8', start, end), lines);
        start = end + 1;
      }
    }
    return noBytes;
  };

  return {
    /** Keeps nothing of `bytes` itself. */
    take: (bytes: Buffer): LogBatch => {
      const lines: LogLine[] = [];
      const left = takeAll(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]), lines);
      // A copy: what is left must not keep the whole block alive, and the caller may use the block again.
      rest = left.length === 0 ? noBytes : Buffer.from(left);
      return {lines, fault};
    },
    /** Returns the last line if no newline ended it, for a stream that ended. A text without a stamp is a fault. */
    takeRest: (): LogBatch => {
      const lines: LogLine[] = [];
      if (fault === undefined && rest.length > 0) {
        const text = rest.toString('utf8');
        const end = findRemovedWords(text);
        if (end > 0) {
          takeLine(text.slice(0, end), lines);
          fault ??= text.slice(end, end + faultCharsMax);
        } else {
          takeLine(text, lines);
        }
      }
      rest = noBytes;
      // With no line after it, the rest of a cut line is more likely a sentence of the kubelet.
      return {lines, fault: fault ?? cutFront?.slice(0, faultCharsMax)};
    },
  };
};

/** Reads the answer of a log request with `timestamps=true`. */
export type LogLines = ReturnType<typeof createLogLines>;

/**
 * Creates a gate that holds the lines of a tail until it is known whether the first one is the rest of a long line.
 * `tailLines`: how many pieces of lines were asked for; undefined: no tail, so all lines pass.
 * With more than half as many lines, the log may be longer: the first line is left out, and `onCut` is called.
 */
export const createFrontGate = (tailLines: number | undefined, onCut: () => void) => {
  let held: LogLine[] | undefined = tailLines === undefined ? undefined : [];
  let isWhole = false;

  const settle = (): readonly LogLine[] => {
    const lines = held ?? [];
    isWhole ||= held !== undefined && lines.length * 2 <= Number(tailLines);
    const isCut = held !== undefined && !isWhole;
    held = undefined;
    if (isCut) {
      onCut();
    }
    return isCut ? lines.slice(1) : lines;
  };

  return {
    /** Returns the lines that may pass. */
    take: (lines: readonly LogLine[]): readonly LogLine[] => {
      if (!held) {
        return lines;
      }
      for (const line of lines) {
        held.push(line);
      }
      return held.length >= Number(tailLines) ? settle() : [];
    },
    /** No more come for now. Returns what was held; later lines all pass. */
    settle,
    /** The log begins with the first line that passed. */
    isWhole: (): boolean => isWhole,
  };
};

/** Creates a gate that leaves out the lines before the first one of this time or later; undefined: all pass. */
export const createTimeGate = (from: Instant | undefined): ((lines: readonly LogLine[]) => readonly LogLine[]) => {
  let isOpen = from === undefined;
  return lines => {
    if (isOpen || from === undefined) {
      return lines;
    }
    const index = lines.findIndex(({stamp}) => stamp >= from);
    isOpen = index !== -1;
    return isOpen ? lines.slice(index) : [];
  };
};
