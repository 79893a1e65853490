import {countOf} from '#log/words/format-count.ts';

/** Says that records have no id: `1 record has no id`. They can't be listed, as nothing could be asked for. */
export const withoutIdWords = (count: number): string =>
  `${countOf(count, 'record')} ${count === 1 ? 'has' : 'have'} no id`;
