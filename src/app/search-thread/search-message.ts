import type {ChunkText} from '../../log/buffer/chunk-text.ts';
import type {Spans} from '../../log/pattern/matcher.ts';
import type {Pattern} from '../../log/pattern/parse-pattern.ts';

/** `fast` is the language's own engine, which some patterns keep busy without end; `linear` is never kept. */
export type Engine = 'fast' | 'linear';

/** What the thread that searches is asked. It answers each request, in their order. */
export type SearchRequest = {readonly pattern: Pattern; readonly engine: Engine} & (
  | {readonly kind: 'match'; readonly chunks: readonly ChunkText[]}
  | {readonly kind: 'findSpans'; readonly texts: readonly string[]}
);

export type SearchAnswer =
  /** It runs, and takes requests. */
  | {readonly kind: 'ready'}
  /** Of each chunk, the places of the lines that match. */
  | {readonly kind: 'matched'; readonly offsetsOfChunks: readonly Uint16Array[]}
  | {readonly kind: 'foundSpans'; readonly spansOfTexts: readonly Spans[]}
  /** The engine can't run the pattern, and why: a part of a sentence. */
  | {readonly kind: 'refused'; readonly reason: string};
