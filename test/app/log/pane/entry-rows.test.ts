import {describe, expect, test} from 'vitest';
import {awayCounts} from '#app/log/mark-rows.ts';
import {formatEntry, matchedText, type RowStyle} from '#app/log/pane/entry-rows.ts';
import {type Layer, paintLayers} from '#app/log/pane/layers.ts';
import {plainLook} from '#app/parts/log-parts.ts';
import type {Tone, ViewRow} from '#app/rows/view-row.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {textOf} from '../../../support/play.ts';

const lineOf = (text: string, change: Partial<LineEntry> = {}): LineEntry => ({
  kind: 'line',
  id: 1,
  at: 0n,
  raw: `stamp ${text}`,
  textIndex: 6,
  late: false,
  ...change,
});

const styleOf = (
  textColumns: number,
  look: Partial<typeof plainLook> = {},
  change: Partial<RowStyle> = {},
): RowStyle => ({
  look: {...plainLook, ...look},
  textColumns,
  markerColumns: textColumns,
  keepsColour: false,
  layersOf: () => [],
  ...change,
});

const texts = (rows: readonly ViewRow[]): readonly string[] => rows.map(textOf);
/** Pieces as `tone:text`. */
const pieces = (row: ViewRow = []): readonly string[] => row.map(({tone, text}) => `${tone}:${text}`);

describe('layers over a text', () => {
  const layer = (...spans: readonly (readonly [number, number, Tone])[]): Layer =>
    spans.map(([start, end, tone]) => ({start, end, tone}));
  const paint = (text: string, ...layers: readonly Layer[]): readonly string[] =>
    pieces(paintLayers(text, 'plain', layers));

  test.each<readonly [string, readonly Layer[], readonly string[]]>([
    ['none', [], ['plain:abcdefghij']],
    ['an empty one', [[]], ['plain:abcdefghij']],
    ['in the middle', [layer([2, 4, 'bad'])], ['plain:ab', 'bad:cd', 'plain:efghij']],
    ['from the beginning', [layer([0, 4, 'bad'])], ['bad:abcd', 'plain:efghij']],
    ['to the end', [layer([4, 10, 'bad'])], ['plain:abcd', 'bad:efghij']],
    ['over all of it', [layer([0, 10, 'bad'])], ['bad:abcdefghij']],
    ['side by side', [layer([2, 4, 'bad'], [4, 6, 'warn'])], ['plain:ab', 'bad:cd', 'warn:ef', 'plain:ghij']],
    ['side by side in one tone', [layer([2, 4, 'bad'], [4, 6, 'bad'])], ['plain:ab', 'bad:cdef', 'plain:ghij']],
    [
      'with one between',
      [layer([1, 2, 'bad'], [3, 4, 'bad'])],
      ['plain:a', 'bad:b', 'plain:c', 'bad:d', 'plain:efghij'],
    ],
    [
      'the upper one over the lower',
      [layer([0, 8, 'bad']), layer([2, 4, 'hit'])],
      ['bad:ab', 'hit:cd', 'bad:efgh', 'plain:ij'],
    ],
    [
      'the upper one over a beginning',
      [layer([2, 6, 'bad']), layer([0, 4, 'hit'])],
      ['hit:abcd', 'bad:ef', 'plain:ghij'],
    ],
    [
      'the upper one over an end',
      [layer([2, 6, 'bad']), layer([4, 8, 'hit'])],
      ['plain:ab', 'bad:cd', 'hit:efgh', 'plain:ij'],
    ],
    [
      'the upper one over two',
      [layer([0, 2, 'bad'], [4, 6, 'warn']), layer([1, 5, 'hit'])],
      ['bad:a', 'hit:bcde', 'warn:f', 'plain:ghij'],
    ],
    [
      'two upper ones over three',
      [layer([0, 2, 'bad'], [3, 5, 'warn'], [8, 9, 'bad']), layer([1, 4, 'hit'], [6, 7, 'hit'])],
      ['bad:a', 'hit:bcd', 'warn:e', 'plain:f', 'hit:g', 'plain:h', 'bad:i', 'plain:j'],
    ],
    ['without width', [layer([2, 2, 'bad'], [4, 3, 'bad'], [5, 6, 'hit'])], ['plain:abcde', 'hit:f', 'plain:ghij']],
  ])('%s', (_, layers, row) => {
    expect(paint('abcdefghij', ...layers)).toEqual(row);
  });

  test('keep their style, and pieces of another style stay apart', () => {
    const bold = {isBold: true} as never;
    expect(
      paintLayers('abcd', 'dim', [
        [
          {start: 0, end: 1, tone: 'dim', style: bold},
          {start: 1, end: 2, tone: 'dim'},
        ],
      ]),
    ).toEqual([
      {text: 'a', tone: 'dim', style: bold},
      {text: 'bcd', tone: 'dim'},
    ]);
  });

  test('an empty text is one empty piece', () => {
    expect(paint('')).toEqual(['plain:']);
  });

  test('of more than a thousand pieces the others are left plain', () => {
    const many = layer(...Array.from({length: 1001}, (_, index) => [index * 2, index * 2 + 1, 'hit'] as const));
    const row = paint('x'.repeat(2100), many);
    expect(row.filter(piece => piece.startsWith('hit'))).toHaveLength(1000);
  });
});

