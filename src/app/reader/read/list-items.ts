import {countOf} from '#log/words/format-count.ts';

/** Items of a list that are read when it opens; the others are read when selected. */
const itemsReadMax = 20;

/** Joins the words of an item; empty words are left out. */
export const joinWords = (words: readonly string[]): string => words.filter(word => word !== '').join(', ');

/** `item 1 of 12, selected` */
export const placeInList = (index: number, count: number): string => `item ${index + 1} of ${count}, selected`;

/** Numbers the items; long lists are shortened. */
export const listItems = (items: readonly string[]): readonly string[] => {
  const shown = items.slice(0, itemsReadMax).map((item, index) => `${index + 1}. ${item}`);
  return items.length <= itemsReadMax ? shown : [...shown, `And ${countOf(items.length - itemsReadMax, 'more item')}.`];
};
