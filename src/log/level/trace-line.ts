const traceLine =
  /^(?:\s+at |\s*#\d+ |\s*Caused by: |\s*Suppressed: |\s*\.\.\. \d+ |\s+File "|\s+thrown in |(?:PHP )?Stack trace:|PHP +\d+\. )/;

/**
 * Is the text, free of SGR, surely a further line of a stack trace (Java, JavaScript, PHP, Python)? A level word in it names a class or
 * a file, so it says no level of its own.
 */
export const isTraceLine = (text: string): boolean => traceLine.test(text);
