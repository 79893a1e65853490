import {findMultiplexer, type TerminalEnv} from '../screen/passthrough.ts';

/** The background that text is drawn on. */
export type Backdrop = 'dark' | 'light';

/**
 * Reads COLORFGBG, which rxvt, Konsole and others set: `15;0`, or `15;default;0`; the last part is the background's
 * number in the palette of 16. Returns undefined if it is not set or says `default`. SSH does not pass it on.
 */
export const readColourVariable = (env: TerminalEnv): Backdrop | undefined => {
  const match = /^(?:\d+|default);(?:(?:\d+|default);)?(\d{1,2})$/.exec(env.COLORFGBG ?? '');
  const number = match ? Number(match[1]) : undefined;
  if (number === undefined || number > 15) {
    return undefined;
  }
  // As in vim: the dark half of the palette except its light grey, and the dark grey.
  return number <= 6 || number === 8 ? 'dark' : 'light';
};

// GNU screen swallows the query, and consoles draw it as text.
const answeringTerm = /^(?:xterm|alacritty|foot|contour|ghostty|kitty|konsole|mintty|rxvt-unicode|wezterm)/;

/**
 * Returns the query for the background colour (OSC 11) for terminal types that answer it; undefined for others.
 * `createTerminalInput` reports the answer, if one comes. tmux from 3.4 on answers for the terminal outside, whatever
 * TERM says inside. An older one would pass on a wrapped query, but gives the answer to whichever pane is active, where
 * it counts as typed: so that one is not asked this way.
 */
export const backgroundQueryFor = (env: TerminalEnv): string | undefined => {
  const multiplexer = findMultiplexer(env);
  const answers = multiplexer === 'tmux' || (multiplexer === undefined && answeringTerm.test(env.TERM ?? ''));
  return answers ? '\u001b]11;?\u0007' : undefined;
};

/** Relative luminance of WCAG 2, 0 to 1; white and black text are equally readable on this one. */
const luminanceBetween = 0.179;

const luminanceOf = (channels: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = channels.map(value =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/**
 * Parses a whole answer, `OSC 11 ; rgb:hhhh/hhhh/hhhh` with one to four digits a channel. Returns undefined if it is
 * not one.
 */
export const parseBackground = (sequence: string): Backdrop | undefined => {
  const match =
    /^\u001b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?(?:\u0007|\u001b\\)$/i.exec(
      sequence,
    );
  if (match === null) {
    return undefined;
  }
  // XParseColor: the digits are a fraction of the highest value with as many digits.
  const channels = match.slice(1).map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return luminanceOf(channels) < luminanceBetween ? 'dark' : 'light';
};
