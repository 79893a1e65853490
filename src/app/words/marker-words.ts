import type {Marker} from '../../log/line/entry.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {describeMarker} from '../../log/words/describe-marker.ts';
import type {Tone} from '../rows/tones.ts';

const podNameCharsMax = 80;
const changeCharsMax = 200;

const tonesByKind: Readonly<Record<Marker['kind'], Tone>> = {
  gap: 'busy',
  pod: 'accent',
  quiet: 'accent',
  change: 'accent',
  horizon: 'dim',
};

/** Returns a marker's words on screen, sanitised, and their tone. */
export const markerWords = (marker: Marker): {readonly words: string; readonly tone: Tone} => ({
  words: describeMarker(marker, 'row', foreign =>
    sanitiseWord(foreign, marker.kind === 'change' ? changeCharsMax : podNameCharsMax),
  ),
  tone: tonesByKind[marker.kind],
});
