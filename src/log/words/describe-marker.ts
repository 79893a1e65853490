import type {Change, GapMarker, GapReason, HorizonMarker, Marker, SourceName, Unreadable} from '#log/line/entry.ts';
import {formatClock, formatInstant, type Instant} from '#log/line/instant.ts';
import {countOf} from './format-count.ts';
import {sourceWords} from './source-words.ts';

/** Says that items of a window are no lines; every message about them begins so. */
export const notLinesWords = (count: number): string =>
  `${countOf(count, 'item')} ${count === 1 ? 'is not a line' : 'are not lines'}`;

/**
 * Says how many pods cannot be read, and why the first of them, such as `2 of 4 pods unreadable: No right to …`, or
 * which of the two still works: `new pods unseen, 4 of 4 logs still come: …`. `part` is what a log consists of; files
 * are not counted, because one of them may be a folder.
 */
export const unreadableWords = ({pods, of, why, isBlind}: Unreadable, part = 'pod'): string =>
  part === 'file'
    ? `${why}${pods > 1 ? `, and ${pods - 1} more` : ''}`
    : isBlind
      ? `new pods unseen, ${of - pods} of ${countOf(of, 'log')} still ${of === 1 ? 'comes' : 'come'}: ${why}`
      : `${pods} of ${countOf(of, part)} unreadable: ${why}`;

type SaidOfGap = Pick<GapMarker, 'reason' | 'newLines' | 'missingLines' | 'why'>;

const cameAtOnce = ({newLines}: SaidOfGap): string =>
  newLines === undefined ? 'many lines came at once' : `${countOf(newLines, 'line')} came at once`;

const wordsOfReasons: Readonly<Record<GapReason, string | ((gap: SaidOfGap) => string)>> = {
  'moved-on': ({missingLines}) =>
    `the window moved on${missingLines === undefined ? '' : `, ${countOf(missingLines, 'line')} missing`}`,
  unproven: gap => `${cameAtOnce(gap)}; this service does not say how it cuts its windows`,
  share: gap => `${cameAtOnce(gap)}, as many as one pod or source may hold`,
  'clock-back': 'the clock that stamps the lines went back',
  empty: 'the service answered with empty windows in between',
  'short-window': 'the window spans less time than lines are late',
  'source-gone': 'lines disappeared all at once, as when a container restarts',
  renumbered: 'the service restarted its line numbers',
  'not-lines': 'the service sent something that is not a line',
  'left-out': ({missingLines}) =>
    `the service keeps leaving out numbered lines${missingLines === undefined ? '' : `, ${countOf(missingLines, 'line')} so far`}`,
  contradicted: 'the service’s line numbers contradict each other, so they are ignored from here on',
  told: ({missingLines}) =>
    `${missingLines === undefined ? 'lines are' : `${countOf(missingLines, 'line')} ${missingLines === 1 ? 'is' : 'are'}`} reported missing`,
};

/** Checks whether a word from outside is a reason for a gap. */
export const isGapReason = (word: string): word is GapReason => Object.hasOwn(wordsOfReasons, word);

/**
 * Explains why lines may be missing; every description of a gap uses this text. Whatever reports a gap, such as a
 * service or the reader of a file, knows best why it is one. Its words are foreign text: it goes through `makeSafe`.
 */
export const gapWords = (gap: SaidOfGap, makeSafe: (foreign: string) => string = foreign => foreign): string => {
  const {reason = 'moved-on', missingLines, why} = gap;
  if (reason === 'told' && why !== undefined) {
    return `${makeSafe(why)}${missingLines === undefined ? '' : `: ${countOf(missingLines, 'line')} missing`}`;
  }
  const words = wordsOfReasons[reason];
  return typeof words === 'string' ? words : words(gap);
};

/**
 * Describes a change of a branch. The text is as untrusted as the record it comes from: the caller must sanitise it
 * before showing it.
 */
export const changeWords = (change: Change): string => {
  switch (change.kind) {
    case 'status':
      return `status ${change.before ?? 'not built out'} → ${change.now ?? 'not built out'}`;
    case 'activity': {
      const {action = 'an activity', status, createdBy} = change;
      const words = [status, createdBy && `by ${createdBy}`].filter(word => word !== undefined && word !== '');
      // A status alone does not say of what it is.
      return [action || 'an activity', ...words].join(' ');
    }
    case 'trouble':
      return [change.who, change.reason || 'trouble'].filter(words => words !== '').join(': ');
    default:
      return change satisfies never;
  }
};

/**
 * Describes a marker: briefly and with clock times for a `row` of a screen; with full times for a `sentence` on stderr,
 * so that they can be found in the lines. Names, changes and the service's words are untrusted: they go through
 * `makeSafe` first.
 * `nameSource` names the source that lost lines. `part` is what a log consists of; files are no pods.
 */
export const describeMarker = (
  marker: Marker,
  form: 'row' | 'sentence',
  makeSafe: (foreign: string) => string = foreign => foreign,
  nameSource: (name: SourceName) => string = sourceWords,
  part = 'pod',
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
      const pod = `${part} ${makeSafe(marker.name)}`;
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
      // Words that cannot be drawn may leave nothing.
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
