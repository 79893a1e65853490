import {describe, expect, test} from 'vitest';
import {listSummary, readSummary} from '#app/log/select-summary.ts';
import {listSummaryItems} from '#app/log/summary-items.ts';
import {openSummary, takeSummary, updateSummary} from '#app/log/update-summary.ts';
import type {SummaryPane} from '#app/panes/panes.ts';
import type {LogState} from '#app/state/state.ts';
import {
  createSummary,
  finishSummary,
  type SummaryResult,
  type SummaryTable,
  type TableName,
} from '#log/summary/summary.ts';
import type {SourcedShape} from '#log/traits/shape-table.ts';
import {sourceKey} from '#log/words/source-words.ts';
import {answer, give, linesOf, openEmptyLog, openLogWith, type Play, textOf, windowOf} from '../../support/play.ts';
import {answerSummaries} from '../play-summary.ts';

const at = (clock: string, day = 21): bigint => BigInt(Date.parse(`2026-11-${day}T${clock}Z`)) * 1_000_000n;

const table = (name: TableName, rows: readonly object[], change: Partial<SummaryTable> = {}): SummaryTable => ({
  rows: rows.map(row => ({
    ...{table: name, key: 'k', count: 1, recentCount: 0, example: 'an example', sources: []},
    ...{firstAt: at('14:00:00'), lastAt: at('14:05:00')},
    ...row,
  })) as never,
  total: 10,
  others: 0,
  distinct: rows.length,
  ...change,
});

const resultOf = (change: Partial<SummaryResult> = {}): SummaryResult => ({
  ...finishSummary(createSummary(0n), 20),
  lineCount: 10,
  firstAt: at('14:00:00'),
  lastAt: at('14:10:00'),
  ...change,
});

const paneWith = (change: Partial<SummaryPane> = {}): SummaryPane => ({
  kind: 'summary',
  order: {parts: [], entryCount: 200},
  scope: 'all',
  newShapes: [],
  hasSources: false,
  readCount: 200,
  result: resultOf(),
  selectedKey: undefined,
  top: 0,
  ...change,
});

const shapeOf = (shape: string, count: number, source = 0): SourcedShape =>
  ({
    ...{shape, count, source, firstId: 1, firstAt: at('14:00:01'), lastAt: at('14:00:02')},
  }) as never;

const play = openLogWith(linesOf(1, 5));
const log: LogState = play.state.log ?? expect.fail();
const rowsOf = (pane: SummaryPane, columns = 80, rows = 24): readonly string[] => {
  const {title = [], rows: items, foot = []} = listSummary({...play.state, columns, rows}, log, pane);
  return [title, ...items.map(({row}) => row()), ...foot].map(row => textOf(row).trimEnd());
};

describe('the sections of a summary', () => {
  const heads = (pane: SummaryPane): readonly string[] =>
    listSummaryItems(pane).flatMap(item => (item.kind === 'head' ? [`${item.title}: ${item.words}`] : []));

  test('are those that have something, with a blank row between', () => {
    expect(listSummaryItems(paneWith({result: undefined}))).toEqual([]);
    const items = listSummaryItems(
      paneWith({
        result: resultOf({
          errors: table('errors', [{}]),
          levels: new Map([
            ['info', 6],
            ['error', 4],
          ]),
        }),
      }),
    );
    expect(items.map(({kind}) => kind)).toEqual(['head', 'value', 'others', 'blank', 'head', 'level', 'level']);
    expect(items.flatMap(item => (item.kind === 'level' ? [item.level] : []))).toEqual(['error', 'info']);
  });

  test('say of how many lines and how many different values they are', () => {
    const headsOf = (change: Partial<SummaryTable>): string | undefined =>
      heads(paneWith({result: resultOf({paths: table('paths', [{}], change)})}))[0];
    expect(headsOf({})).toBe('paths: 1 different');
    expect(headsOf({total: 9})).toBe('paths: in 9 lines, 1 different');
    expect(headsOf({distinct: false})).toBe('paths: too many to count exactly: counts may be low');
    const levels = new Map([['info', 7]] as const);
    expect(heads(paneWith({result: resultOf({levels})}))).toEqual(['levels: without 3 lines of traces']);
    expect(heads(paneWith({result: resultOf({levels, lineCount: 7})}))).toEqual(['levels: ']);
  });

  test('have the errors by source only where there are several', () => {
    const result = resultOf({sources: table('sources', [{key: sourceKey({pod: 'web-1'})}])});
    expect(heads(paneWith({result}))).toEqual([]);
    expect(heads(paneWith({result, hasSources: true}))).toEqual(['errors by source: 1 different']);
  });

  test('have at most eight errors and six new kinds; what is not shown is counted', () => {
    const rows = Array.from({length: 9}, (_, index) => ({key: `e${index}`, count: 1}));
    const count = (some: number) => {
      const items = listSummaryItems(
        paneWith({result: resultOf({errors: table('errors', rows.slice(0, some), {total: some})})}),
      );
      return [items.filter(({kind}) => kind === 'value').length, items.find(({kind}) => kind === 'others')];
    };
    expect(count(8)).toEqual([8, undefined]);
    expect(count(9)).toEqual([8, {kind: 'others', count: 1, total: 9}]);
    const shapes = Array.from({length: 7}, (_, index) => shapeOf(`s${index}`, 1));
    const news = (some: number) => [
      heads(paneWith({newShapes: shapes.slice(0, some)}))[0],
      listSummaryItems(paneWith({newShapes: shapes.slice(0, some)})).filter(({kind}) => kind === 'new').length,
    ];
    expect(news(6)).toEqual(['new: warnings and errors not shown before', 6]);
    expect(news(7)).toEqual(['new: warnings and errors not shown before: the first 6 of 7', 6]);
  });
});

