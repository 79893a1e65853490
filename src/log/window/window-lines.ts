import {formatInstant, type Instant} from '#log/line/instant.ts';
import {linesPerPause, sortWork, type Work} from '#log/work.ts';
import type {Texts} from './texts.ts';

/** A parsed line of a window: its time and its identity. */
export type WindowLine = {
  /** Its timestamp, or the previous line's if it has no readable one. */
  readonly at: Instant;
  /** As received. */
  readonly raw: string;
  /** Where the text begins in `raw`; 0 if the timestamp can't be read. */
  readonly textIndex: number;
  /**
   * Its identity, time and text. Equals `raw` unless the timestamp is in another form, so that `.1Z`, `.100000000Z` and
   * `+00:00` give one identity.
   */
  readonly key: string;
};

/** Set in the index of a text whose whole line is its identity. */
const isKeyBit = 0x8000_0000;
/** With fewer lines, an array of times costs the collector little, and reading from it makes no BigInt each time. */
const packedLinesMin = 50_000;
/** The range of 64 bits: the years 1677 to 2262. */
const [timeMin, timeMax] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * The lines of a window. There may be hundreds of thousands, so they are no objects, which the garbage collector would
 * have to visit, but made when needed.
 */
export class WindowLines {
  length = 0;
  readonly raws: Texts;
  times: BigInt64Array | Instant[];
  readonly textIndexes: Uint32Array;

  /** The texts of all the lines to be added. */
  constructor(raws: Texts) {
    this.raws = raws;
    this.times = raws.length < packedLinesMin ? [] : new BigInt64Array(raws.length);
    this.textIndexes = new Uint32Array(raws.length);
  }

  /** Adds the next of the texts, read as this line. */
  add({at, raw, textIndex, key}: WindowLine): void {
    if ((at < timeMin || at > timeMax) && this.times instanceof BigInt64Array) {
      this.times = this.#unpackedTimes();
    }
    this.times[this.length] = at;
    this.textIndexes[this.length] = key === raw ? textIndex + isKeyBit : textIndex;
    this.length += 1;
  }

  /** Adds the lines of other ones from an index on: they have the next of the texts. */
  addFrom({times, textIndexes, length}: WindowLines, from: number): void {
    if (times instanceof BigInt64Array && this.times instanceof BigInt64Array) {
      this.times.set(times.subarray(from, length), this.length);
    } else {
      const own = this.#unpackedTimes();
      for (const time of times.slice(from, length)) {
        own.push(time);
      }
      this.times = own;
    }
    this.textIndexes.set(textIndexes.subarray(from, length), this.length);
    this.length += length - from;
  }

  #unpackedTimes(): Instant[] {
    return this.times instanceof BigInt64Array ? [...this.times.subarray(0, this.length)] : this.times;
  }

  /** Checks whether all timestamps could be read. */
  areStamped(): boolean {
    return !this.textIndexes.includes(0);
  }

  /** Checks whether the timestamp of any line from an index to before another could be read. */
  hasStamp(from = 0, to = this.length): boolean {
    return this.textIndexes.subarray(from, to).some(index => index !== 0);
  }

  /** Iterates over the times of the lines from an index on whose timestamp could be read. */
  *stampedTimes(from = 0): Generator<Instant> {
    for (let index = from; index < this.length; index++) {
      if (this.textIndexes[index] !== 0) {
        yield this.times[index] ?? 0n;
      }
    }
  }

  /** Returns the time of the line at an index from 0; undefined outside. */
  timeAt(index: number): Instant | undefined {
    return index < this.length ? this.times[index] : undefined;
  }

  /** Returns the line at an index from 0; undefined outside. */
  get(index: number): WindowLine | undefined {
    const at = this.timeAt(index);
    const raw = this.raws.at(index);
    const stored = this.textIndexes[index] ?? 0;
    if (at === undefined || raw === undefined) {
      return undefined;
    }
    return stored >= isKeyBit
      ? {at, raw, textIndex: stored - isKeyBit, key: raw}
      : {at, raw, textIndex: stored, key: keyOf(at, raw, stored)};
  }

  /** Checks the identity of the line at an index. Makes no line: a poll compares many times as many as it has. */
  hasKey(index: number, key: string): boolean {
    const at = this.times[index];
    const raw = this.raws.at(index);
    const stored = this.textIndexes[index] ?? 0;
    return at !== undefined && raw !== undefined && (stored >= isKeyBit ? raw : keyOf(at, raw, stored)) === key;
  }

  /** Returns the lines ordered by time, equal times as they are; the lines themselves if that is their order. */
  *sorted(): Work<WindowLines> {
    const timeOf = (index: number): Instant => this.timeAt(index) ?? 0n;
    let isSorted = true;
    for (let index = 1; isSorted && index < this.length; index++) {
      isSorted = timeOf(index - 1) <= timeOf(index);
      if (index % linesPerPause === 0) {
        yield;
      }
    }
    if (isSorted) {
      return this;
    }
    const unordered = Array.from({length: this.length}, (_, index) => index);
    const order = yield* sortWork(unordered, (a, b) => {
      const [first, second] = [timeOf(a), timeOf(b)];
      return first < second ? -1 : first > second ? 1 : 0;
    });
    const raws = [...this.raws];
    const sorted = new WindowLines(order.map(index => raws[index] ?? ''));
    for (const index of order) {
      const line = this.get(index);
      if (line !== undefined) {
        sorted.add(line);
      }
      if (sorted.length % linesPerPause === 0) {
        yield;
      }
    }
    return sorted;
  }
}

/** Returns the identity of a line whose timestamp is in another form than usual, or can't be read. */
export const keyOf = (at: Instant, raw: string, textIndex: number): string =>
  textIndex === 0 ? `\0${at}\0${raw}` : `${formatInstant(at)} ${raw.slice(textIndex)}`;

/** Iterates over lines from an index to before another, with their indexes. */
export function* eachLine(
  lines: WindowLines,
  from = 0,
  to = lines.length,
): Generator<readonly [index: number, line: WindowLine]> {
  for (let index = from; index < to; index++) {
    const line = lines.get(index);
    if (line !== undefined) {
      yield [index, line];
    }
  }
}
