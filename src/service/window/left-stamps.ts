import type {Instant} from '#log/line/instant.ts';
import type {KeptLoss} from './window-losses.ts';

/** Numbers whose stamps are summarised together. */
const blockNumbers = 256;
/** Blocks that are kept: the oldest become one, so that a reader far behind is told a wider range. */
const blocksMax = 64;

export type StampRange = {readonly earliest: Instant; readonly latest: Instant};

const widen = (range: StampRange | undefined, earliest: Instant, latest: Instant): StampRange =>
  range
    ? {
        earliest: earliest < range.earliest ? earliest : range.earliest,
        latest: latest > range.latest ? latest : range.latest,
      }
    : {earliest, latest};

/**
 * Creates the stamps of lines that left a window, by blocks of numbers: for readers that had not seen them.
 * `unknownThrough`: lines up to this number left before, with stamps that nobody knows.
 */
export const createLeftStamps = (unknownThrough: number) => {
  const blocks = new Map<number, StampRange>();
  /** Everything below this block is in it. */
  let firstBlock = 0;
  let unknown = unknownThrough;
  let lossThrough = 0;

  const blockOf = (number: number): number => Math.max(firstBlock, Math.floor(number / blockNumbers));

  const add = (number: number, earliest: Instant, latest: Instant): void => {
    const block = blockOf(number);
    const known = blocks.get(block);
    if (known && known.earliest <= earliest && known.latest >= latest) {
      return;
    }
    blocks.set(block, widen(known, earliest, latest));
    if (blocks.size > blocksMax) {
      const [oldest = 0, next = 0] = [...blocks.keys()].sort((left, right) => left - right);
      const gone = blocks.get(oldest);
      blocks.delete(oldest);
      firstBlock = next;
      if (gone) {
        blocks.set(next, widen(blocks.get(next), gone.earliest, gone.latest));
      }
    }
  };

  return {
    add: (number: number, stamp: Instant): void => add(number, stamp, stamp),
    /** The loss has left, too: its lines belong to what left. */
    addLoss: ({number, after, before}: Pick<KeptLoss, 'number' | 'after' | 'before'>): void => {
      lossThrough = Math.max(lossThrough, number);
      if (after === undefined || before === undefined) {
        unknown = Math.max(unknown, number);
      } else {
        add(number, after, before);
      }
    },
    /** Records that lines up to this number left with stamps that nobody knows. */
    forget: (number: number): void => {
      unknown = Math.max(unknown, number);
    },
    /** Returns a range with the stamps of all lines that left after a number; undefined if it is not known. */
    after: (number: number): {readonly stamps: StampRange | undefined; readonly hasLoss: boolean} => {
      const hasLoss = number < lossThrough;
      if (number < unknown) {
        return {stamps: undefined, hasLoss};
      }
      const first = blockOf(number + 1);
      let stamps: StampRange | undefined;
      for (const [block, {earliest, latest}] of blocks) {
        if (block >= first) {
          stamps = widen(stamps, earliest, latest);
        }
      }
      return {stamps, hasLoss};
    },
  };
};
