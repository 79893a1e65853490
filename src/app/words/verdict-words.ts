import type {IncidentReport} from '#log/incident/find-incident.ts';
import {isTrouble, quietSinceOf} from '#log/incident/incident-finding.ts';
import type {SinceReport} from '#log/incident/since-change.ts';
import type {TimeSpan, Uncovered, Verdict} from '#log/incident/verdict.ts';
import {type Instant, instantToMs} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {shapeWords} from '#log/traits/shape-table.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {formatLength} from './format-time.ts';

type FormatTime = (at: Instant) => string;

/** Says a name, or words, that others gave; unless told otherwise safe to draw. */
type SayForeign = (text: string) => string;

const saidCharsMax = 200;
const foreign: SayForeign = text => sanitiseWord(text, saidCharsMax);

export const lengthBetween = (from: Instant, to: Instant): string => formatLength(Math.max(0, instantToMs(to - from)));

/** A report, or what is other since a deployment. */
type Judged = IncidentReport & Partial<Pick<SinceReport, 'change'>>;

/**
 * `incident since 22:34:59, 4 min`, or `none since 22:39:10` where it may be over; `incident 22:03:11 to 22:05:00,
 * 5 min ago` once it is; `calm for 52 min`; or `cannot tell: …` and why. Safe to draw.
 */
export const verdictTitle = (
  {verdict, basis, onset, to, findings, change}: Judged,
  format: FormatTime,
  say = foreign,
): string => {
  if (change !== undefined && verdict.kind !== 'unknown') {
    const deployment = `since the deployment at ${format(change.since)}, ${lengthBetween(change.since, basis.asked.to)}`;
    return `${verdict.kind === 'calm' ? 'calm' : 'other than before'} ${deployment}`;
  }
  switch (verdict.kind) {
    case 'found': {
      const first = findings.find(isTrouble);
      const {until, mayBeOlder = false} = first ?? {};
      const since = onset ?? first?.since ?? to;
      const began = `${mayBeOlder ? 'before ' : ''}${format(since)}`;
      if (until === undefined) {
        const quietSince = first && quietSinceOf(first, to);
        return quietSince === undefined
          ? `incident since ${began}, ${lengthBetween(since, to)}`
          : `incident since ${began}, none since ${format(quietSince)}`;
      }
      const time = until > since ? `${began} to ${format(until)}` : `at ${began}`;
      return `incident ${time}, ${lengthBetween(until, basis.asked.to)} ago`;
    }
    case 'calm':
      return `calm for ${lengthBetween(basis.asked.from, basis.asked.to)}`;
    case 'unknown':
      return `cannot tell: ${unknownWords(verdict.why, format, say)}`;
    default:
      return verdict satisfies never;
  }
};

/** Says why nobody can tell. The word of the other verdict is not in it, for whoever searches for that. */
const unknownWords = (why: Extract<Verdict, {kind: 'unknown'}>['why'], format: FormatTime, say: SayForeign): string =>
  'from' in why
    ? uncoveredWords(why, format, say)
    : why.why === 'reading'
      ? 'the log is still being read'
      : why.why === 'tooShort'
        ? 'too little time has passed since the deployment'
        : 'nothing before it is held to compare with';

/** Says of which part of the time nobody can tell, and why. Safe to draw. */
export const uncoveredWords = ({why, from, to, who, said}: Uncovered, format: FormatTime, say = foreign): string => {
  const span = from === to ? `at ${format(from)}` : `${format(from)} to ${format(to)}`;
  const also = [...(who === undefined ? [] : [`of ${say(who)}`]), ...(said === undefined ? [] : [say(said)])];
  const withAlso = (words: string): string => `${words}${also.length === 0 ? '' : ` (${also.join(': ')})`}`;
  switch (why) {
    case 'older':
      return `not everything before ${format(to)} is held`;
    case 'unread':
      return `lines from before ${format(to)} are not read yet`;
    case 'gap':
      return withAlso(`possible gap ${span}`);
    case 'loss':
      return withAlso(`lines lost ${span}`);
    case 'quiet':
      return `windows without lines ${span}`;
    case 'silence':
      return `silent since ${format(from)}${who === undefined ? '' : ` (${say(who)} writes no more)`}`;
    case 'unreadable':
      return said === undefined ? 'not all of it can be read' : say(said);
    case 'outage':
      return `no answer since ${format(from)}`;
    case 'notLines':
      return `items that are no lines since ${format(from)}`;
    case 'noLines':
      return from === to ? 'no lines' : `no lines ${span}`;
    default:
      return why satisfies never;
  }
};

/** A clock to the minute; a time with its date and its zone is left as it is. */
const toMinute = (time: string): string => time.replace(/(\d\d:\d\d):\d\d$/, '$1');

/** Two times to the minute; to the second within one minute. */
const spanWords = ({from, to}: TimeSpan, format: FormatTime): string => {
  const [begin, end] = [format(from), format(to)];
  return toMinute(begin) === toMinute(end) ? `${begin}–${end}` : `${toMinute(begin)}–${toMinute(end)}`;
};

/** This many parts that cannot be judged are listed; the others are counted. */
const uncoveredMax = 2;

/**
 * Says on what a verdict rests: `complete from 20:08:11 · compared with 20:08–20:15`, and what is not covered.
 * `complete` is a promise, and is made only where the service numbers its lines. Safe to draw.
 */
export const basisWords = ({verdict, basis, wholeSince}: IncidentReport, format: FormatTime, say = foreign): string => {
  const {uncovered, comparedWith, proof} = basis;
  // The first is in the title where it is why nobody can tell.
  const told = verdict.kind === 'unknown' ? uncovered.filter(part => part !== verdict.why) : uncovered;
  const leftOut = told.length - uncoveredMax;
  const older = comparedWith === undefined ? '; nothing older read' : '';
  return [
    wholeSince === undefined
      ? 'no lines held'
      : `${proof === 'counted' ? 'complete' : 'joined'} from ${format(wholeSince)}${older}`,
    ...told.slice(0, uncoveredMax).map(part => uncoveredWords(part, format, say)),
    ...(leftOut > 0 ? [countOf(leftOut, 'more such time')] : []),
    ...(comparedWith !== undefined
      ? [`compared with ${spanWords(comparedWith, format)}`]
      : verdict.kind === 'found'
        ? ['no calm time held to compare with']
        : []),
  ].join(' · ');
};

/** As many kinds of errors as somebody reads in a row. */
const kindsMax = 3;

/** Says how many errors there are where nothing was found, and what most of them say. Safe to draw. */
export const errorsSentence = ({verdict, errorCount, errorKinds}: IncidentReport): string => {
  const kinds = errorKinds
    .slice(0, kindsMax)
    .map(
      ({of, subject, count}) =>
        `${formatCount(Math.round(count))} × ${foreign(of === 'kind' ? shapeWords(subject) : subject)}`,
    );
  const errors = `${errorCount === 0 ? 'no errors' : countOf(errorCount, 'error')}`;
  const which = kinds.length === 0 ? '' : `: ${kinds.join(', ')}`;
  return verdict.kind === 'calm'
    ? `${errors}${errorCount === 0 ? '' : ', as before'}${which}`
    : `nothing found in what is held, ${errors}${which}`;
};
