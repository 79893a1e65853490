import {changeWords} from '../log/change-words.ts';
import type {Marker} from '../log/entry.ts';
import {formatInstant} from '../log/instant.ts';

/** A marker in words, for stderr. Times are whole, so that they can be looked up in the lines. */
export const formatMarker = (marker: Marker): string => {
  switch (marker.kind) {
    case 'gap':
      return `possible gap, ${formatInstant(marker.after)} to ${formatInstant(marker.before)}: the window moved on, lines may be missing`;
    case 'pod': {
      if (marker.change === 'appeared') {
        return `pod ${marker.name} appeared`;
      }
      const since = marker.since === undefined ? '' : ` since ${formatInstant(marker.since)}`;
      return `pod ${marker.name} gone, its last lines${since} may be missing`;
    }
    case 'quiet':
      return `quiet since ${formatInstant(marker.since)}: the window was empty in between, what came and went then can't be known`;
    case 'change':
      return changeWords(marker.change);
    case 'horizon':
      return `the service held nothing older than ${formatInstant(marker.at)}`;
    default:
      return marker satisfies never;
  }
};
