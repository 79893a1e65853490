import {ApiError} from '../../api/api-error.ts';
import type {Poll} from '../../app/tail/poll-tail.ts';
import {type Entry, type LineEntry, textOf} from '../../log/line/entry.ts';
import {type Instant, instantToMs, latestOf} from '../../log/line/instant.ts';
import type {SourceName} from '../../log/line/source-name.ts';
import type {UntilGone} from '../arguments/logs-options.ts';

/** `gone`: no line matched for long enough, and none can be missing. `there`: one did. `unknown`: nobody can tell. */
export type GoneVerdict = 'gone' | 'there' | 'unknown';

/** Watches one branch until no line matches any more. */
export type GoneWatch = {
  /** Takes the outcome of a poll, and the entries that it added. */
  take(poll: Pick<Poll, 'result' | 'times'>, entries: readonly Entry[]): void;
  readonly verdict: GoneVerdict;
  /** Why nobody can tell. */
  readonly doubt: string;
};

/** More sources of matching lines are not told apart: they need not write again. */
const sourcesMax = 256;

/**
 * Times are those of the clock of the answers; a line counts from when it came, one of the first answer from when it
 * was written. Any doubt about the log begins the time anew.
 */
export const createGoneWatch = ({pattern, forMs}: UntilGone): GoneWatch => {
  let nowMs: number | undefined;
  let isReachable = false;
  let isTooShort = true;
  /** Since when no line matches and none can be missing; undefined before the first answer. */
  let clearSinceMs: number | undefined;
  let lastMatchMs = Number.NEGATIVE_INFINITY;
  let lastLineMs = Number.NEGATIVE_INFINITY;
  let doubt = 'too little time passed';
  /** The sources of lines that matched, and when each wrote last. */
  const matched = new Map<SourceName, number>();

  const beginAnew = (atMs: number, why: string): void => {
    clearSinceMs = Math.max(clearSinceMs ?? atMs, atMs);
    doubt = why;
  };
  const takeLine = (line: LineEntry, atMs: number): void => {
    lastLineMs = Math.max(lastLineMs, atMs);
    const {source} = line;
    const isMatch = pattern.test(textOf(line));
    if (isMatch) {
      lastMatchMs = Math.max(lastMatchMs, atMs);
      clearSinceMs = Math.max(clearSinceMs ?? atMs, atMs);
    }
    if (source !== undefined && (matched.has(source) || (isMatch && matched.size < sourcesMax))) {
      matched.set(source, atMs);
    }
  };
  const takeEntry = (entry: Entry, atMs: number): void => {
    switch (entry.kind) {
      case 'line':
        takeLine(entry, atMs);
        break;
      case 'gap':
        beginAnew(atMs, 'lines may be missing');
        break;
      case 'quiet':
        beginAnew(atMs, 'the log was quiet');
        break;
      case 'pod':
        if (entry.change === 'gone') {
          for (const source of matched.keys()) {
            if (source.pod === entry.name) {
              matched.delete(source);
            }
          }
          if (entry.isWhole !== true) {
            beginAnew(atMs, `the last lines of pod ${entry.name} may be missing`);
          }
        }
        break;
      case 'change':
      case 'horizon':
        break;
      default:
        entry satisfies never;
    }
  };
  const isSilent = (): boolean => {
    const fromMs = (nowMs ?? 0) - forMs;
    return lastLineMs < fromMs || [...matched.values()].some(atMs => atMs < fromMs);
  };

  return {
    take: ({result, times: {cameMs}}, entries) => {
      isReachable = !(result instanceof ApiError);
      if (result instanceof ApiError) {
        return;
      }
      const isFirst = nowMs === undefined;
      nowMs = cameMs;
      const newest: Instant | undefined = latestOf(entries.map(({at}) => at));
      const clockMs = result.serviceTimeMs ?? (newest === undefined ? 0 : instantToMs(newest));
      if (isFirst) {
        const [oldest] = entries;
        clearSinceMs = cameMs - (oldest === undefined ? 0 : Math.max(0, clockMs - instantToMs(oldest.at)));
      }
      for (const entry of entries) {
        takeEntry(entry, isFirst ? cameMs - Math.max(0, clockMs - instantToMs(entry.at)) : cameMs);
      }
      if (result.value.unreadable !== undefined) {
        beginAnew(cameMs, 'not every pod can be read');
      }
      isTooShort = cameMs - (clearSinceMs ?? cameMs) < forMs;
    },
    get verdict() {
      if (nowMs !== undefined && nowMs - lastMatchMs < forMs) {
        return 'there';
      }
      return isReachable && !isTooShort && !isSilent() ? 'gone' : 'unknown';
    },
    get doubt() {
      return !isReachable
        ? 'the service could not be reached'
        : !isTooShort && isSilent()
          ? 'nothing was written'
          : doubt;
    },
  };
};
