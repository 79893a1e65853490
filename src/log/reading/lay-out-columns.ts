import {cutMiddle, padToCells} from '#log/text/cut.ts';
import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {createLaidRow, type LaidLine} from './laid-row.ts';
import {type ChosenColumn, fieldCellsMax, type LayoutContext} from './layout-context.ts';
import {readLineFields} from './read-record.ts';
import type {Reading} from './reading.ts';
import {partOfName} from './vocabulary.ts';

/** A field of lines: how many have it, and the width of its widest value in cells, at most `fieldCellsMax`. */
type CountedField = {readonly name: string; readonly lineCount: number; readonly columns: number};

export type FieldCounts = {readonly lineCount: number; readonly fields: readonly CountedField[]};

/** So much text is read in less time than a key repeats. */
const charsMax = 2_000_000;

/** Names that contain ids are without end; nobody chooses among more. */
const fieldsMax = 500;

/** A wider value is cut; its width need not be known. */
const measuredChars = fieldCellsMax * 4;

/** Counts the fields of lines, newest line first, as far as the bound on text allows; the commonest field is first. */
export const countFields = (newestFirst: readonly Reading[]): FieldCounts => {
  const fields = new Map<string, CountedField>();
  let lineCount = 0;
  let chars = 0;
  for (const reading of newestFirst) {
    chars += reading.text.length;
    if (chars > charsMax) {
      break;
    }
    lineCount += 1;
    const seen = new Set<string>();
    for (const {key, value} of readLineFields(reading)?.fields ?? []) {
      const known = fields.get(key.text);
      if (seen.has(key.text) || (known === undefined && fields.size >= fieldsMax)) {
        continue;
      }
      seen.add(key.text);
      const width = Math.min(fieldCellsMax, cellWidth(value.text.slice(0, measuredChars)));
      fields.set(key.text, {
        name: key.text,
        lineCount: (known?.lineCount ?? 0) + 1,
        columns: Math.max(1, known?.columns ?? 0, width),
      });
    }
  }
  return {lineCount, fields: [...fields.values()].toSorted((one, other) => other.lineCount - one.lineCount)};
};

const gap = 2;

const isMessage = ({name}: ChosenColumn): boolean => partOfName(name) === 'message';

const inOrder = (chosen: readonly ChosenColumn[], messages = chosen.filter(isMessage)): readonly ChosenColumn[] => [
  ...chosen.filter(each => !isMessage(each)),
  ...messages,
];

const widthOf = ({columns = fieldCellsMax}: ChosenColumn): number => columns;

/** A longer name is cut, rather than its column made wider. */
const headingCellsMax = 12;

const nameCharsMax = 100;

/** The last part of a dotted name says most. */
const lastPart = (name: string): string => sanitiseWord(name.slice(name.lastIndexOf('.') + 1), nameCharsMax);

/** Names columns: of a dotted name the last part, unless another ends alike. Safe to draw. */
const nameColumns = (names: readonly string[]): readonly string[] => {
  const lasts = names.map(lastPart);
  return names.map((name, index) =>
    lasts.filter(last => last === lasts[index]).length > 1 ? sanitiseWord(name, nameCharsMax) : lastPart(name),
  );
};

/** Returns the columns of fields, each as wide as its values by `valueCells`, and wide enough for its heading. */
export const createColumns = (
  names: readonly string[],
  valueCells: (name: string) => number,
): readonly Required<ChosenColumn>[] => {
  const headings = nameColumns(names);
  return names.map((name, index) => ({
    name,
    columns: Math.max(valueCells(name), Math.min(headingCellsMax, cellWidth(headings[index] ?? ''))),
  }));
};

/** Returns the headings of the columns, each above its values. */
export const layOutHeadings = (chosen: readonly ChosenColumn[]): string => {
  const columns = inOrder(chosen);
  const headings = nameColumns(columns.map(({name}) => name));
  return columns
    .map((column, index) => {
      const heading = headings[index] ?? '';
      const width = widthOf(column);
      return index === columns.length - 1 ? heading : padToCells(cutMiddle(heading, width), width + gap);
    })
    .join('');
};

/**
 * Lays out the chosen fields of a line as columns. The message is last and whole; so is what the line says before its
 * fields, which is its message if it has no other. Returns undefined for a line that has none of the fields.
 */
export const layOutColumns = (context: LayoutContext): LaidLine | undefined => {
  const {reading, chosen = []} = context;
  const found = chosen.length === 0 ? undefined : readLineFields(reading);
  const values = new Map(found?.fields.toReversed().map(({key, value}) => [key.text, value]));
  if (found === undefined || !chosen.some(({name}) => values.has(name))) {
    return undefined;
  }
  const {lead} = found;
  const hasLead = lead.end > lead.start;
  const row = createLaidRow(reading.text);
  const columns = inOrder(
    chosen,
    chosen.filter(each => isMessage(each) && (!hasLead || values.has(each.name))),
  );
  let place = 0;
  for (const [index, column] of columns.entries()) {
    const value = values.get(column.name);
    const isWhole = isMessage(column) || (index === columns.length - 1 && !hasLead);
    row.padTo(place, gap);
    if (value === undefined || value.text === '') {
      // A row that is still empty would not be padded.
      row.add(value === undefined ? '-' : '""');
    } else if (isWhole) {
      row.show(value);
    } else {
      row.showWithin(value, widthOf(column));
    }
    place += isWhole ? 0 : widthOf(column) + gap;
  }
  if (hasLead) {
    row.padTo(place, gap);
    row.show(lead);
  }
  const laid = row.line();
  return sanitise(laid.text) === laid.text ? laid : undefined;
};
