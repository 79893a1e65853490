import type {Marker} from '../line/entry.ts';
import {formatClock, formatInstant, type Instant} from '../line/instant.ts';
import {changeWords} from './change-words.ts';
import {gapWords} from './gap-words.ts';

/**
 * Describes a marker: briefly and with clock times for a `row` of a screen; with full times for a `sentence` on stderr,
 * so that they can be found in the lines. Pod names and changes are untrusted: they go through `makeSafe` first.
 */
export const describeMarker = (
  marker: Marker,
  form: 'row' | 'sentence',
  makeSafe: (foreign: string) => string = foreign => foreign,
): string => {
  const isRow = form === 'row';
  const time = (at: Instant, isExact = false): string => (isRow ? formatClock(at, isExact) : formatInstant(at));
  switch (marker.kind) {
    case 'gap': {
      const what = isRow || !marker.grows ? 'possible gap,' : 'the possible gap went on, in all';
      // The range comes first: a narrow screen cuts the end.
      const range = `${time(marker.after, true)} to ${time(marker.before, true)}`;
      return `${what} ${range}${isRow ? '' : ', lines may be missing'}: ${gapWords(marker)}`;
    }
    case 'pod': {
      const pod = `pod ${makeSafe(marker.name)}`;
      if (marker.change === 'appeared') {
        return `${pod} ${isRow ? 'came' : 'appeared'}`;
      }
      if (marker.isWhole) {
        return `${pod} ${isRow ? 'went' : 'gone'}`;
      }
      const since = marker.since === undefined ? '' : ` since ${time(marker.since)}`;
      return `${pod} ${isRow ? 'went; lines' : 'gone, its last lines'}${since} may be missing`;
    }
    case 'quiet': {
      const why = isRow ? '' : 'the service lets lines go by age, ';
      return `quiet since ${time(marker.since)}: ${why}what came and went in between can't be known`;
    }
    case 'change': {
      const clock = isRow && marker.happenedAt !== undefined ? `${time(marker.happenedAt)}  ` : '';
      return `${clock}${makeSafe(changeWords(marker.change))}`;
    }
    case 'horizon':
      return `the service held nothing older than ${time(marker.at)}`;
    default:
      return marker satisfies never;
  }
};
