import {changeWords} from '../../log/change-words.ts';
import type {Marker} from '../../log/entry.ts';
import {gapWords} from '../../log/gap-words.ts';
import {formatClock} from '../../log/instant.ts';
import {sanitiseWord} from '../../log/sanitise.ts';
import type {Tone} from '../tones.ts';

const podNameCharsMax = 80;
const changeCharsMax = 200;

/** What a marker says, and in which tone. The words are safe. */
export const markerWords = (marker: Marker): {readonly words: string; readonly tone: Tone} => {
  switch (marker.kind) {
    case 'gap':
      // The range comes first: a narrow screen cuts the end.
      return {
        words: `possible gap, ${formatClock(marker.after, true)} to ${formatClock(marker.before, true)}: ${gapWords(marker)}`,
        tone: 'busy',
      };
    case 'pod': {
      const name = sanitiseWord(marker.name, podNameCharsMax);
      if (marker.change === 'appeared') {
        return {words: `pod ${name} came`, tone: 'accent'};
      }
      const since = marker.since === undefined ? '' : ` since ${formatClock(marker.since)}`;
      return {words: `pod ${name} went; lines${since} may be missing`, tone: 'accent'};
    }
    case 'quiet':
      return {
        words: `quiet since ${formatClock(marker.since)}: what came and went in between can't be known`,
        tone: 'accent',
      };
    case 'change': {
      const clock = marker.happenedAt === undefined ? '' : `${formatClock(marker.happenedAt)}  `;
      return {words: `${clock}${sanitiseWord(changeWords(marker.change), changeCharsMax)}`, tone: 'accent'};
    }
    case 'horizon':
      return {words: `the service held nothing older than ${formatClock(marker.at)}`, tone: 'dim'};
    default:
      return marker satisfies never;
  }
};
