import {type FuzzyMatch, fuzzyMatch} from '../log/fuzzy.ts';
import {bindingsOn, commandName, type KeyBinding} from './keymap.ts';
import type {State} from './state.ts';

/** A command that the palette offers, and how its name matches what was typed. */
export type CommandChoice = {readonly binding: KeyBinding; readonly name: string; readonly match: FuzzyMatch};

/** The commands of the screen by name, the best match first; in the order of the key table where they match alike. */
export const commandChoices = (state: Pick<State, 'screen'>, typed: string): readonly CommandChoice[] => {
  const choices = bindingsOn(state.screen)
    .filter(({command}) => command !== 'openPalette')
    .flatMap((binding): readonly CommandChoice[] => {
      const name = commandName(binding.command);
      const match = fuzzyMatch(typed, `${name} ${binding.help}`);
      return match === undefined ? [] : [{binding, name, match}];
    });
  return choices.toSorted((a, b) => b.match.score - a.match.score);
};
