import {
  type Entry,
  type GapMarker,
  type LineEntry,
  type QuietMarker,
  type SourceName,
  textOf,
} from '#log/line/entry.ts';
import {type Instant, instantToMs, laterOf} from '#log/line/instant.ts';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {sourceWords} from '#log/words/source-words.ts';
import {longestPieceOf} from './findings/placed-lines.ts';
import {seriesKeyOf} from './findings/read-chunk.ts';
import {readEvent} from './findings/read-event.ts';
import {type IncidentFinding, isChange} from './incident-finding.ts';

type LineTest = (line: LineEntry) => boolean;

const ofText =
  (test: (text: string, source: SourceName | undefined) => boolean): LineTest =>
  line =>
    test(textOf(line), line.source);

const errorRank = levelRank('error');

const isError = (text: string): boolean => levelRank(levelOf(text)) >= errorRank;

/** Returns the test for the lines that a finding is about; undefined for a change, which does not go on. */
export const lineTestOf = (finding: IncidentFinding): LineTest | undefined => {
  const {of, subject, what, before, now} = finding;
  const read = (text: string) => readEvent(text, levelOf(text));
  if (isChange(finding)) {
    return undefined;
  }
  const piece = longestPieceOf(of === 'request' ? subject.slice(subject.indexOf('/')) : subject);
  switch (of) {
    case 'errors':
      return ofText(isError);
    case 'kind':
    case 'message':
      // Reading a line costs some microseconds, which most need not.
      return ofText(
        text =>
          text.includes(piece) &&
          seriesKeyOf(read(text).message ?? '') === subject &&
          (of === 'message' || isError(text)),
      );
    case 'failed':
      return ofText(text => {
        const {request, status} = isError(text) ? read(text) : {};
        return seriesKeyOf(`${request} ${status}`) === subject;
      });
    case 'pod':
      return ofText(
        (text, source) =>
          isError(text) && (source === undefined ? text.includes(subject) : sourceWords(source) === subject),
      );
    case 'status':
      return ofText(text => text.includes(subject) && String(read(text).status) === subject);
    case 'request': {
      // Halfway between what was usual and what is too long, by their ratio.
      const slowMs = what === 'slower' ? Math.sqrt(Number(before) * Number(now)) : 0;
      return ofText(text => {
        const {request, durationMs = 0} = text.includes(piece) ? read(text) : {};
        return request !== undefined && seriesKeyOf(request) === subject && durationMs >= slowMs;
      });
    }
    case 'source':
      return ({source}) => source !== undefined && sourceWords(source) === subject;
    case 'field':
      return undefined;
    default:
      return of satisfies never;
  }
};

/** `gone`: no line matched for long enough, and none can be missing. `there`: one did. `unknown`: nobody can tell. */
type GoneVerdict = 'gone' | 'there' | 'unknown';

/** Why nobody can tell. Times are milliseconds on the clock of the answers. */
export type Doubt =
  | {readonly kind: 'tooShort'}
  | {readonly kind: 'outage'; readonly sinceMs: number}
  /** `who` writes no more: a pod or container; empty if nobody does, or nobody says who. Foreign text. */
  | {readonly kind: 'silence'; readonly sinceMs: number; readonly who: string}
  | {readonly kind: 'lastLines'; readonly pod: string}
  | {readonly kind: 'unreadable' | 'unnumbered' | 'unproven' | 'notLines'}
  | GapMarker
  | QuietMarker;

/** Who writes lines, by what came: its clock says nothing but how far apart its own lines are. */
type Writer = {
  readonly pod: string | undefined;
  readonly name: string;
  readonly lineCount: number;
  /** When it wrote last, by the answer that brought it; undefined if all of it was held by the first one. */
  readonly cameMs: number | undefined;
  /** The longest pause between two of its lines. */
  readonly pauseMs: number;
  /** The time of its newest line held, by its own clock. */
  readonly heldAt: Instant;
  readonly hasMatched: boolean;
};

