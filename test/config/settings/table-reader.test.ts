import {describe, expect, test} from 'vitest';
import {isTable} from '#base/table.ts';
import {findTomlLine} from '#config/serve/serve-settings.ts';
import {ConfigError, createTableReader, type LineOf, type TableReader} from '#config/settings/table-reader.ts';

const reader = (source: Record<string, unknown>, path?: string, lineOf?: LineOf): TableReader =>
  createTableReader(source, '/etc/x.toml', path, lineOf);

const failing = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return error instanceof ConfigError ? error.message : `no ConfigError: ${String(error)}`;
  }
  return 'nothing was refused';
};

test('what is missing is undefined, also if every object has it', () => {
  const table = reader({});
  expect([
    table.text('a'),
    table.texts('a'),
    table.flag('a'),
    table.integer('a', 1, 2),
    table.choice('a', ['b']),
  ]).toEqual(Array(5).fill(undefined));
  expect([table.scalar('a'), table.table('a'), table.raw('toString'), table.text('constructor')]).toEqual(
    Array(4).fill(undefined),
  );
  expect([table.tables('a'), table.keys()]).toEqual([[], []]);
});

test('values of the right type are read as they are', () => {
  const table = reader({a: ' x ', b: ['x', 'y'], c: false, d: 7, e: {f: 'g'}, h: [{i: 'j'}, {i: 'k'}]});
  expect([table.text('a'), table.texts('b'), table.flag('c'), table.integer('d', 7, 7)]).toEqual([
    ' x ',
    ['x', 'y'],
    false,
    7,
  ]);
  expect([table.table('e')?.text('f'), table.tables('h').map(each => each.text('i'))]).toEqual(['g', ['j', 'k']]);
  expect([table.scalar('a'), table.scalar('d'), table.raw('c'), table.keys()]).toEqual([
    ' x ',
    '7',
    false,
    ['a', 'b', 'c', 'd', 'e', 'h'],
  ]);
});

test.each<readonly [string, unknown, (table: TableReader) => unknown, string]>([
  ['an empty string', '', table => table.text('a'), 'expected a string, got an empty string'],
  ['a number', 7, table => table.text('a'), 'expected a string, got a number'],
  ['an array', [], table => table.text('a'), 'expected a string, got an array'],
  ['a date', new Date(0), table => table.text('a'), 'expected a string, got a date'],
  ['a table', {}, table => table.text('a'), 'expected a string, got a table'],
  ['a string', 'x', table => table.texts('a'), 'expected an array of strings, got a string'],
  ['a string', 'yes', table => table.flag('a'), 'expected true or false, got a string'],
  ['a flag', true, table => table.scalar('a'), 'expected a string, got a boolean'],
  ['an array', [{}], table => table.table('a'), 'expected a table, got an array'],
  ['a date', new Date(0), table => table.table('a'), 'expected a table, got a date'],
  ['a table', {}, table => table.tables('a'), 'expected a list of tables ([[a]]), got a table'],
  ['a string', '7', table => table.integer('a', 1, 9), 'expected a whole number from 1 to 9, got a string'],
  ['less', 0, table => table.integer('a', 1, 9), 'expected a whole number from 1 to 9, got 0'],
  ['more', 10, table => table.integer('a', 1, 9), 'expected a whole number from 1 to 9, got 10'],
  ['a part', 1.5, table => table.integer('a', 1, 9), 'expected a whole number from 1 to 9, got 1.5'],
  [
    'another word',
    'pods',
    table => table.choice('a', ['pod', 'branch']),
    'expected "pod" or "branch": did you mean "pod"?',
  ],
  ['a strange word', 'secret', table => table.choice('a', ['pod', 'branch']), 'expected "pod" or "branch"'],
])('%s is refused: %j', (_, value, read, sentence) => {
  expect(failing(() => read(reader({a: value})))).toBe(`/etc/x.toml: a: ${sentence}`);
});

test('what is wrong within a list is named by its place', () => {
  expect(failing(() => reader({a: ['x', '']}).texts('a'))).toBe(
    '/etc/x.toml: a[1]: expected a string, got an empty string',
  );
  expect(failing(() => reader({a: [{}, 7]}).tables('a'))).toBe('/etc/x.toml: a[1]: expected a table, got a number');
  expect(
    failing(() =>
      reader({a: [{b: {c: 7}}]})
        .tables('a')[0]
        ?.table('b')
        ?.text('c'),
    ),
  ).toBe('/etc/x.toml: a[0].b.c: expected a string, got a number');
});

test('the line is named, where it can be found', () => {
  const at = (path: string) => (path === 'top.a' ? 12 : undefined);
  const table = reader({a: 7, b: 7}, 'top', at);
  expect(failing(() => table.text('a'))).toBe('/etc/x.toml, line 12: top.a: expected a string, got a number');
  expect(failing(() => table.text('b'))).toBe('/etc/x.toml: top.b: expected a string, got a number');
  expect(failing(() => table.fail('', 'no'))).toBe('/etc/x.toml: top: no');
  expect([table.where('a'), table.where(''), reader({}).where('a')]).toEqual([
    '/etc/x.toml: top.a',
    '/etc/x.toml: top',
    '/etc/x.toml: a',
  ]);
  expect(failing(() => table.mistyped('a', 'more', undefined))).toBe(
    '/etc/x.toml, line 12: top.a: expected more, got nothing',
  );
});

test('settings that nobody knows are refused', () => {
  const table = reader({tenant: 'x', tennant: 'y', colour: 'z'});
  expect(failing(() => table.refuseOthers(['tenant', 'colour']))).toBe(
    '/etc/x.toml: tennant: no such setting: did you mean tenant?',
  );
  expect(failing(() => table.refuseOthers(['tenant', 'tennant', 'proxy']))).toBe(
    '/etc/x.toml: colour: no such setting; valid settings: tenant, tennant, proxy',
  );
  expect(failing(() => table.refuseOthers(['tenant', 'tennant', 'colour']))).toBe('nothing was refused');
});

test('a table is no list, no date and not nothing', () => {
  expect([{}, [], new Date(0), null, undefined, 'x'].map(isTable)).toEqual([true, false, false, false, false, false]);
});

describe('the line of a value', () => {
  const text = [
    'name = "x"',
    '[sites]',
    '# name',
    'name = "y"',
    '[[list]]',
    'name = "a"',
    '[[list]]',
    'other = 1',
    'name = """',
    'b',
    '"""',
    'last = [1,',
    '  2]',
  ].join('\n');

  test.each([
    ['name', 1],
    ['sites', 2],
    ['sites.name', 4],
    ['list', 5],
    ['list[0].name', 6],
    ['list[1].other', 8],
    ['list[1].name', 9],
    ['list[1].last', 12],
    // What is not there is where it would be.
    ['sites.colour', 2],
    ['list[1].colour', 7],
    ['list[2].name', 5],
    ['nothing', undefined],
    ['', undefined],
  ])('of %s is %s', (path, line) => {
    expect(findTomlLine(text, path)).toBe(line);
  });

  test('of a value of more than a thousand lines is not looked for', () => {
    const long = (count: number) => `a = 1\nb = [\n${'1,\n'.repeat(count)}]\n`;
    expect([findTomlLine(long(999), 'b'), findTomlLine(long(1000), 'b')]).toEqual([2, undefined]);
  });
});
