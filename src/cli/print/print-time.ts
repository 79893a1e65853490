import {format} from 'date-fns/format';
import type {LineEntry} from '../../log/line/entry.ts';
import {instantToMs} from '../../log/line/instant.ts';
import type {timestampForms} from '../arguments/print-flags.ts';

/**
 * Returns what stands before a line's text, with a trailing space: the timestamp as received, or in the form of
 * `--timestamps`, in milliseconds. A line without a readable timestamp has none.
 */
export const printTime = (line: LineEntry, form: (typeof timestampForms)[number] | undefined): string => {
  if (form === undefined || line.textIndex === 0) {
    return line.raw.slice(0, line.textIndex);
  }
  const time = new Date(instantToMs(line.at));
  switch (form) {
    case 'utc':
      return `${time.toISOString()} `;
    case 'local':
      return `${format(time, 'yyyy-MM-dd HH:mm:ss.SSSxxx')} `;
    case 'short':
      return `${format(time, 'HH:mm:ss.SSS')} `;
    case 'none':
      return '';
    default:
      return form satisfies never;
  }
};
