import {type Entry, type LineEntry, type Marker, textOf} from '#log/line/entry.ts';
import {formatClock} from '#log/line/instant.ts';
import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import {describeMarker, gapWords} from '#log/words/describe-marker.ts';
import {countOf} from '#log/words/format-count.ts';
import {sourceWords} from '#log/words/source-words.ts';
import {messageCharsMax, nameCharsMax} from './fit-row.ts';
import type {ViewRow} from './view-row.ts';

/** Separates the parts of a row. */
const partGap = /\s{2,}| › /;
/** Glyphs that are only for the eye. */
const forTheEye = /[●○◐✗▸█▁-▇─│]+|^! /g;

/** Returns a row as words: its parts in order, without decoration. */
export const readRow = (row: ViewRow, separator = ', '): string =>
  row
    .map(({text}) => text)
    .join('')
    .trim()
    .replaceAll(forTheEye, '')
    .trim()
    .split(partGap)
    .filter(part => part !== '')
    .join(separator);

/** Items of a list that are read when it opens; the others are read when selected. */
const itemsReadMax = 20;

/** Joins the words of an item; empty words are left out. */
export const joinWords = (words: readonly string[]): string => words.filter(word => word !== '').join(', ');

/** `item 1 of 12, selected` */
export const placeInList = (index: number, count: number): string => `item ${index + 1} of ${count}, selected`;

/** Numbers the items; long lists are shortened. */
export const listItems = (items: readonly string[]): readonly string[] => {
  const shown = items.slice(0, itemsReadMax).map((item, index) => `${index + 1}. ${item}`);
  return items.length <= itemsReadMax ? shown : [...shown, `And ${countOf(items.length - itemsReadMax, 'more item')}.`];
};

/** Nobody listens to more of a passing line; when the reader is on the line, all of it is read. */
const passingCharsMax = 600;
const wordCharsMax = 200;

/** Joins the names of a branch and a source; undefined if there are none to say. */
export const joinNames = (whose: string | undefined, source: string | undefined): string | undefined =>
  [whose, source].filter(name => name !== undefined).join(', ') || undefined;

/**
 * Returns an entry as a sentence to read aloud: no glyphs, no columns. `whose` names the branch if there are several,
 * and the source; `part` is what the log consists of. Long passing lines are cut.
 */
export const readEntry = (entry: Entry, whose: string | undefined, isPassing: boolean, part?: string): string =>
  `${whose === undefined ? '' : `${whose}: `}${entry.kind === 'line' ? readLine(entry, isPassing) : readMarker(entry, isPassing, part)}`;

const readLine = (line: LineEntry, isPassing: boolean): string => {
  const clock = line.textIndex === 0 ? '' : `${formatClock(line.at)} `;
  const text = textOf(line);
  return `${line.late ? 'late, ' : ''}${clock}${isPassing ? sanitiseWord(text, passingCharsMax) : sanitise(text)}`;
};

const readMarker = (marker: Marker, isPassing: boolean, part: string | undefined): string => {
  switch (marker.kind) {
    case 'gap': {
      const [after, before] = [formatClock(marker.after, true), formatClock(marker.before, true)];
      const whose = marker.source === undefined ? '' : ` in ${word(sourceWords(marker.source))}`;
      const why = gapWords(marker, foreign => sanitiseWord(foreign, messageCharsMax));
      return marker.grows && isPassing
        ? `The possible gap${whose} from ${after} goes on to ${before}: ${why}.`
        : `Possible gap${whose} from ${after} to ${before}, lines may be missing: ${why}.`;
    }
    case 'pod':
    case 'horizon': {
      const words = describeMarker(marker, 'row', name => sanitiseWord(name, nameCharsMax), undefined, part);
      return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
    }
    case 'quiet':
      return `Quiet since ${formatClock(marker.since)}: what came and went in between is not known.`;
    case 'change':
      return readChange(marker);
    default:
      return marker satisfies never;
  }
};

const word = (foreign: string | null | undefined): string => sanitiseWord(foreign ?? '', wordCharsMax);

const readChange = ({change, happenedAt}: Extract<Marker, {kind: 'change'}>): string => {
  const when = happenedAt === undefined ? '' : ` at ${formatClock(happenedAt)}`;
  if (change.kind === 'status') {
    return `Status changed${when} from ${readStatusWord(change.before)} to ${readStatusWord(change.now)}.`;
  }
  if (change.kind === 'trouble') {
    const who = change.who === '' ? 'Trouble' : word(change.who);
    return `${who}${when}: ${word(change.reason)}.`;
  }
  const {action, status, createdBy} = change;
  const who = createdBy === undefined || createdBy === '' ? '' : `by ${word(createdBy)}`;
  const words = [word(action), readStatusWord(status ?? ''), who].filter(part => part !== '');
  return `Activity${when}: ${words.join(', ')}.`;
};

/** Returns a status as words: read aloud, `BUILD_APPLICATION_RUNNING` would be spelt letter by letter. */
export const readStatusWord = (status: string | null): string =>
  status === null ? 'not built out' : word(status).replaceAll('_', ' ').toLowerCase();
