import {changeWords} from '../log/change-words.ts';
import type {Marker} from '../log/entry.ts';
import {gapWords} from '../log/gap-words.ts';
import {formatInstant} from '../log/instant.ts';

/** A marker in words, for stderr. Times are whole, so that they can be looked up in the lines. */
export const formatMarker = (marker: Marker): string => {
  switch (marker.kind) {
    case 'gap': {
      const what = marker.grows ? 'the possible gap went on, in all' : 'possible gap,';
      const range = `${formatInstant(marker.after)} to ${formatInstant(marker.before)}`;
      return `${what} ${range}, lines may be missing: ${gapWords(marker)}`;
    }
    case 'pod': {
      if (marker.change === 'appeared') {
        return `pod ${marker.name} appeared`;
      }
      const since = marker.since === undefined ? '' : ` since ${formatInstant(marker.since)}`;
      return `pod ${marker.name} gone, its last lines${since} may be missing`;
    }
    case 'quiet':
      return `quiet since ${formatInstant(marker.since)}: the service lets lines go by age, what came and went in between can't be known`;
    case 'change':
      return changeWords(marker.change);
    case 'horizon':
      return `the service held nothing older than ${formatInstant(marker.at)}`;
    default:
      return marker satisfies never;
  }
};
