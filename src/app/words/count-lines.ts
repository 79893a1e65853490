import type {LineBuffer} from '#log/buffer/buffer.ts';
import {entriesOf} from '#log/buffer/chunk.ts';

/** Counts the lines at or after an index, without markers. O(number of chunks + entries of one chunk). */
export const countLinesFrom = ({chunks, starts}: LineBuffer, fromIndex: number): number => {
  let count = 0;
  for (let index = chunks.length - 1; index >= 0; index--) {
    const chunk = chunks[index];
    const start = starts[index] ?? 0;
    if (chunk === undefined || start + chunk.entryCount <= fromIndex) {
      break;
    }
    count +=
      start >= fromIndex
        ? chunk.lineCount
        : entriesOf(chunk)
            .slice(fromIndex - start)
            .filter(entry => entry.kind === 'line').length;
  }
  return count;
};
