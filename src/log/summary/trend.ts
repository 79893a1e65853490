import {timeAt} from '#log/buffer/chunk.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import type {FrequentValue} from '#log/traits/frequent-table.ts';
import type {SummaryPart} from './summary-parts.ts';

export type Trend = 'rising' | 'steady' | 'falling';

/** The newest quarter of the time is compared with the rest. */
const recentShare = 4n;
/** With fewer lines, or a smaller change, it may be chance. */
const linesMin = 4;
const timesMin = 2;

/** Returns when the newest quarter of the time of some parts begins; undefined without parts. */
export const recentFromOf = (parts: readonly SummaryPart[]): Instant | undefined => {
  const first = earliestOf(parts.map(({chunk, offsets}) => timeAt(chunk, offsets?.at(0) ?? 0)));
  const last = latestOf(parts.map(({chunk, offsets}) => timeAt(chunk, offsets?.at(-1) ?? chunk.entryCount - 1)));
  return first === undefined || last === undefined ? undefined : last - (last - first) / recentShare;
};

/** Compares how often a value came in the newest quarter of the time and before; undefined if it came too rarely. */
export const trendOf = ({count, recentCount}: Pick<FrequentValue, 'count' | 'recentCount'>): Trend | undefined => {
  const before = (count - recentCount) / (Number(recentShare) - 1);
  if (count < linesMin) {
    return undefined;
  }
  return recentCount >= timesMin * before ? 'rising' : timesMin * recentCount <= before ? 'falling' : 'steady';
};
