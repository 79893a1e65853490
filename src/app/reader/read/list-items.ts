import {countOf} from '../../../log/words/format-count.ts';

/** So many items of a list are read when it is opened; the others when the highlight comes to them. */
const itemsReadMax = 20;

/** Words of one item, those that say nothing left out. */
export const joinWords = (words: readonly string[]): string => words.filter(word => word !== '').join(', ');

/** `item 1 of 12, selected` */
export const placeInList = (index: number, count: number): string => `item ${index + 1} of ${count}, selected`;

/** Numbered items, the first of them where there are many. */
export const listItems = (items: readonly string[]): readonly string[] => {
  const shown = items.slice(0, itemsReadMax).map((item, index) => `${index + 1}. ${item}`);
  return items.length <= itemsReadMax ? shown : [...shown, `And ${countOf(items.length - itemsReadMax, 'more item')}.`];
};
