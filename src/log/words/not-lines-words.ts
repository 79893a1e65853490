import {countOf} from './format-count.ts';

/** Says that items of a window are no lines; every message about them begins so. */
export const notLinesWords = (count: number): string =>
  `${countOf(count, 'item')} ${count === 1 ? 'is no line' : 'are no lines'}`;
