import type {IncomingHttpHeaders} from 'node:http';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {ServedWindow} from '#service/backend/backend.ts';

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

/**
 * Name of the header that says how the window of a log answer was cut and what has arrived, so that a client need not
 * guess where lines may be missing.
 */
export const windowHeaderName = 'branchlog-window';

/**
 * Formats the header's value: `branch`, `pod` or `source`, and if arrivals are known `; series=<id>; last=<n>;
 * dropped=<n>`, with `; unread=<n>` if pods left unread. Returns undefined if the backend doesn't say how it cuts.
 */
export const formatWindowHeader = ({cut, arrivals}: Pick<ServedWindow, 'cut' | 'arrivals'>): string | undefined => {
  if (!cut || !arrivals) {
    return cut;
  }
  const {series, last, dropped, unread} = arrivals;
  return `${cut}; series=${series}; last=${last}; dropped=${dropped}${unread ? `; unread=${unread}` : ''}`;
};
