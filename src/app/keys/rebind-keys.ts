import {stringifySafe} from '../../log/text/escape-json.ts';
import {namedKeys, parseKeyName, wordsForKeys} from './key-names.ts';
import type {KeyBinding, ScreenName} from './keymap.ts';

/** Keys by the name of a command, as a config file has them. */
export type WantedKeys = ReadonlyMap<string, readonly string[]>;

export type RebindOptions = {
  /** Where the keys stand, for the sentences: `/path/config.toml: keys`. */
  readonly place: string;
  /** The word that was probably meant. */
  readonly suggest: (word: string, known: readonly string[]) => string | undefined;
};

export type Rebound =
  | {readonly kind: 'keymap'; readonly keymap: readonly KeyBinding[]}
  /** Sentences, each with its place. */
  | {readonly kind: 'faults'; readonly sentences: readonly string[]};

/** Always quits, so that nobody is caught in a screen whose keys they do not know. */
const lastResort = 'Ctrl+C';

/** The name of a command in a config file: `moveUp` is `move-up`. */
export const nameCommand = (command: string): string =>
  command.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/**
 * A key table in which the commands that `wanted` names have those keys, and only those, on every screen where they have a meaning. `quit` keeps Ctrl+C besides, and
 * `back` needs a key. All that is wrong is told at once: commands and keys that do not exist, and keys that would mean two things on one screen.
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
  const rebound = keymap.map(binding => {
    const keys = keysOf.get(nameCommand(binding.command));
    return keys === undefined ? binding : {...binding, keys};
  });
  sentences.push(...findClashes(rebound, keysOf, place));
  return sentences.length > 0
    ? {kind: 'faults', sentences}
    : {kind: 'keymap', keymap: rebound.map(binding => keepHint(binding, keymap, rebound))};
};

/** The keys that can be read, by their names in the table. `tell` hears of the others. */
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
      // A single character is like all names that are as short. Written as JSON, one that can't be seen is told too.
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

/** Where a key that was given would mean two things on one screen; each pair of commands and each key is told once. */
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

/** What a hint shows in place of keys, `↑↓`, holds only as long as all keys in it still mean what they did. */
const keepHint = (binding: KeyBinding, before: readonly KeyBinding[], after: readonly KeyBinding[]): KeyBinding => {
  const {hintKey, on} = binding;
  if (hintKey === undefined) {
    return binding;
  }
  const isSame = on.every(screen =>
    keysOn(before, screen).every(
      ({key, command}) =>
        !hintKey.includes(key) || keysOn(after, screen).some(now => now.key === key && now.command === command),
    ),
  );
  const {hintKey: _, ...others} = binding;
  return isSame ? binding : others;
};

const keysOn = (keymap: readonly KeyBinding[], screen: ScreenName) =>
  keymap.filter(({on}) => on.includes(screen)).flatMap(({command, keys}) => keys.map(key => ({command, key})));
