/** Keys that are not a single character, by their names in the key table. */
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

/** Other common names for them. */
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

/** Terminals send the same byte for both keys, so the key arrives under its other name. */
const sameAs: Readonly<Record<string, string>> = {
  'Ctrl+H': 'Backspace',
  'Ctrl+I': 'Tab',
  'Ctrl+J': 'Enter',
  'Ctrl+M': 'Enter',
  'Ctrl+[': 'Esc',
};

/** All key names except single characters and Ctrl with a letter, for suggestions. */
export const wordsForKeys: readonly string[] = [...namedKeys, ...Object.keys(aliases)];

/**
 * Returns the key for a name as users write it (`ctrl+b`, `PageUp`, `x`), by its name in the key table. `isOther` if
 * the terminal sends another key for it; the name is then that key's. Returns undefined if there is no such key.
 * Letters are case-sensitive.
 */
export const parseKeyName = (text: string): {readonly name: string; readonly isOther: boolean} | undefined => {
  // One code point that is not a blank, a control character, a combining mark or a lone surrogate.
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
