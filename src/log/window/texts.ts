import {linesPerPause, type Work} from '#log/work.ts';

/** Lines as received, in order: an array of strings, or blocks that are read when they are asked for. */
export type Texts = readonly string[] | BlockTexts;

/** Consecutive lines that are kept in another form than strings. */
export type TextBlock = {
  readonly length: number;
  /** The number of characters of all, and of the longest. */
  readonly characters: number;
  readonly longest: number;
  /** Makes the strings. */
  readonly read: () => readonly string[];
};

/** Each has about 64 KB: what is under way in several windows at once. */
const readMax = 16;
/** The blocks that were read last, the newest at the end. */
const lastRead = new Map<TextBlock, readonly string[]>();

/** As many as a window of 20,000 lines has. */
const newMax = 64;
/** The new blocks of the last window, which is gone through several times while it is taken. */
const newBlocks = new Map<TextBlock, readonly string[]>();

/** Keeps the strings of a block that was made of them, until the next window comes. */
export const keepNewBlock = (block: TextBlock, texts: readonly string[]): void => {
  if (newBlocks.size < newMax) {
    newBlocks.set(block, texts);
  }
};

/** Lets go of what was kept of the window before. */
export const forgetNewBlocks = (): void => newBlocks.clear();

const readBlock = (block: TextBlock): readonly string[] => {
  const kept = newBlocks.get(block);
  if (kept !== undefined) {
    return kept;
  }
  const known = lastRead.get(block);
  const texts = known ?? block.read();
  lastRead.delete(block);
  lastRead.set(block, texts);
  if (known === undefined && lastRead.size > readMax) {
    for (const oldest of lastRead.keys()) {
      lastRead.delete(oldest);
      break;
    }
  }
  return texts;
};

/**
 * Lines in blocks. There may be a million, and as strings they would take several times their bytes, all of which the
 * garbage collector would have to visit. Quickest if read in order, and slow if more places are read in turn than
 * blocks are kept.
 */
export class BlockTexts<B extends TextBlock = TextBlock> {
  readonly blocks: readonly B[];
  readonly length: number;
  /** The block that was asked for last, its strings, and the index of the first of them. */
  #block: B | undefined;
  #texts: readonly string[] = [];
  #place = 0;
  #start = 0;

  /** The lines of some blocks, but for the first ones, of which all are in the first block. */
  constructor(blocks: readonly B[], skipped = 0, length = Number.POSITIVE_INFINITY) {
    this.blocks = blocks;
    this.#start = -skipped;
    this.length = Math.min(length, blocks.reduce((sum, block) => sum + block.length, 0) - skipped);
  }

  /** Returns the text at an index, from the end if it is negative. */
  at(index: number): string | undefined {
    const from = index < 0 ? this.length + index : index;
    if (from < 0 || from >= this.length) {
      return undefined;
    }
    this.#goTo(from);
    const block = this.blocks[this.#place];
    if (block !== undefined && block !== this.#block) {
      this.#texts = readBlock(block);
      this.#block = block;
    }
    return this.#texts[from - this.#start];
  }

  /** Goes to the block with an index. */
  #goTo(index: number): void {
    while (index < this.#start) {
      this.#place -= 1;
      this.#start -= this.blocks[this.#place]?.length ?? 0;
    }
    for (let length = this.#lengthHere(); index >= this.#start + length; length = this.#lengthHere()) {
      this.#start += length;
      this.#place += 1;
    }
  }

  #lengthHere(): number {
    return this.blocks[this.#place]?.length ?? Number.POSITIVE_INFINITY;
  }

  /** Returns those from an index to before another, neither of them negative. */
  slice(from = 0, to = this.length): BlockTexts<B> {
    if (from >= Math.min(to, this.length)) {
      return new BlockTexts<B>([]);
    }
    this.#goTo(Math.max(0, from));
    return new BlockTexts(this.blocks.slice(this.#place), from - this.#start, to - from);
  }

  /** The facts about the lines from an index on that need no reading of them; undefined inside a block. */
  blockAt(index: number): B | undefined {
    if (index < 0 || index >= this.length) {
      return undefined;
    }
    this.#goTo(index);
    const block = this.blocks[this.#place];
    return index === this.#start && block !== undefined && index + block.length <= this.length ? block : undefined;
  }

  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.length; index++) {
      yield this.at(index) ?? '';
    }
  }

  toReversed(): readonly string[] {
    return [...this].reverse();
  }

  some(matches: (text: string, index: number) => boolean): boolean {
    for (let index = 0; index < this.length; index++) {
      if (matches(this.at(index) ?? '', index)) {
        return true;
      }
    }
    return false;
  }
}

/** Returns lines as an array. */
export const asStrings = (texts: Texts): readonly string[] => (texts instanceof BlockTexts ? [...texts] : texts);

const blockOf = (texts: Texts, index: number): TextBlock | undefined =>
  texts instanceof BlockTexts ? texts.blockAt(index) : undefined;

/** Finds the first line with a text, from an index on; -1 if there is none. */
export function* findText(texts: Texts, text: string, from = 0): Work<number> {
  for (let index = from; index < texts.length; index++) {
    if (texts.at(index) === text) {
      return index;
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return -1;
}

/** Counts how many lines are the same in a row, from an index of each on. What both have in one block is not read. */
export function* countEqual(a: Texts, fromA: number, b: Texts, fromB: number): Work<number> {
  let count = 0;
  const length = Math.min(a.length - fromA, b.length - fromB);
  while (count < length) {
    const block = blockOf(a, fromA + count);
    if (block !== undefined && block === blockOf(b, fromB + count)) {
      count += block.length;
    } else if (a.at(fromA + count) === b.at(fromB + count)) {
      count += 1;
      if (count % linesPerPause === 0) {
        yield;
      }
    } else {
      break;
    }
  }
  return count;
}

/** Returns the number of characters of the lines from an index to before another, and of the longest. */
export const measureTexts = (
  texts: Texts,
  from = 0,
  to = texts.length,
): {readonly characters: number; readonly longest: number} => {
  let [characters, longest] = [0, 0];
  for (let index = from; index < to; ) {
    const block = blockOf(texts, index);
    const isWhole = block !== undefined && index + block.length <= to;
    const length = isWhole ? block.longest : (texts.at(index)?.length ?? 0);
    characters += isWhole ? block.characters : length;
    longest = Math.max(longest, length);
    index += isWhole ? block.length : 1;
  }
  return {characters, longest};
};
