import {expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {labelPrinted, uniqueNames} from '#cli/connection/label-branches.ts';
import {createLineFormatter, type LineTextOptions, printTheme} from '#cli/logs/line-text.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import type {Theme} from '#ui/theme.ts';

const stamp = '2026-11-22T12:00:00.123456789Z';

const line = (text: string, changes: Partial<LineEntry> = {}): LineEntry => ({
  kind: 'line',
  id: 1,
  at: parseInstant(stamp) ?? 0n,
  raw: `${stamp} ${text}`,
  textIndex: stamp.length + 1,
  late: false,
  ...changes,
});

/** Each tone is a parameter of its own. */
const codes: Readonly<Record<string, string>> = {dim: '2', warn: '33', bad: '31', strong: '1', busy: '35', hit: '7'};
const theme: Theme = tone => codes[tone] ?? '';

const format = (entry: LineEntry, options: Partial<LineTextOptions> = {}): string =>
  createLineFormatter({colour: 'own', theme, ...options})(entry).replaceAll('\u001b', '^');

test.each([
  [undefined, `${stamp} text`],
  ['utc', '2026-11-22T12:00:00.123Z text'],
  ['local', '2026-11-22 12:00:00.123+00:00 text'],
  ['short', '12:00:00.123 text'],
  ['none', 'text'],
] as const)('without colours, with timestamps %s, a line is %s', (timestamps, text) => {
  expect(format(line('text'), {theme: undefined, timestamps})).toBe(text);
});

test('a line without a readable time has none, in any form', () => {
  const plain = line('', {raw: 'no time here', textIndex: 0});
  expect([undefined, 'utc', 'none'].map(timestamps => format(plain, {theme: undefined, timestamps} as never))).toEqual(
    Array(3).fill('no time here'),
  );
});

test('a line that came late says so, and none can act on the terminal', () => {
  expect(format(line('a\u001b[2Jb', {late: true}), {theme: undefined})).toBe(`${stamp} late a␛b`);
  expect(format(line('a', {late: true}), {timestamps: 'short'})).toBe('^[2m12:00:00.123 ^[0m^[35mlate ^[0ma');
});

test.each([
  ['TRACE x', '^[2mTRACE x^[0m'],
  ['DEBUG x', '^[2mDEBUG x^[0m'],
  ['INFO x', 'INFO x'],
  ['WARN x', '^[33mWARN x^[0m'],
  ['ERROR x', '^[31mERROR x^[0m'],
  ['FATAL x', '^[1;31mFATAL x^[0m'],
  ['x', 'x'],
])('the level of %s is its colour', (text, painted) => {
  expect(format(line(text), {timestamps: 'none'})).toBe(painted);
});

test('where a level would be a background, the time tells it', () => {
  const onRed: Theme = tone => (tone === 'bad' ? '41' : (codes[tone] ?? ''));
  expect(format(line('ERROR x', {late: true}), {theme: onRed, timestamps: 'short'})).toBe(
    '^[41m12:00:00.123^[0m ^[35mlate ^[0m^[1mERROR x^[0m',
  );
});

const spans = (...found: readonly (readonly [number, number])[]) => ({spans: () => found}) as never;

test('hits are marked in their order, and those within others are not marked again', () => {
  const options = {timestamps: 'none', highlights: [spans([4, 6]), spans([0, 2], [1, 5])]} as const;
  expect(format(line('WARN 123'), options)).toBe('^[7mWA^[0m^[33mRN^[0m^[7m 1^[0m^[33m23^[0m');
  expect(format(line('abc'), {timestamps: 'none', highlights: [spans()]})).toBe('abc');
});

test.each([
  ['\u001b[31mred\u001b[0m x', '^[31mred^[0m x'],
  ['\u001b[1;2;3;4;7;9mall', '^[1;2;3;4;7;9mall^[0m'],
  ['\u001b[97;107mbright', '^[97;107mbright^[0m'],
  ['\u001b[38;5;7;48;5;8mlow', '^[37;100mlow^[0m'],
  ['\u001b[38;5;15;48;5;16mhigh', '^[97;48;5;16mhigh^[0m'],
  ['\u001b[38;2;1;2;3;48;2;4;5;6mrgb', '^[38;2;1;2;3;48;2;4;5;6mrgb^[0m'],
  ['plain \u001b[2J', 'plain ␛'],
])('colours within a line are kept where that is asked for: %j', (text, painted) => {
  expect(format(line(text), {timestamps: 'none', colour: 'keep'})).toBe(painted);
});

test('colours within a line give way to marked hits', () => {
  expect(
    format(line('\u001b[31mred\u001b[0m'), {timestamps: 'none', colour: 'keep', highlights: [spans([0, 1])]}),
  ).not.toContain('^[31m');
});

const branch = (_id: string, name: string) => ({_id, name}) as Branch;

test('a branch is known by its name, or by its id where another has the name', () => {
  expect(uniqueNames([branch('1', 'a'), branch('2', 'b'), branch('3', 'a')])).toEqual(['1', 'b', '3']);
});

test('without colours, names are whole and safe', () => {
  expect(labelPrinted([branch('1', 'a\u001b[2J'), branch('2', 'a-name-of-many-characters')], undefined)).toEqual([
    {name: 'a\u001b[2J', prefix: 'a␛ | '},
    {name: 'a-name-of-many-characters', prefix: 'a-name-of-many-characters | '},
  ]);
});

const shortOf = (...names: readonly string[]): readonly string[] =>
  labelPrinted(
    names.map((name, index) => branch(`${index}`, name)),
    () => '',
  ).map(({prefix}) => prefix);

test('on a terminal, names are as wide as the widest, and cut to sixteen cells', () => {
  expect(shortOf('web', 'worker')).toEqual(['web    ', 'worker ']);
  expect(shortOf('a'.repeat(16), 'b')[0]).toBe(`${'a'.repeat(16)} `);
  expect(shortOf(`x${'a'.repeat(16)}`, 'b').map(prefix => prefix.length)).toEqual([17, 17]);
});

test('names that begin alike are cut to their ends, and those that end alike, too, are whole', () => {
  const common = 'feature-branch-number';
  expect(shortOf(`${common}-1`, `${common}-2`).map(prefix => prefix.trim().slice(-2))).toEqual(['-1', '-2']);
  expect(shortOf(`${common}-1-${common}`, `${common}-2-${common}`)).toEqual([
    `${common}-1-${common} `,
    `${common}-2-${common} `,
  ]);
});

test.each([
  [{TERM: 'xterm'}, true, true],
  [{TERM: 'xterm'}, false, false],
  [{TERM: 'xterm', NO_COLOR: '1'}, true, false],
  [{TERM: 'xterm', FORCE_COLOR: '1'}, false, true],
  [{TERM: 'dumb'}, true, false],
])('with %j, on a terminal %s, there are colours: %s', (env, isTTY, hasColours) => {
  expect(printTheme({env, stdout: {isTTY} as never}) !== undefined).toBe(hasColours);
});
