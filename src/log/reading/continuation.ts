import {findTimeEnd} from '#log/tokens/find-tokens.ts';
import {type Level, levelRank} from '#log/tokens/level-words.ts';
import {isAndroidFrame} from './formats/system/android.ts';
import {findLevel, levelOf} from './level.ts';
import {isNamedException, isTraceLine} from './traces.ts';

const sgrStart = /^(?:\x1b\[[\d;]*m)+/;
const escapeCode = 0x1b;
const space = 0x20;
const tab = 0x09;

const elixirHead = '** (';
/** Lines that Elixir writes about a process after the exception that ended it. */
const elixirEnd = /^(?:Last message|State|Function|Ancestors|Message Queue Length|Initial Call)\b.{0,64}: /;

/** Not indented, but still part of the line above: frames, and the closing of a record printed over several lines. */
const looseHead = /^(?:#\d{1,4}(?!\d)|-{1,2} {3}|at \S|thrown in |[}\])]+[,;]?$)/;
const rubyFrame = /^[\w./@-]{1,200}\.(?:e?rb|haml|slim):\d+:in [`']/;

/** A prefix in the place of a time: the time itself follows it. */
const headStart = /^(?:\[#\||=[A-Z]{4,12} REPORT==== )/;

/**
 * Beginnings of lines that stand on their own without a time: a name in brackets, a rule, a label, a setting; a time
 * further in.
 */
const ownHead =
  /^(?:\[(?!stacktrace|previous exception)|={2}|--|[<#]|[A-Z][\w ]{0,40}:|[\w.]{1,64} ?= )|\d\d:\d\d:\d\d/;

/** Checks whether a line begins with the time at which it was written, indented or not, and goes on after it. */
const hasHead = (text: string): boolean => {
  let start = 0;
  while (text.charCodeAt(start) === space) {
    start += 1;
  }
  const first = text[start];
  const end = findTimeEnd(text, first === '[' || first === '<' ? start + 1 : start, true);
  return (end !== -1 && end < text.length) || ((first === '[' || first === '=') && headStart.test(text));
};

const looksContinued = (text: string): boolean => {
  const code = text.charCodeAt(0);
  if (text === '' || code === space || code === tab) {
    return !hasHead(text);
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
 * Lines that may follow a line and belong to it without looking like it: the exception or the traceback of an error
 * that a logger wrote, or only one of Elixir, which writes the level in lower case, and what it says then of the
 * process; the exception that ends Python's traceback, and the traceback after its word of another exception; the
 * message of Rust's `panicked at file:`.
 */
const expectations = [
  'nothing',
  'exception',
  'raised',
  'elixirEnd',
  'pythonEnd',
  'traceback',
  'message',
  // The parts of a record that is printed over several lines by itself: each is a line of its own.
  'record',
] as const;
type Expected = (typeof expectations)[number];

/**
 * Where reading stands after a line: whether it continues the one above it, and what may follow. `headed`: 1 for a line
 * that begins with a time, and one more for each line that continues it; 0 for others. `isInTrace`: a line far below
 * may say what was raised.
 */
export type Follow = {
  readonly isContinuation: boolean;
  readonly expected: Expected;
  readonly headed: number;
  readonly isInTrace: boolean;
};

/** From this many lines without a time on, they are no longer taken for parts of the line above. */
const belowMax = 12;

/** Shared, so that a line costs no object of its own. */
const follows: Readonly<Record<string, readonly (readonly Follow[])[]>> = Object.fromEntries(
  expectations.map(expected => [
    expected,
    [false, true].map(isContinuation =>
      Array.from(
        {length: belowMax + 2},
        (_, headed): Follow => ({
          ...{isContinuation, expected, headed},
          isInTrace: expected === 'pythonEnd' || expected === 'traceback' || expected === 'elixirEnd',
        }),
      ),
    ),
  ]),
);

/** Where reading begins: nothing is known of what is above. */
export const followNothing: Follow = {isContinuation: false, expected: 'nothing', headed: 0, isInTrace: false};

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

/** A part of a record that is printed over several lines, or its end. */
const recordPart = /^ |^\}/;

/** An exception of Java's: a bare `TypeError: text` may be another program's. */
const qualifiedName = /^[\w$]+\.[\w.$]+: /;

/** The head of a logger that is not an error's: an exception may still be below it. */
const upperLevel = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?)\b/;
const headCharsMax = 100;

/** A logger that prints the exception on lines of its own writes the level in upper case; web servers don't. */
const isLogged = (text: string): boolean => {
  const {start, end} = findLevel(text) ?? {start: 0, end: 0};
  const word = text.slice(start, end);
  return word !== '' && word === word.toUpperCase();
};

const continues = ({expected, headed}: Follow, text: string, level: Level, isHead: boolean): boolean => {
  if (expected === 'record' && recordPart.test(text)) {
    return false;
  }
  if (level === 'none') {
    return (
      (headed > 0 && headed <= belowMax && !isHead && !ownHead.test(text)) ||
      expected === 'message' ||
      (expected === 'pythonEnd' && pythonEnd.test(text)) ||
      (expected === 'elixirEnd' && elixirEnd.test(text)) ||
      looksContinued(text)
    );
  }
  if (text.startsWith(elixirHead)) {
    return expected === 'exception' || expected === 'raised';
  }
  const said = text.trimStart();
  return said.startsWith(tracebackStart)
    ? expected === 'exception' || expected === 'traceback'
    : (expected === 'pythonEnd' || (expected === 'exception' && qualifiedName.test(said))) && isNamedException(said);
};

const expectedBelow = (
  {expected}: Follow,
  text: string,
  level: Level,
  {isContinuation, isHead}: {readonly isContinuation: boolean; readonly isHead: boolean},
): Expected => {
  if (text.startsWith(tracebackStart)) {
    return 'pythonEnd';
  }
  if (text === '{' || (expected === 'record' && text.startsWith(' '))) {
    return 'record';
  }
  if (!isContinuation) {
    const isError = levelRank(level) >= errorRank;
    if (!isError) {
      return isHead && level !== 'none' && upperLevel.test(text.slice(0, headCharsMax)) ? 'exception' : 'nothing';
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
  const isHead = hasHead(text);
  const isContinuation = continues(before, text, level, isHead);
  const headed = isHead ? 1 : isContinuation && before.headed > 0 ? Math.min(before.headed, belowMax) + 1 : 0;
  const expected = expectedBelow(before, text, level, {isContinuation, isHead});
  return follows[expected]?.[isContinuation ? 1 : 0]?.[headed] ?? followNothing;
};
