import {type ListPane, selectedRow} from '#app/choices/list-pane.ts';
import {type Hint, hintsOfLists} from '#app/help/select-hints.ts';
import type {SourcesPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {ListedSource} from '#app/parts/kept-views.ts';
import {joinParts, nameCharsMax} from '#app/rows/fit-row.ts';
import {span} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {cutMiddle, padToCells} from '#log/text/cut.ts';
import {type ColumnWidths, fitColumns, tableWidth} from '#log/text/fit-columns.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {unsaidSource} from '#log/words/source-words.ts';
import {listSources, tagsOf} from './log-sources-pane.ts';

/** The cells of a source's row, safe to draw. */
type SourceCells = {
  readonly tag: string;
  readonly pod: string;
  readonly container: string;
  readonly stream: string;
  readonly lines: string;
  readonly gaps: string;
};

const gap = 2;
const indicatorColumns = ' ▸ ● '.length;
const hiddenWord = 'hidden';
const podCellsMin = 8;
/** Narrower terminals have no room for the tags as well. */
const columnsForTags = 60;

/** Returns the pane of the sources. */
export const listSourcesPane = (frame: Frame, log: LogState): ListPane => {
  const {columns} = frame;
  const listed = listSources(log);
  const tags = tagsOf(frame, log);
  const hasTags = tags.columns > 0 && columns >= columnsForTags;
  const all = listed.map(source => ({source, cells: cellsOf(source, hasTags ? tags.wordsOf(source.name) : '')}));
  const widthOf = layOut(
    all.map(({cells}) => cells),
    columns,
  );
  const hiddenCount = listed.filter(({isHidden}) => isHidden).length;
  return {
    title: joinParts(
      [
        {row: [span(countOf(listed.length, 'source'), 'strong')], rank: 0},
        {row: hiddenCount === 0 ? [] : [span(`${formatCount(hiddenCount)} hidden`, 'busy')], rank: 1},
      ],
      columns,
    ),
    rows: all.map(({source, cells}) => {
      const tone = source.isHidden ? 'dim' : 'plain';
      const column = (name: keyof SourceCells): string =>
        widthOf(name) === 0 ? '' : padToCells(cutMiddle(cells[name], widthOf(name)), widthOf(name) + gap);
      return {
        key: source.key,
        row: () => [
          span(source.isHidden ? '○ ' : '● ', source.isHidden ? 'dim' : 'good'),
          span(column('tag'), source.isHidden ? 'dim' : tags.tagOf(source.name).tone),
          span(`${column('pod')}${column('container')}${column('stream')}`, tone),
          span(`${cells.lines.padStart(widthOf('lines'))}  `, tone),
          span(column('gaps'), 'busy'),
          span(source.isHidden ? hiddenWord : '', 'dim'),
        ],
      };
    }),
    hints,
  };
};

const word = (text: string | undefined): string => sanitiseWord(text ?? '', nameCharsMax);

const cellsOf = ({name, lineCount, gapCount}: ListedSource, tag: string): SourceCells => ({
  tag: name === unsaidSource ? '' : tag,
  pod: name === unsaidSource ? 'not said' : word(name.pod),
  container: word(name.container),
  stream: word(name.stream),
  lines: countOf(lineCount, 'line'),
  gaps: gapCount === 0 ? '' : countOf(gapCount, 'gap'),
});

/** Returns the widths of the columns; pods get what the others leave. */
const layOut = (all: readonly SourceCells[], columns: number): ColumnWidths<keyof SourceCells> => {
  const natural = (name: keyof SourceCells): number => Math.max(0, ...all.map(cells => cellWidth(cells[name])));
  const names = ['tag', 'container', 'stream', 'lines', 'gaps'] as const;
  const room = columns - indicatorColumns - gap - hiddenWord.length;
  return fitColumns<keyof SourceCells>({
    natural,
    claims: [...names.map(column => ({column})), {column: 'pod'}],
    room: Math.max(room, tableWidth([podCellsMin, ...names.map(natural)], gap)),
    gap,
  });
};

/** Returns the selected source in words. */
export const readSource = (log: LogState, pane: SourcesPane): string => {
  const source = selectedRow(listSources(log), pane);
  if (source === undefined) {
    return 'There are no sources.';
  }
  const {pod, container, stream, lines, gaps} = cellsOf(source, '');
  return [pod, container, stream, lines, gaps, source.isHidden ? hiddenWord : 'shown']
    .filter(words => words !== '')
    .join(', ');
};

const hints: readonly Hint[] = [
  [['togglePause'], 'hide or show'],
  [['filterIn'], 'only this one'],
  [['removeFilter'], 'all'],
  ...hintsOfLists,
];
