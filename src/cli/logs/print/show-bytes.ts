import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import type {LineEntry, SourceName} from '#log/line/entry.ts';
import {createJoin} from '#log/text/join-bytes.ts';
import {withoutOverstrikes} from '#log/text/overstrikes.ts';
import {createErrorSigns, levelRank} from '#log/tokens/level-words.ts';
import {readWholeLine} from '#service/window/split-lines.ts';
import type {FormatTextLine} from '../line-text.ts';
import {createRecordFilter, recordLinesMax} from './record-filter.ts';

const newline = 0x0a;
/** A line without anything else needs no care. */
const notPlain = /[^ -~\n]/g;
const noBytes = Buffer.alloc(0);

export type ShowBytesOptions = {
  readonly options: Pick<LogsOptions, 'grep' | 'exclude' | 'levelMin' | 'context' | 'format'>;
  readonly formatText: FormatTextLine;
  /** Each line is formatted, also one that is safe as it is. */
  readonly formatsAll: boolean;
  /** Overstruck text, such as a manual's bold letters, is left out. */
  readonly isStream: boolean;
  /** Left out: there is only one. */
  readonly source?: SourceName | undefined;
};

/**
 * What is printed of some bytes: whole lines as they are, `from` one offset `to` another, or a line in its own words.
 * `at`: where the line begins that it is printed for.
 */
export type ShownPart =
  | {readonly kind: 'asIs'; readonly from: number; readonly to: number}
  | {readonly kind: 'line'; readonly text: string | Buffer; readonly at: number};

const isDigit = (code = 0): boolean => code >= 0x30 && code <= 0x39;

/** Returns where the line begins that has this byte, which may be its end. */
const startOfLine = (bytes: Buffer, index: number): number =>
  index === 0 ? 0 : bytes.lastIndexOf(newline, index - 1) + 1;

/** Returns where the line begins that is so many lines before the one that begins at `from`. */
const linesBack = (bytes: Buffer, from: number, count: number): number => {
  let start = from;
  for (let left = count; left > 0 && start > 0; left -= 1) {
    start = startOfLine(bytes, start - 1);
  }
  return start;
};

/** Finds a place in bytes from another one on; -1: nowhere. */
type Find = (from: number) => number;

const findText =
  (bytes: Buffer, text: string): Find =>
  from =>
    bytes.indexOf(text, from, 'latin1');

/** Finds the end of a sign that begins with the end of the line before `from`, or after it. */
const findSign =
  (text: string, sign: RegExp): Find =>
  from => {
    sign.lastIndex = from - 1;
    return from === 0 ? 0 : sign.test(text) ? sign.lastIndex - 1 : -1;
  };

/** Finds what is not plain. */
const findNotPlain = (bytes: Buffer): Find => {
  const text = bytes.toString('latin1');
  return from => {
    notPlain.lastIndex = from;
    return notPlain.exec(text)?.index ?? -1;
  };
};

/** Creates a function that finds the next place that any of these finds. */
const createFinder = (bytes: Buffer, finds: readonly Find[]): Find => {
  const nexts = finds.map(find => ({find, at: -1}));
  return from => {
    let first = bytes.length;
    for (const next of nexts) {
      if (next.at < from) {
        const found = next.find(from);
        next.at = found === -1 ? bytes.length : found;
      }
      first = Math.min(first, next.at);
    }
    return first === bytes.length ? -1 : first;
  };
};

/** `bytes` hold until the next call. */
export type Shown = {readonly bytes: Buffer; readonly parts: readonly ShownPart[]};

/**
 * Creates a function that finds what of some bytes is printed: they are searched before they are split into lines, and
 * only lines near one that may match are read. What is printed is what the filters let pass of all lines, one after the
 * other. It takes whole lines, in pieces that need to be valid only until it returns.
 */
