import {describe, expect, test} from 'vitest';
import {
  countNewest,
  listColumnNames,
  listColumnsPane,
  readColumnRow,
  updateColumns,
  withColumns,
} from '#app/log/columns-pane.ts';
import type {ColumnsPane} from '#app/panes/panes.ts';
import type {LogState} from '#app/state/state.ts';
import {answer, linesOf, openEmptyLog, openLogWith, textOf} from '../../support/play.ts';

const play = openLogWith(linesOf(1, 3));
const log: LogState = play.state.log ?? expect.fail();
const field = (name: string, lineCount: number, columns = 5) => ({name, lineCount, columns});
const pane: ColumnsPane = {
  kind: 'columns',
  counts: {lineCount: 4, fields: [field('ms', 3), field('a-long-name-of-a-field', 1)]},
  selectedKey: undefined,
  top: 0,
};
const none: ColumnsPane = {...pane, counts: {lineCount: 0, fields: []}};
const chosen = withColumns(log, ['ms', 'unseen'], pane.counts);

describe('the list of fields', () => {
  const shown = (of: LogState, columns = 80, at = pane): readonly string[] => {
    const {title = [], rows} = listColumnsPane({...play.state, columns}, of, at);
    return [title, ...rows.map(({row}) => row())].map(row => textOf(row).trimEnd());
  };

  test('has the place of each among the columns and the share of lines', () => {
    expect(shown(log)).toEqual([
      ' 2 fields of the newest 4 lines   all shown',
      '○    ms                       75 % of lines',
      '○    a-long-name-of-a-field   25 % of lines',
    ]);
    expect(shown(chosen)).toEqual([
      ' 3 fields of the newest 4 lines   2 columns',
      '● 1  ms                       75 % of lines',
      '○    a-long-name-of-a-field   25 % of lines',
      '● 2  unseen                    0 % of lines',
    ]);
    expect(shown(withColumns(log, ['ms'], pane.counts))[0]).toContain('   1 column');
    expect(shown(log, 80, none)).toEqual([' 0 fields of the newest 0 lines   all shown']);
    const one = {...pane, counts: {lineCount: 1, fields: [field('x', 1)]}};
    expect(shown(log, 80, one)[1]).toBe('○    x  100 % of lines');
  });

  test('cuts a name only where the share beside it needs the room', () => {
    expect(shown(log, 40)[2]).toBe('○    a-long-name-of-…   25 % of lines');
    expect(shown(log, 46)[2]).toBe('○    a-long-name-of-a-field   25 % of lines');
    expect(shown(log, 20)[1]).toBe('○    ms         75 % of lines');
  });

  test('has its tones by what is a column', () => {
    const tones = (of: LogState) => {
      const {title = [], rows} = listColumnsPane(play.state, of, pane);
      const words = title.findLast(({text}) => text.trim() !== '');
      return [words?.tone, ...(rows[0]?.row() ?? []).map(({tone}) => tone)];
    };
    expect(tones(log)).toEqual(['dim', 'dim', 'plain', 'dim']);
    expect(tones(chosen)).toEqual(['accent', 'good', 'strong', 'dim']);
  });

  test('is read in words', () => {
    expect(readColumnRow(log, pane)).toBe('ms, 75 % of lines, no column');
    expect(readColumnRow(chosen, pane)).toBe('ms, 75 % of lines, column 1');
    expect(readColumnRow(chosen, {...pane, selectedKey: 'unseen'})).toBe('unseen, 0 % of lines, column 2');
    expect(readColumnRow(log, none)).toBe('There are no fields.');
    expect(updateColumns(play.state, log, none, 'togglePause')).toBeUndefined();
    expect(listColumnNames(log, none)).toEqual([]);
  });

  test('gives a column that no line has twelve cells', () => {
    expect(chosen.look.columns).toMatchObject([
      {name: 'ms', columns: 5},
      {name: 'unseen', columns: 12},
    ]);
  });
});

test('fields are counted in the newest 2000 lines, of all branches alike', () => {
  const lines = (count: number) =>
    answer({
      ...linesOf(1, 1).value,
      lines: Array.from(
        {length: count},
        (_, index) =>
          `${new Date(Date.UTC(2026, 10, 21, 12) + index * 1000).toISOString().slice(0, -1)}000000Z {"${index < count - 1000 ? 'old' : 'new'}":1}`,
      ),
    });
  const one = openEmptyLog();
  one.windowArrives(lines(2001));
  const count = (of: LogState | undefined) => countNewest(of ?? expect.fail());
  expect(count(one.state.log).lineCount).toBe(2000);
  expect(count(one.state.log).fields).toMatchObject([
    {name: 'new', lineCount: 1000},
    {name: 'old', lineCount: 1000},
  ]);
  const two = openEmptyLog(['master', 'staging']);
  for (const {branch} of two.state.log?.sources ?? []) {
    two.windowArrives(lines(1001), branch._id);
  }
  expect(count(two.state.log)).toMatchObject({lineCount: 2000, fields: [{name: 'new', lineCount: 2000}]});
});
