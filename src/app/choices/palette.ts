import {bindingsOn, type Command, commandName, type KeyBinding, movement} from '#app/keys/keymap.ts';
import type {Prompt} from '#app/keys/prompt.ts';
import type {Picker} from '#app/panes/panes.ts';
import {fitRow, messageCharsMax} from '#app/rows/fit-row.ts';
import {lightRow, type RowsPane, span, type ViewRow} from '#app/rows/view-row.ts';
import type {NamedFilters} from '#app/search/patterns.ts';
import type {State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {filterNameCharsMax} from '#base/bounds.ts';
import {bestFirst, createFuzzyScorer, scoreItems} from '#log/fuzzy.ts';
import {padToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';

/** Returns the index of the highlight: its id's, or the first item if the id is not in the list (any more). */
export const selectedIndex = (ids: readonly string[], picker: Picker): number =>
  Math.max(0, picker.selectedId === undefined ? 0 : ids.indexOf(picker.selectedId));

/** Returns the index that a command moves the highlight to, at most to either end; undefined if it is no movement. */
export const movedIndex = (index: number, length: number, command: Command, pageRows: number): number | undefined => {
  const distance = movement(command, pageRows);
  return distance === undefined ? undefined : Math.max(0, Math.min(length - 1, index + distance));
};

/** Changes the filter: the highlight goes to the best match, and back to its old place when the filter is cleared. */
export const filterPicker = (picker: Picker, filter: string): Picker => {
  if (filter === picker.filter) {
    return picker;
  }
  const selectedBefore = picker.filter === '' ? picker.selectedId : picker.selectedBefore;
  return filter === '' ? {selectedId: selectedBefore, filter} : {selectedId: undefined, filter, selectedBefore};
};

/** Returns the visible part of a list: it contains the highlight and leaves no row empty without need. */
export const visibleRange = (
  length: number,
  selected: number,
  rows: number,
): {readonly from: number; readonly to: number} => {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), length - rows));
  return {from, to: Math.min(length, from + rows)};
};

/** A command that the palette offers; `named`: the filters that it takes into use. */
type CommandChoice = {
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

const nameColumns = 24;
const keyColumns = 18;

/** Renders the palette's choices in place of the pane: each command's name, keys and help. */
export const selectPalette = (state: State, prompt: Prompt): RowsPane =>
  drawChoices(state, prompt, commandChoices(state, prompt.text), ({binding, name}, tone) => [
    span(padToCells(name, nameColumns), tone),
    span(padToCells(` ${binding.keys.join(', ')}`, keyColumns), 'accent'),
    span(` ${binding.help}`, 'dim'),
  ]);

/** Renders what can be chosen in an input line, in place of the pane. */
export const drawChoices = <Choice>(
  state: Pick<State, 'rows' | 'columns'>,
  {choice}: Prompt,
  choices: readonly Choice[],
  rowOf: (choice: Choice, tone: 'strong' | 'plain') => ViewRow,
): RowsPane => {
  const {from, to} = visibleRange(choices.length, choice, paneRows(state));
  const rows = choices.slice(from, to).map((each, index) => {
    const isChosen = from + index === choice;
    const row = fitRow(
      [span(isChosen ? ' ▸ ' : '   ', 'accent'), ...rowOf(each, isChosen ? 'strong' : 'plain')],
      state.columns,
    );
    return isChosen ? lightRow(row) : row;
  });
  return {
    kind: 'rows',
    rows,
    list: rows.length === 0 ? undefined : {from: 0, to: rows.length, selected: choice - from},
  };
};
