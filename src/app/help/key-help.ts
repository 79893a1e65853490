import type {InputFocus} from '#app/keys/input-focus.ts';
import {
  bindingsOn,
  type Command,
  commandName,
  type KeyBinding,
  type KeyGroup,
  keyFor,
  keyGroups,
  keysToName,
  movement,
  type ScreenName,
} from '#app/keys/keymap.ts';
import {fitRow} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {padToCells} from '#log/text/cut.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';

/** The open help. */
export type HelpFocus = Extract<InputFocus, {readonly kind: 'help'}>;

/** A row of a column of help: the title of a group, a key, or a blank row between groups. */
type HelpItem = KeyGroup | KeyBinding | 'blank';

type Screen = Pick<State, 'columns' | 'rows' | 'screen'>;

/** The width of a column of help: at its best no text is cut, and in narrower ones all keys may fit on the screen. */
const bestColumns = 78;
const leastColumns = 56;

/**
 * Returns the commands of a screen that a search finds: each typed word is somewhere in what is known of the command.
 * Without a search, those that have a key.
 */
const findBindings = ({screen}: Screen, text: string): readonly KeyBinding[] => {
  if (text.trim() === '') {
    return bindingsOn(screen).filter(({keys}) => keys.length > 0);
  }
  const words = text.toLowerCase().split(' ');
  return bindingsOn(screen).filter(({command, keys, help, also = ''}) => {
    const known = `${keys.join(' ')} ${commandName(command)} ${help} ${also}`.toLowerCase();
    return words.every(word => known.includes(word));
  });
};

/**
 * Lays out the keys of a screen in groups: in columns of the best width, or if they don't fit, in as many narrower ones
 * as show all of it or as there is room for. A group stays in one column.
 */
export const layOutHelp = (screen: Screen, {search}: HelpFocus): readonly (readonly HelpItem[])[] => {
  const found = findBindings(screen, search?.text ?? '');
  const groups = keyGroups.flatMap((group): readonly (readonly HelpItem[])[] => {
    const bindings = found.filter(binding => binding.group === group);
    return bindings.length === 0 ? [] : [['blank', group, ...bindings]];
  });
  const columnsOf = (width: number): number => Math.max(1, Math.floor(screen.columns / width));
  const columnsMax = columnsOf(leastColumns);
  const rowsMax = paneRows(screen) - 1;
  for (let count = columnsOf(bestColumns); count < columnsMax; count++) {
    const columns = inColumns(groups, count);
    if (heightOf(columns) <= rowsMax) {
      return columns;
    }
  }
  return inColumns(groups, columnsMax);
};

const heightOf = (columns: readonly (readonly HelpItem[])[]): number =>
  Math.max(0, ...columns.map(({length}) => length));

/** Puts whole groups into at most `count` columns, of the least height that does. A column begins with a title. */
const inColumns = (groups: readonly (readonly HelpItem[])[], count: number): readonly (readonly HelpItem[])[] => {
  for (let height = heightOf(groups) - 1; ; height++) {
    const columns: HelpItem[][] = [];
    for (const group of groups) {
      const last = columns.at(-1);
      if (last === undefined || last.length + group.length > height) {
        columns.push(group.slice(1));
      } else {
        last.push(...group);
      }
    }
    if (columns.length <= count) {
      return columns;
    }
  }
};

/** Returns the rows of the help, with its title. */
const countHelpRows = (screen: Screen, help: HelpFocus): number => 1 + heightOf(layOutHelp(screen, help));

/**
 * Returns how far the help scrolls; 0 if all of it is visible. Otherwise its last row says how many rows are missing.
 */
export const lastHelpTop = (screen: Screen, help: HelpFocus): number => {
  const rowCount = countHelpRows(screen, help);
  return rowCount <= paneRows(screen) ? 0 : rowCount - paneRows(screen) + 1;
};

/**
 * Handles a command while the help is open: opens its search, or scrolls. Returns undefined if the command is not a
 * movement or all of the help is visible.
 */
export const updateHelp = (state: State, help: HelpFocus, command: Command): HelpFocus | undefined => {
  if (command === 'openSearch' || command === 'openFilter') {
    return {...help, search: {text: help.search?.text ?? '', isOpen: true}};
  }
  const last = lastHelpTop(state, help);
  const distance = movement(command, Math.max(1, paneRows(state) - 2));
  return distance === undefined || last === 0
    ? undefined
    : {...help, top: Math.max(0, Math.min(last, Math.min(last, help.top) + distance))};
};

const titles: Readonly<Record<ScreenName, string>> = {
  sites: 'Keys on the sites screen',
  branches: 'Keys on the branches screen',
  log: 'Keys on the log screen',
};

const groupTitles: Readonly<Record<KeyGroup, string>> = {
  move: 'Move',
  find: 'Find and filter',
  errorsAndTimes: 'Errors and times',
  markAndSave: 'Mark, copy, save',
  show: 'Show',
  lists: 'Lists',
  program: 'Program',
};

/** Renders the help of the current screen from the key table; it scrolls if it does not fit. */
export const selectHelp = (state: State, help: HelpFocus): readonly ViewRow[] => {
  const columns = layOutHelp(state, help);
  const width = Math.floor(state.columns / Math.max(1, columns.length));
  const rowCount = countHelpRows(state, help);
  const keyCells = columns.map(column => Math.max(0, ...column.map(item => cellWidth(keyWords(item)))) + 2);
  const body = Array.from(
    {length: rowCount - 1},
    (_, row): ViewRow => columns.flatMap((column, index) => fitRow(itemRow(column[row], keyCells[index] ?? 0), width)),
  );
  const all = [titleRow(state, help, columns.length > 0), ...body];
  const last = lastHelpTop(state, help);
  if (last === 0) {
    return all.map(row => fitRow(row, state.columns));
  }
  const top = Math.min(help.top, last);
  const shown = all.slice(top, top + paneRows(state) - 1);
  const below = rowCount - top - shown.length;
  const more =
    below === 0
      ? `end of help; ${keyFor('moveUp', state.screen)} goes back up`
      : `… ${below} more below: ${keyFor('moveDown', state.screen)}`;
  return [...shown, [span(`   ${more}`, 'dim')]].map((row: ViewRow) => fitRow(row, state.columns));
};

const keyWords = (item: HelpItem): string => (typeof item === 'string' ? '' : `   ${keysToName(item).join(', ')}`);

const itemRow = (item: HelpItem | undefined, keyCells: number): ViewRow => {
  if (item === undefined || item === 'blank') {
    return [];
  }
  return typeof item === 'string'
    ? [span(` ${groupTitles[item]}`, 'strong')]
    : [span(padToCells(keyWords(item), keyCells), 'accent'), span(item.help)];
};

const titleRow = ({screen}: State, {search}: HelpFocus, hasFound: boolean): ViewRow => [
  span(` ${titles[screen]}`, 'strong'),
  ...(search === undefined
    ? []
    : [span('  /', 'accent'), span(sanitise(search.text)), span(search.isOpen ? '█' : '', 'accent')]),
  span(hasFound ? '' : '  no key does that', 'busy'),
];
