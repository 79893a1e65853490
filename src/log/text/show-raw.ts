import {shownCharsMax} from './scan-foreign.ts';

const notPlain = /[^ -~]|\\/gu;

const escapeOne = (character: string): string => {
  const codePoint = character.codePointAt(0) ?? 0;
  if (character === '\\') {
    return '\\\\';
  }
  return codePoint < 0x100 ? `\\x${codePoint.toString(16).padStart(2, '0')}` : `\\u{${codePoint.toString(16)}}`;
};

/**
 * Shows a text as received, in printable ASCII only: everything else is escaped as in a JavaScript string, `\x1b`,
 * `\u{202e}`, a backslash as two. So nothing is hidden and no two texts look the same. After `shownCharsMax` code units
 * only the length of the rest is given, `\...(120 more)`, which can't be mistaken for an escape.
 */
export const showRaw = (text: string): string => {
  const escapeAll = (part: string): string => part.replace(notPlain, escapeOne);
  return text.length <= shownCharsMax
    ? escapeAll(text)
    : `${escapeAll(text.slice(0, shownCharsMax))}\\...(${text.length - shownCharsMax} more)`;
};
