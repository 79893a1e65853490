/** The environment variables: all that this file and its callers know of a terminal. */
export type TerminalEnv = Readonly<Record<string, string | undefined>>;

/** A program between us and the visible terminal, which swallows sequences it does not know. */
export type Multiplexer = 'tmux' | 'screen';

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
