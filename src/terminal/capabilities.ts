/** How many colours a terminal shows: none, the 16 of its palette, 256, or 24 bits of them. */
export type ColourDepth = 0 | 16 | 256 | 'true';

export type Capabilities = {
  /** A person sits there: both input and output are terminals. */
  readonly isTerminal: boolean;
  /** No control sequence may be written at all: no terminal, or one that takes none. */
  readonly isPlain: boolean;
  readonly colours: ColourDepth;
  /** Synchronised output (private mode 2026) does something or is ignored. */
  readonly hasSynchronisedOutput: boolean;
  /** More than ASCII may be drawn. */
  readonly hasUnicode: boolean;
};

export type CapabilityInput = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
};

type Env = CapabilityInput['env'];

const isDumb = (term: string): boolean => term === '' || term === 'dumb' || term === 'unknown';

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

// Terminals known for 24 bits that do not always say so in COLORTERM, which SSH does not hand on.
const trueColourTerm = /-direct$|kitty|alacritty|ghostty|foot|wezterm/;
const monochromeTerm = /^vt\d/;

const readColours = (env: Env, term: string): ColourDepth => {
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '') || trueColourTerm.test(term) || env.WT_SESSION !== undefined) {
    return 'true';
  }
  if (/-256(color)?$/.test(term)) {
    return 256;
  }
  return monochromeTerm.test(term) ? 0 : 16;
};

const chooseColours = (env: Env, term: string, isPlain: boolean): ColourDepth => {
  // Who forces colour knows better than who asks everyone for none; Node decides the same.
  const forced = readForcedColours(env.FORCE_COLOR);
  if (forced === 'some') {
    return (isDumb(term) ? 0 : readColours(env, term)) || 16;
  }
  if (forced !== undefined) {
    return forced;
  }
  // NO_COLOR counts when it is there and not empty, whatever it says (no-color.org).
  return isPlain || env.NO_COLOR ? 0 : readColours(env, term);
};

/** POSIX: LC_ALL goes before LC_CTYPE goes before LANG, and an empty one counts as not there. */
const readHasUnicode = (env: Env): boolean => {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  // Bastion hosts and containers often set none, while the terminal at the other end has long been UTF-8.
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
};

/** What the terminal can do, from the environment and the streams alone; nothing is asked of the terminal. */
export const detectCapabilities = ({env, stdinIsTerminal, stdoutIsTerminal}: CapabilityInput): Capabilities => {
  const term = env.TERM ?? '';
  const isPlain = !stdoutIsTerminal || isDumb(term);
  return {
    isTerminal: stdinIsTerminal && stdoutIsTerminal,
    isPlain,
    colours: chooseColours(env, term, isPlain),
    hasSynchronisedOutput: !isPlain && term !== 'linux' && !monochromeTerm.test(term),
    hasUnicode: readHasUnicode(env),
  };
};