describe('a row of the summary', () => {
  const statuses = table('statuses', [
    {key: '200', count: 5},
    {key: '404', count: 3},
    {key: '502', count: 2},
  ]);

  test('has count, share, value and times; the times go on a narrow screen', () => {
    const pane = paneWith({result: resultOf({statuses})});
    expect(rowsOf(pane).slice(0, 5)).toEqual([
      ' summary of 10 lines   14:00:00 to 14:10:00',
      ' status codes  3 different',
      '    5   50 %  200       14:00:00 to 14:05:00',
      '    3   30 %  404       14:00:00 to 14:05:00',
      '    2   20 %  502       14:00:00 to 14:05:00',
    ]);
    expect(rowsOf(pane, 70)[2]).toMatch(/14:00:00 to 14:05:00$/);
    expect(rowsOf(pane, 69)[2]).toBe('    5   50 %  200');
  });

  test('has the tone of its status or level', () => {
    const {rows} = listSummary(
      play.state,
      log,
      paneWith({
        result: resultOf({
          statuses,
          levels: new Map([
            ['warn', 5],
            ['error', 4],
            ['info', 1],
          ]),
        }),
      }),
    );
    const toneOf = (words: string): unknown =>
      rows.flatMap(({row}) => row()).find(({text}) => text.trim() === words)?.tone;
    expect(['200', '404', '502', 'warn', 'error', 'info'].map(toneOf)).toEqual([
      'plain',
      'warn',
      'bad',
      'warn',
      'bad',
      'plain',
    ]);
    const edge = table('statuses', [{key: '399'}, {key: '400'}, {key: '499'}, {key: '500'}]);
    const edges = listSummary(play.state, log, paneWith({result: resultOf({statuses: edge})})).rows.flatMap(({row}) =>
      row(),
    );
    expect(['399', '400', '499', '500'].map(key => edges.find(({text}) => text.trim() === key)?.tone)).toEqual([
      'plain',
      'warn',
      'warn',
      'bad',
    ]);
    const paths = listSummary(
      play.state,
      log,
      paneWith({result: resultOf({paths: table('paths', [{key: '502'}])})}),
    ).rows.flatMap(({row}) => row());
    expect(paths.find(({text}) => text.trim() === '502')?.tone).toBe('plain');
  });

  test('of an error has its trend, red if it rises', () => {
    const errors = table('errors', [
      {key: 'ERROR up', count: 20, recentCount: 20},
      {key: 'ERROR down', count: 20, recentCount: 0},
      {key: 'ERROR rare', count: 1},
    ]);
    const pane = paneWith({result: resultOf({errors})});
    expect(rowsOf(pane).slice(2, 5)).toEqual([
      expect.stringMatching(/^ {3}20 {2}200 % {2}ERROR up +rising {2}14:00:00 to 14:05:00$/),
      expect.stringMatching(/ERROR down +falling {2}14/),
      expect.stringMatching(/ERROR rare {2,}14/),
    ]);
    const spans = listSummary(play.state, log, pane).rows.flatMap(({row}) => row());
    expect(['rising', 'falling'].map(word => spans.find(({text}) => text.trim() === word)?.tone)).toEqual([
      'bad',
      'dim',
    ]);
    expect(rowsOf(pane, 69)[2]).not.toContain('rising');
  });

  test('is cut where it does not fit, and has at least eight cells for its value', () => {
    const paths = table('paths', [{key: `/${'p'.repeat(100)}`}]);
    const [, , row = ''] = rowsOf(paneWith({result: resultOf({paths})}));
    expect(row).toMatch(/^ {4}1 {3}10 % {2}\/p+… {2}14:00:00 to 14:05:00$/);
    expect(row.length).toBe(80 - 3 - 1);
    expect(rowsOf(paneWith({result: resultOf({paths})}), 20)[2]).toMatch(/^ {4}1 {3}10 % {2}\/pppppp…$/);
  });

  test('of several days has dates', () => {
    const pane = paneWith({result: resultOf({firstAt: at('23:00:00', 20), statuses})});
    expect(rowsOf(pane)[0]).toBe(' summary of 10 lines   11-20 23:00 to 11-21 14:10');
    expect(rowsOf(pane)[2]).toMatch(/11-21 14:00 to 11-21 14:05$/);
  });

  test('of a source names it, and of new kinds whose they are', () => {
    const sources = table('sources', [{key: sourceKey({pod: 'web-1', container: 'php'})}, {key: sourceKey({})}]);
    expect(rowsOf(paneWith({result: resultOf({sources}), hasSources: true})).slice(2, 4)).toEqual([
      expect.stringContaining('web-1 php'),
      expect.stringContaining('not said'),
    ]);
    const pane = paneWith({newShapes: [shapeOf('ERROR disk full', 7)]});
    expect(rowsOf(pane)[2]).toBe(`    7  ERROR disk full  14:00:01 to 14:00:02`);
    const two = openEmptyLog(['master', 'staging']);
    const {rows} = listSummary(two.state, two.state.log ?? expect.fail(), {
      ...pane,
      newShapes: [shapeOf('ERROR x', 7, 1)],
    });
    expect(textOf(rows[1]?.row() ?? [])).toContain('staging: ERROR x');
  });

  test('has an example below, where the pane has ten rows', () => {
    const pane = paneWith({result: resultOf({statuses})});
    expect(rowsOf(pane, 80, 14).at(-1)).toBe(' such as an example');
    expect(rowsOf(pane, 80, 13).at(-1)).not.toContain('such as');
    expect(rowsOf(paneWith({newShapes: [shapeOf('ERROR x', 1)]}), 80, 14).at(-1)).toBe('');
  });
});

