/**
 * Longer lines are cut into pieces of this many bytes, each a line of its own, or truncated. Four times the size of a
 * container runtime's pieces, and small enough that a file without any newline cannot fill the memory.
 */
export const lineBytesMax = 64 * 1024;

/**
 * A piece has as many bytes at least, fewer than `lineBytesMax` only where the next character would not fit. The last
 * piece of a line, and a line that is whole, have fewer: so each tells whether it goes on.
 */
export const pieceBytesMin = lineBytesMax - 3;

/** Whether the text of a line is a piece of a longer one, which goes on in the next line of its source. */
export const isPiece = (text: string): boolean => {
  if (text.length > lineBytesMax || text.length * 3 < pieceBytesMin) {
    return false;
  }
  const bytes = Buffer.byteLength(text);
  return bytes >= pieceBytesMin && bytes <= lineBytesMax;
};