export const createShowBytes = ({options, formatText, formatsAll, isStream, source}: ShowBytesOptions) => {
  const {grep, exclude, levelMin, context, format} = options;
  const isRaw = format === 'raw';
  const hasContext = context.before + context.after > 0;
  const filter = createRecordFilter(options);
  const isFiltered = grep.length + exclude.length > 0 || levelMin !== undefined;
  const needs = grep.flatMap(pattern => pattern.needs ?? []);
  const signs = levelMin !== undefined && levelRank(levelMin) >= levelRank('error') ? createErrorSigns() : [];
  const canSkip = levelMin === undefined && grep.length > 0 && grep.every(pattern => pattern.needs !== undefined);
  // An exception may be one of the line above.
  const keptLines = canSkip ? Math.max(recordLinesMax, context.before) : signs.length > 0 ? 1 : 0;
  const rawOf = new WeakMap<LineEntry, Buffer>();
  const join = createJoin();

  const lineAt = (bytes: Buffer, from: number, end: number): LineEntry => {
    const text = readWholeLine(bytes, from, end);
    const raw = isStream ? withoutOverstrikes(text) : text;
    return {kind: 'line', id: 0, at: 0n, raw, textIndex: 0, late: false, source};
  };

  /** Returns what is printed of all lines of these bytes, which end with a newline. */
  const showAll = (bytes: Buffer): readonly ShownPart[] => {
    const parts: ShownPart[] = [];
    let shownTo = 0;
    const showAsIs = (to: number): void => {
      if (to > shownTo) {
        parts.push({kind: 'asIs', from: shownTo, to});
      }
    };
    const findNext = isRaw ? () => -1 : formatsAll ? (from: number) => from : findNotPlain(bytes);
    for (let hit = findNext(0); hit !== -1 && hit < bytes.length; hit = findNext(shownTo)) {
      const start = startOfLine(bytes, hit);
      showAsIs(start);
      shownTo = bytes.indexOf(newline, hit) + 1;
      parts.push({kind: 'line', text: `${formatText(lineAt(bytes, start, shownTo))}\n`, at: start});
    }
    showAsIs(bytes.length);
    return parts;
  };

  /** Lines before the next ones, which may be printed with them. */
  let kept: Buffer = noBytes;
  /** How many of the bytes that are kept, from their end on, were not filtered. */
  let unfiltered = 0;

  const take = (bytes: Buffer, from: number, end: number, parts: ShownPart[]): void => {
    const entry = lineAt(bytes, from, end);
    const at = Math.max(0, from - kept.length);
    if (isRaw) {
      rawOf.set(entry, Buffer.from(bytes.subarray(from, end)));
    }
    for (const {line, isApart} of filter.take(entry)) {
      const separator = isApart && hasContext && !isRaw ? '--\n' : '';
      parts.push({kind: 'line', text: rawOf.get(line) ?? `${separator}${formatText(line)}\n`, at});
    }
  };

  const findsIn = (bytes: Buffer): readonly Find[] => {
    const text = signs.length > 0 ? bytes.toString('latin1') : '';
    return signs.length > 0 ? signs.map(sign => findSign(text, sign)) : needs.map(need => findText(bytes, need));
  };

  /** Returns where the lines begin that decide of the line at `start`; after a time, none before it does. */
  const startOfReading = (bytes: Buffer, start: number): number =>
    linesBack(bytes, start, signs.length > 0 && isDigit(bytes[start]) ? 0 : keptLines);

  /** Returns what is printed of lines of which the first are those that were kept. */
  const showFiltered = (bytes: Buffer): readonly ShownPart[] => {
    const parts: ShownPart[] = [];
    let filteredTo = kept.length - unfiltered;
    const findNext = createFinder(bytes, findsIn(bytes));
    while (filteredTo < bytes.length) {
      const isDone = keptLines > 0 && filter.isDone();
      const hit = isDone ? findNext(filteredTo) : filteredTo;
      if (hit === -1) {
        break;
      }
      const from = isDone ? startOfReading(bytes, startOfLine(bytes, hit)) : filteredTo;
      if (from > filteredTo) {
        filter.leaveOut();
        filteredTo = from;
      }
      while (filteredTo <= hit) {
        const end = bytes.indexOf(newline, filteredTo) + 1;
        take(bytes, filteredTo, end, parts);
        filteredTo = end;
      }
    }
    const from = linesBack(bytes, bytes.length, keptLines);
    unfiltered = bytes.length - Math.max(from, filteredTo);
    if (from > filteredTo) {
      filter.leaveOut();
    }
    kept = Buffer.from(bytes.subarray(from));
    return parts;
  };

  return (pieces: readonly Buffer[]): Shown => {
    const bytes = join(isFiltered ? [kept, ...pieces] : pieces);
    return {bytes, parts: isFiltered ? showFiltered(bytes) : showAll(bytes)};
  };
};