/** The state of a watch for matching lines of one branch. Never changes. */
export type RecoveryWatch = {
  readonly isMatch: (line: LineEntry) => boolean;
  /** Quiet time required. */
  readonly forMs: number;
  /** When the last answer came; undefined before the first. */
  readonly cameMs: number | undefined;
  readonly isReachable: boolean;
  /** These lines were held by the service already: the first answer, or its parts. */
  readonly isHeld: boolean;
  /** When what was held had come. */
  readonly heldMs: number | undefined;
  /** Nothing is known of the time before: it may be as long ago as the held lines span by their own clocks. */
  readonly sinceMs: number | undefined;
  /** Since when no line matches and none can be missing; undefined before the first answer. */
  readonly clearSinceMs: number | undefined;
  /** The last doubt, and whether no line has matched since. */
  readonly doubt: Doubt;
  readonly isDoubtful: boolean;
  /** When lines matched, of late. */
  readonly matchMs: readonly number[];
  readonly lastMatch: LineEntry | undefined;
  readonly writers: ReadonlyMap<string, Writer>;
  /** The claims of the last answer. */
  readonly last: Pick<RecoveryAnswer, 'proof' | 'isNumbered' | 'notLineCount'>;
};

/** More are not told apart: a branch has fewer containers. */
const writersMax = 1000;
/** Further matches are only counted. */
const matchesMax = 100_000;

/** Who wrote fewer lines has no habit. */
const steadyLines = 10;
/** With so many lines the longest pause says what is usual; with fewer, a longer one may still be usual. */
const pausesKnown = 8;
/** Who writes steadily is silent after so long, or half of the time asked if that is less. */
const silenceMs = 30_000;

export const createRecoveryWatch = (isMatch: RecoveryWatch['isMatch'], forMs: number): RecoveryWatch => ({
  ...{isMatch, forMs, cameMs: undefined, isReachable: false, isHeld: true, heldMs: undefined, sinceMs: undefined},
  ...{clearSinceMs: undefined, doubt: {kind: 'tooShort'}, isDoubtful: false, matchMs: [], lastMatch: undefined},
  writers: new Map(),
  last: {proof: 'inferred', isNumbered: false, notLineCount: 0},
});

/** An answer for the branch, and what it proves. */
export type RecoveryAnswer = {
  readonly cameMs: number;
  /** On what the log rests after it. */
  readonly proof: Proof;
  /** It says itself which numbers its lines have. */
  readonly isNumbered: boolean;
  /** How many of its items are no lines. */
  readonly notLineCount: number;
  /** Not every pod can be read. */
  readonly isUnreadable: boolean;
  /** The pods that it lists. */
  readonly podNames: readonly string[];
  /** Lines that the service has by now follow in the next answer. */
  readonly hasMore: boolean;
};

/**
 * Takes an answer with the entries that it added; without one, the service could not be reached. A line counts from
 * when it came. Those of the first answer were held before: when they were written is known by nobody, since clocks may
 * be wrong. Any doubt about the log restarts the timer.
 */
