import {offsetNsMax} from '../seed/log-source.ts';
import type {Random} from '../seed/random.ts';

/** Reserved at the end of a second, so that events delayed past a trace (under a millisecond) still fit in it. */
const reserveNs = 30_000_000;

/** Draws the start of an event within its slice, in nanoseconds. */
export const drawOffset = (random: Random): number => random.integer(0, offsetNsMax - reserveNs);