test('the title says how much was read, and of what', () => {
  const title = (change: Partial<SummaryPane>): string | undefined => rowsOf(paneWith(change))[0];
  expect(title({readCount: 101})).toBe(' summary of 10 lines   50 % read   14:00:00 to 14:10:00');
  expect(title({readCount: 199})).toContain('99 % read');
  expect(title({readCount: 0, result: undefined})).toBe(' summary   0 % read');
  expect(title({scope: 'filtered'})).toContain('summary of 10 lines that the filters leave');
  expect(title({scope: 'picked'})).toContain('summary of 10 lines that are picked');
  expect(title({order: {parts: [], entryCount: 0}, readCount: 0})).toContain('0 % read');
});

describe('what is highlighted', () => {
  test('is read in words', () => {
    expect(readSummary(paneWith({result: undefined}))).toBe('Computing the summary.');
    expect(readSummary(paneWith({newShapes: [shapeOf('ERROR x', 3)]}))).toBe('new: ERROR x, 3 lines');
    expect(
      readSummary(
        paneWith({
          result: resultOf({
            levels: new Map([
              ['none', 4],
              ['info', 4],
            ]),
          }),
          selectedKey: 'levels/none',
        }),
      ),
    ).toBe('levels: no level, 4 lines, 50 %');
    expect(readSummary(paneWith({result: resultOf({levels: new Map([['info', 1]])})}))).toBe(
      'levels: info, 1 line, 100 %',
    );
    expect(readSummary(paneWith({result: resultOf({paths: table('paths', [{key: '/cart', count: 5}])})}))).toBe(
      'paths: /cart, 5 lines, 50 %',
    );
  });

  const stepOf = (pane: SummaryPane, command: 'openLine' | 'nextSection') =>
    updateSummary(play.state, log, pane, command);

  test('filters the log: by a level, a value, a source; or leads to the first line of its kind', () => {
    const levels = new Map([
      ['warn', 1],
      ['none', 1],
    ] as const);
    const byLevel = stepOf(paneWith({result: resultOf({levels})}), 'openLine');
    expect([byLevel?.state.log?.minimumLevel, byLevel?.state.log?.overlay]).toEqual(['warn', undefined]);
    const none = stepOf(paneWith({result: resultOf({levels}), selectedKey: 'levels/none'}), 'openLine');
    expect([none?.state.notice, none?.state.columns]).toEqual(['no filter matches lines without a level', 80]);
    const paths = table('paths', [{key: '/cart'}]);
    expect(stepOf(paneWith({result: resultOf({paths})}), 'openLine')?.state.log?.use.filters).toHaveLength(1);
    const left = {...shapeOf('x', 1), firstId: 999};
    const gone = stepOf(paneWith({newShapes: [left]}), 'openLine');
    expect([gone?.state.notice, gone?.state.columns]).toEqual(['its first line has left the buffer', 80]);
    expect(updateSummary(play.state, log, paneWith({result: undefined}), 'openLine')).toBeUndefined();
  });

  test('of several sources is a choice of one', () => {
    const sourced = openEmptyLog();
    const sources = [{pod: 'web-1'}, {pod: 'web-2'}];
    sourced.windowArrives(
      answer({
        ...windowOf(1, 2).value,
        numbering: {series: 'a', first: 1, sources, runs: [[0, 1] as const, [1, 1] as const], losses: []},
      }),
    );
    const {state} = sourced;
    const opened = openSummary(state, state.log ?? expect.fail()).state.log?.overlay;
    expect(opened).toMatchObject({kind: 'summary', hasSources: true, readCount: 0, scope: 'all'});
    const table1 = table('sources', [{key: sourceKey({pod: 'web-2'})}]);
    const pane = paneWith({result: resultOf({sources: table1}), hasSources: true});
    expect(updateSummary(state, state.log ?? expect.fail(), pane, 'openLine')?.state.log?.sourcePick).toEqual({
      kind: 'only',
      names: [sources[1]],
    });
    const only = openLogWith(windowOf(1));
    expect(openSummary(only.state, only.state.log ?? expect.fail()).state.log?.overlay).toMatchObject({
      hasSources: false,
    });
  });

  test('goes on to the next section, and from the last to the first', () => {
    const levels = new Map([
      ['warn', 1],
      ['info', 1],
    ] as const);
    const result = resultOf({levels, paths: table('paths', [{key: '/a'}, {key: '/b'}])});
    const sectionAfter = (selectedKey: string | undefined): string | undefined => {
      const overlay = stepOf(paneWith({result, selectedKey}), 'nextSection')?.state.log?.overlay;
      return overlay?.kind === 'summary' ? overlay.selectedKey : undefined;
    };
    expect([sectionAfter(undefined), sectionAfter('levels/info'), sectionAfter('paths//b')]).toEqual([
      'paths//a',
      'paths//a',
      'levels/warn',
    ]);
  });
});

test('counts of a summary that was closed are dropped', () => {
  const opened: Play = openLogWith(linesOf(1, 5));
  give(opened, 'toggleSummary');
  const order = opened.state.log?.overlay?.kind === 'summary' ? opened.state.log.overlay.order : expect.fail();
  const counted = {order, readCount: 6, result: resultOf()};
  expect(takeSummary(opened.state, counted)?.log?.overlay).toMatchObject({readCount: 6});
  expect(takeSummary(opened.state, {...counted, order: {...order}})).toBeUndefined();
  give(opened, 'back');
  expect(takeSummary(opened.state, counted)).toBeUndefined();
  expect(takeSummary({...opened.state, log: undefined}, counted)).toBeUndefined();
  answerSummaries(opened);
  expect(opened.state.log?.overlay).toBeUndefined();
});
