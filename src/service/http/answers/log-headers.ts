import {hash} from 'node:crypto';
import type {IncomingHttpHeaders} from 'node:http';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {formatInstant} from '#log/line/instant.ts';
import type {Loss, Numbering, ReadUpTo} from '#log/window/window-claims.ts';
import type {PodRecord, ServedWindow} from '#service/backend/backend.ts';
import type {RunSlice, SlicedRuns} from '../body/window-slices.ts';

const tagCharacters = 8;

/** Returns a tag that changes whenever the pods of an answer do. */
export const tagPods = once(createWeakCache<readonly PodRecord[], string>(), pods =>
  hash('sha256', JSON.stringify(pods)).slice(0, tagCharacters),
);

const formatLoss = ({source, after, before, number, why, lines, count}: Loss) => ({
  source,
  after: after === undefined ? undefined : formatInstant(after),
  before: before === undefined ? undefined : formatInstant(before),
  number,
  lines,
  count,
  why,
});

/**
 * Formats the field `branchlog` of a log answer (docs/serve.md, "Lines with numbers and sources"), with its runs as
 * they are sliced.
 */
export const formatBranchlogField = (
  {series, first, numbers, sources, losses}: Numbering,
  {pods, unreadable}: Pick<ServedWindow, 'pods' | 'unreadable'>,
  runs: SlicedRuns,
): readonly (string | RunSlice)[] => {
  const rest = JSON.stringify({sources, losses: losses.map(formatLoss), unreadable, pods: tagPods(pods)});
  return [
    `{"series":${JSON.stringify(series)},"first":${first},`,
    ...(numbers ? ['"numbers":[', ...runs.numbers, '],'] : []),
    '"runs":[',
    ...runs.sources,
    `],${rest.slice(1)}`,
  ];
};

/** Headers with which a reader says what it has (docs/serve.md, "Lines with numbers and sources"). */
const afterHeaderName = 'branchlog-after';
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
