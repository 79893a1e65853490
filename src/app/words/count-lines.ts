import type {LineBuffer} from '../../log/buffer/buffer.ts';
import {entriesOf} from '../../log/buffer/chunk.ts';

/** How many lines stand at an index or behind it; the markers between them are none. Costs the chunks, and one chunk's entries. */
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
