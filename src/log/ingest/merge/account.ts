import type {LineEntry} from '#log/line/entry.ts';
import type {Arrivals} from '#log/window/window-claims.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {WindowLine} from '#log/window/window-lines.ts';
import type {BranchLog, LogWindow} from '../branch-log.ts';
import {createFormFinder} from '../numbered/find-contradiction.ts';
import {
  type AccountInput,
  type Came,
  type Counted,
  type Counts,
  countKey,
  countKeys,
  isUnstamped,
  keyed,
} from './counts.ts';
import {copiesMin, placeHidden} from './hidden-lines.ts';
import {findKnown} from './known-lines.ts';
import type {LineMerge} from './merge.ts';

/** What the numbers say against the texts. */
export type Account = {
  /** Lines that are new by their texts, and by the numbers are ones that are held. */
  readonly known: ReadonlySet<LineEntry>;
  /** Lines that came though equal ones are held. */
  readonly hidden: readonly WindowLine[];
  /** This many lines have no number left. */
  readonly surplus: number;
  readonly counted: Counted;
};

/** What came is remembered of so many answers and up to so many lines: more leave no room for equal ones. */
const [answersMax, cameMax] = [8, 4096];
/** Lines that have copies are few, and those of a trace that is no longer written are forgotten. */
const copiesMax = 4096;

type CountedAnswer = Pick<AccountInput, 'now' | 'kind' | 'banners' | 'itemCount'> & {
  /** The window of the last answer; undefined where that was empty, or is none. */
  readonly before: ReadWindow | undefined;
  readonly merged: LineMerge;
  /** So many items that are no lines are new. */
  readonly notLines: number;
  /** The last answer had numbers of this series. */
  readonly isSettled: boolean;
};

/**
 * Compares what is new by the texts with what came by the numbers, which decide; undefined where nothing is to be
 * compared. Where more is new, lines without a timestamp that stand elsewhere, what is left of a line at the front, and
 * lines in another form are known. Where less is, equal ones came: those that only one distribution of the lines that
 * left explains.
 */
export const accountFor = (
  log: BranchLog,
  {arrivals, cut}: LogWindow,
  {before, merged, notLines, isSettled, ...answer}: CountedAnswer,
): Account | undefined => {
  const isCompared = isSettled || answer.kind === 'stale' || answer.kind === 'renumbered';
  return before === undefined || arrivals === undefined || log.arrivals === undefined || !isCompared
    ? undefined
    : account({
        ...answer,
        ...cameBy(log.arrivals, arrivals, {...answer, notLines, missed: Math.max(0, log.arrivals.last - log.taken)}),
        before,
        arrivals: {before: log.arrivals, now: arrivals},
        counted: log.counted,
        added: merged.added,
        tooLate: merged.tooLate.length,
        cut: cut ?? log.said.cut,
        isHeldInOtherForm: createFormFinder(log.buffer, answer.now),
      });
};

/**
 * Returns how many of an answer's items came, from the numbers alone: all those above `dropped` are there, unless they
 * are of no line. `missed`: so many of those given before were in no answer.
 */
const cameBy = (
  before: Arrivals,
  now: Arrivals,
  {
    kind,
    itemCount,
    notLines,
    missed,
  }: Pick<CountedAnswer, 'kind' | 'itemCount' | 'notLines'> & {readonly missed: number},
): Came => {
  if (kind === 'renumbered') {
    return {least: 0, most: itemCount, limit: itemCount};
  }
  if (kind === 'stale') {
    return {least: 0, most: missed, limit: missed};
  }
  // An item that is no line may be one of before, beside other lines.
  const most = Math.max(0, now.last - before.last);
  const ofNone = Math.max(0, now.last - now.dropped - itemCount);
  const least = Math.max(0, now.last - Math.max(before.last, now.dropped) - ofNone - notLines);
  return {least, most: now.dropped > before.last ? Math.max(least, most - 1) : most, limit: most + missed};
};

const account = (input: AccountInput): Account => {
  const {least, limit, kind, added, tooLate, banners, counted, arrivals} = input;
  if (added.length > cameMax && banners.now.size === 0 && added.length + tooLate === least) {
    return {known: new Set(), hidden: [], surplus: 0, counted: {...counted, came: []}};
  }
  const entries = added.filter(({raw}) => !banners.now.has(raw));
  const known = entries.length + tooLate > least ? findKnown(input, entries) : new Set<LineEntry>();
  const left = entries.filter(entry => !known.has(entry));
  const counts = countKeys(left.map(countKey));
  const missing = Math.max(0, least - left.length - tooLate);
  const came = missing === 0 ? counts : placeHidden(input, counts, missing);
  const hidden = came === undefined || missing === 0 ? [] : linesBeyond(input, left, counts, came);
  const result = {known, hidden, surplus: Math.max(0, left.length + tooLate - limit)};
  if (kind === 'stale') {
    return {...result, counted};
  }
  const total = left.length + hidden.length;
  const {last, dropped} = arrivals.now;
  const above = total === last - dropped ? Math.max(dropped, arrivals.before.last) : arrivals.before.last;
  const isKnown = came !== undefined && tooLate === 0 && total <= cameMax;
  return {
    ...result,
    counted: {
      came: total === 0 ? counted.came : isKnown ? [{above, counts: came}, ...counted.came].slice(0, answersMax) : [],
      copies: rememberCopies(counted.copies, came ?? counts),
    },
  };
};

/** Returns what is known after an answer that nothing is compared with. */
export const countFirst = (now: ReadWindow, before: Counted): Counted => ({
  came: [],
  copies: rememberCopies(before.copies, countKeys(copiedIn(now))),
});

/** Returns the identities of lines of which a window has more than one, and of those without a timestamp. */
const copiedIn = ({received}: ReadWindow): readonly string[] => {
  const raws = countKeys([...received.raws]);
  return [...received.raws].flatMap((raw, index) => {
    const isMeant = received.textIndexes[index] === 0 || (raws.get(raw) ?? 0) >= copiesMin;
    const line = isMeant ? received.get(index) : undefined;
    return line === undefined ? [] : [countKey(line)];
  });
};

const rememberCopies = (before: Counts, came: Counts): Counts => {
  const more = [...came].filter(([key, count]) => count >= (isUnstamped(key) ? 1 : copiesMin));
  if (more.length === 0) {
    return before;
  }
  const all = new Map(before);
  for (const [key, count] of more) {
    all.set(key, (all.get(key) ?? 0) + count);
  }
  return all.size > copiesMax ? new Map([...all].slice(-copiesMax)) : all;
};

/** Returns the lines that came beyond those that are new by their texts: the last ones of each identity. */
const linesBeyond = (
  {now, banners}: AccountInput,
  added: readonly LineEntry[],
  counts: Counts,
  came: Counts,
): readonly WindowLine[] => {
  const left = new Map([...came].map(([key, count]) => [key, count - (counts.get(key) ?? 0)] as const));
  const taken = countKeys(added.map(({at, raw}) => `${at} ${raw}`));
  return keyed(now, banners.now)
    .toReversed()
    .filter(({key, line: {at, raw}}) => {
      const place = `${at} ${raw}`;
      const ahead = taken.get(place) ?? 0;
      if (ahead > 0) {
        taken.set(place, ahead - 1);
        return false;
      }
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      return count > 0;
    })
    .map(({line}) => line)
    .toReversed();
};
