import {type Command, keyFor, type ScreenName} from '#app/keys/keymap.ts';
import {type Prompt, promptLabels} from '#app/keys/prompt.ts';
import {fitRow, joinParts, messageCharsMax, type Part} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import type {HelpFocus} from './key-help.ts';

/** Renders the input line. Shows the end of a text that is too long, where the user types. */
export const selectPrompt = (prompt: Prompt, columns: number): ViewRow => {
  const label = ` ${promptLabels[prompt.kind]}`;
  const text = sanitise(prompt.text);
  const room = Math.max(1, columns - cellWidth(label) - 2);
  const hidden = Math.max(0, cellWidth(text) - room);
  const shown = hidden === 0 ? text : `…${cutToCells(text, room - 1, {from: hidden + 1, ellipsis: ''})}`;
  return fitRow([span(label, 'accent'), span(shown), span('█', 'accent')], columns);
};

const hasChoices = ({kind}: Prompt): boolean => kind === 'palette' || kind === 'compared';

/** While an input line is open, letters are text. Below it a notice about what was typed comes before the hints. */
export const selectPromptHints = (prompt: Prompt, columns: number, notice: string | undefined): ViewRow =>
  notice !== undefined
    ? fitRow([span(` ${sanitiseWord(notice, messageCharsMax)}`, 'busy')], columns)
    : joinParts(
        [
          {row: [span('Enter', 'strong'), span(' take', 'dim')], rank: 0},
          {row: [span('Esc', 'strong'), span(' leave', 'dim')], rank: 1},
          {
            row: [span('↑↓', 'strong'), span(hasChoices(prompt) ? ' choose' : ' typed before', 'dim')],
            rank: 2,
          },
        ],
        columns,
      );

/** Commands whose keys are shown together, and their word; `signs` stand after a key each. */
export type Hint = readonly [commands: readonly Command[], words: string, signs?: readonly string[]];

/** The hints that all lists over the log's lines share, after their own. */
export const hintsOfLists: readonly Hint[] = [
  [['back'], 'back to the log'],
  [['moveUp', 'moveDown'], 'choose'],
  [['toggleHelp'], 'help'],
];

/** Arrows are seen one by one; `Ee` would be read as one key. */
const joinKeys = (keys: readonly string[]): string => keys.join(keys.every(key => /^[↑↓←→]$/.test(key)) ? '' : ' ');

const partOf = (screen: ScreenName, [commands, words, signs = []]: Hint, rank: number): Part => ({
  row: [
    span(
      joinKeys(commands.flatMap((command, index) => [keyFor(command, screen), ...signs.slice(index, index + 1)])),
      'strong',
    ),
    span(` ${words}`, 'dim'),
  ],
  // The help lists all keys, so its own key is dropped last.
  rank: commands.includes('toggleHelp') ? 0 : rank,
});

/** Returns hints from these keys; if there is not enough room, the last ones are dropped first. */
export const joinHints = (screen: ScreenName, hints: readonly Hint[], columns: number): ViewRow =>
  joinParts(
    hints.map((hint, index) => partOf(screen, hint, index + 1)),
    columns,
  );

/** The hints of a screen from left to right. `more` is for wide terminals: dropped before all others. */
type ScreenHints = {readonly main: readonly Hint[]; readonly more: readonly Hint[]; readonly last: readonly Hint[]};

const hintsOfScreens: Readonly<Record<ScreenName, ScreenHints>> = {
  sites: {
    main: [
      [['moveUp', 'moveDown'], 'choose'],
      [['open'], 'open'],
      [['openFilter'], 'filter or id'],
    ],
    more: [
      [['nextContext'], 'context'],
      [['openPalette'], 'commands'],
    ],
    last: [
      [['toggleHelp'], 'help'],
      [['quit'], 'quit'],
    ],
  },
  branches: {
    main: [
      [['moveUp', 'moveDown'], 'choose'],
      [['open'], 'log'],
      [['toggleMark'], 'mark'],
      [['openFilter'], 'filter'],
      [['toggleDeployed'], 'all/deployed'],
      [['nextOrder'], 'order'],
      [['toggleDetails'], 'details'],
    ],
    more: [
      [['toggleFaults'], 'failed only'],
      [['enterDetails'], 'into the record'],
      [['tryNow'], 'refresh'],
      [['openPalette'], 'commands'],
    ],
    last: [
      [['back'], 'back'],
      [['toggleHelp'], 'help'],
      [['quit'], 'quit'],
    ],
  },
  log: {
    main: [
      [['openSearch'], 'search'],
      [['filterIn'], 'filter'],
      [['goToTime'], 'time'],
    ],
    more: [
      [['openLine'], 'open a line'],
      [['togglePause'], 'pause'],
      [['nextTimeMode'], 'clock'],
      [['raiseLevel'], 'level'],
      [['previousMarker', 'nextMarker'], 'markers'],
      [['saveLines'], 'save'],
      [['toggleWrap'], 'wrap'],
      [['openPalette'], 'commands'],
    ],
    last: [
      [['back'], 'back'],
      [['toggleHelp'], 'help'],
      [['quit'], 'quit'],
    ],
  },
};

/**
 * Returns the most important keys of a screen, as many as fit: first those for what is there `now`; help is dropped
 * last. `alsoNow`: for what is there, where there is room. `back`: where that leads; `none`: nowhere.
 */
export const selectHints = (
  screen: ScreenName,
  columns: number,
  now: readonly Hint[] = [],
  alsoNow: readonly Hint[] = [],
  back = 'back',
): ViewRow => {
  const {main: always, more, last: all} = hintsOfScreens[screen];
  const main = always.filter(([[command]]) => !now.some(([[first]]) => first === command));
  const last = all.flatMap((hint): readonly Hint[] =>
    !hint[0].includes('back') ? [hint] : back === 'none' ? [] : [[hint[0], back]],
  );
  const byRank = [...now, ...main, ...last, ...alsoNow, ...more];
  return joinParts(
    [...now, ...main, ...alsoNow, ...more, ...last].map(hint => partOf(screen, hint, byRank.indexOf(hint) + 1)),
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

/** While the highlight is in a branch's record, on a secret or not. */
export const selectDetailsHints = (columns: number, isSecret: boolean): ViewRow =>
  joinHints(
    'branches',
    [
      [['moveUp', 'moveDown'], 'choose'],
      ...(isSecret ? [[['open'], 'reveal'] satisfies Hint] : []),
      [['copyField'], 'copy'],
      [['back'], 'to the list'],
      [['toggleHelp'], 'help'],
    ],
    columns,
  );

/** While the help is open, most keys only close it; while its search is open, letters are text. */
export const selectHelpHints = (
  {screen, columns}: Pick<State, 'screen' | 'columns'>,
  {search}: HelpFocus,
  scrolls: boolean,
): ViewRow =>
  search?.isOpen === true
    ? selectInputHints(columns)
    : joinHints(
        screen,
        [
          [['toggleHelp'], 'close'],
          ...(scrolls ? [[['moveUp', 'moveDown'], 'scroll'] satisfies Hint] : []),
          [[screen === 'log' ? 'openSearch' : 'openFilter'], 'search'],
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
