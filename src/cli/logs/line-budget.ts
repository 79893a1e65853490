import type {PrintLimits} from '#cli/arguments/limits.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {foldText} from '#log/traits/fold-text.ts';
import {countOf} from '#log/words/format-count.ts';

/** The lines that one line stands for: how many of its kind there are, itself included, and the time of the last. */
export type Alike = {readonly like: number; readonly until: string};

/** Returns its row, for a line that stands for others with what is alike. */
type FormatRow = (alike: Alike | undefined) => string;

/** A line or a marker that could be printed. */
export type Candidate = {
  /** Undefined: it is a marker. */
  readonly line: LineEntry | undefined;
  /** Its text, which tells its level and kind. */
  readonly text: string;
  readonly format: FormatRow;
};

/** A candidate whose level and kind are known; `shape` is equal for lines of one kind. */
export type ClassifiedCandidate = {
  readonly line: {readonly at: Instant; readonly rank: number; readonly shape: number | string} | undefined;
  /** Its row has at least this many. */
  readonly bytesMin: number;
  readonly format: FormatRow;
};

type Kind = {count: number; lastAt: Instant; readonly rank: number};

/** `kind`: that of which it is the first line. */
type Kept = ClassifiedCandidate & {readonly order: number; readonly kind: Kind | undefined};

/** What fits a limit. */
export type Selection = {
  readonly rows: readonly string[];
  readonly leftOut: {readonly lines: number; readonly markers: number; readonly kinds: number};
  /** The time of the first of the newest lines, which have no hole; undefined if not even the newest fits. */
  readonly newestFrom: Instant | undefined;
};

/** No limit has room for more kinds; lines of others are counted. */
const kindsMax = 2_000;
/** A row is not shorter than its text, of which it may have only the beginning. */
const textBytesMax = 900;
/** Without a limit on rows or bytes of its own, the other one holds. */
const unlimited = Number.POSITIVE_INFINITY;
const errorRank = levelRank('error');

/** How far each group in turn may fill a limit: markers, one line of each kind, the newest errors, the newest lines. */
const shares = {markers: 0.2, kinds: 0.55, errors: 0.75, newest: 1} as const;

/** Keeps the newest of what is added, as far as a limit may have room for them. */
const createNewest = ({bytesMax = unlimited, rowsMax = unlimited}: PrintLimits) => {
  let kept: Kept[] = [];
  let from = 0;
  let bytes = 0;
  return {
    add: (one: Kept): void => {
      kept.push(one);
      bytes += one.bytesMin;
      for (; from < kept.length - 1 && (bytes > bytesMax || kept.length - from > rowsMax); from += 1) {
        const gone = kept[from];
        bytes -= gone?.bytesMin ?? 0;
      }
      if (from > kept.length / 2) {
        kept = kept.slice(from);
        from = 0;
      }
    },
    newestFirst: (): readonly Kept[] => kept.slice(from).reverse(),
  };
};

/**
 * Creates a selector of what fits limits: the markers of a log, one line of each kind with their number, the worst
 * first, the newest errors, and the newest lines. Holds little more than that, and counts all.
 */
export const createLineBudget = (limits: PrintLimits) => {
  const kinds = new Map<number | string, Kind>();
  const firsts: Kept[] = [];
  const [all, errors, markers] = [createNewest(limits), createNewest(limits), createNewest(limits)];
  let lineCount = 0;
  let markerCount = 0;

  const select = ({bytesMax = unlimited, rowsMax = unlimited}: PrintLimits = limits): Selection => {
    const chosen = new Map<number, {readonly kept: Kept; readonly row: string}>();
    let bytes = 0;
    /** Takes what fits into a share. Returns the last one taken before the first that does not fit. */
    const take = (items: readonly Kept[], share: number, isWhole = false): Kept | undefined => {
      let last: Kept | undefined;
      for (const kept of items) {
        if (!chosen.has(kept.order)) {
          const {count = 0, lastAt = 0n} = (isWhole ? undefined : kept.kind) ?? {};
          const row = kept.format(count > 1 ? {like: count, until: formatInstant(lastAt)} : undefined);
          const size = Buffer.byteLength(row) + 1;
          if (bytes + size > bytesMax * share || chosen.size + 1 > Math.ceil(rowsMax * share)) {
            return last;
          }
          bytes += size;
          chosen.set(kept.order, {kept, row});
        }
        last = kept;
      }
      return last;
    };
    const newest = all.newestFirst();
    let oldest = take(newest, 1, true);
    if (chosen.size < lineCount + markerCount) {
      chosen.clear();
      bytes = 0;
      take(markers.newestFirst(), shares.markers);
      const ranked = firsts.toSorted((a, b) => (b.kind?.rank ?? 0) - (a.kind?.rank ?? 0) || likeOf(b) - likeOf(a));
      take(ranked, shares.kinds);
      take(errors.newestFirst(), shares.errors);
      oldest = take(newest, shares.newest);
    }
    const taken = [...chosen.values()].sort((a, b) => a.kept.order - b.kept.order);
    const lines = taken.filter(({kept}) => kept.line !== undefined).length;
    return {
      rows: taken.map(({row}) => row),
      leftOut: {
        lines: lineCount - lines,
        markers: markerCount - (taken.length - lines),
        kinds: firsts.filter(({order}) => !chosen.has(order)).length,
      },
      newestFrom: oldest?.line?.at,
    };
  };

  const add = (offered: ClassifiedCandidate): void => {
    const {line} = offered;
    const order = lineCount + markerCount;
    if (line === undefined) {
      markerCount += 1;
      const kept = {...offered, order, kind: undefined};
      markers.add(kept);
      all.add(kept);
      return;
    }
    lineCount += 1;
    const {at, rank, shape} = line;
    const known = kinds.get(shape);
    const kind = known === undefined && kinds.size < kindsMax ? {count: 1, lastAt: at, rank} : undefined;
    const kept = {...offered, order, kind};
    if (known !== undefined) {
      known.count += 1;
      known.lastAt = at > known.lastAt ? at : known.lastAt;
    } else if (kind !== undefined) {
      kinds.set(shape, kind);
      firsts.push(kept);
    }
    if (rank >= errorRank) {
      errors.add(kept);
    }
    all.add(kept);
  };

  return {
    add,
    offer: ({line, text, format}: Candidate): void => {
      const rank = levelRank(levelOf(text));
      // A level may be a number, which has no place in a shape.
      const known = line && {at: line.at, rank, shape: `${rank} ${foldText(text)}`};
      add({line: known, bytesMin: Math.min(text.length, textBytesMax) + 1, format});
    },
    select,
  };
};

const likeOf = ({kind}: Kept): number => kind?.count ?? 0;

export type LineBudget = ReturnType<typeof createLineBudget>;

/** Says how many of so many were left out, in a noun. */
export const leftOutWords = (left: number, all: number, noun: string): string =>
  `left out ${countOf(left, noun)} of ${all}, by --max-bytes or --max-lines`;
