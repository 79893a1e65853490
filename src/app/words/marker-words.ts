import type {Tone} from '#app/rows/tones.ts';
import type {Marker, SourceName} from '#log/line/entry.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {describeMarker} from '#log/words/describe-marker.ts';

const podNameCharsMax = 80;
const changeCharsMax = 200;

const tonesByKind: Readonly<Record<Marker['kind'], Tone>> = {
  gap: 'busy',
  pod: 'accent',
  quiet: 'accent',
  change: 'accent',
  horizon: 'dim',
};

/** Returns a marker's words on screen, sanitised, and their tone. `nameSource` names the source that lost lines. */
export const markerWords = (
  marker: Marker,
  nameSource?: (name: SourceName) => string,
): {readonly words: string; readonly tone: Tone} => ({
  words: describeMarker(
    marker,
    'row',
    foreign => sanitiseWord(foreign, marker.kind === 'change' ? changeCharsMax : podNameCharsMax),
    nameSource,
  ),
  tone: tonesByKind[marker.kind],
});
