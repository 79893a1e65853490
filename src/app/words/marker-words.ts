import type {Tone} from '#app/rows/view-row.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {entriesOf} from '#log/buffer/chunk.ts';
import type {Marker, SourceName} from '#log/line/entry.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {describeMarker} from '#log/words/describe-marker.ts';

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

const podNameCharsMax = 80;
const changeCharsMax = 200;

const tonesByKind: Readonly<Record<Marker['kind'], Tone>> = {
  gap: 'busy',
  pod: 'accent',
  quiet: 'accent',
  change: 'accent',
  horizon: 'dim',
};

/** Returns a marker's words on screen, sanitised, and their tone; `nameSource` and `part` as of `describeMarker`. */
export const markerWords = (
  marker: Marker,
  {
    nameSource,
    part,
  }: {readonly nameSource?: ((name: SourceName) => string) | undefined; readonly part?: string | undefined} = {},
): {readonly words: string; readonly tone: Tone} => ({
  words: describeMarker(
    marker,
    'row',
    foreign => sanitiseWord(foreign, marker.kind === 'change' ? changeCharsMax : podNameCharsMax),
    nameSource,
    part,
  ),
  tone: tonesByKind[marker.kind],
});
