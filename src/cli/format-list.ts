import {stringifySafe} from '../log/escape-json.ts';

/** Objects as one JSON array, one element a row so that it can be read and compared, or as one object a line. */
export const formatJsonList = (items: readonly unknown[], format: 'json' | 'ndjson'): string => {
  const rows = items.map(stringifySafe);
  if (format === 'ndjson') {
    return rows.map(row => `${row}\n`).join('');
  }
  return rows.length === 0 ? '[]\n' : `[\n${rows.map(row => `  ${row}`).join(',\n')}\n]\n`;
};
