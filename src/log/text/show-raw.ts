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
 * A text as it was received, in printable ASCII only: what else is in it is written as in a JavaScript string, `\x1b`,
 * `\u{202e}`, a backslash as two. So nothing is hidden and no two texts look the same. Of a text over `shownCharsMax` code
 * units the rest is named by its length, `\...(120 more)`, which no escape can be taken for.
 */
export const showRaw = (text: string): string => {
  const escapeAll = (part: string): string => part.replace(notPlain, escapeOne);
  return text.length <= shownCharsMax
    ? escapeAll(text)
    : `${escapeAll(text.slice(0, shownCharsMax))}\\...(${text.length - shownCharsMax} more)`;
};
