import {padToCells} from '../log/cut.ts';
import {fitRow} from './fit-row.ts';
import {bindingsOn} from './keymap.ts';
import {paneRows, type State} from './state.ts';
import {span, type ViewRow} from './view-row.ts';

const titles = {
  sites: 'Keys on the sites screen',
  branches: 'Keys on the branches screen',
  log: 'Keys on the log screen',
};
const keyColumns = 20;

/** The keys of the screen that help was asked on, from the one table; in two columns where one is too long for the pane. */
export const selectHelp = (state: State): readonly ViewRow[] => {
  const rows = paneRows(state);
  const entries = bindingsOn(state.screen).map(
    ({keys, help}): ViewRow => [span(padToCells(`   ${keys.join(', ')}`, keyColumns), 'accent'), span(help)],
  );
  const title: ViewRow = [span(` ${titles[state.screen]}`, 'strong')];
  const fits = entries.length + 1 <= rows || state.columns < 2 * 56;
  const columnCount = fits ? 1 : 2;
  const perColumn = Math.ceil(entries.length / columnCount);
  const width = Math.floor(state.columns / columnCount);
  const body = Array.from(
    {length: perColumn},
    (_, index): ViewRow =>
      Array.from({length: columnCount}, (_unused, column) =>
        fitRow(entries[index + column * perColumn] ?? [], width),
      ).flat(),
  );
  const all = [title, ...body];
  const shown =
    all.length <= rows
      ? all
      : [...all.slice(0, rows - 1), [span(`   … ${all.length - rows + 1} more on a taller terminal`, 'dim')]];
  return shown.map(row => fitRow(row, state.columns));
};
