import type {Chunk, ChunkKey} from '#log/buffer/chunk.ts';
import type {ChunkText} from '#log/buffer/chunk-text.ts';
import type {Spans} from '#log/pattern/matcher.ts';
import type {Pattern} from '#log/pattern/parse-pattern.ts';

/** `fast` is JavaScript's own engine, which some patterns keep busy forever; `linear` always ends. */
export type Engine = 'fast' | 'linear';

/** Bytes of an open file, of which the first or the last match is wanted. */
export type FileBlock = {
  readonly descriptor: number;
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
};

/** Requests to the search thread. It answers each of them, in order. */
export type SearchRequest = {readonly pattern: Pattern; readonly engine: Engine} & (
  | {readonly kind: 'match'; readonly chunks: readonly ChunkText[]}
  | {readonly kind: 'findSpans'; readonly texts: readonly string[]}
  | {readonly kind: 'scan'; readonly block: FileBlock}
);

export type SearchAnswer =
  /** The thread is running and takes requests. */
  | {readonly kind: 'ready'}
  /** Offsets of the matching lines of each chunk. */
  | {readonly kind: 'matched'; readonly offsetsOfChunks: readonly Uint16Array[]}
  | {readonly kind: 'foundSpans'; readonly spansOfTexts: readonly Spans[]}
  /** An offset in the file within a line that matches, if there is one. */
  | {readonly kind: 'scanned'; readonly offset: number | undefined}
  /** The engine cannot run the pattern; `reason` is part of a sentence. */
  | {readonly kind: 'refused'; readonly reason: string};

/** A pattern being searched for, and what is still to be searched. */
export type SearchJob = {
  readonly patternId: number;
  readonly pattern: Pattern;
  engine: Engine;
  /** Why the fast engine failed: part of a sentence. */
  fastFault: string | undefined;
  /** In the order wanted. */
  chunks: Chunk[];
  /** Texts whose match ranges are wanted. */
  texts: readonly string[] | undefined;
  /** Chunks per request: as many as are answered quickly. */
  batchChunks: number;
};

/** The part of a job in one request to the thread. */
export type SearchTask = {
  readonly job: SearchJob;
  /** The engine of the job at the time of the request. */
  readonly engine: Engine;
} & (
  | {readonly kind: 'match'; readonly chunks: readonly Chunk[]}
  | {readonly kind: 'findSpans'; readonly texts: readonly string[]}
);

/** Small enough that the first answer comes soon, and so does an answer to a key press meanwhile. */
const batchChunksMax = 32;
/**
 * Target time of a batch, milliseconds. After a faster batch the size doubles; after one that takes more than twice as
 * long it is halved.
 */
const batchAimMs = 10;

export const createJob = (patternId: number, pattern: Pattern): SearchJob => ({
  patternId,
  pattern,
  engine: 'fast',
  fastFault: undefined,
  chunks: [],
  texts: undefined,
  batchChunks: 1,
});

/** Takes the next request out of the jobs: texts on the screen first, then chunks, one job after another. */
export const takeTask = (jobs: Map<number, SearchJob>): SearchTask | undefined => {
  for (const job of jobs.values()) {
    const {texts} = job;
    if (texts !== undefined) {
      job.texts = undefined;
      return {kind: 'findSpans', job, engine: job.engine, texts};
    }
  }
  for (const job of jobs.values()) {
    if (job.chunks.length > 0) {
      // Moves the job to the end, so that the other jobs come first next time.
      jobs.delete(job.patternId);
      jobs.set(job.patternId, job);
      return {kind: 'match', job, engine: job.engine, chunks: job.chunks.splice(0, job.batchChunks)};
    }
  }
  return undefined;
};

/** Puts back an unanswered task, ahead of the rest of its job. */
export const putBack = (task: SearchTask): void => {
  if (task.kind === 'match') {
    task.job.chunks.unshift(...task.chunks);
  } else {
    task.job.texts ??= task.texts;
  }
};

/** Sets the chunks wanted now, except those already requested and not yet answered. */
export const setWanted = (job: SearchJob, chunks: readonly Chunk[], asked: readonly SearchTask[]): void => {
  const keys = new Set<ChunkKey>(
    asked.flatMap(task => (task.job === job && task.kind === 'match' ? task.chunks.map(({key}) => key) : [])),
  );
  job.chunks = chunks.filter(({key}) => !keys.has(key));
};

/** Adapts the batch size to the time the thread took. */
export const adaptBatch = (job: SearchJob, tookMs: number): void => {
  if (tookMs < batchAimMs) {
    job.batchChunks = Math.min(batchChunksMax, job.batchChunks * 2);
  } else if (tookMs > 2 * batchAimMs) {
    job.batchChunks = Math.max(1, Math.floor(job.batchChunks / 2));
  }
};
