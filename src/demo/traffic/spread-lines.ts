import {type Draft, offsetNsMax} from '../seed/log-source.ts';
import type {Random} from '../seed/random.ts';

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
