import type {IncidentChange, IncidentReport} from '../../log/incident/find-incident.ts';
import type {Rise} from '../../log/incident/find-rise.ts';
import type {Carrier, Shares} from '../../log/incident/find-shares.ts';
import {formatClock, formatInstant, type Instant, instantToMs} from '../../log/line/instant.ts';
import {shapeWords} from '../../log/shapes/shape-words.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {countOf, formatCount} from '../../log/words/format-count.ts';
import {sinceWord} from '../../log/words/proof-words.ts';
import {formatLength} from './format-time.ts';
import {markerWords} from './marker-words.ts';

type FormatTime = (at: Instant) => string;

const dayNanos = 86_400_000_000_000n;

/** Returns a clock for the times around an incident; what is more than a day old has its date before it. */
export const incidentClock = ({newest}: Pick<IncidentReport, 'newest'>): FormatTime => {
  return at => `${newest - at > dayNanos ? `${formatInstant(at).slice(5, 10)} ` : ''}${formatClock(at)}`;
};

/** Says when errors rose, from what to what, and whether they still do; or why nothing can be said. */
export const riseSentence = ({search}: Pick<IncidentReport, 'search'>, format: FormatTime): string => {
  switch (search.kind) {
    case 'rise': {
      const {at, before, during} = search.rise;
      const beginning =
        before === undefined
          ? `Errors were at ${rateWords(during)} a minute at ${format(at)}, where the log held begins`
          : `Errors rose at ${format(at)}, from ${rateWords(before)} to ${rateWords(during)} a minute`;
      return `${beginning}; ${courseWords(search.rise, format)}.`;
    }
    case 'none': {
      const held = formatLength(instantToMs(search.heldNanos));
      return search.errorCount === 0
        ? `No errors in the ${held} of log held.`
        : `No clear rise: ${countOf(search.errorCount, 'error')} in the ${held} of log held.`;
    }
    case 'tooShort':
      return search.heldNanos === 0n
        ? 'No lines are held yet.'
        : `Only ${formatLength(instantToMs(search.heldNanos))} of log are held: too little to tell a rise.`;
    default:
      return search satisfies never;
  }
};

const rateWords = (rate: number): string =>
  rate < 9.95 ? String(Math.round(rate * 10) / 10) : formatCount(Math.round(rate));

const courseWords = ({course, lastAt}: Rise, format: FormatTime): string => {
  switch (course) {
    case 'over':
      return `over since ${format(lastAt)}`;
    case 'steady':
      return 'still going on';
    case 'rising':
      return 'still rising';
    case 'falling':
      return 'falling again';
    default:
      return course satisfies never;
  }
};

/** `22 s before` the rise, `3 s after` it; without a rise `22 s ago`, from the newest line. */
export const distanceWords = ({search, newest}: Pick<IncidentReport, 'search' | 'newest'>, at: Instant): string => {
  if (search.kind !== 'rise') {
    return `${formatLength(instantToMs(newest - at))} ago`;
  }
  const ms = instantToMs(at - search.rise.at);
  return Math.abs(ms) < 1000 ? 'at once' : `${formatLength(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'}`;
};

/** Says what changed, without its time. Safe to draw. */
export const incidentChangeWords = ({marker}: IncidentChange): string =>
  markerWords(marker.kind === 'change' ? {...marker, happenedAt: undefined} : marker).words;

/** Says whether lines may be missing in the time of the incident. */
export const incidentSinceWords = ({gaps, wholeSince, proof, from}: IncidentReport, format: FormatTime): string => {
  if (gaps.length > 0) {
    return `${countOf(gaps.length, 'possible gap')} in it`;
  }
  if (wholeSince === undefined) {
    return 'no lines held';
  }
  return `${sinceWord(proof)} ${wholeSince <= from ? 'over all of it' : `since ${format(wholeSince)}`}`;
};

const keyCharsMax = 200;

const shareLeads: Readonly<Record<Carrier['kind'], string>> = {
  status: 'status ',
  path: 'errors of path ',
  shape: '',
  source: 'errors of ',
  pod: 'errors that name ',
};

/** Names what has a share, in one row. Safe to draw. */
export const shareName = ({kind, key}: Carrier): string =>
  shareLeads[kind] + sanitiseWord(kind === 'shape' ? shapeWords(key) : key, keyCharsMax);

/** `0 → 41 %` */
export const shareWords = ({before, during}: Carrier): string => `${percentWords(before)} → ${percentWords(during)} %`;

const percentWords = (share: number): string => (share > 0 && share < 0.01 ? '<1' : String(Math.floor(100 * share)));

/** Says which lines the shares are of. */
export const sharesWords = ({before, during}: Shares): string => {
  const words = [before, during].map(({read, held}) =>
    read < held ? `${formatCount(read)} of ${countOf(held, 'line')}` : countOf(held, 'line'),
  );
  return `of ${words.join(' before, and of ')} in it`;
};
