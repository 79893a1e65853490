import type {Instant} from '#log/line/instant.ts';
import type {PartSource} from '#log/reading/scan-text.ts';

/** How many values of one table are kept when it grows to twice that. */
const keptMax = 2000;

/** An example only needs to make the line recognisable. */
const exampleCharsMax = 400;

/** A value can come from an access line, a text and a few fields of records. */
const sourcesMax = 10;

/** One value of a table, and the lines that have it. */
export type FrequentValue = {
  readonly key: string;
  /** Lines with it since it was last added: all of them, or up to `missedMax` fewer than there were. */
  readonly count: number;
  readonly missedMax: number;
  /** Those of the counted lines that are recent. */
  readonly recentCount: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The first such line, as received, cut at 400 code units. */
  readonly example: string;
  /** Where it was read, see `PartSource`. */
  readonly sources: readonly PartSource[];
};

type Held = {-readonly [Name in keyof FrequentValue]: FrequentValue[Name]} & {sources: PartSource[]};

/**
 * Copies a string: a substring keeps its whole parent in memory, and a line is itself a substring of the text of
 * hundreds. Nothing else copies any string as quickly.
 */
export const copyOf = (piece: string): string => String(JSON.parse(JSON.stringify(piece)));

/**
 * Counts values in bounded memory. Past 4,000 different ones the rarer half is dropped and only the number of its lines
 * is kept: a value that occurs again later starts at zero, and `missedMax` says by how much its count may be too low.
 * Values more frequent than that are never missing.
 */
export class FrequentTable {
  readonly #held = new Map<string, Held>();
  readonly #recentFrom: Instant | undefined;
  #total = 0;
  #missedMax = 0;

  /** Lines from `recentFrom` on are recent; none if it is undefined. */
  constructor(recentFrom?: Instant | undefined) {
    this.#recentFrom = recentFrom;
  }

  add(key: string, source: PartSource, text: string, at: Instant): void {
    this.#total += 1;
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#hold(key, source, text, at);
      return;
    }
    held.count += 1;
    held.recentCount += this.#isRecent(at) ? 1 : 0;
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

  /** How many different values there are; false if some were dropped, since the number is then unknown. */
  get distinct(): number | false {
    return this.#missedMax === 0 ? this.#held.size : false;
  }

  /** Returns the most frequent values, at most `topN`; equally frequent ones in order of arrival. */
  top(topN: number): readonly FrequentValue[] {
    return this.#ranked()
      .slice(0, topN)
      .map(held => ({...held, sources: [...held.sources]}));
  }

  #isRecent(at: Instant): boolean {
    return this.#recentFrom !== undefined && at >= this.#recentFrom;
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
      recentCount: this.#isRecent(at) ? 1 : 0,
      firstAt: at,
      lastAt: at,
      example: copyOf(text.slice(0, exampleCharsMax)),
      sources: [source],
    });
  }

  #prune(): void {
    const dropped = this.#ranked().slice(keptMax);
    // A dropped value may have been missed before by up to `missedMax`, and now by this much more.
    this.#missedMax += dropped[0]?.count ?? 0;
    for (const {key} of dropped) {
      this.#held.delete(key);
    }
  }
}
