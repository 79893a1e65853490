import {joinParts, type Part} from './fit-row.ts';
import {bindingsOn, type KeyBinding, type ScreenName} from './keymap.ts';
import {span, type ViewRow} from './view-row.ts';

const hintPart = (binding: KeyBinding, rank: number): Part => ({
  row: [span(binding.hintKey ?? binding.keys[0] ?? '', 'strong'), span(` ${binding.hint}`, 'dim')],
  rank,
});

/** The keys that matter on a screen, as many as fit; help is the last to go. */
export const selectHints = (screen: ScreenName, columns: number): ViewRow => {
  const hints = bindingsOn(screen).filter(binding => binding.hint !== undefined);
  return joinParts(
    hints.map((binding, index) => hintPart(binding, binding.command === 'toggleHelp' ? 0 : index + 1)),
    columns,
  );
};

/** While an input line is open, letters are text. */
export const selectInputHints = (columns: number): ViewRow =>
  joinParts(
    [
      {row: [span('Enter', 'strong'), span(' take', 'dim')], rank: 0},
      {row: [span('Esc', 'strong'), span(' clear', 'dim')], rank: 1},
      {row: [span('↑↓', 'strong'), span(' choose', 'dim')], rank: 2},
    ],
    columns,
  );
