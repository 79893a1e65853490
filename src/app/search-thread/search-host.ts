import type {Chunk} from '../../log/buffer/chunk.ts';
import {chunkTextOf} from '../../log/buffer/chunk-text.ts';
import type {Spans} from '../../log/pattern/matcher.ts';
import type {Pattern} from '../../log/pattern/parse-pattern.ts';
import {type SearchClock, systemSearchClock} from './search-clock.ts';
import type {SearchAnswer} from './search-message.ts';
import {adaptBatch, createJob, putBack, type SearchJob, type SearchTask, setWanted, takeTask} from './search-queue.ts';
import {type SearchThread, startSearchThread} from './search-thread.ts';

export type SearchHostOptions = {
  /** Of some chunks, the places of the lines that match. */
  readonly onMatched: (patternId: number, results: readonly (readonly [chunk: Chunk, offsets: Uint16Array])[]) => void;
  readonly onFoundSpans: (patternId: number, texts: readonly string[], spansOfTexts: readonly Spans[]) => void;
  /** The pattern takes too long for the fast engine: it goes on in the slow one, which it can't keep busy. */
  readonly onSlow?: (patternId: number) => void;
  /** The pattern was cancelled, and why: a sentence. Nothing more comes of it. */
  readonly onFailed: (patternId: number, sentence: string) => void;
  /** Measures the deadlines; the machine's clock by default. */
  readonly clock?: SearchClock;
};

/**
 * Looks for patterns in a thread of its own, so that none of them can hold up a key. Patterns are known by ids that the
 * caller chooses.
 */
export type SearchHost = {
  /**
   * Says which chunks are to be looked through, all of them, those wanted first ahead; it takes the place of what was
   * said before.
   */
  readonly match: (patternId: number, pattern: Pattern, chunks: readonly Chunk[]) => void;
  /** Asks where the pattern stands in texts, ahead of all matching; it takes the place of texts not yet answered. */
  readonly findSpans: (patternId: number, pattern: Pattern, texts: readonly string[]) => void;
  readonly cancel: (patternId: number) => void;
  readonly close: () => void;
};

/** Enough requests that the thread has the next one when it has answered. */
const askedMax = 2;
/**
 * The longest that a pattern may keep the fast engine busy with one request, in milliseconds; at the first request it
 * is a single chunk.
 */
const deadlineMs = 250;
/** The same for the slow engine, which always ends: past that nobody waits for it. */
const linearDeadlineMs = 5000;
/**
 * Time is counted in ticks, and one that itself comes late counts no more than the others: on a machine that stands
 * still nobody is to blame.
 */
const tickMs = 25;
/** A thread that nobody has asked for so long is ended, milliseconds. */
const idleMs = 10_000;

export const createSearchHost = ({
  onMatched,
  onFoundSpans,
  onSlow,
  onFailed,
  clock = systemSearchClock,
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
    thread ??= startSearchThread({onAnswer: takeAnswer, onBroken: takeBreakdown});
  };

  /** The thread turns to the next request. */
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
    // A thread that never began will not do better for another pattern; one that broke down did so over the first
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
