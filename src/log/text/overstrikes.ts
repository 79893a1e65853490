/** Text as `man` writes it for a printer: an underlined letter over `_`, a bold one over itself. */
const overstruck = /(?:_\x08)+(?=[^\x08])|([^\x08])(?:\x08\1)+/gu;

/** Leaves out what is printed over something else. */
export const withoutOverstrikes = (line: string): string =>
  line.includes('\b') ? line.replace(overstruck, (_, letter = '') => letter) : line;
