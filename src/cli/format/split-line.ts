import {parseInstant} from '../../log/line/instant.ts';

export type PrintedParts = {readonly timestamp: string; readonly text: string};

/**
 * Splits a line for JSON at the first space, as received: joining the two parts with a space gives the line again. A
 * line without a space is all text, unless it is exactly one readable timestamp.
 */
export const splitLine = (raw: string): PrintedParts => {
  const spaceIndex = raw.indexOf(' ');
  if (spaceIndex !== -1) {
    return {timestamp: raw.slice(0, spaceIndex), text: raw.slice(spaceIndex + 1)};
  }
  return parseInstant(raw) === undefined ? {timestamp: '', text: raw} : {timestamp: raw, text: ''};
};
