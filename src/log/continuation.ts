const sgrStart = /^(?:\x1b\[[\d;]*m)+/;
const escapeCode = 0x1b;
const space = 0x20;
const tab = 0x09;

/** How lines begin that are not indented and belong to what is above them all the same, by their first letter. */
const heads: Readonly<Record<string, RegExp>> = {
  '#': /^#\d/,
  '.': /^\.\.\. \d+ /,
  a: /^at \S/,
  C: /^Caused by: /,
  P: /^PHP (?:Stack trace:| +\d+\. )/,
  S: /^(?:Suppressed: |Stack trace:)/,
  t: /^thrown in /,
  // What closes a record that was printed over several lines.
  '}': /^[}\])]+[,;]?$/,
  ']': /^[}\])]+[,;]?$/,
  ')': /^[}\])]+[,;]?$/,
};

/**
 * Does the text continue the line above it, as a frame or a cause of a stack trace does (Java, JavaScript, PHP, Python), or whatever is
 * indented? Told by its first characters, so it costs nothing for other lines. A line that says a level of its own continues nothing,
 * which this doesn't look at.
 */
export const isContinuation = (text: string): boolean => {
  const code = text.charCodeAt(0);
  if (code === space || code === tab) {
    return /\S/.test(text);
  }
  if (code === escapeCode) {
    const bare = text.replace(sgrStart, '');
    return bare.charCodeAt(0) !== escapeCode && isContinuation(bare);
  }
  return heads[text.charAt(0)]?.test(text) ?? false;
};
