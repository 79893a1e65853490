import {type Chunk, sourceAt} from '#log/buffer/chunk.ts';
import {saysBelow} from '#log/reading/continuation.ts';
import {continuationsOf} from './line-traits.ts';
import {traceLinesMax} from './trace.ts';

/** What ends a trace that is printed below its head: the exception of Python, the message of Rust and of gin. */
const notIndented = /^[^\s]/;

/**
 * Returns the text of a chunk's line that says what it is about: of a line that only announces a trace that which the
 * trace says, if it is in the chunk; of any other line its own. Undefined if the trace does not say it.
 */
export const headlineAt = (
  chunk: Chunk,
  offset: number,
  texts: readonly (string | undefined)[],
): string | undefined => {
  const text = texts[offset] ?? '';
  const place = saysBelow(text);
  if (place === undefined) {
    return text;
  }
  const continuations = continuationsOf(chunk);
  const source = sourceAt(chunk, offset);
  let said: string | undefined;
  const end = Math.min(texts.length, offset + traceLinesMax);
  for (let next = offset + 1; next < end; next += 1) {
    const below = texts[next];
    if (below !== undefined && sourceAt(chunk, next) === source) {
      if (continuations[next] === 0) {
        return said;
      }
      if (notIndented.test(below)) {
        said = below;
      }
      if (place === 'next') {
        return below;
      }
    }
  }
  return said;
};
