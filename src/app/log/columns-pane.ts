import type {ListPane} from '#app/choices/list-pane.ts';
import {type Hint, hintsOfLists} from '#app/help/select-hints.ts';
import {selectedRow} from '#app/list-pane/list-place.ts';
import {joinParts} from '#app/rows/fit-row.ts';
import {span} from '#app/rows/view-row.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {ColumnsPane, LogState, State} from '#app/state/state.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countOf, percentWords} from '#log/words/format-count.ts';
import {listColumnNames} from './columns/measure-columns.ts';

/** What is said of a field; `place` is its place among the columns, from 1 on, or 0. */
type FieldRow = {readonly key: string; readonly place: number; readonly name: string; readonly share: string};

const listFields = (log: LogState, pane: ColumnsPane): readonly FieldRow[] => {
  const {lineCount, fields} = pane.counts;
  return listColumnNames(log, pane).map(key => ({
    key,
    place: log.look.columns.findIndex(({name}) => name === key) + 1,
    name: sanitiseWord(key, nameCharsMax),
    share: percentWords((fields.find(({name}) => name === key)?.lineCount ?? 0) / Math.max(1, lineCount)),
  }));
};

/** Returns the pane of the fields: the place of each among the columns, and the share of lines that have it. */
export const listColumnsPane = ({columns}: State, log: LogState, pane: ColumnsPane): ListPane => {
  const rows = listFields(log, pane);
  const chosen = log.look.columns.length;
  const widest = Math.max(8, ...rows.map(({name}) => cellWidth(name)));
  const nameColumns = Math.min(Math.floor(columns / 2), widest);
  return {
    title: joinParts(
      [
        {
          row: [
            span(`${countOf(rows.length, 'field')} of the newest ${countOf(pane.counts.lineCount, 'line')}`, 'strong'),
          ],
          rank: 0,
        },
        {
          row: [span(chosen === 0 ? 'all shown' : countOf(chosen, 'column'), chosen === 0 ? 'dim' : 'accent')],
          rank: 1,
        },
      ],
      columns,
    ),
    rows: rows.map(({key, place, name, share}) => ({
      key,
      row: () => [
        span(place === 0 ? '○    ' : `● ${String(place).padEnd(2)} `, place === 0 ? 'dim' : 'good'),
        span(padToCells(cutToCells(name, nameColumns), nameColumns), place === 0 ? 'plain' : 'strong'),
        span(`  ${share.padStart(5)} of lines`, 'dim'),
      ],
    })),
    hints,
  };
};

/** Returns the selected field in words. */
export const readColumnRow = (log: LogState, pane: ColumnsPane): string => {
  const row = selectedRow(listFields(log, pane), pane);
  return row === undefined
    ? 'There are no fields.'
    : `${row.name}, ${row.share} of lines, ${row.place === 0 ? 'no column' : `column ${row.place}`}`;
};

const hints: readonly Hint[] = [
  [['togglePause'], 'a column or not'],
  [['removeFilter'], 'all fields'],
  ...hintsOfLists,
];
