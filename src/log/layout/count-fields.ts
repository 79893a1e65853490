import {cellWidth} from '#log/text/width.ts';
import {fieldCellsMax} from '../reading/layout-context.ts';
import type {Reading} from '../reading/reading.ts';
import {readLineFields} from './read-fields.ts';

/** A field of lines: how many have it, and the width of its widest value in cells, at most `fieldCellsMax`. */
export type CountedField = {readonly name: string; readonly lineCount: number; readonly columns: number};

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
