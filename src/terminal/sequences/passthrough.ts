/** The variables of the environment; all that this file and its users know of a terminal. */
export type TerminalEnv = Readonly<Record<string, string | undefined>>;

/** A program between us and the terminal that people see, which keeps sequences it does not know to itself. */
export type Multiplexer = 'tmux' | 'screen';

/**
 * Which multiplexer we run in. TMUX and STY do not travel over SSH, TERM does: `tmux…` is then tmux, and `screen…` is taken for GNU
 * screen, although old setups of tmux say the same, because what is meant for tmux would end up as text on a screen of GNU screen.
 */
export const findMultiplexer = (env: TerminalEnv): Multiplexer | undefined => {
  const term = env.TERM ?? '';
  if (env.TMUX || term.startsWith('tmux')) {
    return 'tmux';
  }
  return env.STY || term.startsWith('screen') ? 'screen' : undefined;
};

/** GNU screen before 4.2 takes 256 bytes for one string, and draws what is beyond as text. */
const screenStringBytesMax = 250;

/**
 * Wraps a sequence so that the multiplexer hands it on unread. tmux wants each ESC doubled (and, from 3.3 on, `allow-passthrough`); GNU screen hands on what stands in a DCS,
 * piece by piece. For screen the sequence must not hold ST, which would end the piece.
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

/** Terminals that would draw an OSC, or parts of it, as text, or take no control sequence at all. */
const termWithoutOsc = /^(?:|dumb|unknown|linux|cons\d+.*|vt\d+.*|ansi|sun.*|wsvt25.*)$/;

/** Whether an OSC that the terminal does not know is at least left out silently. */
export const takesOsc = (env: TerminalEnv): boolean => !termWithoutOsc.test(env.TERM ?? '');