describe('a line', () => {
  test('is cut at the edge, or from where it is scrolled to', () => {
    expect(texts(formatEntry(lineOf('abcdefghij'), styleOf(10), undefined))).toEqual(['abcdefghij']);
    expect(texts(formatEntry(lineOf('abcdefghij'), styleOf(9), undefined))).toEqual(['abcdefgh…']);
    expect(texts(formatEntry(lineOf('abcdefghij'), styleOf(4, {cellsLeft: 3}), undefined))).toEqual(['def…']);
    expect(texts(formatEntry(lineOf('日本語x'), styleOf(4, {cellsLeft: 1}), undefined))).toEqual([' 本…']);
    expect(texts(formatEntry(lineOf('a日本'), styleOf(4), undefined))).toEqual(['a日…']);
    expect(texts(formatEntry(lineOf('ab日本'), styleOf(4), undefined))).toEqual(['ab …']);
  });

  test('is wrapped at the edge, and each piece keeps its tone', () => {
    const layersOf = () => [[{start: 2, end: 6, tone: 'hit'}] satisfies Layer];
    const rows = formatEntry(lineOf('abcdefghij'), styleOf(4, {wraps: true}, {layersOf}), undefined);
    expect(rows.map(pieces)).toEqual([['plain:ab', 'hit:cd'], ['hit:ef', 'plain:gh'], ['plain:ij']]);
  });

  test('that came late says so, and its further rows are indented as much', () => {
    const late = lineOf('abcdefghij', {late: true});
    expect(texts(formatEntry(late, styleOf(9), undefined))).toEqual(['late abc…']);
    expect(texts(formatEntry(late, styleOf(9, {wraps: true}), undefined))).toEqual([
      'late abcd',
      '     efgh',
      '     ij',
    ]);
    expect(texts(formatEntry(late, styleOf(3), undefined))).toEqual(['late …']);
    expect(pieces(formatEntry(late, styleOf(20), undefined)[0])).toEqual(['busy:late ', 'plain:abcdefghij']);
  });

  test('has its tag at the right end of the first row, a blank before it', () => {
    expect(texts(formatEntry(lineOf('abcdefghij'), styleOf(10), undefined, 'new'))).toEqual(['abcde… new']);
    expect(texts(formatEntry(lineOf('ab'), styleOf(10), undefined, 'new'))).toEqual(['ab     new']);
    expect(texts(formatEntry(lineOf('abcdefghij'), styleOf(10, {wraps: true}), undefined, 'new'))).toEqual([
      'abcdef new',
      'ghij',
    ]);
    expect(formatEntry(lineOf('ab'), styleOf(10), undefined, 'new')[0]?.at(-1)).toEqual({text: 'new', tone: 'accent'});
  });

  test('that is escaped shows every character, and nothing but what is searched for', () => {
    const style = styleOf(40, {rows: 'escaped'}, {layersOf: () => [[{start: 0, end: 3, tone: 'hit'}]]});
    expect(pieces(formatEntry(lineOf('ERROR \u0007'), style, undefined)[0])).toEqual(['hit:ERR', 'plain:OR \\x07']);
    expect(matchedText(lineOf('a\u0007'), style)).toBe('a\\x07');
    expect(matchedText(lineOf('a\u0007'), styleOf(9))).not.toContain('\\');
  });

  test('is dim in a trace, strong where an error says what is wrong, and has its level', () => {
    const tonesOf = (text: string): readonly string[] =>
      pieces(formatEntry(lineOf(text), styleOf(80, {rows: 'received'}), undefined)[0]);
    expect(tonesOf('    at total (/srv/cart.js:12:3)')).toEqual(['dim:    at total (/srv/cart.js:12:3)']);
    expect(tonesOf('{"level":"error","msg":"boom"}')).toContain('strong:boom');
    expect(tonesOf('{"level":"info","msg":"boom"}').some(piece => piece.startsWith('strong'))).toBe(false);
    expect(tonesOf('[2026-11-21T14:00:01+00:00] app.CRITICAL: Payment timed out [] []')).toContain(
      'strong:Payment timed out',
    );
    expect(
      tonesOf('[2026-11-21T14:00:01+00:00] app.CRITICAL: Payment timed out [] []').some(piece =>
        piece.startsWith('bad:'),
      ),
    ).toBe(true);
    expect(tonesOf('GET /cart 200').every(piece => !piece.startsWith('bad'))).toBe(true);
  });

  test('keeps its own colours only if they are wanted', () => {
    const coloured = lineOf('\u001b[31mred\u001b[0m plain');
    const spansOf = (keepsColour: boolean) => formatEntry(coloured, styleOf(40, {}, {keepsColour}), undefined)[0] ?? [];
    expect(spansOf(true).map(({text}) => text)).toEqual(['red', ' plain']);
    expect(spansOf(true)[0]).toHaveProperty('style');
    expect(spansOf(false).map(({text}) => text)).toEqual(['red plain']);
  });

  test('that is laid out has quiet parts dim, and is shown as it is if a match would be left out', () => {
    const access = '10.2.0.7 - - [21/Nov/2026:14:00:01 +0000] "GET /shop/cart HTTP/1.1" 502 157 "-" "curl"';
    const shown = (match: string | undefined): ViewRow =>
      formatEntry(
        lineOf(access),
        styleOf(
          120,
          {},
          {
            layersOf: text =>
              match === undefined
                ? []
                : [[{start: text.indexOf(match), end: text.indexOf(match) + match.length, tone: 'hit'}]],
          },
        ),
        undefined,
      )[0] ?? [];
    expect(textOf(shown(undefined))).toMatch(/^502 GET {2}\/shop\/cart +157 B/);
    expect(pieces(shown(undefined)).some(piece => piece.startsWith('dim:'))).toBe(true);
    expect(pieces(shown('/shop/cart'))).toContain('hit:/shop/cart');
    expect(textOf(shown('- -'))).toBe(access);
    expect(textOf(formatEntry(lineOf(access), styleOf(120, {rows: 'received'}), undefined)[0] ?? [])).toBe(access);
  });
});

