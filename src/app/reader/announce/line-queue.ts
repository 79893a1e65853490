import {joinNames, readEntry} from '#app/rows/read-entry.ts';
import {type Entry, type SourceName, textOf} from '#log/line/entry.ts';
import {type Follow, followNothing} from '#log/reading/continuation.ts';
import {readError} from '#log/traits/line-traits.ts';
import {countOf} from '#log/words/format-count.ts';

/**
 * An entry to read, with the names of its branch and of its source, each if there are several; `part`: what its log
 * consists of.
 */
export type HeardEntry = {
  readonly entry: Entry;
  readonly whose: string | undefined;
  readonly source?: string;
  readonly part?: string;
};

/** Sentences of the log read in one turn: more than anybody listens to, and few enough that fast speech keeps up. */
export const sentencesPerTurnMax = 20;
/** Length of a turn, milliseconds. */
export const turnMs = 1_000;

type Tally = {
  readonly lines: number;
  readonly errors: number;
  readonly gaps: number;
  readonly otherMarkers: number;
  /** Where reading stands in each source: the lines of a trace are no errors of their own. */
  readonly follows: ReadonlyMap<SourceName | undefined, Follow>;
};

/**
 * Entries waiting for their turn. Only the first ones are kept; the others are counted, since the log itself holds
 * them.
 */
export type LineQueue = {
  readonly first: readonly HeardEntry[];
  readonly rest: Tally;
  readonly newest: HeardEntry | undefined;
  /** The source that was said last: it is said again when it changes. */
  readonly saidSource: string | undefined;
};

const noTally: Tally = {lines: 0, errors: 0, gaps: 0, otherMarkers: 0, follows: new Map()};

export const emptyQueue: LineQueue = {first: [], rest: noTally, newest: undefined, saidSource: undefined};

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
  return {...queue, first, rest, newest: entries.at(-1) ?? queue.newest};
};

const isGrown = ({entry}: HeardEntry): boolean => entry.kind === 'gap' && entry.grows === true;

/** Returns the index of the same gap of the branch if it is waiting, or -1. */
const findGap = (waiting: readonly HeardEntry[], {entry, whose}: HeardEntry): number =>
  waiting.findLastIndex(heard => heard.entry.kind === 'gap' && heard.entry.id === entry.id && heard.whose === whose);

const growTo = (standing: HeardEntry | undefined, {entry, whose}: HeardEntry): HeardEntry =>
  entry.kind === 'gap' && standing?.entry.kind === 'gap'
    ? {entry: {...entry, grows: standing.entry.grows}, whose}
    : {entry, whose};

/**
 * Returns the sentences of one turn, everything if that is little, otherwise the first entries and a count of the
 * others; and the queue after them, which is empty.
 */
export const readQueue = (queue: LineQueue): {readonly sentences: readonly string[]; readonly left: LineQueue} => {
  const {first, rest, newest} = queue;
  let {saidSource} = queue;
  const read = (heard: HeardEntry): string => {
    const {entry, whose, source, part} = heard;
    const isOther = source !== undefined && source !== saidSource;
    saidSource = source ?? saidSource;
    return readEntry(entry, joinNames(whose, isOther ? source : undefined), true, part);
  };
  const isShort = rest.lines + rest.gaps + rest.otherMarkers === 0 || newest === undefined;
  const heard = isShort ? first : first.slice(0, sentencesPerTurnMax - 1);
  const sentences = heard.map(read);
  if (!isShort) {
    const passedOver = first.slice(heard.length).reduce(addToTally, rest);
    sentences.push(`${tallyWords(passedOver)}, newest: ${read(newest)}`);
  }
  return {sentences, left: {...emptyQueue, saidSource}};
};

const addToTally = (tally: Tally, heard: HeardEntry): Tally => {
  const {entry} = heard;
  switch (entry.kind) {
    case 'line': {
      const {follow, isError} = readError(tally.follows.get(entry.source) ?? followNothing, textOf(entry));
      const follows = new Map(tally.follows).set(entry.source, follow);
      return {...tally, lines: tally.lines + 1, errors: tally.errors + (isError ? 1 : 0), follows};
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
