import {stringifySafe} from '../../log/text/escape-json.ts';
import {flagChoice, type ParsedArguments} from '../arguments/args.ts';
import {listFormats} from '../arguments/commands.ts';

export type List = {
  /** One for each item, as JSON has it. */
  readonly records: readonly unknown[];
  /** The whole list for people. */
  readonly formatTable: () => string;
};

/**
 * A list as `--format` asks for it: a table, a JSON array with one element a row so that it can be read and compared,
 * or one object a line. A table without rows is empty.
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
