import type {Instant} from '../../log/line/instant.ts';

/** A line in a window. `line` is `<timestamp> <text>` as it is served. */
export type KeptLine = {
  /** The line's arrival number, which rises over the whole state. */
  readonly sequence: number;
  /** The pod's key in the state. */
  readonly podKey: number;
  readonly stamp: Instant;
  readonly line: string;
};

/** Lines that came and went since the last look; a line that did both is in neither. */
export type WindowChanges = {readonly added: readonly KeptLine[]; readonly removed: readonly number[]};

export type LineWindow = {
  add(line: KeptLine): void;
  /** All lines by stamp; of equal stamps, the line that arrived first. */
  lines(): readonly KeptLine[];
  /** Lets go of every line that arrived up to this number. */
  dropUpTo(sequence: number): void;
  /** Notes a number whose line is not here and was not let go by this window. */
  raiseDropped(sequence: number): void;
  /** The highest arrival number whose line is not here; 0 where there is none. */
  dropped(): number;
  /** From here on, the line that arrived first leaves first. */
  endGathering(): void;
  isGathering(): boolean;
  takeChanges(): WindowChanges;
};

export type LineWindowOptions = {
  readonly linesMax: number;
  readonly bytesMax: number;
  /** Each pod has `linesMax` lines of its own. */
  readonly isPerPod: boolean;
  /** Until `endGathering`, the oldest line by stamp leaves first. */
  readonly isGathering?: boolean;
};

/** About 100,000 access lines. The answer repeats every line in `events`, so its body is twice this, and clients stop at 64 MB. */
export const windowBytesMax = 24 * 1024 * 1024;

/** The list of evicted places at the front of an array is compacted when it is this long, so that each eviction is cheap. */
const deadLinesMax = 4096;

/** The first to leave stands at `start`. */
type Share = {lines: KeptLine[]; start: number};

/** Stands where an evicted line stood until the array is compacted: the line itself must not be kept alive. */
const evictedLine: KeptLine = {sequence: -1, podKey: -1, stamp: 0n, line: ''};

const isStampedBefore = (left: KeptLine, right: KeptLine): boolean =>
  left.stamp < right.stamp || (left.stamp === right.stamp && left.sequence < right.sequence);

const arrivedBefore = (left: KeptLine, right: KeptLine): boolean => left.sequence < right.sequence;

const insertSorted = (share: Share, line: KeptLine): void => {
  let [low, high] = [share.start, share.lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = share.lines[middle];
    if (other && isStampedBefore(other, line)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  share.lines.splice(low, 0, line);
};

/**
 * The last `linesMax` lines to arrive, over all pods or of each pod. Past `bytesMax` the first to arrive leave first.
 * Arrival decides, not the stamp, so that a pod whose clock is behind is never left out. While the window gathers, the
 * stamp decides: at the first start all files are read at once, and the order of reading means nothing.
 */
export const createLineWindow = ({
  linesMax,
  bytesMax,
  isPerPod,
  isGathering: gathersFirst = false,
}: LineWindowOptions): LineWindow => {
  const shares = new Map<number, Share>();
  let isGathering = gathersFirst;
  let leavesBefore = isGathering ? isStampedBefore : arrivedBefore;
  let added = new Map<number, KeptLine>();
  let removed: number[] = [];
  let bytes = 0;
  let dropped = 0;
  let sorted: readonly KeptLine[] | undefined;

  const noteLeft = (line: KeptLine): void => {
    bytes -= Buffer.byteLength(line.line);
    dropped = Math.max(dropped, line.sequence);
    if (!added.delete(line.sequence)) {
      removed.push(line.sequence);
    }
  };

  const evictFirst = (share: Share): void => {
    const line = share.lines[share.start];
    if (!line) {
      return;
    }
    share.lines[share.start] = evictedLine;
    share.start += 1;
    if (share.start >= deadLinesMax) {
      share.lines = share.lines.slice(share.start);
      share.start = 0;
    }
    noteLeft(line);
  };

  const shareToCut = (): Share | undefined => {
    let first: {share: Share; line: KeptLine} | undefined;
    for (const share of shares.values()) {
      const line = share.lines[share.start];
      if (line && (!first || leavesBefore(line, first.line))) {
        first = {share, line};
      }
    }
    return first?.share;
  };

  return {
    add: line => {
      const shareKey = isPerPod ? line.podKey : 0;
      const share = shares.get(shareKey) ?? {lines: [], start: 0};
      shares.set(shareKey, share);
      sorted = undefined;
      bytes += Buffer.byteLength(line.line);
      added.set(line.sequence, line);
      const newest = share.lines.at(-1);
      if (!newest || share.start === share.lines.length || leavesBefore(newest, line)) {
        share.lines.push(line);
      } else {
        insertSorted(share, line);
      }
      if (share.lines.length - share.start > linesMax) {
        evictFirst(share);
      }
      while (bytes > bytesMax) {
        const share = shareToCut();
        if (!share) {
          return;
        }
        evictFirst(share);
      }
    },
    lines: () => {
      // Sorting what is in order already, or in a few runs, costs one pass.
      sorted ??= [...shares.values()]
        .flatMap(share => share.lines.slice(share.start))
        .sort((left, right) => (isStampedBefore(left, right) ? -1 : 1));
      return sorted;
    },
    dropUpTo: sequence => {
      sorted = undefined;
      for (const share of shares.values()) {
        const held = share.lines.slice(share.start);
        share.lines = held.filter(line => line.sequence > sequence);
        share.start = 0;
        for (const line of held) {
          if (line.sequence <= sequence) {
            noteLeft(line);
          }
        }
      }
    },
    raiseDropped: sequence => {
      dropped = Math.max(dropped, sequence);
    },
    dropped: () => dropped,
    endGathering: () => {
      isGathering = false;
      leavesBefore = arrivedBefore;
    },
    isGathering: () => isGathering,
    takeChanges: () => {
      const changes = {added: [...added.values()], removed};
      added = new Map();
      removed = [];
      return changes;
    },
  };
};
