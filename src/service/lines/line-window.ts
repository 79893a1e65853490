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

/** Lines added and removed since the last look; a line that was both is in neither list. */
export type WindowChanges = {readonly added: readonly KeptLine[]; readonly removed: readonly number[]};

export type LineWindow = {
  add(line: KeptLine): void;
  /** Returns all lines by stamp; lines with equal stamps in order of arrival. */
  lines(): readonly KeptLine[];
  /** Drops every line that arrived up to this number. */
  dropUpTo(sequence: number): void;
  /** Records the number of a line that is not in this window and was not dropped by it. */
  raiseDropped(sequence: number): void;
  /** Returns the highest arrival number whose line is not in the window; 0 if there is none. */
  dropped(): number;
  /** Drops the lines of a pod. */
  dropPod(podKey: number): void;
  /** Lets the first lines to leave go until at most this many bytes are held. */
  shrink(bytesMax: number): void;
  heldBytes(): number;
  /** From now on, lines leave in order of arrival. */
  endGathering(): void;
  isGathering(): boolean;
  takeChanges(): WindowChanges;
  /** Returns how many lines `takeChanges` would return as added. */
  addedCount(): number;
};

export type LineWindowOptions = {
  readonly linesMax: number;
  readonly bytesMax: number;
  /** Each pod has `linesMax` lines to itself. */
  readonly isPerPod: boolean;
  /** Until `endGathering`, lines leave in order of their stamps. */
  readonly isGathering?: boolean;
  /** False: `takeChanges` is never called. */
  readonly tracksChanges?: boolean;
};

/**
 * About 100,000 access lines. The answer repeats every line in `events`, so its body is twice this size, and clients
 * stop at 64 MB.
 */
export const windowBytesMax = 24 * 1024 * 1024;

/** Compact the array once it has this many evicted places at its front, so that each eviction stays cheap. */
const deadLinesMax = 4096;

/** `start` is the index of the next line to leave. */
type Share = {lines: KeptLine[]; start: number};

/** Placeholder for an evicted line until the array is compacted, so that the line itself can be freed. */
const evictedLine: KeptLine = {sequence: -1, podKey: -1, stamp: 0n, line: ''};

/** Control characters, most of which take six bytes in JSON. */
const controls = /[\u0000-\u0008\u000b\u000e-\u001f]/;

/** Returns about the bytes that a line takes in an answer. */
const sizeOf = (line: string): number => Buffer.byteLength(controls.test(line) ? JSON.stringify(line) : line);

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
 * Creates a window of the last `linesMax` lines to arrive, over all pods or per pod. Past `bytesMax`, lines leave in
 * order of arrival. Arrival decides, not the stamp, so that a pod with a slow clock is never left out. While the window
 * gathers, the stamp decides: at the first start all files are read at once, and the order of reading means nothing.
 */
export const createLineWindow = ({
  linesMax,
  bytesMax,
  isPerPod,
  isGathering: gathersFirst = false,
  tracksChanges = true,
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
    bytes -= sizeOf(line.line);
    dropped = Math.max(dropped, line.sequence);
    if (tracksChanges && !added.delete(line.sequence)) {
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

  const shrink = (limitBytes: number): void => {
    while (bytes > limitBytes) {
      const share = shareToCut();
      if (!share) {
        return;
      }
      sorted = undefined;
      evictFirst(share);
    }
  };

  const dropWhere = (leaves: (line: KeptLine) => boolean): void => {
    sorted = undefined;
    for (const share of shares.values()) {
      const held = share.lines.slice(share.start);
      share.lines = held.filter(line => !leaves(line));
      share.start = 0;
      for (const line of held.filter(leaves)) {
        noteLeft(line);
      }
    }
  };

  return {
    add: line => {
      const shareKey = isPerPod ? line.podKey : 0;
      const share = shares.get(shareKey) ?? {lines: [], start: 0};
      shares.set(shareKey, share);
      sorted = undefined;
      bytes += sizeOf(line.line);
      if (tracksChanges) {
        added.set(line.sequence, line);
      }
      const newest = share.lines.at(-1);
      if (!newest || share.start === share.lines.length || leavesBefore(newest, line)) {
        share.lines.push(line);
      } else {
        insertSorted(share, line);
      }
      if (share.lines.length - share.start > linesMax) {
        evictFirst(share);
      }
      shrink(bytesMax);
    },
    lines: () => {
      // Sorting takes one pass if the lines are already in order, or in a few runs.
      sorted ??= [...shares.values()]
        .flatMap(share => share.lines.slice(share.start))
        .sort((left, right) => (isStampedBefore(left, right) ? -1 : 1));
      return sorted;
    },
    dropUpTo: sequence => dropWhere(line => line.sequence <= sequence),
    dropPod: podKey => {
      dropWhere(line => line.podKey === podKey);
      shares.delete(podKey);
    },
    shrink,
    heldBytes: () => bytes,
    raiseDropped: sequence => {
      dropped = Math.max(dropped, sequence);
    },
    dropped: () => dropped,
    endGathering: () => {
      isGathering = false;
      leavesBefore = arrivedBefore;
    },
    isGathering: () => isGathering,
    addedCount: () => added.size,
    takeChanges: () => {
      const changes = {added: [...added.values()], removed};
      added = new Map();
      removed = [];
      return changes;
    },
  };
};
