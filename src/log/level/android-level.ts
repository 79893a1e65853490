import type {Level} from './level-words.ts';

/** What Android's logcat puts before a message: the level, the place of its letter, and where the message begins. */
export type AndroidHead = {readonly level: Level; readonly letter: number; readonly messageStart: number};

const levels: Readonly<Record<string, Level>> = {
  V: 'trace',
  D: 'debug',
  I: 'info',
  W: 'warn',
  E: 'error',
  F: 'fatal',
  A: 'fatal',
};

const time = String.raw`(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?`;
// 11-21 14:12:01.123  123  456 E Tag: text (threadtime), with a user after the time if `-v uid` asks for it
const columns = new RegExp(String.raw`(${time}(?: +[\w-]{1,16})? +\d+ +\d+ )([VDIWEFA]) [^:]{0,64}: `, 'y');
// E/Tag( 123): text (brief), E/Tag: text (tag), both also after a time; `I/O: text` has no such tag
const slashed = new RegExp(
  String.raw`((?:${time} +(?:\d+-\d+/\S+ )?)?)([VDIWEFA])/(?:[^()/:]{1,64}\( *\d{1,7}\)|[A-Za-z][\w.$-]{2,63} *): `,
  'y',
);

const frame = /\s*(?:at |\.\.\. \d+ more|Caused by: |Suppressed: )/y;
const crash = /[ /]AndroidRuntime *(?:\( *\d+\))?: (?!FATAL EXCEPTION)/;

/** Finds the head of a logcat line in the formats brief, tag, time and threadtime; undefined for other lines. */
export const findAndroidHead = (text: string): AndroidHead | undefined => {
  // `11-21 14:12:01.123` or `2026-11-21 14:12:01.123`, or the slash: most lines cost no more than this.
  const isTimed =
    (text[2] === '-' && text[5] === ' ' && text[14] === '.') ||
    (text[4] === '-' && text[10] === ' ' && text[19] === '.');
  if (!isTimed && text[1] !== '/') {
    return undefined;
  }
  for (const pattern of isTimed ? [columns, slashed] : [slashed]) {
    pattern.lastIndex = 0;
    const [, before = '', letter = ''] = pattern.exec(text) ?? [];
    const level = levels[letter];
    if (level !== undefined) {
      return {level, letter: before.length, messageStart: pattern.lastIndex};
    }
  }
  return undefined;
};

/**
 * Checks whether a logcat line continues the one above it: each frame of a stack trace has a head of its own, and so
 * has each line of a crash after its first.
 */
export const isAndroidFrame = (text: string): boolean => {
  const head = findAndroidHead(text);
  if (head === undefined) {
    return false;
  }
  frame.lastIndex = head.messageStart;
  return frame.test(text) || (head.level === 'error' && crash.test(text.slice(head.letter, head.messageStart + 16)));
};
