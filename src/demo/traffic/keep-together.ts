import type {Draft} from '../seed/log-source.ts';

/** Lines written in one go, in order, at least one. */
export type LogEvent = readonly Draft[];

/**
 * Returns the lines of a slice's events. An event that begins during a trace, or a trace that begins during another
 * event, is delayed until just after it, so that a trace's lines stay together; single lines may share a timestamp.
 */
export const keepTogether = (events: readonly LogEvent[]): readonly Draft[] => {
  const startOf = (event: LogEvent): number => event[0]?.offsetNs ?? 0;
  let [endNs, traceEndNs] = [-1, -1];
  return events
    .toSorted((left, right) => startOf(left) - startOf(right))
    .flatMap(event => {
      const isTrace = event.length > 1;
      const shiftNs = Math.max(0, (isTrace ? endNs : traceEndNs) + 1 - startOf(event));
      const placed = event.map(draft => ({...draft, offsetNs: draft.offsetNs + shiftNs}));
      endNs = Math.max(endNs, placed.at(-1)?.offsetNs ?? 0);
      traceEndNs = isTrace ? endNs : traceEndNs;
      return placed;
    });
};