export const takeRecoveryAnswer = (
  watch: RecoveryWatch,
  answer: RecoveryAnswer | undefined,
  entries: readonly Entry[],
): RecoveryWatch => {
  if (answer === undefined) {
    return {...watch, isReachable: false};
  }
  const {isMatch, forMs, isHeld, last} = watch;
  const {cameMs, isUnreadable, proof, isNumbered, notLineCount, podNames, hasMore} = answer;
  const heldMs = isHeld ? cameMs : (watch.heldMs ?? cameMs);
  let {clearSinceMs = cameMs, doubt, isDoubtful, lastMatch} = watch;
  const beginAnew = (why: Doubt): void => {
    clearSinceMs = cameMs;
    // That the last lines of a pod may be missing takes no other doubt away.
    doubt = isDoubtful && why.kind === 'lastLines' ? doubt : why;
    isDoubtful = true;
  };
  if (isHeld) {
    clearSinceMs = cameMs;
  } else if (!watch.isReachable && proof !== 'counted') {
    // Numbers show whether an outage lost lines.
    beginAnew({kind: 'outage', sinceMs: watch.cameMs ?? cameMs});
  }
  const writers = new Map(watch.writers);
  // The newest part of the held lines tells most.
  const matchMs = isHeld ? [] : watch.matchMs.filter(ms => ms > cameMs - forMs);
  const matches: (readonly [line: LineEntry, key: string])[] = [];
  for (const entry of entries) {
    switch (entry.kind) {
      case 'line': {
        const isOne = isMatch(entry);
        const key = keyOf(entry.source);
        const before = writers.get(key);
        if (before !== undefined || writers.size < writersMax) {
          writers.set(key, wroteOn(before, entry, {isOne, cameMs: isHeld ? undefined : cameMs, heldMs}));
        }
        if (isOne) {
          lastMatch = entry;
          isDoubtful = false;
          clearSinceMs = cameMs;
          if (matches.length < matchesMax) {
            matches.push([entry, key]);
          }
        }
        break;
      }
      case 'gap':
      case 'quiet':
        if (!isHeld) {
          beginAnew(entry);
        }
        break;
      case 'pod':
        if (entry.change === 'gone') {
          forgetPods(writers, name => name === entry.name);
          if (entry.isWhole !== true && !isHeld) {
            beginAnew({kind: 'lastLines', pod: entry.name});
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
  for (const [{at}, key] of matches) {
    const heldAt = writers.get(key)?.heldAt ?? at;
    const atMs = isHeld ? cameMs - instantToMs(laterOf(0n, heldAt - at)) : cameMs;
    if (atMs > cameMs - forMs && matchMs.length < matchesMax) {
      matchMs.push(atMs);
    }
  }
  if (isHeld && podNames.length > 0) {
    forgetPods(writers, name => !podNames.includes(name));
  }
  if (!isHeld) {
    if (last.isNumbered && !isNumbered) {
      beginAnew({kind: 'unnumbered'});
    } else if (proof !== last.proof && weakestProof([proof, last.proof]) === proof) {
      beginAnew({kind: 'unproven'});
    }
    if (notLineCount > last.notLineCount) {
      beginAnew({kind: 'notLines'});
    }
  }
  if (isUnreadable) {
    beginAnew({kind: 'unreadable'});
  }
  return {
    ...{isMatch, forMs, cameMs, isReachable: true, isHeld: isHeld && hasMore, clearSinceMs, doubt, isDoubtful},
    ...{heldMs, matchMs, lastMatch, writers, last: {proof, isNumbered, notLineCount}},
    sinceMs: Math.min(watch.sinceMs ?? cameMs, isHeld ? cameMs - spanMsOf(entries) : cameMs),
  };
};

/** Streams of a container are one writer: whoever writes errors only writes nothing once they stopped. */
const keyOf = ({pod, container}: SourceName = {}): string => [pod, container].filter(Boolean).join(' ');

const wroteOn = (
  before: Writer | undefined,
  {at, source}: LineEntry,
  {isOne, cameMs, heldMs}: {readonly isOne: boolean; readonly cameMs: number | undefined; readonly heldMs: number},
): Writer => {
  const name = keyOf(source);
  if (before === undefined) {
    return {pod: source?.pod, name, lineCount: 1, cameMs, pauseMs: 0, heldAt: at, hasMatched: isOne};
  }
  const {lineCount, cameMs: cameBefore, pauseMs, heldAt, hasMatched} = before;
  const pause = cameMs === undefined ? instantToMs(laterOf(0n, at - heldAt)) : cameMs - (cameBefore ?? heldMs);
  return {
    ...before,
    lineCount: lineCount + 1,
    cameMs: cameMs ?? cameBefore,
    pauseMs: Math.max(pauseMs, pause),
    heldAt: cameMs === undefined ? laterOf(heldAt, at) : heldAt,
    hasMatched: hasMatched || isOne,
  };
};

const forgetPods = (writers: Map<string, Writer>, isForgotten: (pod: string) => boolean): void => {
  for (const [key, {pod}] of writers) {
    if (pod !== undefined && isForgotten(pod)) {
      writers.delete(key);
    }
  }
};

const spanMsOf = (entries: readonly Entry[]): number => {
  const [first, last] = [entries[0], entries.at(-1)];
  return first === undefined || last === undefined ? 0 : instantToMs(laterOf(0n, last.at - first.at));
};

type Judged = {readonly verdict: GoneVerdict; readonly doubt: Doubt};

/** Judges what is known as of the last answer; `doubt` is why nobody can tell. */
export const judgeRecovery = (watch: RecoveryWatch): Judged => {
  const {forMs, cameMs = 0, isReachable, clearSinceMs = cameMs, matchMs, isDoubtful} = watch;
  const fromMs = cameMs - forMs;
  const isClear = clearSinceMs <= fromMs;
  const silence = silenceIn(watch);
  const verdict = !isReachable
    ? 'unknown'
    : matchMs.some(ms => ms > fromMs)
      ? 'there'
      : isClear && silence === undefined
        ? 'gone'
        : 'unknown';
  const doubt: Doubt = !isReachable
    ? {kind: 'outage', sinceMs: cameMs}
    : isClear && silence !== undefined
      ? silence
      : isDoubtful
        ? watch.doubt
        : {kind: 'tooShort'};
  return {verdict, doubt};
};

/**
 * Judges what is known at the end of a run. Where lines may have been lost since the last match, nobody can tell,
 * however long ago. Not so with the last lines of pods that went: that is what a roll-out does.
 */
export const judgeGoneAtEnd = (watch: RecoveryWatch): Judged => {
  const judged = judgeRecovery(watch);
  const {isDoubtful, doubt} = watch;
  const isLossy = isDoubtful && doubt.kind !== 'lastLines';
  return judged.verdict === 'gone' && isLossy ? {verdict: 'unknown', doubt} : judged;
};

/**
 * Returns whose silence proves nothing. The matching source, or any other, must keep logging for as long as asked; and
 * who else writes steadily must not have fallen silent.
 */
const silenceIn = ({
  writers,
  cameMs = 0,
  clearSinceMs = cameMs,
  heldMs = cameMs,
  forMs,
}: RecoveryWatch): Doubt | undefined => {
  const all = [...writers.values()];
  const saidMs = (writer: Writer | undefined): number => writer?.cameMs ?? Number.NEGATIVE_INFINITY;
  const matched = all.filter(({hasMatched}) => hasMatched);
  const newest = all.reduce<Writer | undefined>(
    (a, b) => (a === undefined || saidMs(b) > saidMs(a) ? b : a),
    undefined,
  );
  const wanted = matched.length > 0 ? matched : [newest];
  const silent = wanted.find(each => saidMs(each) < Math.max(clearSinceMs + forMs, cameMs - forMs));
  const fallen = all.find(({lineCount, pauseMs, cameMs: saidAtMs = heldMs}) => {
    const usualMs = pauseMs + (pauseMs * pausesKnown) / lineCount;
    return lineCount >= steadyLines && cameMs - saidAtMs > Math.max(Math.min(silenceMs, forMs / 2), usualMs);
  });
  const isSilent = wanted[0] === undefined || silent !== undefined;
  const who = isSilent ? (matched.length > 0 ? silent : undefined) : fallen;
  return isSilent || fallen !== undefined
    ? {kind: 'silence', sinceMs: saidMs(isSilent ? (silent ?? newest) : fallen), who: who?.name ?? ''}
    : undefined;
};
