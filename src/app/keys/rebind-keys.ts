import {stringifySafe} from '#log/text/escape-json.ts';
import {namedKeys, parseKeyName, wordsForKeys} from './key-names.ts';
import type {KeyBinding} from './keymap.ts';

/** Keys by command name, as in a config file. */
export type WantedKeys = ReadonlyMap<string, readonly string[]>;

export type RebindOptions = {
  /** Where the keys are set, for messages: `/path/config.toml: keys`. */
  readonly place: string;
  /** Returns the word that was probably meant. */
  readonly suggest: (word: string, known: readonly string[]) => string | undefined;
};

export type Rebound =
  | {readonly kind: 'keymap'; readonly keymap: readonly KeyBinding[]}
  /** Error messages, each with its place. */
  | {readonly kind: 'faults'; readonly sentences: readonly string[]};

/** Always quits, so that users can't get stuck when they don't know the keys. */
const lastResort = 'Ctrl+C';

/** Returns a command's name in a config file: `moveUp` is `move-up`. */
export const nameCommand = (command: string): string =>
  command.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

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
