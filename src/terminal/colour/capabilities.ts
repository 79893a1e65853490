import {isDumbTerm} from './dumb-term.ts';

/** How many colours a terminal shows: none, the 16 of its palette, 256, or 24 bits of them. */
export type ColourDepth = 0 | 16 | 256 | 'true';

export type Capabilities = {
  /** A person sits there: both input and output are terminals. */
  readonly isTerminal: boolean;
  /** No control sequence may be written at all: no terminal, or one that takes none. */
  readonly isPlain: boolean;
  readonly colours: ColourDepth;
  /** Synchronised output (private mode 2026) may do something; terminals that are known to lack it are spared its bytes. */
  readonly hasSynchronisedOutput: boolean;
  /** A scroll region moves rows (DECSTBM with line feeds at its edges). A terminal that nobody knows is drawn row by row. */
  readonly hasScrollRegions: boolean;
  /** SGR 3 is italics, and not standout or a colour. */
  readonly hasItalics: boolean;
  /** Links (OSC 8) are shown or quietly passed over. */
  readonly hasLinks: boolean;
};

export type CapabilityInput = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
};

type Env = CapabilityInput['env'];

/** FORCE_COLOR as Node and chalk read it: a depth, or just "yes". Undefined where it is not set. */
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

// What TERM says, by how it begins. Terminals of our time that answer to xterm's sequences:
const modernTerm =
  /^(?:xterm|tmux|alacritty|kitty|foot|wezterm|ghostty|konsole|iterm|mintty|contour|gnome|vte|rio$|rio-|st$|st-|ms-terminal)/i;
// Those that know scroll regions besides, and not much of what came after:
const olderTerm = /^(?:screen|linux|rxvt|vt[1-5]\d\d|putty|eterm|mlterm|teraterm|cygwin)/i;

// Terminals known for 24 bits that do not always say so in COLORTERM, which SSH does not hand on.
const trueColourTerm = /-direct$|kitty|alacritty|ghostty|foot|wezterm/;
const monochromeTerm = /^vt\d/;

/** GNU screen: what the terminal outside it can do (COLORTERM is handed on) it cannot. tmux may call itself the same, but says TMUX. */
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
  // Who forces colour knows better than who asks everyone for none; Node decides the same.
  const forced = readForcedColours(env.FORCE_COLOR);
  if (forced === 'some') {
    return (isDumbTerm(term) ? 0 : readColours(env, term)) || 16;
  }
  if (forced !== undefined) {
    return forced;
  }
  // NO_COLOR counts when it is there and not empty, whatever it says (no-color.org).
  return isPlain || env.NO_COLOR ? 0 : readColours(env, term);
};

/** What the terminal can do, from the environment and the streams alone; nothing is asked of the terminal. */
export const detectCapabilities = ({env, stdinIsTerminal, stdoutIsTerminal}: CapabilityInput): Capabilities => {
  const term = env.TERM ?? '';
  const isPlain = !stdoutIsTerminal || isDumbTerm(term);
  const isModern = !isPlain && (modernTerm.test(term) || (term.startsWith('screen') && !isGnuScreen(env, term)));
  return {
    isTerminal: stdinIsTerminal && stdoutIsTerminal,
    isPlain,
    colours: chooseColours(env, term, isPlain),
    hasSynchronisedOutput: isModern,
    hasScrollRegions: isModern || (!isPlain && olderTerm.test(term)),
    hasItalics: isModern,
    hasLinks: isModern,
  };
};
