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
