import type {Chunk, ChunkKey} from '../../log/buffer/chunk.ts';
import type {Pattern} from '../../log/pattern/parse-pattern.ts';
import type {Engine} from './search-message.ts';

/** A pattern that is being searched for, and what is still to be looked through. */
export type SearchJob = {
  readonly patternId: number;
  readonly pattern: Pattern;
  engine: Engine;
  /** Why the fast engine couldn't: a part of a sentence. */
  fastFault: string | undefined;
  /** In the order in which they are wanted. */
  chunks: Chunk[];
  /** Texts of which it is wanted where the pattern stands in them. */
  texts: readonly string[] | undefined;
  /** How many chunks are asked about at once: as many as are answered soon. */
  batchChunks: number;
};

/** A part of a job that the thread was asked for. */
export type SearchTask = {
  readonly job: SearchJob;
  /** That of the job when it was asked. */
  readonly engine: Engine;
} & (
  | {readonly kind: 'match'; readonly chunks: readonly Chunk[]}
  | {readonly kind: 'findSpans'; readonly texts: readonly string[]}
);

/** The first answer comes soon, and so does what a key asks for meanwhile. */
const batchChunksMax = 32;
/**
 * Milliseconds. A batch that is answered sooner is followed by one of twice its size, one that takes twice as long by
 * one of half of it.
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

/**
 * Takes what is to be asked next out of the jobs: texts on the screen first, then chunks of one job after the other.
 */
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
      // Behind the others, so that its turn comes after theirs.
      jobs.delete(job.patternId);
      jobs.set(job.patternId, job);
      return {kind: 'match', job, engine: job.engine, chunks: job.chunks.splice(0, job.batchChunks)};
    }
  }
  return undefined;
};

/** Puts back what was not answered, ahead of all else of its job. */
export const putBack = (task: SearchTask): void => {
  if (task.kind === 'match') {
    task.job.chunks.unshift(...task.chunks);
  } else {
    task.job.texts ??= task.texts;
  }
};

/** The chunks that are wanted now, without those that were asked for and not answered yet. */
export const setWanted = (job: SearchJob, chunks: readonly Chunk[], asked: readonly SearchTask[]): void => {
  const keys = new Set<ChunkKey>(
    asked.flatMap(task => (task.job === job && task.kind === 'match' ? task.chunks.map(({key}) => key) : [])),
  );
  job.chunks = chunks.filter(({key}) => !keys.has(key));
};

/** Learns from how long the thread took for a batch. */
export const adaptBatch = (job: SearchJob, tookMs: number): void => {
  if (tookMs < batchAimMs) {
    job.batchChunks = Math.min(batchChunksMax, job.batchChunks * 2);
  } else if (tookMs > 2 * batchAimMs) {
    job.batchChunks = Math.max(1, Math.floor(job.batchChunks / 2));
  }
};
