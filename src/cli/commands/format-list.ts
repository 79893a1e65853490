import {flagChoice, flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {listFormats} from '#cli/arguments/commands.ts';
import {readLimits, takeFirst} from '#cli/arguments/limits.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {formatTable, type TableCell} from '#cli/io/format.ts';
import {stringifySafe} from '#log/text/escape-json.ts';

export type List = {
  /** The JSON record of each item. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** All fields that a record can have, if they are known: also of an empty list, and those that only some have. */
  readonly fields?: readonly string[];
  /** Formats the whole list as a table. */
  readonly formatTable: () => string;
};

/** Returns the names of `--fields`; undefined if it is not given. */
const readFields = (parsed: ParsedArguments): readonly string[] | undefined =>
  flagValue(parsed, 'fields')
    ?.split(',')
    .map(name => name.trim())
    .filter(name => name !== '');

/**
 * Returns the records with only these fields, in this order; a field that a record lacks is null. Throws a `UsageError`
 * for a name that no record can have.
 */
const pickFields = ({records, fields: all}: List, fields: readonly string[]) => {
  const known = new Set([...records.flatMap(record => Object.keys(record)), ...(all ?? [])]);
  const unknown = fields.find(name => !known.has(name));
  if (unknown !== undefined && known.size > 0) {
    throw new UsageError(`--fields: there is no field "${unknown}", there are ${[...known].join(', ')}`);
  }
  return records.map(record => Object.fromEntries(fields.map(name => [name, record[name] ?? null])));
};

/** Formats a field's value for a table. */
const cellOf = (value: unknown): TableCell => ({
  text: value === null ? '' : typeof value === 'string' ? value : stringifySafe(value),
});

/**
 * Formats a list as `--format` requires: a table, one JSON object per line, or in this version still an array of them.
 * A table without rows is empty.
 */
export const formatList = (parsed: ParsedArguments, list: List): string => {
  const format = flagChoice(parsed, 'format', listFormats) ?? 'table';
  const fields = readFields(parsed);
  const limits = readLimits(parsed, format);
  const records = fields === undefined ? list.records : pickFields(list, fields);
  const rows = format === 'table' ? [] : records.map(stringifySafe);
  switch (format) {
    case 'table':
      if (records.length === 0) {
        return '';
      }
      return fields === undefined
        ? list.formatTable()
        : formatTable(
            fields.map(name => name.toUpperCase()),
            records.map(record => fields.map(name => cellOf(record[name]))),
            undefined,
          );
    case 'json-array':
      return rows.length === 0 ? '[]\n' : `[\n${rows.map(row => `  ${row}`).join(',\n')}\n]\n`;
    case 'json': {
      const shown = limits ? takeFirst(rows, limits, 1) : rows;
      const end = {kind: 'end', records: rows.length, leftOut: rows.length - shown.length};
      return [...shown, ...(limits ? [stringifySafe(end)] : [])].map(row => `${row}\n`).join('');
    }
    default:
      return format satisfies never;
  }
};
