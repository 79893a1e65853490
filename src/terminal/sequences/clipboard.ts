import {findMultiplexer, type TerminalEnv, takesOsc, wrapForMultiplexer} from '../screen/passthrough.ts';

export type ClipboardWrite =
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
