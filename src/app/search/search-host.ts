import type {Chunk} from '#log/buffer/chunk.ts';
import {chunkTextOf} from '#log/buffer/chunk-text.ts';
import type {Spans} from '#log/pattern/matcher.ts';
import type {Pattern} from '#log/pattern/parse-pattern.ts';
import {
  adaptBatch,
  createJob,
  putBack,
  type SearchAnswer,
  type SearchJob,
  type SearchTask,
  setWanted,
  takeTask,
} from './search-thread/search-queue.ts';
import {
  type SearchClock,
  type SearchThread,
  type SearchThreadOptions,
  startSearchThread,
  systemSearchClock,
} from './search-thread/search-thread.ts';

export type SearchHostOptions = {
  /** Receives the offsets of matching lines, for some chunks. */
  readonly onMatched: (patternId: number, results: readonly (readonly [chunk: Chunk, offsets: Uint16Array])[]) => void;
  readonly onFoundSpans: (patternId: number, texts: readonly string[], spansOfTexts: readonly Spans[]) => void;
  /** The pattern takes too long for the fast engine and continues in the slow one, which always ends. */
  readonly onSlow?: (patternId: number) => void;
  /** The pattern was cancelled; `sentence` says why. No further calls for it. */
  readonly onFailed: (patternId: number, sentence: string) => void;
  /** Measures the deadlines; defaults to the system clock. */
  readonly clock?: SearchClock;
  /** Starts what answers the requests; defaults to a thread. */
  readonly start?: (options: SearchThreadOptions) => SearchThread;
};

/**
 * Searches for patterns in a separate thread, so that no pattern can delay a key press. The caller chooses the pattern
 * ids.
 */
export type SearchHost = {
  /** Starts the thread ahead of a pattern; without one it ends again. */
  readonly prepare: () => void;
  /** Searches these chunks for the pattern, in order. Replaces any earlier request for the same pattern. */
  readonly match: (patternId: number, pattern: Pattern, chunks: readonly Chunk[]) => void;
  /** Finds the match ranges of the pattern in the texts, ahead of all matching. Replaces texts not yet answered. */
  readonly findSpans: (patternId: number, pattern: Pattern, texts: readonly string[]) => void;
  readonly cancel: (patternId: number) => void;
  readonly close: () => void;
};

/** Enough requests that the thread has the next one when it finishes one. */
const askedMax = 2;
/**
 * Maximum time a pattern may keep the fast engine busy with one request, milliseconds; the first request is a single
 * chunk.
 */
const deadlineMs = 250;
/** The same for the slow engine, which always ends: nobody waits longer for it, milliseconds. */
const linearDeadlineMs = 5000;
/** Time is counted in ticks, and a late tick counts as one: if the machine stalls, no pattern is to blame. */
const tickMs = 25;
/** A thread without patterns ends after this time, milliseconds. */
const idleMs = 10_000;

