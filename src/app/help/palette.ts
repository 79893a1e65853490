import {rankByFuzzy} from '../../log/fuzzy/fuzzy.ts';
import {bindingsOn, commandName, type KeyBinding} from '../keys/keymap.ts';
import type {State} from '../state/state.ts';

/** A command that the palette offers. */
export type CommandChoice = {readonly binding: KeyBinding; readonly name: string};

/** Returns the commands of the screen, best match first; equal matches are in the order of the key table. */
export const commandChoices = (state: Pick<State, 'screen'>, typed: string): readonly CommandChoice[] => {
  const choices = bindingsOn(state.screen)
    .filter(({command}) => command !== 'openPalette')
    .map((binding): CommandChoice => ({binding, name: commandName(binding.command)}));
  return rankByFuzzy(typed, choices, ({binding, name}) => `${name} ${binding.help}`).map(({item}) => item);
};
