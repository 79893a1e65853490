import type {GapMarker, HorizonMarker, Marker} from '#log/line/entry.ts';
import {formatClock, formatInstant, type Instant} from '#log/line/instant.ts';
import type {SourceName} from '#log/line/source-name.ts';
import {changeWords} from './change-words.ts';
import {countOf} from './format-count.ts';
import {gapWords} from './gap-words.ts';
import {sourceWords} from './source-words.ts';

/**
 * Describes a marker: briefly and with clock times for a `row` of a screen; with full times for a `sentence` on stderr,
 * so that they can be found in the lines. Names, changes and the service's words are untrusted: they go through
 * `makeSafe` first.
 * `nameSource` names the source that lost lines.
 */
export const describeMarker = (
  marker: Marker,
  form: 'row' | 'sentence',
  makeSafe: (foreign: string) => string = foreign => foreign,
  nameSource: (name: SourceName) => string = sourceWords,
): string => {
  const isRow = form === 'row';
  const time = (at: Instant, isExact = false): string => (isRow ? formatClock(at, isExact) : formatInstant(at));
  switch (marker.kind) {
    case 'gap': {
      const whose = marker.source === undefined ? '' : ` in ${makeSafe(nameSource(marker.source))}`;
      const what = isRow || !marker.grows ? `possible gap${whose},` : `the possible gap${whose} went on, in all`;
      // The range comes first: a narrow screen cuts the end.
      const range = `${time(marker.after, true)} to ${time(marker.before, true)}`;
      if (isRow) {
        return `${what} ${range}: ${shortGapWords(marker, makeSafe)}`;
      }
      return `${what} ${range}, lines may be missing: ${gapWords(marker, makeSafe)}`;
    }
    case 'pod': {
      if (marker.ending !== undefined) {
        return `${makeSafe(marker.name)} ${makeSafe(marker.ending)}`;
      }
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
      // Nothing may be left of words that were not for drawing.
      return `${clock}${makeSafe(changeWords(marker.change)).trim() || 'a change without words'}`;
    }
    case 'horizon':
      return marker.isEnd ? endWords(marker, time(marker.at)) : horizonWords(marker.why, time(marker.at));
    default:
      return marker satisfies never;
  }
};

const horizonWords = (why: HorizonMarker['why'], time: string): string => {
  switch (why) {
    case 'asked':
    case 'unread':
      return `lines older than ${time} were not read`;
    case 'memory':
      return `lines older than ${time} did not fit into memory`;
    case 'start':
      return 'the log begins here';
    default:
      return `the service held nothing older than ${time}`;
  }
};

const endWords = ({why}: HorizonMarker, time: string): string =>
  why === 'newest' ? 'the newest lines follow' : `lines newer than ${time} were not read`;

/** The number of missing lines is what matters most; that the service tells it is said where there is room. */
const shortGapWords = (gap: GapMarker, makeSafe: (foreign: string) => string): string =>
  gap.reason === 'told' && gap.missingLines !== undefined
    ? `${countOf(gap.missingLines, 'line')} missing`
    : gapWords(gap, makeSafe);
