import {type KeyBinding, keymap} from '../../app/keys/keymap.ts';
import {rebindKeys} from '../../app/keys/rebind-keys.ts';
import type {Settings} from '../../config/client/settings.ts';
import {findClosestWord} from '../../config/values/closest-word.ts';
import {UsageError} from '../io/usage-error.ts';

/** Returns the key table as the config file rebinds it. Throws a `UsageError` that lists everything wrong with it. */
export const readKeymap = ({keys}: Pick<Settings, 'keys'>): readonly KeyBinding[] => {
  const rebound = rebindKeys(keymap, keys.bindings, {place: keys.place, suggest: findClosestWord});
  if (rebound.kind === 'faults') {
    throw new UsageError(rebound.sentences.join('; '));
  }
  return rebound.keymap;
};
