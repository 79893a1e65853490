import {findMultiplexer, type TerminalEnv, takesOsc, wrapForMultiplexer} from '../screen/passthrough.ts';

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
