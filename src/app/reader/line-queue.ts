import {type Follow, followNothing} from '../../log/level/continuation.ts';
import {type Entry, textOf} from '../../log/line/entry.ts';
import {readError} from '../../log/traits/error-lines.ts';
import {countOf} from '../../log/words/format-count.ts';
import {readEntry} from './read/read-entry.ts';

/** An entry to read, with the name of its branch if there are several. */
export type HeardEntry = {readonly entry: Entry; readonly whose: string | undefined};

/** Sentences of the log read in one turn: more than anybody listens to, and few enough that fast speech keeps up. */
export const sentencesPerTurnMax = 20;
/** Length of a turn, milliseconds. */
export const turnMs = 1_000;

type Tally = {
  readonly lines: number;
  readonly errors: number;
  readonly gaps: number;
  readonly otherMarkers: number;
  /** Where reading stands: the lines of a trace are no errors of their own. */
  readonly follow: Follow;
};

/**
 * Entries waiting for their turn. Only the first ones are kept; the others are counted, since the log itself holds
 * them.
 */
export type LineQueue = {
  readonly first: readonly HeardEntry[];
  readonly rest: Tally;
  readonly newest: HeardEntry | undefined;
};

const noTally: Tally = {lines: 0, errors: 0, gaps: 0, otherMarkers: 0, follow: followNothing};

export const emptyQueue: LineQueue = {first: [], rest: noTally, newest: undefined};

export const isEmptyQueue = ({first}: LineQueue): boolean => first.length === 0;

export const addToQueue = (queue: LineQueue, entries: readonly HeardEntry[]): LineQueue => {
  const first = [...queue.first];
  let {rest} = queue;
  for (const heard of entries) {
    const standing = isGrown(heard) && rest.gaps === 0 ? findGap(first, heard) : -1;
    if (standing !== -1) {
      // The gap has not been read yet: it is read once, with its whole range.
      first[standing] = growTo(first[standing], heard);
    } else if (first.length < sentencesPerTurnMax) {
      first.push(heard);
    } else {
      rest = addToTally(rest, heard);
    }
  }
  return {first, rest, newest: entries.at(-1) ?? queue.newest};
};

const isGrown = ({entry}: HeardEntry): boolean => entry.kind === 'gap' && entry.grows === true;

/** Returns the index of the branch's last waiting gap, or -1. */
const findGap = (waiting: readonly HeardEntry[], {whose}: HeardEntry): number =>
  waiting.findLastIndex(heard => heard.entry.kind === 'gap' && heard.whose === whose);

const growTo = (standing: HeardEntry | undefined, {entry, whose}: HeardEntry): HeardEntry =>
  entry.kind === 'gap' && standing?.entry.kind === 'gap'
    ? {entry: {...entry, grows: standing.entry.grows}, whose}
    : {entry, whose};

/**
 * Returns the sentences of one turn: everything if that is little, otherwise the first entries and a count of the
 * others. The caller empties the queue.
 */
export const readQueue = ({first, rest, newest}: LineQueue): readonly string[] => {
  if (rest.lines + rest.gaps + rest.otherMarkers === 0 || newest === undefined) {
    return first.map(readHeard);
  }
  const read = first.slice(0, sentencesPerTurnMax - 1);
  const passedOver = first.slice(read.length).reduce(addToTally, rest);
  return [...read.map(readHeard), `${tallyWords(passedOver)}, newest: ${readHeard(newest)}`];
};

const readHeard = ({entry, whose}: HeardEntry): string => readEntry(entry, whose, true);

const addToTally = (tally: Tally, heard: HeardEntry): Tally => {
  const {entry} = heard;
  switch (entry.kind) {
    case 'line': {
      const {follow, isError} = readError(tally.follow, textOf(entry));
      return {...tally, lines: tally.lines + 1, errors: tally.errors + (isError ? 1 : 0), follow};
    }
    case 'gap':
      return isGrown(heard) ? tally : {...tally, gaps: tally.gaps + 1};
    default:
      return {...tally, otherMarkers: tally.otherMarkers + 1};
  }
};

/** `312 more lines, 4 errors among them, 1 possible gap` */
const tallyWords = ({lines, errors, gaps, otherMarkers}: Tally): string =>
  [
    lines === 0 ? '' : countOf(lines, 'more line'),
    errors === 0 ? '' : `${countOf(errors, 'error')} among them`,
    gaps === 0 ? '' : countOf(gaps, 'possible gap'),
    otherMarkers === 0 ? '' : countOf(otherMarkers, 'more marker'),
  ]
    .filter(word => word !== '')
    .join(', ');
