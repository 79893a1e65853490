import {type Level, levelOf} from './level.ts';
import {isTraceLine} from './trace-line.ts';

const sgrStart = /^(?:\x1b\[[\d;]*m)+/;
const escapeCode = 0x1b;
const space = 0x20;
const tab = 0x09;

/** The first characters of everything below, so that other lines cost nothing. */
const firstCharacters = '#.aCPSt}])';

/** Not indented, and still part of what is above: frames, and what closes a record that was printed over several lines. */
const looseHead = /^(?:#\d|at \S|thrown in |[}\])]+[,;]?$)/;

const looksContinued = (text: string): boolean => {
  const code = text.charCodeAt(0);
  if (code === space || code === tab) {
    return /\S/.test(text);
  }
  if (code === escapeCode) {
    const bare = text.replace(sgrStart, '');
    return bare.charCodeAt(0) !== escapeCode && looksContinued(bare);
  }
  return firstCharacters.includes(text.charAt(0)) && (isTraceLine(text) || looseHead.test(text));
};

/**
 * Does the text continue the line above it, as a frame or a cause of a stack trace does, or whatever is indented? Then it belongs to that line
 * and has its level. A line that says a level of its own continues nothing; `level` is that level where it is known already.
 * The screen, its exports and the command line all ask this function and no other.
 */
export const isContinuation = (text: string, level: Level = levelOf(text)): boolean =>
  level === 'none' && looksContinued(text);
