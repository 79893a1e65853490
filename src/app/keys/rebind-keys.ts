import {stringifySafe} from '#log/text/escape-json.ts';
import type {KeyBinding} from './keymap.ts';

/** Keys that are not a single character, by their names in the key table. */
const namedKeys = [
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
const wordsForKeys: readonly string[] = [...namedKeys, ...Object.keys(aliases)];

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

/** Keys by command name, as in a config file. */
type WantedKeys = ReadonlyMap<string, readonly string[]>;

type RebindOptions = {
  /** Where the keys are set, for messages: `/path/config.toml: keys`. */
  readonly place: string;
  /** Returns the word that was probably meant. */
  readonly suggest: (word: string, known: readonly string[]) => string | undefined;
};

type Rebound =
  | {readonly kind: 'keymap'; readonly keymap: readonly KeyBinding[]}
  /** Error messages, each with its place. */
  | {readonly kind: 'faults'; readonly sentences: readonly string[]};

/** Always quits, so that users can't get stuck when they don't know the keys. */
const lastResort = 'Ctrl+C';

/** Returns a command's name in a config file: `moveUp` is `move-up`. */
const nameCommand = (command: string): string => command.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/**
 * Returns the key table with the keys of the commands in `wanted` replaced on every screen where they apply. `quit`
 * always keeps Ctrl+C, and `back` needs a key. Reports all errors at once: unknown commands and keys, and keys with
 * two meanings on one screen.
 */
export const rebindKeys = (keymap: readonly KeyBinding[], wanted: WantedKeys, options: RebindOptions): Rebound => {
  const {place, suggest} = options;
  const names = [...new Set(keymap.map(({command}) => nameCommand(command)))];
  const sentences: string[] = [];
  const keysOf = new Map<string, readonly string[]>();
  for (const [name, texts] of wanted) {
    const tell = (sentence: string): void => void sentences.push(`${place}.${name}: ${sentence}`);
    if (!names.includes(name)) {
      const meant = suggest(name, names);
      tell(
        meant === undefined
          ? `no such command; the commands are ${names.join(', ')}`
          : `no such command: did you mean ${meant}?`,
      );
      continue;
    }
    const keys = readKeyNames(texts, name, suggest, tell);
    if (name === 'back' && keys.length === 0) {
      tell('give it at least one key: otherwise there is no way back');
    }
    keysOf.set(name, name === 'quit' ? [...keys, lastResort] : keys);
  }
  const taken = new Set([...keysOf.values()].flat());
  const rebound = keymap.map(binding => {
    const keys = keysOf.get(nameCommand(binding.command));
    if (keys !== undefined) {
      return {...binding, keys};
    }
    return binding.givesWay ? {...binding, keys: binding.keys.filter(key => !taken.has(key))} : binding;
  });
  sentences.push(...findClashes(rebound, keysOf, place));
  return sentences.length > 0 ? {kind: 'faults', sentences} : {kind: 'keymap', keymap: rebound};
};

/** Returns the valid keys, by their names in the table. Passes errors about the others to `tell`. */
const readKeyNames = (
  texts: readonly string[],
  commandName: string,
  suggest: RebindOptions['suggest'],
  tell: (sentence: string) => void,
): readonly string[] => {
  const keys = new Set<string>();
  for (const text of texts) {
    const key = parseKeyName(text);
    if (key === undefined) {
      // A single character is close to every short name, so no suggestion. Quoted as JSON, invisible characters show
      // too.
      const meant = text.length > 1 ? suggest(text, wordsForKeys) : undefined;
      const quoted = stringifySafe(text);
      tell(
        meant === undefined
          ? `${quoted} is not a key; keys are single characters, Ctrl+A to Ctrl+Z, ${namedKeys.join(', ')}`
          : `${quoted} is not a key: did you mean ${meant}?`,
      );
    } else if (key.isOther) {
      tell(`terminals send ${key.name} for "${text}"`);
    } else if (key.name !== lastResort) {
      keys.add(key.name);
    } else if (commandName !== 'quit') {
      tell(`${lastResort} always quits`);
    }
  }
  return [...keys];
};

/** Finds rebound keys with two meanings on one screen. Reports each pair of commands and each key once. */
const findClashes = (
  keymap: readonly KeyBinding[],
  given: ReadonlyMap<string, unknown>,
  place: string,
): readonly string[] => {
  const sentences = new Set<string>();
  const owners = new Map<string, string>();
  for (const {command, keys, on} of keymap) {
    for (const screen of on) {
      for (const key of keys) {
        const slot = `${screen} ${key}`;
        const name = nameCommand(command);
        const owner = owners.get(slot) ?? name;
        owners.set(slot, owner);
        if (owner !== name) {
          const [first, second] = given.has(owner) ? [owner, name] : [name, owner];
          sentences.add(
            `${place}.${first}: ${key} is already the key of ${second}${given.has(second) ? '' : `: give ${second} another`}`,
          );
        }
      }
    }
  }
  return [...sentences];
};
