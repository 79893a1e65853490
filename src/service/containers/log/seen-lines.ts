import {formatInstant, type Instant} from '#log/line/instant.ts';
import type {LogLine} from '../log-lines.ts';
import type {LogReadEnd} from './log-read.ts';

/**
 * A container's two writers stamp their lines apart, so a read after a cut begins this long before the last line.
 */
const overlapNs = 2_000_000_000n;
/** The read begins at a whole second, so it reaches back up to three seconds; a late stamp adds some. */
export const rememberedNs = 4_000_000_000n;
/** Lines remembered of a container. A loud one is still joined by its last line alone. */
const rememberedMax = 5_000;
/** Compact the array once it has this many forgotten lines at its front: they stay in memory until then. */
const forgottenMax = 16;

/**
 * How a line of another read relates to the lines seen. `last`: it is the last line seen: the read is proven, and all
 * that follows is new. `known`: seen before. `unknown`: not among the lines remembered.
 */
type SeenRelation = 'last' | 'known' | 'unknown';

export type SeenComparison = (line: LogLine) => SeenRelation;

/** Creates an empty memory. `stampsAreUnique`: see `ContainerLogs`; it is asked with each line that may be a repeat. */
export const createSeenLines = (stampsAreUnique: () => boolean = () => false) => {
  let lines: LogLine[] = [];
  let start = 0;
  let last: LogLine | undefined;
  let isClockBack = false;
  /** All lines seen with this stamp or a later one are remembered. */
  let rememberedFrom: Instant | undefined;

  const forget = (newest: LogLine): void => {
    const fromNs = newest.stamp - rememberedNs;
    const toNs = newest.stamp + rememberedNs;
    for (let line = lines[start]; line; line = lines[start]) {
      const isAhead = line.stamp > toNs;
      if (!isAhead && line.stamp >= fromNs && lines.length - start <= rememberedMax) {
        break;
      }
      // A stamp far ahead came before the node's clock was set back.
      if (!isAhead && (rememberedFrom === undefined || line.stamp >= rememberedFrom)) {
        rememberedFrom = line.stamp + 1n;
      }
      start += 1;
    }
    if (start > forgottenMax && start * 2 > lines.length) {
      lines = lines.slice(start);
      start = 0;
    }
  };

  return {
    add: (line: LogLine): void => {
      rememberedFrom ??= line.stamp;
      lines.push(line);
      last = line;
      isClockBack = false;
      forget(line);
    },
    /** Adds a line that stands before the last one in the container's file, but was skipped when it was due. */
    addAfter: (line: LogLine): void => {
      lines.splice(start, 0, line);
    },
    last: (): LogLine | undefined => last,
    /** Whether this very line was among the last ones of its stream, where each has a stamp of its own. */
    isRepeat: ({stamp, line, stream}: LogLine): boolean =>
      last !== undefined &&
      stamp <= last.stamp &&
      stampsAreUnique() &&
      lines.some(
        (seen, index) => index >= start && seen.stamp === stamp && seen.line === line && seen.stream === stream,
      ),
    has: ({line}: LogLine): boolean => lines.slice(start).some(seen => seen.line === line),
    /** Whether a line with this stamp would be remembered, had it been seen. */
    remembers: (stamp: Instant): boolean =>
      last !== undefined &&
      rememberedFrom !== undefined &&
      stamp >= rememberedFrom &&
      stamp <= last.stamp + rememberedNs,
    /** New lines have older stamps, since the node's clock was set back: a read from the last stamp on lacks them. */
    noteClockBack: (): void => {
      isClockBack = true;
    },
    /** The next read begins where it may, so that it brings the last line seen, and what is new after it. */
    isClockBack: (): boolean => isClockBack,
    /**
     * Returns the `sinceTime` of the next read: whole seconds, since the kubelet gets no others; undefined if no time
     * is known from which on it would bring all new lines.
     */
    since: (): string | undefined => {
      if (!last || isClockBack) {
        return undefined;
      }
      const from = last.stamp - overlapNs;
      return `${formatInstant(from < 0n ? 0n : from).slice(0, '2026-11-21T14:02:11'.length)}Z`;
    },
    /**
     * Compares another read of the same log, line by line from its first one. `brought`: the lines seen last, some of
     * which may be forgotten.
     */
    compare: (brought: readonly LogLine[] = []): SeenComparison => {
      // A service may truly log the same line twice in one nanosecond, so copies are counted.
      const counts = new Map<string, number>();
      for (const {line} of new Set([...brought, ...lines.slice(start)])) {
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
      const end = last?.line;
      return ({line}) => {
        const count = counts.get(line) ?? 0;
        if (count === 0) {
          return 'unknown';
        }
        counts.set(line, count - 1);
        return count === 1 && line === end ? 'last' : 'known';
      };
    },
  };
};

/** The last lines seen of a container, in the order of its file. */
export type SeenLines = ReturnType<typeof createSeenLines>;

/**
 * Takes the last line of a log that has ended although no newline ended it: if it was seen, or if two reads in a row
 * end with it, for one may have broken off inside it. Returns whether nothing else is left.
 */
type TakeRest = (end: LogReadEnd, take: (lines: readonly LogLine[]) => void) => boolean;

/**
 * Creates a function that takes such lines of one log, read after read. `isProven`: a read that ends properly did not
 * break off.
 */
export const createRestTaker = (seen: SeenLines, isProven = false): TakeRest => {
  let before: string | undefined;
  return (end, take) => {
    const rest = end.kind === 'clean' || end.kind === 'removed' ? end.rest : [];
    if (rest.length === 0) {
      return true;
    }
    const text = rest.map(({line}) => line).join('\n');
    const isSame = isProven || end.kind === 'removed' || text === before || rest.every(line => seen.has(line));
    before = text;
    if (isSame) {
      take(rest);
    }
    return isSame;
  };
};
