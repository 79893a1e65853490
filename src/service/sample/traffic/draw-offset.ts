import {offsetNsMax} from '../seed/log-source.ts';
import type {Random} from '../seed/random.ts';

/** The end of a second is kept free, so that whatever is put off behind a trace of under a millisecond still lies within it. */
const reserveNs = 30_000_000;

/** When within its slice an event begins, nanoseconds. */
export const drawOffset = (random: Random): number => random.integer(0, offsetNsMax - reserveNs);
