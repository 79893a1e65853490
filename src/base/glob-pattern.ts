/** Returns the pattern of names that match a text in which `*` stands for any characters, and `?` for one. */
export const globPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    's',
  );
