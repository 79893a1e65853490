import type {ServedWindow} from '../backend.ts';

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
