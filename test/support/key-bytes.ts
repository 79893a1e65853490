/** What an xterm sends for its keys (ctlseqs, "PC-Style Function Keys"). */
const bytesOfKey: Readonly<Record<string, string>> = {
  Enter: '\r',
  Esc: '\u001b',
  Tab: '\t',
  'Shift+Tab': '\u001b[Z',
  Backspace: '\u007f',
  Space: ' ',
  Up: '\u001b[A',
  Down: '\u001b[B',
  Right: '\u001b[C',
  Left: '\u001b[D',
  Home: '\u001b[H',
  End: '\u001b[F',
  Insert: '\u001b[2~',
  Delete: '\u001b[3~',
  PageUp: '\u001b[5~',
  PageDown: '\u001b[6~',
};

/** The bytes of a key by its name (`Enter`, `PageDown`, `Ctrl+Z`); anything else is typed as it stands. */
export const keyBytes = (key: string): string => {
  const letter = /^Ctrl\+([A-Za-z\\\]^_@])$/.exec(key)?.[1];
  if (letter !== undefined) {
    return String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f);
  }
  return bytesOfKey[key] ?? key;
};
