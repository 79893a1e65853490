/** Formats a whole number as `1,204`. Done by hand: the tables of Intl take longer to load than a screen to draw. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Formats a count with its noun: `1 line`, `1,204 lines`. */
export const countOf = (count: number, word: string): string =>
  `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;

/** 29 of 100 is 28.999999999999996 %. */
const roundingMax = 1e-9;

/** `40 %`, and of less than one `<1 %` */
export const percentWords = (share: number): string =>
  share > 0 && share < 0.01 ? '<1 %' : `${Math.floor(100 * share + roundingMax)} %`;
