import {foldedSgr} from './event-shape.ts';

const time = /^(?:[[(]?‹time›[\])]?[ :|-]*)+/;
const pairs = /^(?:(?:time|ts|timestamp|t|level|lvl|severity)=(?:"[^"]*"|\S+) )+/;

/**
 * Returns a shape as a person reads it: without colours, and without the time, or the time and level of logfmt, that
 * every line begins with. What is left tells shapes apart where room is short. No filter is made of it.
 */
export const shapeWords = (shape: string): string => {
  const bare = shape.replace(foldedSgr, '');
  const words = bare.replace(time, '').replace(pairs, '');
  return words === '' ? bare : words;
};
