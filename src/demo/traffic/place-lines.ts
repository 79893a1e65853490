import {type Draft, offsetNsMax} from '../world/seed/log-source.ts';
import type {Random} from '../world/seed/random.ts';

/** Reserved at the end of a second, so that events delayed past a trace (under a millisecond) still fit in it. */
const reserveNs = 30_000_000;

/** Draws the start of an event within its slice, in nanoseconds. */
export const drawOffset = (random: Random): number => random.integer(0, offsetNsMax - reserveNs);

/** Time to write one of many lines, in nanoseconds; some fall within one tick of the clock and share a timestamp. */
const lineNs = {min: 900, max: 38_000, tieShare: 0.15};

/**
 * Places lines written in one go, the first at `offsetNs`: each a moment after the previous one, all within their
 * slice.
 */
export const spreadLines = (random: Random, offsetNs: number, texts: readonly string[]): readonly Draft[] => {
  let at = Math.max(0, Math.min(offsetNs, offsetNsMax - texts.length * lineNs.max));
  return texts.map((text, index) => {
    at += index === 0 || random.chance(lineNs.tieShare) ? 0 : random.integer(lineNs.min, lineNs.max);
    return {offsetNs: at, text};
  });
};

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
