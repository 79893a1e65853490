const traceLine =
  /^(?:\s+at |\s*#\d+ |\s*Caused by: |\s*Suppressed: |\s*\.\.\. \d+ |\s+File "|\s+thrown in |(?:PHP )?Stack trace:|PHP +\d+\. )/;

/**
 * Checks whether the text, free of SGR, is certainly a further line of a stack trace (Java, JavaScript, PHP, Python). A
 * level word in it names a class or a file, so the line has no level of its own.
 */
export const isTraceLine = (text: string): boolean => traceLine.test(text);
