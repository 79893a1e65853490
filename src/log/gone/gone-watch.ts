import type {Entry, GapMarker, LineEntry, QuietMarker} from '../line/entry.ts';
import {type Instant, instantToMs, latestOf} from '../line/instant.ts';
import type {SourceName} from '../line/source-name.ts';

/** `gone`: no line matched for long enough, and none can be missing. `there`: one did. `unknown`: nobody can tell. */
export type GoneVerdict = 'gone' | 'there' | 'unknown';

/** Why nobody can tell. Times are milliseconds on the clock of the answers. */
export type Doubt =
  | {readonly kind: 'tooShort'}
  | {readonly kind: 'outage' | 'silence'; readonly sinceMs: number}
  | {readonly kind: 'lastLines'; readonly pod: string}
  | {readonly kind: 'unreadable'}
  | GapMarker
  | QuietMarker;

/** What is known of whether lines of one branch still match. `isMatch` lines that are to stop. Never changes. */
export type GoneWatch = {
  readonly isMatch: (line: LineEntry) => boolean;
  /** So long no line may match. */
  readonly forMs: number;
  /** When the last answer came; undefined before the first. */
  readonly cameMs: number | undefined;
  readonly isReachable: boolean;
  /** Of what came before, nothing is known. */
  readonly sinceMs: number | undefined;
  /** Since when no line matches and none can be missing; undefined before the first answer. */
  readonly clearSinceMs: number | undefined;
  /** The last doubt, and whether a line has matched since. */
  readonly doubt: Doubt;
  readonly isDoubtful: boolean;
  readonly lastLineMs: number;
  /** When lines matched, of late. */
  readonly matchMs: readonly number[];
  readonly lastMatch: LineEntry | undefined;
  /** The sources of lines that matched, and when each wrote last. */
  readonly matched: ReadonlyMap<SourceName, number>;
};

/** More sources of matching lines are not told apart: they need not write again. */
const sourcesMax = 256;
/** Of more matches it is enough to know that there were so many. */
const matchesMax = 100_000;

export const createGoneWatch = (isMatch: GoneWatch['isMatch'], forMs: number): GoneWatch => ({
  ...{
    isMatch,
    forMs,
    cameMs: undefined,
    isReachable: false,
    sinceMs: undefined,
    clearSinceMs: undefined,
    doubt: {kind: 'tooShort'},
  },
  ...{isDoubtful: false, lastLineMs: Number.NEGATIVE_INFINITY, matchMs: [], lastMatch: undefined, matched: new Map()},
});

/** An answer for the branch: when it came, and by the clock of its lines; undefined for the time of the newest. */
export type GoneAnswer = {
  readonly cameMs: number;
  readonly clockMs: number | undefined;
  /** Not every pod can be read. */
  readonly isUnreadable: boolean;
};

/**
 * Takes an answer with the entries that it added; without one, the service could not be reached. A line counts from
 * when it came, one of the first answer from when it was written. Any doubt about the log begins the time anew.
 */
export const takeGoneAnswer = (
  watch: GoneWatch,
  answer: GoneAnswer | undefined,
  entries: readonly Entry[],
): GoneWatch => {
  if (answer === undefined) {
    return {...watch, isReachable: false};
  }
  const {isMatch, forMs} = watch;
  const {cameMs, isUnreadable} = answer;
  const isFirst = watch.cameMs === undefined;
  const newest: Instant | undefined = latestOf(entries.map(({at}) => at));
  const clockMs = answer.clockMs ?? (newest === undefined ? 0 : instantToMs(newest));
  const cameAt = ({at}: Entry): number => (isFirst ? cameMs - Math.max(0, clockMs - instantToMs(at)) : cameMs);
  const [oldest] = entries;
  const sinceMs = watch.sinceMs ?? (oldest === undefined ? cameMs : cameAt(oldest));
  let {clearSinceMs = sinceMs} = watch;
  let {doubt, isDoubtful, lastLineMs, lastMatch} = watch;
  const matchMs = watch.matchMs.filter(ms => ms > cameMs - forMs);
  const matched = new Map(watch.matched);
  const beginAnew = (atMs: number, why: Doubt): void => {
    clearSinceMs = Math.max(clearSinceMs, atMs);
    doubt = why;
    isDoubtful = true;
  };
  for (const entry of entries) {
    const atMs = cameAt(entry);
    switch (entry.kind) {
      case 'line': {
        lastLineMs = Math.max(lastLineMs, atMs);
        const isOne = isMatch(entry);
        if (isOne) {
          clearSinceMs = Math.max(clearSinceMs, atMs);
          lastMatch = entry;
          isDoubtful = false;
          if (atMs > cameMs - forMs && matchMs.length < matchesMax) {
            matchMs.push(atMs);
          }
        }
        const {source} = entry;
        if (source !== undefined && (matched.has(source) || (isOne && matched.size < sourcesMax))) {
          matched.set(source, atMs);
        }
        break;
      }
      case 'gap':
      case 'quiet':
        beginAnew(atMs, entry);
        break;
      case 'pod':
        if (entry.change === 'gone') {
          for (const source of matched.keys()) {
            if (source.pod === entry.name) {
              matched.delete(source);
            }
          }
          if (entry.isWhole !== true) {
            beginAnew(atMs, {kind: 'lastLines', pod: entry.name});
          }
        }
        break;
      case 'change':
      case 'horizon':
        break;
      default:
        entry satisfies never;
    }
  }
  if (isUnreadable) {
    beginAnew(cameMs, {kind: 'unreadable'});
  }
  return {
    ...{isMatch, forMs, cameMs, isReachable: true, sinceMs, clearSinceMs, doubt, isDoubtful, lastLineMs},
    ...{matchMs, lastMatch, matched},
  };
};

/** Judges what is known as of the last answer; `doubt` is why nobody can tell. */
export const judgeGone = (watch: GoneWatch): {readonly verdict: GoneVerdict; readonly doubt: Doubt} => {
  const {forMs, cameMs = 0, isReachable, clearSinceMs = cameMs, lastLineMs, matchMs, matched, isDoubtful} = watch;
  const fromMs = cameMs - forMs;
  // Who wrote what matched has to write on, or else somebody.
  const silentSinceMs = Math.min(lastLineMs, ...matched.values());
  const verdict = matchMs.some(ms => ms > fromMs)
    ? 'there'
    : isReachable && clearSinceMs <= fromMs && silentSinceMs >= fromMs
      ? 'gone'
      : 'unknown';
  const doubt: Doubt = !isReachable
    ? {kind: 'outage', sinceMs: cameMs}
    : clearSinceMs <= fromMs
      ? {kind: 'silence', sinceMs: silentSinceMs}
      : isDoubtful
        ? watch.doubt
        : {kind: 'tooShort'};
  return {verdict, doubt};
};
