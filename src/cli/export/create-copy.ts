import {countOf, formatCount} from '#log/words/format-count.ts';
import {formatClipboardWrite} from '#terminal/screen/passthrough.ts';

/**
 * Copies texts to the terminal's clipboard through `write`, which sends bytes between two frames. Returns the sentence
 * that reports it. No terminal ever confirms a copy.
 */
export const createCopy =
  (env: NodeJS.ProcessEnv, write: (bytes: string) => void) =>
  (text: string | Uint8Array, what: string, advice?: string): string => {
    const copied = formatClipboardWrite(text, env);
    switch (copied.kind) {
      case 'sequence': {
        write(copied.sequence);
        return `sent ${what}, ${countOf(copied.bytes, 'byte')}, to the terminal's clipboard`;
      }
      case 'tooLarge':
        return `${what} is too much for the terminal's clipboard: ${formatCount(copied.bytes)} of at most ${formatCount(copied.bytesMax)} bytes${advice === undefined ? '' : `; ${advice}`}`;
      case 'none':
        return copied.sentence;
      default:
        return copied satisfies never;
    }
  };
