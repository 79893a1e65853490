import {cutToCells} from '../text/cut.ts';
import {cellWidth} from '../text/width.ts';
import {cutMark} from './marks.ts';

/** Cuts a safe text to `cells` cells in the middle: the ends of a name say most. */
export const cutMiddle = (text: string, cells: number): string => {
  const width = cellWidth(text);
  if (width <= cells) {
    return text;
  }
  const endCells = Math.floor((cells - 1) / 2);
  const start = cutToCells(text, cells - 1 - endCells, {ellipsis: ''});
  return `${start}${cutMark}${cutToCells(text, endCells, {from: width - endCells})}`;
};