export const createSearchHost = ({
  onMatched,
  onFoundSpans,
  onSlow,
  onFailed,
  clock = systemSearchClock,
  start = startSearchThread,
}: SearchHostOptions): SearchHost => {
  const jobs = new Map<number, SearchJob>();
  const asked: SearchTask[] = [];
  let thread: SearchThread | undefined;
  let isReady = false;
  let ticks = 0;
  let startedAtMs = 0;
  let stopTicking: (() => void) | undefined;
  let stopIdling: (() => void) | undefined;

  const endThread = (): void => {
    thread?.end();
    thread = undefined;
    isReady = false;
    stopTicking?.();
    stopTicking = undefined;
    for (const task of asked.splice(0).reverse()) {
      putBack(task);
    }
  };

  const startThread = (): void => {
    thread ??= start({onAnswer: takeAnswer, onBroken: takeBreakdown});
  };

  /** Resets the deadline when the thread starts the next request. */
  const beginTask = (): void => {
    ticks = 0;
    startedAtMs = clock.nowMs();
    if (asked.length === 0) {
      stopTicking?.();
      stopTicking = undefined;
    } else if (isReady) {
      stopTicking ??= clock.schedule(tickMs, tick);
    }
  };

  const ask = (): void => {
    while (asked.length < askedMax) {
      const task = takeTask(jobs);
      if (task === undefined) {
        return;
      }
      startThread();
      const {
        engine,
        job: {pattern},
      } = task;
      thread?.send(
        task.kind === 'match'
          ? {kind: 'match', pattern, engine, chunks: task.chunks.map(chunkTextOf)}
          : {kind: 'findSpans', pattern, engine, texts: task.texts},
      );
      asked.push(task);
      if (asked.length === 1) {
        beginTask();
      }
    }
  };

  const isWanted = ({job}: SearchTask): boolean => jobs.get(job.patternId) === job;

  const takeAnswer = (answer: SearchAnswer): void => {
    if (answer.kind === 'ready') {
      isReady = true;
      beginTask();
      return;
    }
    const task = asked.shift();
    const tookMs = clock.nowMs() - startedAtMs;
    beginTask();
    if (task !== undefined && isWanted(task)) {
      tell(task, answer, tookMs);
    }
    ask();
  };

  const tell = (task: SearchTask, answer: Exclude<SearchAnswer, {kind: 'ready'}>, tookMs: number): void => {
    const {job} = task;
    if (answer.kind === 'matched' && task.kind === 'match') {
      adaptBatch(job, tookMs);
      onMatched(
        job.patternId,
        task.chunks.map((chunk, index) => [chunk, answer.offsetsOfChunks[index] ?? new Uint16Array(0)]),
      );
    } else if (answer.kind === 'foundSpans' && task.kind === 'findSpans') {
      onFoundSpans(job.patternId, task.texts, answer.spansOfTexts);
    } else if (answer.kind === 'refused' && task.engine === 'fast') {
      putBack(task);
      goOnLinearly(job, answer.reason);
    } else if (answer.kind === 'refused') {
      fail(job, `${job.fastFault ?? ''}, and the engine that is never kept busy can't express it (${answer.reason})`);
    }
  };

  const fail = ({patternId, pattern}: SearchJob, reason: string): void => {
    jobs.delete(patternId);
    onFailed(patternId, `The search for "${pattern.query}" was cancelled: ${reason}.`);
    endWhenIdle();
  };

  const goOnLinearly = (job: SearchJob, fault: string): void => {
    if (job.engine === 'linear') {
      return;
    }
    job.engine = 'linear';
    job.fastFault = fault;
    job.batchChunks = 1;
    onSlow?.(job.patternId);
  };

  const tick = (): void => {
    ticks += 1;
    const job = asked[0]?.job;
    if (job === undefined || ticks * tickMs < (job.engine === 'fast' ? deadlineMs : linearDeadlineMs)) {
      stopTicking = clock.schedule(tickMs, tick);
      return;
    }
    endThread();
    if (jobs.get(job.patternId) === job && job.engine === 'fast') {
      goOnLinearly(job, `it takes longer than ${deadlineMs} ms for a few lines`);
    } else if (jobs.get(job.patternId) === job) {
      fail(job, `it takes longer than ${linearDeadlineMs} ms for a few lines`);
    }
    ask();
  };

  const takeBreakdown = (reason: string): void => {
    const job = asked[0]?.job;
    const hasBegun = isReady;
    endThread();
    // A thread that never started will not do better for another pattern; one that broke down did so on the first
    // request.
    for (const each of hasBegun && job !== undefined ? [job] : [...jobs.values()]) {
      if (jobs.get(each.patternId) === each) {
        fail(each, `its thread failed (${reason})`);
      }
    }
    ask();
  };

  const jobOf = (patternId: number, pattern: Pattern): SearchJob => {
    stopIdling?.();
    const known = jobs.get(patternId);
    if (known !== undefined && known.pattern.query === pattern.query) {
      return known;
    }
    const job = createJob(patternId, pattern);
    jobs.set(patternId, job);
    return job;
  };

  const endWhenIdle = (): void => {
    stopIdling?.();
    if (jobs.size === 0) {
      stopIdling = clock.schedule(idleMs, endThread);
    }
  };

  return {
    prepare: () => {
      startThread();
      endWhenIdle();
    },
    match: (patternId, pattern, chunks) => {
      setWanted(jobOf(patternId, pattern), chunks, asked);
      ask();
    },
    findSpans: (patternId, pattern, texts) => {
      jobOf(patternId, pattern).texts = texts;
      ask();
    },
    cancel: patternId => {
      jobs.delete(patternId);
      endWhenIdle();
    },
    close: () => {
      jobs.clear();
      stopIdling?.();
      endThread();
    },
  };
};
