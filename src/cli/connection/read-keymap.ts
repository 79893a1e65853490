import {type KeyBinding, keymap} from '#app/keys/keymap.ts';
import {rebindKeys} from '#app/keys/rebind-keys.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {findClosestWord} from '#config/settings/closest-word.ts';
import type {Settings} from '#config/settings/settings.ts';

const rebind = ({keys}: Pick<Settings, 'keys'>) =>
  rebindKeys(keymap, keys.bindings, {place: keys.place, suggest: findClosestWord});

/** Returns everything that is wrong with the keys of the config file. */
export const keymapFaults = (settings: Pick<Settings, 'keys'>): readonly string[] => {
  const rebound = rebind(settings);
  return rebound.kind === 'faults' ? rebound.sentences : [];
};

/** Returns the key table as the config file rebinds it. Throws a `UsageError` that lists everything wrong with it. */
export const readKeymap = (settings: Pick<Settings, 'keys'>): readonly KeyBinding[] => {
  const rebound = rebind(settings);
  if (rebound.kind === 'faults') {
    throw new UsageError(rebound.sentences.join('; '));
  }
  return rebound.keymap;
};
