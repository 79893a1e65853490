import {isAndroidFrame} from './android-level.ts';
import {isNamedException} from './exception.ts';
import {findLevel, type Level, levelOf, levelRank} from './level.ts';
import {isTraceLine} from './trace-line.ts';

const sgrStart = /^(?:\x1b\[[\d;]*m)+/;
const escapeCode = 0x1b;
const space = 0x20;
const tab = 0x09;

/** Not indented, but still part of the line above: frames, and the closing of a record printed over several lines. */
const looseHead = /^(?:#\d|at \S|thrown in |[}\])]+[,;]?$)/;
const rubyFrame = /^[\w./@-]{1,200}\.(?:e?rb|haml|slim):\d+:in [`']/;

const looksContinued = (text: string): boolean => {
  const code = text.charCodeAt(0);
  if (text === '' || code === space || code === tab) {
    return true;
  }
  if (code === escapeCode) {
    const bare = text.replace(sgrStart, '');
    return bare !== '' && bare.charCodeAt(0) !== escapeCode && looksContinued(bare);
  }
  return (
    isTraceLine(text) || looseHead.test(text) || isAndroidFrame(text) || (text.includes(':in ') && rubyFrame.test(text))
  );
};

/**
 * What may follow a line and belong to it without looking like it: the exception or the traceback of an error that a
 * logger wrote; the exception that ends Python's traceback, and the traceback after its word of another exception; the
 * message of Rust's `panicked at file:`.
 */
type Expected = 'nothing' | 'exception' | 'pythonEnd' | 'traceback' | 'message';

/** Where reading stands after a line: whether it continues the one above it, and what may follow. */
export type Follow = {readonly isContinuation: boolean; readonly expected: Expected};

type HeadAndContinuation = readonly [head: Follow, continuation: Follow];

const bothOf = (expected: Expected): HeadAndContinuation => [
  {isContinuation: false, expected},
  {isContinuation: true, expected},
];

/** Shared, so that a line costs no object of its own. */
const follows: Readonly<Record<Expected, HeadAndContinuation>> = {
  nothing: bothOf('nothing'),
  exception: bothOf('exception'),
  pythonEnd: bothOf('pythonEnd'),
  traceback: bothOf('traceback'),
  message: bothOf('message'),
};

/** Where reading begins: nothing is known of what is above. */
export const followNothing: Follow = follows.nothing[0];

const errorRank = levelRank('error');
const tracebackStart = 'Traceback (';
const pythonLink = /^(?:During handling|The above exception)/;
const pythonEnd = /^[A-Za-z_][\w.]*(?:: |$)/;
/** Rust, and gin's recovery: the message has the next line to itself. */
const messageBelow = /^thread '[^']{1,64}' (?:\(\d{1,10}\) )?panicked at |\[Recovery\] .{1,40} panic recovered:$/;

/** An exception of Java's: a bare `TypeError: text` may be another program's. */
const qualifiedName = /^[\w$]+\.[\w.$]+: /;

/** A logger that prints the exception on lines of its own writes the level in upper case; web servers don't. */
const isLogged = (text: string): boolean => {
  const {start, end} = findLevel(text) ?? {start: 0, end: 0};
  const word = text.slice(start, end);
  return word !== '' && word === word.toUpperCase();
};

const continues = ({expected}: Follow, text: string, level: Level): boolean => {
  if (level === 'none') {
    return expected === 'message' || (expected === 'pythonEnd' && pythonEnd.test(text)) || looksContinued(text);
  }
  return text.startsWith(tracebackStart)
    ? expected === 'exception' || expected === 'traceback'
    : (expected === 'pythonEnd' || (expected === 'exception' && qualifiedName.test(text))) && isNamedException(text);
};

const expectedBelow = ({expected}: Follow, text: string, level: Level, isContinuation: boolean): Expected => {
  if (text.startsWith(tracebackStart)) {
    return 'pythonEnd';
  }
  if (!isContinuation) {
    const isError = levelRank(level) >= errorRank;
    return isError && text.endsWith(':') && messageBelow.test(text)
      ? 'message'
      : isError && isLogged(text)
        ? 'exception'
        : 'nothing';
  }
  if (pythonLink.test(text)) {
    return 'traceback';
  }
  const isInside = text === '' || text.startsWith(' ') || text.startsWith('\t');
  return isInside && (expected === 'pythonEnd' || expected === 'traceback') ? expected : 'nothing';
};

/**
 * Reads the line below those that led to `before`, and tells whether it continues the line above it, like a frame or
 * cause of a stack trace, anything indented, or an empty line. Then it belongs to that line, has its level, and is no
 * event of its own. A line that states a level is a continuation only if it is the exception of the error above it. The
 * screen, its exports and the command line all use this one function. Pass `level` if it is already known.
 */
export const followLine = (before: Follow, text: string, level: Level = levelOf(text)): Follow => {
  const isContinuation = continues(before, text, level);
  return follows[expectedBelow(before, text, level, isContinuation)][isContinuation ? 1 : 0];
};
