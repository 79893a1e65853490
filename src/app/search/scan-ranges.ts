import type {ReadDirection, ScanProgress, UnreadRange} from '#log/line/unread.ts';
import type {Pattern} from '#log/pattern/parse-pattern.ts';
import type {Engine, SearchAnswer, SearchRequest} from './search-thread/search-queue.ts';
import {type SearchThread, startSearchThread, systemSearchClock} from './search-thread/search-thread.ts';

/** Bytes of a request, by engine: few enough that a pattern is slow, and not the disk. */
const blockBytes: Readonly<Record<Engine, number>> = {fast: 4 * 1024 * 1024, linear: 256 * 1024};
/** A pattern that takes longer continues in the other engine, milliseconds; a busy disk is no reason. */
const deadlineMs: Readonly<Record<Engine, number>> = {fast: 10_000, linear: 60_000};

/** Between two frames that show the progress, milliseconds: one takes longer than searching a block. */
const progressMs = 100;

export type Scan = {
  readonly pattern: Pattern;
  readonly ranges: readonly UnreadRange[];
  readonly direction: ReadDirection;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
};

export type ScanHit = {readonly file: number; readonly offset: number};

/** Asks a thread of its own, which is ended if it takes too long. */
const createAsking = (signal: AbortSignal) => {
  let thread: SearchThread | undefined;
  let take: {readonly answer: (answer: SearchAnswer) => void; readonly broken: (reason: string) => void} | undefined;
  const end = (): void => {
    thread?.end();
    thread = undefined;
  };
  return {
    end,
    /** Returns undefined if there is no answer in time. Rejects if the thread breaks down, or at a cancel. */
    ask: (request: SearchRequest, limitMs: number): Promise<SearchAnswer | undefined> =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const settle = (work: () => void): void => {
          stopTimer();
          signal.removeEventListener('abort', cancel);
          work();
        };
        const cancel = (): void => settle(() => reject(signal.reason));
        const stopTimer = systemSearchClock.schedule(limitMs, () => settle(() => resolve(undefined)));
        signal.addEventListener('abort', cancel);
        take = {
          answer: answer => settle(() => resolve(answer)),
          broken: reason => settle(() => reject(new Error(`its thread failed (${reason})`))),
        };
        thread ??= startSearchThread({
          onAnswer: answer => answer.kind !== 'ready' && take?.answer(answer),
          onBroken: reason => take?.broken(reason),
        });
        thread.send(request);
      }),
  };
};

/**
 * Searches ranges of files for the nearest match of each in a direction: for `earlier` the last one. Runs in a thread
 * of its own, block by block. Rejects if it was cancelled, or if no engine can run the pattern.
 */
export const scanRanges = async ({
  pattern,
  ranges,
  direction,
  signal,
  onProgress,
}: Scan): Promise<readonly ScanHit[]> => {
  const {ask, end} = createAsking(signal);
  const allBytes = ranges.reduce((sum, {from, to}) => sum + to - from, 0);
  const isLast = direction === 'earlier';
  let engine: Engine = 'fast';
  let doneBytes = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  const scanNext = async (block: {descriptor: number; from: number; to: number}): Promise<number | undefined> => {
    for (;;) {
      const answer = await ask({kind: 'scan', pattern, engine, block: {...block, isLast}}, deadlineMs[engine]);
      if (answer?.kind === 'scanned') {
        return answer.offset;
      }
      if (engine === 'linear') {
        throw new Error(answer?.kind === 'refused' ? answer.reason : 'it takes too long for a few lines');
      }
      end();
      engine = 'linear';
    }
  };

  const scanFile = async ({file, name, descriptor, from, to}: UnreadRange): Promise<readonly ScanHit[]> => {
    let [begin, rest] = [from, to];
    while (begin < rest) {
      const size = Math.min(blockBytes[engine], rest - begin);
      const block = isLast ? {from: rest - size, to: rest} : {from: begin, to: begin + size};
      const offset = await scanNext({descriptor, ...block});
      if (offset !== undefined) {
        doneBytes += rest - begin;
        return [{file, offset}];
      }
      doneBytes += size;
      [begin, rest] = isLast ? [begin, block.from] : [block.to, rest];
      if (systemSearchClock.nowMs() - toldAtMs > progressMs) {
        toldAtMs = systemSearchClock.nowMs();
        onProgress({name, doneBytes, allBytes});
      }
    }
    return [];
  };

  try {
    const hits: ScanHit[] = [];
    for (const range of ranges) {
      hits.push(...(await scanFile(range)));
    }
    return hits;
  } finally {
    end();
  }
};
