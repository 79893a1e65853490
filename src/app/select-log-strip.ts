import {formatClock, type Instant} from '../log/instant.ts';
import {blockFor, plotStrip} from '../log/strip.ts';
import type {LogState} from './state.ts';
import {type Span, span, type ViewRow} from './view-row.ts';

/** The row below the header: lines over time, in all branches together; those columns with errors in them in their colour. */
export const selectLogStrip = ({sources}: LogState, columns: number): ViewRow => {
  const strip = plotStrip(
    sources.map(({tail}) => tail.log.buffer),
    columns - 20,
  );
  if (strip === undefined || columns < 40) {
    return [];
  }
  const largest = Math.max(...strip.buckets.map(bucket => bucket.lines));
  const spans: Span[] = [span(' ')];
  for (const {lines, errors} of strip.buckets) {
    const block = blockFor(lines, largest);
    const tone = errors > 0 ? 'bad' : 'dim';
    const last = spans.at(-1);
    if (last?.tone === tone) {
      spans[spans.length - 1] = span(last.text + block, tone);
    } else {
      spans.push(span(block, tone));
    }
  }
  const clock = (at: Instant): string => formatClock(at).slice(0, 5);
  return [...spans, span(`   ${clock(strip.from)} to ${clock(strip.to)}`, 'dim')];
};
