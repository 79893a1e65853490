import {changeWords} from './change-words.ts';
import type {Marker} from './entry.ts';
import {gapWords} from './gap-words.ts';
import {formatClock, formatInstant, type Instant} from './instant.ts';

/** How a marker is told: in the few words of a row, or in a sentence for scripts and people who come later. */
type Form = {
  readonly isRow: boolean;
  readonly time: (at: Instant) => string;
  /** A time as exact as the row has room for. */
  readonly exactTime: (at: Instant) => string;
};

const row: Form = {isRow: true, time: at => formatClock(at), exactTime: at => formatClock(at, true)};

/** Times are whole, so that they can be looked up in the lines. */
const sentence: Form = {isRow: false, time: formatInstant, exactTime: formatInstant};

/** A marker in words. The name of a pod and what changed come from outside: `makeSafe` is handed them before they are shown. */
export const describeMarker = (
  marker: Marker,
  form: 'row' | 'sentence',
  makeSafe: (foreign: string) => string = foreign => foreign,
): string => {
  const {isRow, time, exactTime} = form === 'row' ? row : sentence;
  switch (marker.kind) {
    case 'gap': {
      const range = `${exactTime(marker.after)} to ${exactTime(marker.before)}`;
      // The range comes first: a narrow screen cuts the end.
      if (isRow) {
        return `possible gap, ${range}: ${gapWords(marker)}`;
      }
      const what = marker.grows ? 'the possible gap went on, in all' : 'possible gap,';
      return `${what} ${range}, lines may be missing: ${gapWords(marker)}`;
    }
    case 'pod': {
      const pod = `pod ${makeSafe(marker.name)}`;
      if (marker.change === 'appeared') {
        return `${pod} ${isRow ? 'came' : 'appeared'}`;
      }
      const since = marker.since === undefined ? '' : ` since ${time(marker.since)}`;
      return isRow ? `${pod} went; lines${since} may be missing` : `${pod} gone, its last lines${since} may be missing`;
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
