import type {SourceName} from '#log/line/entry.ts';
import {canonicalStampLength, type Instant} from '#log/line/instant.ts';
import {coversSource} from '#log/line/tag-sources.ts';
import {createLineTally} from '#service/backend/line-tally.ts';
import {createLeftStamps} from './left-stamps.ts';
import {createWindowLosses, type KeptLoss, type NotedLoss} from './window-losses.ts';

/** A line in a window. `line` is `<timestamp> <text>` as it is served. */
export type KeptLine = {
  /** The line's arrival number: one more than that of the line before it, over all sources of the branch. */
  readonly sequence: number;
  /** The pod's key in the state. */
  readonly podKey: number;
  /** Who wrote it. The same object for all lines of a source. */
  readonly source: SourceName;
  readonly stamp: Instant;
  readonly line: string;
};

/** The numbers given before the window was created. */
export type WindowPast = {
  readonly last: number;
  readonly dropped: number;
  /** All losses so far, those that have left included. */
  readonly lossCount: number;
  readonly losses: readonly KeptLoss[];
};

/** Lines added and removed since the last look; a line that was both is in neither list. */
export type WindowChanges = {readonly added: readonly KeptLine[]; readonly removed: readonly number[]};

export type LineWindowOptions = {
  readonly linesMax: number;
  readonly bytesMax: number;
  /** Each pod has `linesMax` lines to itself. */
  readonly isPerPod: boolean;
  /** Until `endGathering`, lines leave in order of their stamps. */
  readonly isGathering?: boolean;
  /** Until then, so many lines are held instead of `linesMax`. */
  readonly gatheredLinesMax?: number | undefined;
  /** False: `takeChanges` is never called. */
  readonly tracksChanges?: boolean;
  readonly past?: WindowPast;
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
const evictedLine: KeptLine = {sequence: -1, podKey: -1, source: {}, stamp: 0n, line: ''};

/** Bytes of a timestamp and of the space after it. */
const stampBytes = canonicalStampLength + 1;

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
export const createLineWindow = (options: LineWindowOptions) => {
  const {linesMax, bytesMax, isPerPod, isGathering: gathersFirst = false, tracksChanges = true, past} = options;
  const {gatheredLinesMax = linesMax} = options;
  const shares = new Map<number, Share>();
  /** In order of arrival. */
  const byNumber = new Map<number, KeptLine>();
  const tally = createLineTally();
  const left = createLeftStamps(past?.dropped ?? 0);
  const losses = createWindowLosses(past?.losses ?? [], past?.lossCount ?? 0);
  let isGathering = gathersFirst;
  let leavesBefore = isGathering ? isStampedBefore : arrivedBefore;
  let removed: number[] = [];
  /** Lines up to this number were taken as added. */
  let takenThrough = past?.last ?? 0;
  let addedCount = 0;
  let bytes = 0;
  let last = past?.last ?? 0;
  let dropped = past?.dropped ?? 0;
  let newestStamp = 0n;
  let version = 0;
  let sorted: readonly KeptLine[] | undefined;

  const change = (): void => {
    version += 1;
    sorted = undefined;
  };

  const noteLeft = (line: KeptLine): void => {
    bytes -= sizeOf(line.line);
    dropped = Math.max(dropped, line.sequence);
    byNumber.delete(line.sequence);
    left.add(line.sequence, line.stamp);
    if (line.sequence > takenThrough) {
      addedCount -= 1;
    } else if (tracksChanges) {
      removed.push(line.sequence);
    }
  };

  const firstOf = (share: Share | undefined): number => share?.lines[share.start]?.sequence ?? Number.POSITIVE_INFINITY;

  const hasLeft = ({number, podKey}: KeptLoss): boolean =>
    number <= dropped &&
    (isPerPod && podKey === undefined
      ? shares.values().every(share => firstOf(share) > number)
      : firstOf(shares.get(isPerPod && podKey !== undefined ? podKey : 0)) > number);

  /** Lets go of the losses whose lines have left. */
  const releaseLosses = (): void => {
    if (losses.all().length > 0) {
      losses.release(hasLeft).forEach(left.addLoss);
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
    releaseLosses();
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
      change();
      evictFirst(share);
    }
  };

  const dropWhere = (leaves: (line: KeptLine) => boolean): void => {
    change();
    for (const share of shares.values()) {
      const held = share.lines.slice(share.start);
      share.lines = held.filter(line => !leaves(line));
      share.start = 0;
      for (const line of held.filter(leaves)) {
        noteLeft(line);
      }
    }
    releaseLosses();
  };

  const linesAfter = (sequence: number): readonly KeptLine[] => {
    if (last - sequence > byNumber.size) {
      return byNumber
        .values()
        .filter(line => line.sequence > sequence)
        .toArray();
    }
    const lines: KeptLine[] = [];
    for (let number = sequence + 1; number <= last; number += 1) {
      const line = byNumber.get(number);
      if (line) {
        lines.push(line);
      }
    }
    return lines;
  };

  return {
    add: (line: KeptLine): void => {
      const shareKey = isPerPod ? line.podKey : 0;
      const share = shares.get(shareKey) ?? {lines: [], start: 0};
      shares.set(shareKey, share);
      change();
      const sizeBytes = sizeOf(line.line);
      bytes += sizeBytes;
      if (line.sequence > last) {
        tally.add(line.source, line.stamp, sizeBytes);
        last = line.sequence;
      }
      newestStamp = line.stamp > newestStamp ? line.stamp : newestStamp;
      byNumber.set(line.sequence, line);
      addedCount += line.sequence > takenThrough ? 1 : 0;
      losses.end(line);
      const newest = share.lines.at(-1);
      if (!newest || share.start === share.lines.length || leavesBefore(newest, line)) {
        share.lines.push(line);
      } else {
        insertSorted(share, line);
      }
      if (share.lines.length - share.start > (isGathering ? gatheredLinesMax : linesMax)) {
        evictFirst(share);
      }
      shrink(bytesMax);
    },
    // While lines leave by their stamps, only adding them tells which do.
    /** Returns how many of the next lines will have left when the last of them is added. */
    countPassing: (lineCount: number): number => (isGathering ? 0 : Math.max(0, lineCount - linesMax)),
    /** Numbers and counts such a line, which no answer can show. */
    pass: (line: Omit<KeptLine, 'podKey' | 'line'> & {readonly text: string}): void => {
      change();
      tally.add(line.source, line.stamp, stampBytes + sizeOf(line.text));
      last = line.sequence;
      dropped = line.sequence;
      left.add(line.sequence, line.stamp);
      losses.end(line);
      releaseLosses();
    },
    /** Returns all lines by stamp; lines with equal stamps in order of arrival. */
    lines: (): readonly KeptLine[] => {
      // Sorting takes one pass if the lines are already in order, or in a few runs.
      sorted ??= [...shares.values()]
        .flatMap(share => share.lines.slice(share.start))
        .sort((left, right) => (isStampedBefore(left, right) ? -1 : 1));
      return sorted;
    },
    /** Returns the lines with higher numbers in order of arrival, in time that depends on their number only. */
    linesAfter,
    /** Returns the highest number that a line got; 0 if there is none. */
    last: (): number => last,
    /** Records that lines are missing ahead of the next line. No line leaves for it. */
    noteLoss: (loss: NotedLoss): void => {
      version += 1;
      const after = loss.after ?? linesAfter(0).findLast(({source}) => coversSource(loss.source, source))?.stamp;
      losses.note({...loss, after, number: last + 1, count: 1});
    },
    /** Returns the losses by number. One leaves once the lines around it have. */
    losses: losses.all,
    lossCount: losses.count,
    /**
     * Returns what left, or never came into the window, after this number; undefined if nothing did. `lines`: how many;
     * undefined if losses were among them. `stamps`: their range, perhaps wider; undefined if it is not known.
     */
    leftAfter: (sequence: number) => {
      const lines = last - sequence - linesAfter(sequence).length;
      const {stamps, hasLoss} = left.after(sequence);
      return lines > 0 ? {lines: hasLoss ? undefined : lines, stamps} : undefined;
    },
    /**
     * Returns the highest number and that of what is not in the window, for the header `branchlog-window`: there each
     * loss takes a number, too, so that its readers mark a gap before a line follows.
     */
    arrivals: (): {readonly last: number; readonly dropped: number} => {
      const held = losses.all();
      const countAbove = held.reduce((sum, {number, count}) => sum + (number > dropped ? count : 0), 0);
      const ofLines = dropped === 0 ? 0 : dropped + losses.count() - countAbove;
      const newest = held.at(-1);
      const ofLosses = newest ? newest.number - 1 + losses.count() : 0;
      return {last: last + losses.count(), dropped: Math.max(ofLines, ofLosses)};
    },
    /** Returns a number that is another one after each change of lines or losses. */
    version: (): number => version,
    /** Drops the lines of a pod. */
    dropPod: (podKey: number): void => {
      dropWhere(line => line.podKey === podKey);
      shares.delete(podKey);
    },
    /** Lets the first lines to leave go until at most this many bytes are held. */
    shrink,
    heldBytes: (): number => bytes,
    /** Returns the latest stamp of the lines that were added; 0 if there is none. */
    newestStamp: (): Instant => newestStamp,
    /** Records the number of a line that is not in this window and was not dropped by it. */
    raiseDropped: (sequence: number): void => {
      dropped = Math.max(dropped, sequence);
      last = Math.max(last, sequence);
      left.forget(sequence);
    },
    /** Returns the highest arrival number whose line is not in the window; 0 if there is none. */
    dropped: (): number => dropped,
    /** From now on, lines leave in order of arrival. */
    endGathering: (): void => {
      isGathering = false;
      leavesBefore = arrivedBefore;
    },
    isGathering: (): boolean => isGathering,
    /** Returns how many lines `takeChanges` would return as added. */
    addedCount: (): number => addedCount,
    /** The lines that were added, but for those that were numbered before the window was created. */
    tally,
    takeChanges: (): WindowChanges => {
      const changes = {added: linesAfter(takenThrough), removed};
      takenThrough = last;
      addedCount = 0;
      removed = [];
      return changes;
    },
  };
};

export type LineWindow = ReturnType<typeof createLineWindow>;
