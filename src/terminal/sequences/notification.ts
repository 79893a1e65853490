import {findMultiplexer, type TerminalEnv, takesOsc, wrapForMultiplexer} from './passthrough.ts';

/** More does not fit into what desktops show. */
const textCharsMax = 200;

/** Letters from a log, made harmless: printable ASCII in one row, at most 200 of them. */
const makePlain = (text: string): string => {
  const plain = text
    .slice(0, 4 * textCharsMax)
    .replaceAll(/[^\u0021-\u007e]+/g, foreign => (/^\s+$/.test(foreign) ? ' ' : '?'));
  return plain.length > textCharsMax ? `${plain.slice(0, textCharsMax - 3)}...` : plain;
};

/**
 * The bytes that call the user: BEL, which multiplexers hand on in their own way, and a desktop notification (OSC 9: iTerm2, kitty,
 * WezTerm, foot, Ghostty, Windows Terminal and others; left out silently elsewhere). Empty where nothing is wanted or possible.
 *
 * The text is preceded by the program's name, also because ConEmu and Windows Terminal read an OSC 9 that begins with a digit as a command.
 */
export const formatNotification = (
  text: string,
  {bell, osc9}: {readonly bell: boolean; readonly osc9: boolean},
  env: TerminalEnv,
): string => {
  if (!takesOsc(env)) {
    // A terminal that takes no OSC may still ring, a dumb one is written no control character at all.
    return bell && /^(?:linux|vt\d)/.test(env.TERM ?? '') ? '\u0007' : '';
  }
  const plain = `\u001b]9;${makePlain(`branchlog: ${text}`)}\u0007`;
  const multiplexer = findMultiplexer(env);
  const osc = multiplexer === undefined ? plain : wrapForMultiplexer(plain, multiplexer);
  return `${osc9 ? osc : ''}${bell ? '\u0007' : ''}`;
};
