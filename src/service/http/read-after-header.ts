import type {IncomingHttpHeaders} from 'node:http';
import type {ReadUpTo} from '../../log/line/numbering.ts';

/** Headers with which a reader says what it has (docs/serve.md, "Lines with numbers and sources"). */
export const afterHeaderName = 'branchlog-after';
export const podsHeaderName = 'branchlog-pods';

const seriesCharactersMax = 128;

/** Returns the place of a reader; undefined without one, and if it is none. A series may contain colons. */
export const readAfterHeader = (headers: IncomingHttpHeaders): ReadUpTo | undefined => {
  const value = headers[afterHeaderName];
  const [, series = '', number] = /^(.+):(\d+)$/.exec(typeof value === 'string' ? value : '') ?? [];
  const last = Number(number);
  return series !== '' && series.length <= seriesCharactersMax && Number.isSafeInteger(last)
    ? {series, last}
    : undefined;
};
