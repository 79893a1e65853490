import {isAndroidFrame} from './formats/system/android.ts';
import {isNamedException} from './formats/traces/exception.ts';
import {isTraceLine} from './formats/traces/trace-line.ts';
import {findLevel, levelOf} from './level.ts';
import {type Level, levelRank} from './tokens/level-words.ts';

const sgrStart = /^(?:\x1b\[[\d;]*m)+/;
const escapeCode = 0x1b;
const space = 0x20;
const tab = 0x09;

const elixirHead = '** (';
/** What Elixir says of a process after the exception that ended it. */
const elixirEnd = /^(?:Last message|State|Function|Ancestors|Message Queue Length|Initial Call)\b.{0,64}: /;

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
 * logger wrote, or only one of Elixir, which writes the level in lower case, and what it says then of the process; the
 * exception that ends Python's traceback, and the traceback after its word of another exception; the
 * message of Rust's `panicked at file:`.
 */
const expectations = ['nothing', 'exception', 'raised', 'elixirEnd', 'pythonEnd', 'traceback', 'message'] as const;
type Expected = (typeof expectations)[number];

/** Where reading stands after a line: whether it continues the one above it, and what may follow. */
export type Follow = {readonly isContinuation: boolean; readonly expected: Expected};

/** Shared, so that a line costs no object of its own: that of a head and that of a continuation. */
const followOf = (expected: Expected): readonly [head: Follow, continuation: Follow] => [
  {isContinuation: false, expected},
  {isContinuation: true, expected},
];
const follows = Object.fromEntries(expectations.map(expected => [expected, followOf(expected)])) as Readonly<
  Record<Expected, ReturnType<typeof followOf>>
>;

/** Where reading begins: nothing is known of what is above. */
export const followNothing: Follow = follows.nothing[0];

const errorRank = levelRank('error');
const tracebackStart = 'Traceback (';
const pythonLink = /^(?:During handling|The above exception)/;
const pythonEnd = /^[A-Za-z_][\w.]*(?:: |$)/;
/** Rust, and gin's recovery: the message has the next line to itself. */
const messageBelow = /^thread '[^']{1,64}' (?:\(\d{1,10}\) )?panicked at |\[Recovery\] .{1,40} panic recovered:$/;

/**
 * Returns where a trace says what happened if its head does not: at its end, as in Python, or in the next line, as in
 * Rust.
 */
export const saysBelow = (head: string): 'end' | 'next' | undefined =>
  head.startsWith(tracebackStart) ? 'end' : head.endsWith(':') && messageBelow.test(head) ? 'next' : undefined;

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
    return (
      expected === 'message' ||
      (expected === 'pythonEnd' && pythonEnd.test(text)) ||
      (expected === 'elixirEnd' && elixirEnd.test(text)) ||
      looksContinued(text)
    );
  }
  if (text.startsWith(elixirHead)) {
    return expected === 'exception' || expected === 'raised';
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
    if (!isError) {
      return 'nothing';
    }
    return saysBelow(text) === 'next' ? 'message' : isLogged(text) ? 'exception' : 'raised';
  }
  if (text.startsWith(elixirHead)) {
    return 'elixirEnd';
  }
  if (pythonLink.test(text)) {
    return 'traceback';
  }
  const isInside = text === '' || text.startsWith(' ') || text.startsWith('\t');
  return (isInside && (expected === 'pythonEnd' || expected === 'traceback')) || expected === 'elixirEnd'
    ? expected
    : 'nothing';
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
