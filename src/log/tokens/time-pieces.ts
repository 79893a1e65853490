/**
 * The pieces of which times are made, as sources of regular expressions: shared by what finds a time in a line and by
 * what reads it. None has unbounded repetition, so none can be slow.
 */

/** Months as loggers write them, each with its number: in English, German and French, in short and without points. */
const monthWords = [
  'Jan janv',
  'Feb févr fév fevr',
  'Mar Mär Mrz mars',
  'Apr avr',
  'May Mai',
  'Jun juin',
  'Jul juil',
  'Aug août aout',
  'Sep Sept',
  'Oct Okt',
  'Nov',
  'Dec Dez déc',
].map(words => words.split(' '));

const numberOfMonth: ReadonlyMap<string, number> = new Map(
  monthWords.flatMap((words, index) => words.map((word): readonly [string, number] => [word.toLowerCase(), index + 1])),
);

/** Returns the number of a month by its word or its digits; undefined for other texts. */
export const monthOf = (text: string): number | undefined =>
  numberOfMonth.get(text.toLowerCase().replace(/\.$/, '')) ?? (/^\d{1,2}$/.test(text) ? Number(text) : undefined);

const everyMonth = monthWords
  .flat()
  .flatMap(word => [word, word.toLowerCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`])
  // The longer of two that begin alike comes first.
  .toSorted((a, b) => b.length - a.length);

/** A month in words, perhaps with a point: `Nov`, `nov.`, `Mär`. */
export const monthWord = `(?:${[...new Set(everyMonth)].join('|')})\\.?`;

export const weekdayWord = '(?:[A-Z][a-z]{2},? )';

/** Minutes east of UTC of the zones whose names mean the same to everybody: RFC 2822, section 4.3, and others. */
const minutesOfZones: Readonly<Record<string, number>> = {
  ...{Z: 0, UTC: 0, GMT: 0, UT: 0},
  ...{EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420, AKST: -540, AKDT: -480},
  ...{WET: 0, WEST: 60, CET: 60, CEST: 120, MEZ: 60, MESZ: 120, EET: 120, EEST: 180, MSK: 180, SAST: 120},
  ...{SGT: 480, HKT: 480, JST: 540, KST: 540, AEST: 600, AEDT: 660, NZST: 720, NZDT: 780, HST: -600},
};

/** Names that mean different zones in different countries. */
const doubtfulZones = ['IST', 'BST', 'AST', 'ADT', 'NST', 'NDT', 'ART', 'BRT', 'PKT', 'WIB', 'ICT', 'SST'];

/** Returns the minutes east of UTC of `Z`, `+02:00`, `-0530`, `+02`, `GMT+1` or `EST`; undefined for other texts. */
export const parseOffset = (text: string): number | undefined => {
  const minutes = minutesOfZones[text.toUpperCase()];
  const match = minutes === undefined ? /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d\d)?$/.exec(text) : null;
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) : minutes;
};

const zoneWords = [...Object.keys(minutesOfZones).filter(word => word !== 'Z'), ...doubtfulZones];

/** A zone behind a time: an offset, a word that names one, or a name of the tz database such as `Europe/Berlin`. */
export const zone = String.raw`(?:Z\b|(?:GMT|UTC)[+-](?:0?\d|1[0-4])(?::?[0-5]\d)?\b|[+-]\d\d(?::?\d\d)?\b|(?:${zoneWords.join('|')})\b|[A-Z][a-z]+(?:/[A-Z][A-Za-z_]+){1,2}\b)`;
