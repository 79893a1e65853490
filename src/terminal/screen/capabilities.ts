/**
 * Checks whether a terminal of this type (TERM) supports no control sequences. A missing or unknown type counts as
 * such.
 */
export const isDumbTerm = (term: string | undefined): boolean =>
  term === undefined || term === '' || term === 'dumb' || term === 'unknown';

/** The colours a terminal can show: none, the 16 of its palette, 256, or 24-bit colour. */
export type ColourDepth = 0 | 16 | 256 | 'true';

export type Capabilities = {
  /** No control sequence may be written: it is no terminal, or one without support for any. */
  readonly isPlain: boolean;
  readonly colours: ColourDepth;
  /** Synchronised output (private mode 2026) may have an effect; terminals known to lack it do not get its bytes. */
  readonly hasSynchronisedOutput: boolean;
  /** A scroll region moves rows (DECSTBM with line feeds at its edges). Unknown terminals are drawn row by row. */
  readonly hasScrollRegions: boolean;
  /** SGR 3 means italics, not standout or a colour. */
  readonly hasItalics: boolean;
  /** Links (OSC 8) are shown or silently ignored. */
  readonly hasLinks: boolean;
  /** Characters beyond ASCII are shown. */
  readonly hasUtf8: boolean;
};

type CapabilityInput = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdoutIsTerminal: boolean;
};

type Env = CapabilityInput['env'];

/** Reads FORCE_COLOR as Node and chalk do: a depth, or just "yes". Returns undefined if it is not set. */
const readForcedColours = (value: string | undefined): ColourDepth | 'some' | undefined => {
  switch (value) {
    case undefined:
      return undefined;
    case '0':
    case 'false':
      return 0;
    case '1':
      return 16;
    case '2':
      return 256;
    case '3':
      return 'true';
    default:
      return 'some';
  }
};

// Prefixes of TERM. Modern terminals that support xterm's sequences:
const modernTerm =
  /^(?:xterm|tmux|alacritty|kitty|foot|wezterm|ghostty|konsole|iterm|mintty|contour|gnome|vte|rio$|rio-|st$|st-|ms-terminal)/i;
// Terminals with scroll regions but few later features:
const olderTerm = /^(?:screen|linux|rxvt|vt[1-5]\d\d|putty|eterm|mlterm|teraterm|cygwin)/i;

// Terminals known for 24-bit colour that do not always say so in COLORTERM, which SSH does not pass on.
const trueColourTerm = /-direct$|kitty|alacritty|ghostty|foot|wezterm/;
const monochromeTerm = /^vt\d/;

/**
 * Detects GNU screen, which lacks features of the terminal outside it although COLORTERM is passed on. tmux may use the
 * same name, but sets TMUX.
 */
const isGnuScreen = (env: Env, term: string): boolean => term.startsWith('screen') && !env.TMUX;

const readColours = (env: Env, term: string): ColourDepth => {
  if (monochromeTerm.test(term)) {
    return 0;
  }
  const isLimited = term.startsWith('linux') || isGnuScreen(env, term);
  const isTrueTold = /^(truecolor|24bit)$/i.test(env.COLORTERM ?? '') || env.WT_SESSION !== undefined;
  if (!isLimited && (isTrueTold || trueColourTerm.test(term))) {
    return 'true';
  }
  return /-256(color)?$/.test(term) ? 256 : 16;
};

const chooseColours = (env: Env, term: string, isPlain: boolean): ColourDepth => {
  // Forcing colour for one command overrides a general request for none, as in Node.
  const forced = readForcedColours(env.FORCE_COLOR);
  if (forced !== undefined && forced !== 'some') {
    return forced;
  }
  // NO_COLOR counts if it is set and not empty, whatever its value (no-color.org). CLICOLOR=0 asks for the same, and
  // CLICOLOR_FORCE for colours even in a file (bixense.com/clicolors).
  if (forced === undefined && env.NO_COLOR) {
    return 0;
  }
  if (forced === 'some' || (env.CLICOLOR_FORCE || '0') !== '0') {
    return (isDumbTerm(term) ? 0 : readColours(env, term)) || 16;
  }
  return isPlain || env.CLICOLOR === '0' ? 0 : readColours(env, term);
};

/**
 * Reads the locale as POSIX orders its variables. In a container, or over SSH, there often is none on a terminal that
 * knows UTF-8, so only the console of Linux must say so.
 */
const readsUtf8 = (env: Env, term: string): boolean => {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  const isAnother = locale === 'C' || locale === 'POSIX' || locale.includes('.') || term.startsWith('linux');
  return /utf-?8/i.test(locale) || !isAnother;
};

/** Determines what the terminal can do from the environment and the streams alone; sends no queries to the terminal. */
export const detectCapabilities = ({env, stdoutIsTerminal}: CapabilityInput): Capabilities => {
  const term = env.TERM ?? '';
  const isPlain = !stdoutIsTerminal || isDumbTerm(term);
  const isModern = !isPlain && (modernTerm.test(term) || (term.startsWith('screen') && !isGnuScreen(env, term)));
  return {
    isPlain,
    colours: chooseColours(env, term, isPlain),
    hasSynchronisedOutput: isModern,
    hasScrollRegions: isModern || (!isPlain && olderTerm.test(term)),
    hasItalics: isModern,
    hasLinks: isModern,
    hasUtf8: readsUtf8(env, term),
  };
};
