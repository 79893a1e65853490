/** The environment variables: all that this file and its callers know of a terminal. */
type TerminalEnv = Readonly<Record<string, string | undefined>>;

/** A program between us and the visible terminal, which swallows sequences it does not know. */
type Multiplexer = 'tmux' | 'screen';

/**
 * Returns the multiplexer we run in. SSH passes on TERM, but not TMUX and STY: `tmux…` means tmux then, and `screen…`
 * counts as GNU screen, although old setups of tmux use it too, because a sequence for tmux would appear as text in GNU
 * screen.
 */
export const findMultiplexer = (env: TerminalEnv): Multiplexer | undefined => {
  const term = env.TERM ?? '';
  if (env.TMUX || term.startsWith('tmux')) {
    return 'tmux';
  }
  return env.STY || term.startsWith('screen') ? 'screen' : undefined;
};

/** GNU screen before 4.2 accepts 256 bytes for one string, and draws the rest as text. */
const screenStringBytesMax = 250;

/**
 * Wraps a sequence so that the multiplexer passes it on unparsed. tmux requires each ESC doubled (and, from 3.3 on,
 * `allow-passthrough`); GNU screen passes on the content of a DCS, piece by piece. For screen, the sequence must not
 * contain ST, which would end the piece.
 */
export const wrapForMultiplexer = (sequence: string, multiplexer: Multiplexer): string => {
  if (multiplexer === 'tmux') {
    return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
  }
  let wrapped = '';
  for (let index = 0; index < sequence.length; index += screenStringBytesMax) {
    wrapped += `\u001bP${sequence.slice(index, index + screenStringBytesMax)}\u001b\\`;
  }
  return wrapped;
};

/** Terminals that would draw an OSC, or parts of it, as text, or support no control sequences at all. */
const termWithoutOsc = /^(?:|dumb|unknown|linux|cons\d+.*|vt\d+.*|ansi|sun.*|wsvt25.*)$/;

/** Checks whether the terminal at least silently ignores an unknown OSC. */
export const takesOsc = (env: TerminalEnv): boolean => !termWithoutOsc.test(env.TERM ?? '');

type ClipboardWrite =
  /** To be written to the terminal unchanged, between two frames. `bytes` is the size of the text. */
  | {readonly kind: 'sequence'; readonly sequence: string; readonly bytes: number}
  | {readonly kind: 'tooLarge'; readonly bytes: number; readonly bytesMax: number}
  /** No clipboard of the terminal can be reached; the sentence says so, without a full stop. */
  | {readonly kind: 'none'; readonly sentence: string};

/**
 * hterm takes sequences of 100,000 bytes, others more, and terminals silently drop longer ones: 99,992 bytes of base64,
 * and eight around them.
 */
const textBytesMax = 74_994;

/**
 * kitty joins long texts from pieces, up to 512 MB; nobody wants to paste more than this, and all of it has to go over
 * the line.
 */
const kittyTextBytesMax = 8 * 1024 * 1024;

/**
 * Formats the sequence that puts a text into the clipboard of the user's terminal, also over SSH (OSC 52, xterm's
 * control sequences). There is no answer, so it is unknown whether the terminal did it.
 *
 * It ends in BEL: every terminal with OSC 52 accepts that, and ST would end the DCS that GNU screen needs around it.
 *
 * tmux gets it twice. With `set-clipboard on` it takes the plain one; with `external`, its default, it ignores that,
 * and the wrapped one gets through if `allow-passthrough` is on or tmux is older than 3.3. With both on, the same text
 * is set twice.
 */
export const formatClipboardWrite = (text: string | Uint8Array, env: TerminalEnv): ClipboardWrite => {
  if (!takesOsc(env)) {
    const name = env.TERM === 'linux' ? 'the Linux console' : `a terminal of the kind "${env.TERM ?? ''}"`;
    return {kind: 'none', sentence: `${name} has no clipboard to copy to`};
  }
  const content =
    typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const multiplexer = findMultiplexer(env);
  const isKitty = multiplexer === undefined && (env.TERM === 'xterm-kitty' || env.KITTY_WINDOW_ID !== undefined);
  const bytesMax = isKitty ? kittyTextBytesMax : textBytesMax;
  if (content.length > bytesMax) {
    return {kind: 'tooLarge', bytes: content.length, bytesMax};
  }
  const plain = `\u001b]52;c;${content.toString('base64')}\u0007`;
  const wrapped = multiplexer === undefined ? '' : wrapForMultiplexer(plain, multiplexer);
  return {kind: 'sequence', sequence: multiplexer === 'screen' ? wrapped : plain + wrapped, bytes: content.length};
};

/** Desktops show no more than this. */
const textCharsMax = 200;

/** Makes text from a log harmless: printable ASCII in one row, at most 200 characters. */
const makePlain = (text: string): string => {
  const plain = text
    .slice(0, 4 * textCharsMax)
    .replaceAll(/[^\u0021-\u007e]+/g, foreign => (/^\s+$/.test(foreign) ? ' ' : '?'));
  return plain.length > textCharsMax ? `${plain.slice(0, textCharsMax - 3)}...` : plain;
};

/**
 * Formats the bytes that alert the user: BEL, which multiplexers pass on in their own way, and a desktop notification
 * (OSC 9: iTerm2, kitty, WezTerm, foot, Ghostty, Windows Terminal and others; ignored elsewhere). Empty if nothing is
 * wanted or possible.
 *
 * The program's name precedes the text, also because ConEmu and Windows Terminal read an OSC 9 that begins with a digit
 * as a command.
 */
export const formatNotification = (
  text: string,
  {bell, osc9}: {readonly bell: boolean; readonly osc9: boolean},
  env: TerminalEnv,
): string => {
  if (!takesOsc(env)) {
    // A terminal without OSC may still ring; a dumb one gets no control characters at all.
    return bell && /^(?:linux|vt\d)/.test(env.TERM ?? '') ? '\u0007' : '';
  }
  const plain = `\u001b]9;${makePlain(`branchlog: ${text}`)}\u0007`;
  const multiplexer = findMultiplexer(env);
  const osc = multiplexer === undefined ? plain : wrapForMultiplexer(plain, multiplexer);
  return `${osc9 ? osc : ''}${bell ? '\u0007' : ''}`;
};

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
