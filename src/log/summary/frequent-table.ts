import type {Instant} from '../line/instant.ts';
import type {PartSource} from './line-part.ts';

/** What is kept of the values of one table when it grows too long; twice as many make it so. */
const keptMax = 2000;

/** An example is for recognising a line by. */
const exampleCharsMax = 400;

/** A value can be read in an access line, a text and in few fields of records. */
const sourcesMax = 10;

/** One value of a table, and the lines that have it. */
export type FrequentValue = {
  readonly key: string;
  /** Lines with it since it was last taken in: all of them, or up to `missedMax` fewer than there were. */
  readonly count: number;
  readonly missedMax: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The first such line, as received, cut at 400 code units. */
  readonly example: string;
  /** Where it was read, see `PartSource`. */
  readonly sources: readonly PartSource[];
};

type Held = {-readonly [Name in keyof FrequentValue]: FrequentValue[Name]} & {sources: PartSource[]};

/** A piece of a text keeps all of it in memory, and a line is itself a piece of the text of hundreds. Nothing else copies any string as quickly. */
const copyOf = (piece: string): string => String(JSON.parse(JSON.stringify(piece)));

/**
 * Counts values in bounded memory. Past 4,000 different ones the rarer half is dropped and only its lines are counted: a
 * value that comes again later starts anew, and `missedMax` says by how much its count may be too low. Values more frequent
 * than that are never missing.
 */
export class FrequentTable {
  readonly #held = new Map<string, Held>();
  #total = 0;
  #missedMax = 0;

  add(key: string, source: PartSource, text: string, at: Instant): void {
    this.#total += 1;
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#hold(key, source, text, at);
      return;
    }
    held.count += 1;
    if (at > held.lastAt) {
      held.lastAt = at;
    } else if (at < held.firstAt) {
      held.firstAt = at;
    }
    if (held.sources[0] !== source && held.sources.length < sourcesMax && !held.sources.includes(source)) {
      held.sources.push(source);
    }
  }

  /** Lines that had a value. */
  get total(): number {
    return this.#total;
  }

  /** How many different values there are; false where some were dropped and nobody knows. */
  get distinct(): number | false {
    return this.#missedMax === 0 ? this.#held.size : false;
  }

  /** The most frequent values, at most `topN`; equally frequent ones in the order in which they came. */
  top(topN: number): readonly FrequentValue[] {
    return this.#ranked()
      .slice(0, topN)
      .map(held => ({...held, sources: [...held.sources]}));
  }

  #ranked(): Held[] {
    return [...this.#held.values()].sort((a, b) => b.count - a.count);
  }

  #hold(key: string, source: PartSource, text: string, at: Instant): void {
    if (this.#held.size >= 2 * keptMax) {
      this.#prune();
    }
    const copy = copyOf(key);
    this.#held.set(copy, {
      key: copy,
      count: 1,
      missedMax: this.#missedMax,
      firstAt: at,
      lastAt: at,
      example: copyOf(text.slice(0, exampleCharsMax)),
      sources: [source],
    });
  }

  #prune(): void {
    const dropped = this.#ranked().slice(keptMax);
    // What is dropped had been missed before at most, and now this much more.
    this.#missedMax += dropped[0]?.count ?? 0;
    for (const {key} of dropped) {
      this.#held.delete(key);
    }
  }
}
