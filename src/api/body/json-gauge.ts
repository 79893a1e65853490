import {backslash, closeBrace, closeBracket, openBrace, openBracket, quote} from '../client/body/scan-json.ts';

/**
 * Deeper than anything that is meant as data. `JSON.parse` takes 70 ms for as many levels, but 15 s and gigabytes for a
 * body that is all brackets, which a few kilobytes of gzip can hold.
 */
const depthMax = 250_000;

/** Objects and arrays of a body: a listing of 10,000 branches has a fifth of that. Each takes up to a hundred bytes. */
const containersMax = 2_000_000;

/**
 * Creates a function that takes the bytes of a JSON text chunk by chunk and returns false once the text is nested too
 * deeply or holds too many objects and arrays to be parsed.
 */
export const createJsonGauge = (): ((chunk: Buffer) => boolean) => {
  let depth = 0;
  let containers = 0;
  let isInString = false;
  /** The string's next byte follows a backslash of the last chunk. */
  let isEscaped = false;

  /** Returns the index after what is left of a string: after its closing or an escaped quote, or at the chunk's end. */
  const skipString = (chunk: Buffer, start: number): number => {
    const first = isEscaped ? start + 1 : start;
    const found = chunk.indexOf(quote, first);
    const end = found === -1 ? chunk.length : found;
    let backslashes = 0;
    while (end - backslashes > first && chunk[end - backslashes - 1] === backslash) {
      backslashes += 1;
    }
    const isNextEscaped = backslashes % 2 === 1;
    isInString = found === -1 || isNextEscaped;
    isEscaped = found === -1 && isNextEscaped;
    return end + 1;
  };

  return chunk => {
    let index = 0;
    while (index < chunk.length) {
      if (isInString) {
        index = skipString(chunk, index);
        continue;
      }
      const byte = chunk[index];
      index += 1;
      if (byte === quote) {
        isInString = true;
      } else if (byte === openBracket || byte === openBrace) {
        depth += 1;
        containers += 1;
        if (depth > depthMax || containers > containersMax) {
          return false;
        }
      } else if (byte === closeBracket || byte === closeBrace) {
        depth -= 1;
      }
    }
    return true;
  };
};
