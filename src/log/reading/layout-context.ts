import {type Instant, instantFromMs, nanosPerSecond} from '#log/line/instant.ts';
import {type Level, levelOfWord} from '#log/tokens/level-words.ts';
import {instantOfWritten, readWritten} from '#log/tokens/written-time.ts';
import type {Piece} from './form.ts';
import type {LaidPart, LaidRow} from './laid-row.ts';
import type {Reading} from './reading.ts';

/** A line is stamped when it is written, and a second that it is about may have begun before. */
const laterNsMax = instantFromMs(2000);
const earlierNsMax = instantFromMs(1000);

/**
 * Checks whether a time in a line's text is the line's own timestamp, give or take a second or two, so that showing
 * both would say the same thing twice. A time without a zone counts as UTC; one that can't be read is never the same.
 */
export const isSameTime = (text: string, at: Instant): boolean => {
  const written = readWritten(text);
  const latest = at + earlierNsMax;
  const exact = typeof written === 'object' ? instantOfWritten(written, latest) : written;
  const said = exact && exact - (exact % nanosPerSecond);
  return said !== undefined && at - said < laterNsMax && said < latest;
};

/** No column of a field is wider, so that one long value leaves room for the others. */
export const fieldCellsMax = 32;

/** A field that is shown as a column: its name, dotted if nested, and the width of the column once it is known. */
export type ChosenColumn = {readonly name: string; readonly columns?: number};

/** The inputs of a layout. */
export type LayoutContext = {
  /** The line, read from its text made safe. */
  readonly reading: Reading;
  /** The time that stands beside the row; undefined if none does. */
  readonly at: Instant | undefined;
  /** Cells for the row. */
  readonly columns: number;
  /** Nothing is cut: the row is wrapped, or scrolled sideways. */
  readonly keepsWhole?: boolean;
  /** The fields that alone are shown of lines that have fields; none chosen shows all. */
  readonly chosen?: readonly ChosenColumn[];
};

/** Checks whether a time in the line repeats the one beside the row. */
export const isShownTime = ({reading, at}: LayoutContext, {start, end}: Piece): boolean =>
  at !== undefined && isSameTime(reading.text.slice(start, end), at);

/**
 * Checks whether a level word says what the left edge says already: it does for a warning or error, and nothing there
 * means that all is well. Debug and fatal stay.
 */
export const isShownLevel = (level: Level | undefined, {reading}: LayoutContext): boolean =>
  level === 'info' || (level === reading.level && (level === 'warn' || level === 'error'));

/** Adds a part after what matters and two blanks. */
export const showAfter = (row: LaidRow, part: LaidPart | undefined): void => {
  if (part !== undefined && part.end > part.start) {
    row.addGap(2);
    row.show(part, true);
  }
};

/** Adds a level word after what matters, unless the left edge says it. */
export const showLevel = (row: LaidRow, context: LayoutContext, word: Piece | undefined): void => {
  const {form, text} = context.reading;
  const said = word && text.slice(word.start, word.end);
  if (said !== undefined && !isShownLevel(form?.form.levels?.[said] ?? levelOfWord(said), context)) {
    showAfter(row, word);
  }
};

/** Adds a time after everything, unless it stands beside the row. */
export const showTime = (row: LaidRow, context: LayoutContext, time: Piece | undefined): void => {
  if (time !== undefined && !isShownTime(context, time)) {
    showAfter(row, time);
  }
};
