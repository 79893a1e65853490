import {filterRow} from '#app/choices/list-words.ts';
import {selectedIndex, visibleRange} from '#app/choices/palette.ts';
import {listSites, matchSite, type SiteChoice, siteName} from '#app/choices/site-choices.ts';
import {selectHints, selectInputHints} from '#app/help/select-hints.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {ServiceClock} from '#app/parts/frame.ts';
import {fitRow, headerNameCharsMax, joinParts, type Part, wrapProse} from '#app/rows/fit-row.ts';
import {indicatorColumns, matchSpans, type ScreenView, span, type ViewRow} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {selectRemarks, selectTokenPart} from '#app/words/connection-words.ts';
import {formatAgo, serviceNowMs} from '#app/words/format-time.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {type ColumnWidths, fitColumns} from '#log/text/fit-columns.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';

/** Renders the sites screen. */
export const selectSitesView = (state: State): ScreenView => {
  const {columns} = state;
  const rows = paneRows(state);
  const choices = listSites(state.sites, state.sitePicker.filter);
  const selected = selectedIndex(
    choices.map(choice => choice.key),
    state.sitePicker,
  );
  const {from, to} = visibleRange(choices.length, selected, rows);
  const widths = fitSites(state, choices);
  const typed = sanitiseWord(state.sitePicker.filter, headerNameCharsMax);
  const isEmpty = state.sites.length === 0 && state.sitePicker.filter === '';
  return {
    header: joinParts(
      [{row: [span('branchlog', 'accent')], rank: 1}, ...selectContext(state)],
      columns,
      selectTokenPart(state),
    ),
    second: fitRow([span(' Which site? '), ...filterRow(state, 'sites', typed, 'a name, or an id')], columns),
    pane: isEmpty
      ? {
          kind: 'rows',
          rows: [
            [],
            ...wrapProse([span('No sites are configured, and none has been opened yet.')], columns),
            ...wrapProse(
              [
                span('Press '),
                span(keyFor('openFilter', 'sites'), 'strong'),
                span(' and enter a site id, or add sites to the config file.'),
              ],
              columns,
            ),
          ],
        }
      : {
          kind: 'pick',
          pick: {
            items: choices.slice(from, to).map((choice, index) => ({
              key: choice.key,
              row: fitRow(
                [span(' '), ...choiceRow(state, choice, widths, from + index === selected)],
                columns - indicatorColumns,
              ),
            })),
            selectedIndex: selected - from,
            isLit: true,
          },
          beside: [],
          below: [],
        },
    paneRows: rows,
    state: fitRow(state.notice === undefined ? [] : [span(` ${sanitiseWord(state.notice, columns)}`, 'busy')], columns),
    hints: isFilterOpen(state) ? selectInputHints(columns) : selectHints('sites', columns),
  };
};

/** Without a config file a context is named after its host: then show it only once, with the port. */
const selectContext = (state: State): readonly Part[] => [
  ...selectName(state.context),
  ...selectRemarks(state),
  selectPlaceOf(state),
];

/** The position among several contexts, and the key for the next one. */
const selectPlaceOf = ({contexts, context}: State): Part => {
  const index = contexts.findIndex(({label}) => label.name === context.name);
  const place = `context ${index + 1} of ${contexts.length}, ${keyFor('nextContext', 'sites')}`;
  return {row: contexts.length < 2 ? [] : [span(place, 'dim')], rank: 3};
};

const selectName = ({name, host}: State['context']): readonly Part[] => {
  const shownHost = sanitiseWord(host, headerNameCharsMax);
  return name === host || host.startsWith(`${name}:`)
    ? [{row: [span(shownHost, 'strong')], rank: 0}]
    : [
        {row: [span(sanitiseWord(name, headerNameCharsMax), 'strong')], rank: 0},
        {row: [span(shownHost, 'dim')], rank: 2},
      ];
};

const choiceName = (choice: SiteChoice): string =>
  choice.isTyped ? `open “${sanitiseWord(choice.id, headerNameCharsMax)}”` : siteName(choice);

type Cells = {readonly name: string; readonly detail: string; readonly opened: string};

const cellsOf = (clock: ServiceClock, choice: SiteChoice): Cells => ({
  name: choiceName(choice),
  detail: choice.isTyped
    ? 'as a site id'
    : choice.name === undefined
      ? ''
      : sanitiseWord(choice.id, headerNameCharsMax),
  opened:
    choice.openedAtMs === undefined
      ? ''
      : `opened ${formatAgo(new Date(choice.openedAtMs).toISOString(), serviceNowMs(clock))}`,
});

const gap = 3;

const fitSites = (state: State, choices: readonly SiteChoice[]): ColumnWidths<keyof Cells> => {
  const all = choices.map(choice => cellsOf(state, choice));
  return fitColumns<keyof Cells>({
    natural: column => Math.max(0, ...all.map(cells => cellWidth(cells[column]))),
    claims: [{column: 'name'}, {column: 'detail'}, {column: 'opened'}],
    room: state.columns - indicatorColumns - 1,
    gap,
  });
};

const choiceRow = (
  state: State,
  choice: SiteChoice,
  widthOf: ColumnWidths<keyof Cells>,
  isSelected: boolean,
): ViewRow => {
  const cells = cellsOf(state, choice);
  const cellOf = (column: 'detail' | 'opened'): string =>
    widthOf(column) === 0
      ? ''
      : ' '.repeat(gap) + padToCells(cutToCells(cells[column], widthOf(column)), widthOf(column));
  return [
    ...matchSpans(
      padToCells(cells.name, widthOf('name')),
      isSelected ? 'strong' : 'plain',
      choice.isTyped ? undefined : matchSite(state.sitePicker.filter, choice),
    ),
    span(cellOf('detail'), 'dim'),
    span(cellOf('opened').trimEnd(), 'dim'),
  ];
};
