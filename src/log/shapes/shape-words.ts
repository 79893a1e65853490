import {foldedSgr} from './event-shape.ts';

const time = /^(?:[[(]?‹time›[\])]?[ :|-]*)+/;
const pairs = /^(?:(?:time|ts|timestamp|t|level|lvl|severity)=(?:"[^"]*"|\S+) )+/;
/** What nginx and PHP-FPM put before every message, the same for all. */
const wrapping = /^(?:\[[a-z]{3,7}\] ‹n›#‹n›: (?:\*‹n› )?|NOTICE: PHP message: )/;

/**
 * Returns a shape as a person reads it: without colours, and without what every line begins with: the time, the time
 * and level of logfmt, the words of nginx and PHP-FPM. What is left tells shapes apart where room is short. No filter
 * is made of it.
 */
export const shapeWords = (shape: string): string => {
  const bare = shape.replace(foldedSgr, '');
  const words = bare.replace(time, '').replace(pairs, '').replace(wrapping, '');
  return words === '' ? bare : words;
};
