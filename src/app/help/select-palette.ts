import type {Prompt} from '#app/keys/prompt.ts';
import {fitRow} from '#app/rows/fit-row.ts';
import {lightRow, span, type ViewRow} from '#app/rows/view-row.ts';
import {paneRows} from '#app/state/pane-size.ts';
import type {State} from '#app/state/state.ts';
import {padToCells} from '#log/text/cut.ts';
import {commandChoices} from '../choices/palette.ts';
import {visibleRange} from '../choices/picker.ts';

const nameColumns = 24;
const keyColumns = 18;

/** Renders the palette's choices in place of the pane: each command's name, keys and help. */
export const selectPalette = (state: State, prompt: Prompt): readonly ViewRow[] =>
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
): readonly ViewRow[] => {
  const {from, to} = visibleRange(choices.length, choice, paneRows(state));
  return choices.slice(from, to).map((each, index) => {
    const isChosen = from + index === choice;
    const row = fitRow(
      [span(isChosen ? ' ▸ ' : '   ', 'accent'), ...rowOf(each, isChosen ? 'strong' : 'plain')],
      state.columns,
    );
    return isChosen ? lightRow(row) : row;
  });
};
