import {type Level, levelOf} from './level.ts';
import {isTraceLine} from './trace-line.ts';

const sgrStart = /^(?:\x1b\[[\d;]*m)+/;
const escapeCode = 0x1b;
const space = 0x20;
const tab = 0x09;

/** The first characters of everything below, so that other lines cost nothing. */
const firstCharacters = '#.aCPSt}])';

/** Not indented, but still part of the line above: frames, and the closing of a record printed over several lines. */
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
 * Checks whether the text continues the line above it, like a frame or cause of a stack trace or anything indented.
 * Then it belongs to that line and has its level. A line with a level of its own is never a continuation; pass `level`
 * if it is already known. The screen, its exports and the command line all use this one function.
 */
export const isContinuation = (text: string, level: Level = levelOf(text)): boolean =>
  level === 'none' && looksContinued(text);
