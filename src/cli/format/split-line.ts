import {parseInstant} from '#log/line/instant.ts';

export type PrintedParts = {readonly timestamp: string; readonly text: string};

/**
 * Splits a line for JSON at the first space, as received. Where the timestamp is empty, the text is the whole line: one
 * that begins with a space, or that has none and is not exactly one readable timestamp. For any other line, joining the
 * two parts with a space gives the line again.
 */
export const splitLine = (raw: string): PrintedParts => {
  const spaceIndex = raw.indexOf(' ');
  if (spaceIndex > 0) {
    return {timestamp: raw.slice(0, spaceIndex), text: raw.slice(spaceIndex + 1)};
  }
  return parseInstant(raw) === undefined ? {timestamp: '', text: raw} : {timestamp: raw, text: ''};
};
