import {padToCells} from '../../log/cells/cut.ts';
import {visibleRange} from '../choices/picker.ts';
import type {Prompt} from '../parts/prompt.ts';
import {fitRow} from '../rows/fit-row.ts';
import {lightRow, span, type ViewRow} from '../rows/view-row.ts';
import {paneRows} from '../state/pane-size.ts';
import type {State} from '../state/state.ts';
import {commandChoices} from './palette.ts';

const nameColumns = 24;
const keyColumns = 18;

/** Renders the palette's choices in place of the pane: each command's name, keys and help. */
export const selectPalette = (state: State, prompt: Prompt): readonly ViewRow[] => {
  const choices = commandChoices(state, prompt.text);
  const {from, to} = visibleRange(choices.length, prompt.choice, paneRows(state));
  return choices.slice(from, to).map(({binding, name}, index) => {
    const isChosen = from + index === prompt.choice;
    const row = fitRow(
      [
        span(isChosen ? ' ▸ ' : '   ', 'accent'),
        span(padToCells(name, nameColumns), isChosen ? 'strong' : 'plain'),
        span(padToCells(` ${binding.keys.join(', ')}`, keyColumns), 'accent'),
        span(` ${binding.help}`, 'dim'),
      ],
      state.columns,
    );
    return isChosen ? lightRow(row) : row;
  });
};
