import type {Instant} from '../../log/instant.ts';

/** A line in a window. `line` is `<timestamp> <text>` as it is served; `sequence` rises over the whole state. */
export type WindowLine = {
  readonly sequence: number;
  /** The pod's key in the state. */
  readonly podKey: number;
  readonly stamp: Instant;
  readonly line: string;
};

/** Lines that came and went since the last look; a line that did both is in neither. */
export type WindowChanges = {readonly added: readonly WindowLine[]; readonly removed: readonly number[]};

export type LineWindow = {
  add(line: WindowLine): void;
  /** All lines, oldest first; of equal stamps the one that was read first. */
  lines(): readonly WindowLine[];
  takeChanges(): WindowChanges;
  /** All lines, as an answer shows them. */
  show(): readonly WindowLine[];
  /** Lets go of every line that an answer may have shown. */
  letGoShown(): void;
};

/** About 100,000 access lines. The answer repeats every line in `events`, so its body is twice this, and clients stop at 64 MB. */
export const windowBytesMax = 24 * 1024 * 1024;

/** The list of evicted places at the front of an array is compacted when it is this long, so that each eviction is cheap. */
const deadLinesMax = 4096;

type Share = {lines: WindowLine[]; start: number};

/** Stands where an evicted line stood until the array is compacted: the line itself must not be kept alive. */
const evictedLine: WindowLine = {sequence: -1, podKey: -1, stamp: 0n, line: ''};

const isBefore = (left: WindowLine, right: WindowLine): boolean =>
  left.stamp < right.stamp || (left.stamp === right.stamp && left.sequence < right.sequence);

const insertSorted = (share: Share, line: WindowLine): void => {
  let [low, high] = [share.start, share.lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = share.lines[middle];
    if (other && isBefore(other, line)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  share.lines.splice(low, 0, line);
};

/**
 * The last `linesMax` lines by timestamp, over all pods or, with `isPerPod`, of each pod. Past `bytesMax` the oldest
 * leave first. Nothing that an answer cannot show is held.
 */
export const createLineWindow = ({
  linesMax,
  bytesMax,
  isPerPod,
}: {
  readonly linesMax: number;
  readonly bytesMax: number;
  readonly isPerPod: boolean;
}): LineWindow => {
  const shares = new Map<number, Share>();
  let added = new Map<number, WindowLine>();
  let removed: number[] = [];
  let bytes = 0;
  let merged: readonly WindowLine[] | undefined;
  let shownSequence = 0;

  const evictOldest = (share: Share): void => {
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
    bytes -= Buffer.byteLength(line.line);
    if (!added.delete(line.sequence)) {
      removed.push(line.sequence);
    }
  };

  const shareWithOldest = (): Share | undefined => {
    let oldest: {share: Share; line: WindowLine} | undefined;
    for (const share of shares.values()) {
      const line = share.lines[share.start];
      if (line && (!oldest || isBefore(line, oldest.line))) {
        oldest = {share, line};
      }
    }
    return oldest?.share;
  };

  const lines = (): readonly WindowLine[] => {
    merged ??= [...shares.values()]
      .flatMap(share => share.lines.slice(share.start))
      .sort((left, right) => (isBefore(left, right) ? -1 : 1));
    return merged;
  };

  return {
    add: line => {
      const shareKey = isPerPod ? line.podKey : 0;
      const share = shares.get(shareKey) ?? {lines: [], start: 0};
      shares.set(shareKey, share);
      merged = undefined;
      bytes += Buffer.byteLength(line.line);
      added.set(line.sequence, line);
      const newest = share.lines.at(-1);
      if (!newest || share.start === share.lines.length || isBefore(newest, line)) {
        share.lines.push(line);
      } else {
        insertSorted(share, line);
      }
      if (share.lines.length - share.start > linesMax) {
        evictOldest(share);
      }
      while (bytes > bytesMax) {
        const share = shareWithOldest();
        if (!share) {
          return;
        }
        evictOldest(share);
      }
    },
    lines,
    show: () => {
      for (const line of lines()) {
        shownSequence = Math.max(shownSequence, line.sequence);
      }
      return lines();
    },
    letGoShown: () => {
      merged = undefined;
      for (const share of shares.values()) {
        const kept = share.lines.slice(share.start).filter(line => line.sequence > shownSequence);
        for (const line of share.lines.slice(share.start)) {
          if (line.sequence <= shownSequence) {
            bytes -= Buffer.byteLength(line.line);
            if (!added.delete(line.sequence)) {
              removed.push(line.sequence);
            }
          }
        }
        share.lines = kept;
        share.start = 0;
      }
    },
    takeChanges: () => {
      const changes = {added: [...added.values()], removed};
      added = new Map();
      removed = [];
      return changes;
    },
  };
};
