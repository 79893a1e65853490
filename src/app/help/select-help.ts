import {padToCells} from '../../log/cells/cut.ts';
import {keyFor} from '../keys/keymap.ts';
import {fitRow} from '../rows/fit-row.ts';
import {span, type ViewRow} from '../rows/view-row.ts';
import {paneRows, type State} from '../state/state.ts';
import {type HelpFront, helpKeyColumns, lastHelpTop, layOutHelp} from './key-help.ts';

const titles = {
  sites: 'Keys on the sites screen',
  branches: 'Keys on the branches screen',
  log: 'Keys on the log screen',
};

/** Renders the help of the current screen from the key table; it scrolls if it does not fit. */
export const selectHelp = (state: State, help: HelpFront): readonly ViewRow[] => {
  const rows = paneRows(state);
  const {bindings, columnCount, rowCount} = layOutHelp(state);
  const entries = bindings.map(
    ({keys, help}): ViewRow => [span(padToCells(`   ${keys.join(', ')}`, helpKeyColumns), 'accent'), span(help)],
  );
  const perColumn = rowCount - 1;
  const width = Math.floor(state.columns / columnCount);
  const body = Array.from(
    {length: perColumn},
    (_, index): ViewRow =>
      Array.from({length: columnCount}, (_unused, column) =>
        fitRow(entries[index + column * perColumn] ?? [], width),
      ).flat(),
  );
  const title: ViewRow = [span(` ${titles[state.screen]}`, 'strong')];
  const all = [title, ...body];
  const last = lastHelpTop(state);
  if (last === 0) {
    return all.map(row => fitRow(row, state.columns));
  }
  const top = Math.min(help.top, last);
  const shown = all.slice(top, top + rows - 1);
  const below = rowCount - top - shown.length;
  const more =
    below === 0
      ? `end of help; ${keyFor('moveUp', state.screen)} goes back up`
      : `… ${below} more below: ${keyFor('moveDown', state.screen)}`;
  return [...shown, [span(`   ${more}`, 'dim')]].map((row: ViewRow) => fitRow(row, state.columns));
};
