/** Keys that are no single character, by the names of the key table. */
export const namedKeys = [
  '↑',
  '↓',
  '←',
  '→',
  'PgUp',
  'PgDn',
  'Home',
  'End',
  'Enter',
  'Esc',
  'Tab',
  'Backspace',
  'Delete',
  'Space',
] as const;

/** Other names that people give them. */
const aliases: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  return: 'Enter',
  escape: 'Esc',
  del: 'Delete',
};

/** A terminal sends the same byte for both, so the key arrives under its other name. */
const sameAs: Readonly<Record<string, string>> = {
  'Ctrl+H': 'Backspace',
  'Ctrl+I': 'Tab',
  'Ctrl+J': 'Enter',
  'Ctrl+M': 'Enter',
  'Ctrl+[': 'Esc',
};

/** All names that are not a character or Ctrl with a letter, for suggestions. */
export const wordsForKeys: readonly string[] = [...namedKeys, ...Object.keys(aliases)];

/**
 * The key of a name as a person writes it (`ctrl+b`, `PageUp`, `x`), by its name in the key table; `isOther` where the
 * terminal sends another key for it, whose name is then given. Undefined where there is no such key. A letter is not the same as its capital.
 */
export const parseKeyName = (text: string): {readonly name: string; readonly isOther: boolean} | undefined => {
  // One code point that is neither blank nor a control, a mark or half of something.
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text)) {
    return {name: text, isOther: false};
  }
  const lower = text.toLowerCase();
  const alias = Object.hasOwn(aliases, lower) ? aliases[lower] : undefined;
  const named = namedKeys.find(name => name.toLowerCase() === lower) ?? (text === ' ' ? 'Space' : alias);
  if (named !== undefined) {
    return {name: named, isOther: false};
  }
  const control = /^(?:ctrl|control|c)[+-]([a-z[\\\]^_])$/.exec(lower)?.[1];
  if (control === undefined) {
    return undefined;
  }
  const name = `Ctrl+${control.toUpperCase()}`;
  const other = sameAs[name];
  return {name: other ?? name, isOther: other !== undefined};
};
