import {stringifySafe} from '../../log/text/escape-json.ts';
import {flagChoice, type ParsedArguments} from '../arguments/args.ts';
import {listFormats} from '../arguments/commands.ts';

export type List = {
  /** The JSON record of each item. */
  readonly records: readonly unknown[];
  /** Formats the whole list as a table. */
  readonly formatTable: () => string;
};

/**
 * Formats a list as `--format` requires: a table, a JSON array with one element per row so that it is easy to read and
 * diff, or one object per line. A table without rows is empty.
 */
export const formatList = (parsed: ParsedArguments, {records, formatTable}: List): string => {
  const format = flagChoice(parsed, 'format', listFormats) ?? 'table';
  const rows = format === 'table' ? [] : records.map(stringifySafe);
  switch (format) {
    case 'table':
      return records.length === 0 ? '' : formatTable();
    case 'json':
      return rows.length === 0 ? '[]\n' : `[\n${rows.map(row => `  ${row}`).join(',\n')}\n]\n`;
    case 'ndjson':
      return rows.map(row => `${row}\n`).join('');
    default:
      return format satisfies never;
  }
};
