import {bestFirst, createFuzzyScorer, scoreItems} from '../../log/fuzzy/fuzzy.ts';
import {bindingsOn, commandName, type KeyBinding} from '../keys/keymap.ts';
import type {State} from '../state/state.ts';

/** A command that the palette offers. */
export type CommandChoice = {readonly binding: KeyBinding; readonly name: string};

/**
 * Returns the commands of the screen, best match first: those that list the typed word as another name, then by how
 * well they match. Equal matches are in the order of the key table.
 */
export const commandChoices = (state: Pick<State, 'screen'>, typed: string): readonly CommandChoice[] => {
  const choices = bindingsOn(state.screen)
    .filter(({command}) => command !== 'openPalette')
    .map((binding): CommandChoice => ({binding, name: commandName(binding.command)}));
  const scoreOf = createFuzzyScorer(typed);
  const ranked = bestFirst(
    scoreItems(choices, ({binding, name}) => scoreOf(`${name} ${binding.help} ${binding.also ?? ''}`)),
  );
  const isOtherName = ({binding}: CommandChoice): number =>
    Number(binding.also?.split(' ').includes(typed.trim().toLowerCase()) === true);
  return ranked.toSorted((one, other) => isOtherName(other) - isOtherName(one));
};
