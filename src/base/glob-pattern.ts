/** Whether a word is a regular expression, as stern takes it, and no name: `.`, or one with `.*`, `^`, `$` or `|`. */
export const isNameRegex = (word: string): boolean => /^\.$|\.[*+]|[\^$|]/.test(word);

/** Whether a word is a pattern of names, in either way. */
export const isNamePattern = (word: string): boolean => isNameRegex(word) || /[*?]/.test(word);

/** Returns the pattern of names that match a text in which `*` stands for any characters, and `?` for one. */
export const globPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    's',
  );
