import {bindingsOn, type Command, type KeyBinding, keyFor, type ScreenName} from '../keys/keymap.ts';
import {joinParts, type Part} from '../rows/fit-row.ts';
import {span, type ViewRow} from '../rows/view-row.ts';

const hintPart = (binding: KeyBinding, rank: number): Part => ({
  row: [span(binding.hintKey ?? binding.keys[0] ?? '', 'strong'), span(` ${binding.hint}`, 'dim')],
  rank,
});

/** Returns the most important keys of a screen, as many as fit; help is dropped last. */
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

/** Commands whose keys are shown together, and their word. */
export type Hint = readonly [commands: readonly Command[], words: string];

/** Returns hints from these keys; if there is not enough room, the last ones are dropped first. */
export const joinHints = (screen: ScreenName, hints: readonly Hint[], columns: number): ViewRow =>
  joinParts(
    hints.map(([commands, words], index) => ({
      row: [span(commands.map(command => keyFor(command, screen)).join(''), 'strong'), span(` ${words}`, 'dim')],
      rank: index + 1,
    })),
    columns,
  );

const detailsHints: readonly Hint[] = [
  [['moveUp', 'moveDown'], 'choose'],
  [['open'], 'reveal'],
  [['copyField'], 'copy'],
  [['back'], 'to the list'],
  [['toggleHelp'], 'help'],
];

/** While the highlight is in a branch's record. */
export const selectDetailsHints = (columns: number): ViewRow => joinHints('branches', detailsHints, columns);

/** While the help is open, most keys only close it. */
export const selectHelpHints = (screen: ScreenName, scrolls: boolean, columns: number): ViewRow =>
  joinHints(
    screen,
    [
      [['toggleHelp'], 'close'],
      ...(scrolls ? [[['moveUp', 'moveDown'], 'scroll'] satisfies Hint] : []),
      [['quit'], 'quit'],
    ],
    columns,
  );

const pickHints: readonly Hint[] = [
  [['moveUp', 'moveDown'], 'choose'],
  [['pickLines'], 'range'],
  [['copyLines'], 'copy'],
  [['saveLines'], 'save'],
  [['back'], 'leave'],
  [['toggleHelp'], 'help'],
];

/** While the user is picking lines of the log. */
export const selectPickHints = (columns: number): ViewRow => joinHints('log', pickHints, columns);

const searchHints: readonly Hint[] = [
  [['nextHit'], 'next'],
  [['previousHit'], 'previous'],
  [['back'], 'clear'],
  [['openSearch'], 'search'],
  [['filterIn'], 'filter'],
  [['goLast'], 'follow'],
  [['toggleHelp'], 'help'],
];

/** While a search is active. */
export const selectSearchHints = (columns: number): ViewRow => joinHints('log', searchHints, columns);
