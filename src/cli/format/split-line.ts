import {parseInstant} from '../../log/line/instant.ts';

export type PrintedParts = {readonly timestamp: string; readonly text: string};

/**
 * A line as JSON shows it: all before and all after the first space, as received, so that the two and a space give the
 * line again. A line without a space is all text, unless it is a readable timestamp and nothing else.
 */
export const splitLine = (raw: string): PrintedParts => {
  const spaceIndex = raw.indexOf(' ');
  if (spaceIndex !== -1) {
    return {timestamp: raw.slice(0, spaceIndex), text: raw.slice(spaceIndex + 1)};
  }
  return parseInstant(raw) === undefined ? {timestamp: '', text: raw} : {timestamp: raw, text: ''};
};
