import {findMultiplexer, type TerminalEnv, takesOsc, wrapForMultiplexer} from './passthrough.ts';

export type ClipboardWrite =
  /** To be written to the terminal as it is, between two frames. `bytes` are those of the text. */
  | {readonly kind: 'sequence'; readonly sequence: string; readonly bytes: number}
  | {readonly kind: 'tooLarge'; readonly bytes: number; readonly bytesMax: number}
  /** The terminal has no clipboard that we could reach; the sentence says so, without a full stop. */
  | {readonly kind: 'none'; readonly sentence: string};

/** hterm takes sequences of 100,000 bytes, others more, and a terminal drops what is too long without a word: 99,992 bytes of base64, and eight around them. */
const textBytesMax = 74_994;

/** kitty puts long ones together in pieces, up to 512 MB; more than this nobody wants to paste, and all of it has to go through the line. */
const kittyTextBytesMax = 8 * 1024 * 1024;

/**
 * The sequence that puts a text into the clipboard of the terminal that the user sits at, also from the far end of an SSH line (OSC 52,
 * xterm's control sequences). Nothing is ever answered, so whether the terminal did as it was told cannot be known.
 *
 * It ends in BEL: every terminal that knows OSC 52 takes that, and ST would end the DCS that GNU screen needs around it.
 *
 * tmux gets it twice. Its own `set-clipboard on` takes the plain one; with `external`, its default, that is ignored, and the wrapped one
 * gets through where `allow-passthrough` is on, or tmux is older than 3.3. With both on the same text is set twice.
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