describe('a marker', () => {
  const quiet = {kind: 'quiet', id: 1, at: 60_000_000_000n, since: 0n} as const;

  test('is a rule to the edge, with the branch before its words if there are several', () => {
    const words = textOf(formatEntry(quiet, styleOf(90), undefined)[0] ?? []);
    expect(words).toMatch(/^── \S.* ─+$/);
    expect(words.length).toBe(89);
    expect(textOf(formatEntry(quiet, styleOf(90), 'master')[0] ?? [])).toMatch(/^── master: /);
    expect(formatEntry(quiet, styleOf(5), undefined)).toHaveLength(1);
  });

  test('that does not fit is wrapped with the lines', () => {
    const [whole = ''] = texts(formatEntry(quiet, styleOf(200, {wraps: true}), undefined));
    const width = whole.replace(/ ─+$/, '').length;
    expect(formatEntry(quiet, styleOf(width, {wraps: true}), undefined)).toHaveLength(1);
    const rows = texts(formatEntry(quiet, styleOf(width - 1, {wraps: true}), undefined));
    expect(rows).toHaveLength(2);
    expect(rows.join('').replaceAll(' ', '')).toBe(whole.replace(/ ─+$/, '').replaceAll(' ', ''));
  });
});

test.each([
  [{lineCount: 1, errorCount: 0}, '1 line'],
  [{lineCount: 1204, errorCount: 1}, '1,204 lines, 1 error'],
])('what came meanwhile is counted: %j', (away, words) => {
  expect(awayCounts({...away, anchor: {source: 0, id: 1, at: 0n}, sinceMs: 0} as never)).toBe(words);
});
