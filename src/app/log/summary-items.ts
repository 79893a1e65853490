import type {SummaryPane} from '#app/panes/panes.ts';
import type {SummaryResult, SummaryRow, SummaryTable, TableName} from '#log/summary/summary.ts';
import {type Level, levelRank} from '#log/tokens/level-words.ts';
import type {SourcedShape} from '#log/traits/shape-table.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';

/**
 * A row of the summary below its title: a section head, a value that can be selected, or the values without a row of
 * their own.
 */
export type SummaryItem =
  | {readonly kind: 'blank'; readonly key?: undefined}
  | {readonly kind: 'head'; readonly key?: undefined; readonly title: string; readonly words: string}
  | (ChosenItem & {readonly key: string; readonly section: string})
  | {readonly kind: 'others'; readonly key?: undefined; readonly count: number; readonly total: number};

/** Tells what a row counts. */
export type ChosenItem =
  /** A new shape, and the line that showed it first. */
  | {readonly kind: 'new'; readonly shape: SourcedShape}
  | {readonly kind: 'level'; readonly level: Level; readonly count: number; readonly total: number}
  | {readonly kind: 'value'; readonly row: SummaryRow; readonly total: number};

const tables: readonly (readonly [table: TableName, title: string])[] = [
  ['statuses', 'status codes'],
  ['paths', 'paths'],
  ['clients', 'clients'],
  ['shapes', 'shapes'],
];

/** As many as leave the levels in view; the most frequent ones. */
const newMax = 6;
const errorsMax = 8;

/** Lists the rows of a summary; empty sections are left out, and all of them before anything was counted. */
export const listSummaryItems = ({
  result,
  newShapes,
  hasSources,
}: Pick<SummaryPane, 'result' | 'newShapes' | 'hasSources'>): readonly SummaryItem[] =>
  (result === undefined
    ? []
    : [
        newItems(newShapes),
        tableItems(result, firstRows(result.errors), 'errors'),
        hasSources ? tableItems(result, firstRows(result.sources), 'errors by source') : [],
        tableItems(result, firstRows(result.warnings), 'warnings'),
        levelItems(result),
        ...tables.map(([table, title]) => tableItems(result, result[table], title)),
      ]
  )
    .filter(items => items.length > 0)
    .flatMap((items, index) => (index === 0 ? items : [{kind: 'blank'}, ...items]));

const newItems = (newShapes: readonly SourcedShape[]): readonly SummaryItem[] =>
  newShapes.length === 0
    ? []
    : [
        {kind: 'head', title: 'new', words: newWords(newShapes.length)},
        ...newShapes.slice(0, newMax).map(
          (shape): SummaryItem => ({
            kind: 'new',
            key: `new/${shape.source}/${shape.shape}`,
            section: 'new',
            shape,
          }),
        ),
      ];

const newWords = (count: number): string =>
  `warnings and errors not shown before${count > newMax ? `: the first ${newMax} of ${formatCount(count)}` : ''}`;

const levelItems = ({levels, lineCount}: SummaryResult): readonly SummaryItem[] => {
  const total = [...levels.values()].reduce((sum, count) => sum + count, 0);
  const words = total === lineCount ? '' : `without ${countOf(lineCount - total, 'line')} of traces`;
  return levels.size === 0
    ? []
    : [
        {kind: 'head', title: 'levels', words},
        ...[...levels]
          .toSorted(([a], [b]) => levelRank(b) - levelRank(a))
          .map(
            ([level, count]): SummaryItem => ({
              kind: 'level',
              key: `levels/${level}`,
              section: 'levels',
              level,
              count,
              total,
            }),
          ),
      ];
};

const tableItems = (
  {lineCount}: SummaryResult,
  {rows, total, others, distinct}: SummaryTable,
  title: string,
): readonly SummaryItem[] =>
  rows.length === 0
    ? []
    : [
        {kind: 'head', title, words: headWords(total, lineCount, distinct)},
        ...rows.map(
          (row): SummaryItem => ({kind: 'value', key: `${row.table}/${row.key}`, section: title, row, total}),
        ),
        ...(others > 0 ? [{kind: 'others', count: others, total} as const] : []),
      ];

const firstRows = (table: SummaryTable): SummaryTable => {
  const rows = table.rows.slice(0, errorsMax);
  return {...table, rows, others: table.total - rows.reduce((sum, {count}) => sum + count, 0)};
};

const headWords = (total: number, lineCount: number, distinct: number | false): string => {
  const different =
    distinct === false ? 'too many to count exactly: counts may be low' : `${formatCount(distinct)} different`;
  return total === lineCount ? different : `in ${countOf(total, 'line')}, ${different}`;
};
