import {bindingsOn, commandName, type KeyBinding} from '#app/keys/keymap.ts';
import {messageCharsMax} from '#app/rows/word-limits.ts';
import type {NamedFilters} from '#app/search/patterns.ts';
import type {State} from '#app/state/state.ts';
import {filterNameCharsMax} from '#base/bounds.ts';
import {bestFirst, createFuzzyScorer, scoreItems} from '#log/fuzzy.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';

/** A command that the palette offers; `named`: the filters that it takes into use. */
export type CommandChoice = {
  readonly binding: Pick<KeyBinding, 'command' | 'keys' | 'help' | 'also'>;
  readonly name: string;
  readonly named?: NamedFilters;
};

/**
 * Returns the commands of the screen, best match first: those whose subject the typed word is (`incident: …`) or that
 * list it as another name, then by how well they match. Equal matches are in the order of the key table.
 */
export const commandChoices = (
  {screen, namedFilters = []}: Pick<State, 'screen' | 'namedFilters'>,
  typed: string,
): readonly CommandChoice[] => {
  const named = namedFilters.map((each): CommandChoice => {
    const help = sanitiseWord(each.filters.join('  '), messageCharsMax);
    return {
      binding: {command: 'toggleFilterList', keys: [], help},
      name: `use filters ${sanitiseWord(each.name, filterNameCharsMax)}`,
      named: each,
    };
  });
  const choices = bindingsOn(screen)
    .filter(({command}) => command !== 'openPalette')
    .map((binding): CommandChoice => ({binding, name: commandName(binding.command)}))
    .concat(screen === 'log' ? named : []);
  const scoreOf = createFuzzyScorer(typed);
  const ranked = bestFirst(
    scoreItems(choices, ({binding, name}) => scoreOf(`${name} ${binding.help} ${binding.also ?? ''}`)),
  );
  const word = typed.trim().toLowerCase();
  const isOtherName = ({binding}: CommandChoice): number =>
    Number(binding.help.startsWith(`${word}: `) || binding.also?.split(' ').includes(word) === true);
  return ranked.toSorted((one, other) => isOtherName(other) - isOtherName(one));
};
