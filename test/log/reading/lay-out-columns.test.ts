import {expect, test} from 'vitest';
import {leavesOut, mapSpans} from '#log/reading/laid-row.ts';
import {countFields, createColumns, layOutColumns, layOutHeadings} from '#log/reading/lay-out-columns.ts';
import {Reading} from '#log/reading/reading.ts';

const chosen = [
  {name: 'msg', columns: 8},
  {name: 'level', columns: 5},
  {name: 'req.id', columns: 6},
];

const lay = (text: string, columns: Parameters<typeof layOutColumns>[0]['chosen'] = chosen) =>
  layOutColumns({reading: new Reading(text), at: undefined, columns: 80, chosen: columns ?? []});

test('the chosen fields stand in columns in their order, the message last and whole', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['{"level":"info","msg":"order placed for 3","req":{"id":"a1","ip":"::1"}}', 'info   a1      order placed for 3'],
    ['{"req":{"id":"a1b2c3d4e5"},"msg":"said","level":"warning"}', 'warn…  a1b2c…  said'],
    ['{"msg":"no request","level":"error"}', 'error  -       no request'],
    ['{"level":"","req":{"id":7}}', '""     7       -'],
    ['2026-11-21T14:02:11Z level=info msg="all well" other=1', 'info   -       all well'],
    ['2026-11-21 14:02:11 INFO order placed {"req":{"id":"a1"},"x":1}', '-      a1      order placed'],
    // None of the fields, no fields, another format
    ['{"other":1}', undefined],
    ['level up, msg=none', undefined],
    ['10.2.0.3 - - "GET /cart HTTP/1.1" 200 1312', undefined],
  ];
  expect(rows.map(([text]) => lay(text)?.text)).toEqual(rows.map(([, row]) => row));
});

test('without chosen fields there are no columns, and a column of unknown width is cut at the widest one', () => {
  expect(lay('{"level":"info"}', [])).toBeUndefined();
  expect(lay(`{"a":"${'x'.repeat(40)}","b":1}`, [{name: 'a'}, {name: 'b'}])?.text).toBe(`${'x'.repeat(31)}…  1`);
  expect(
    lay('{"b":1,"a":"not cut"}', [
      {name: 'b', columns: 1},
      {name: 'a', columns: 3},
    ])?.text,
  ).toBe('1  not cut');
});

test('a match is found in the row where the value stands, and one in another field is left out', () => {
  const text = '{"msg":"paid","level":"info","ip":"::1"}';
  const laid = lay(text) ?? expect.fail();
  const start = text.indexOf('paid');
  expect(laid.text).toBe('info   -       paid');
  expect(mapSpans(text, laid, [{start, end: start + 4}])).toEqual([{start: 15, end: 19}]);
  expect(leavesOut(laid, {start: text.indexOf('::1'), end: text.indexOf('::1') + 3})).toBe(true);
});

test('fields are counted with their widest value, the commonest first, and hostile names are made safe', () => {
  const lines = ['{"b":"wide","a":1}', '{"a":22}', 'none', `{"a":"${'x'.repeat(99)}","\\u001b[31mc":1}`];
  expect(countFields(lines.map(text => new Reading(text)))).toEqual({
    lineCount: 4,
    fields: [
      {name: 'a', lineCount: 3, columns: 32},
      {name: 'b', lineCount: 1, columns: 4},
      {name: expect.stringMatching(/^[^\u001B]*c$/), lineCount: 1, columns: 1},
    ],
  });
});

test('a heading is the last part of a dotted name, unless another ends alike', () => {
  const headingsOf = (...names: readonly string[]): string => layOutHeadings(names.map(name => ({name, columns: 8})));
  expect(headingsOf('level', 'req.id', 'user.name')).toBe('level     id        name');
  expect(headingsOf('req.id', 'user.id', 'level')).toBe('req.id    user.id   level');
  expect(headingsOf('msg', 'req.id')).toBe('id        msg');
  expect(headingsOf('requestDuration', 'b')).toMatch(/^re.*….*n {2}b$/);
  expect(layOutHeadings([{name: 'a'}, {name: 'b'}])).toBe(`${'a'.padEnd(34)}b`);
  expect(layOutHeadings([])).toBe('');
});

test('a column is as wide as its values, and as its heading up to twelve cells', () => {
  const widthsOf = (valueCells: number, ...names: readonly string[]): readonly number[] =>
    createColumns(names, () => valueCells).map(({columns}) => columns);
  expect(widthsOf(3, 'id', 'level', 'req.user')).toEqual([3, 5, 4]);
  expect(widthsOf(20, 'level')).toEqual([20]);
  expect(widthsOf(1, 'twelve_cells', 'thirteencells')).toEqual([12, 12]);
  expect(widthsOf(1, 'a.id', 'b.id')).toEqual([4, 4]);
});
