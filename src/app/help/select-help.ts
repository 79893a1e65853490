import {type KeyGroup, keyFor, keysToName, type ScreenName} from '#app/keys/keymap.ts';
import {fitRow} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {paneRows} from '#app/state/pane-size.ts';
import type {State} from '#app/state/state.ts';
import {padToCells} from '#log/text/cut.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {countHelpRows, type HelpFocus, type HelpItem, helpKeyColumns, lastHelpTop, layOutHelp} from './key-help.ts';

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
  const body = Array.from(
    {length: rowCount - 1},
    (_, index): ViewRow => columns.flatMap(column => fitRow(itemRow(column[index]), width)),
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

const itemRow = (item: HelpItem | undefined): ViewRow => {
  if (item === undefined || item === 'blank') {
    return [];
  }
  return typeof item === 'string'
    ? [span(` ${groupTitles[item]}`, 'strong')]
    : [span(padToCells(`   ${keysToName(item).join(', ')}`, helpKeyColumns), 'accent'), span(item.help)];
};

const titleRow = ({screen}: State, {search}: HelpFocus, hasFound: boolean): ViewRow => [
  span(` ${titles[screen]}`, 'strong'),
  ...(search === undefined
    ? []
    : [span('  /', 'accent'), span(sanitise(search.text)), span(search.isOpen ? '█' : '', 'accent')]),
  span(hasFound ? '' : '  no key does that', 'busy'),
];
