import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isPiece, lineBytesMax, pieceBytesMin} from '#log/window/pieces.ts';
import {splitLines} from '#service/window/split-lines.ts';

const split = (text: string | Buffer, atEnd = false) => splitLines(Buffer.from(text as string), {atEnd});

test('holds a last line back until its newline has come', () => {
  expect(split('one\ntwo\nthr')).toEqual({lines: ['one', 'two'], bytesUsed: 8});
});

test('gives the last line out without its newline where the file ends', () => {
  expect(split('one\ntwo', true)).toEqual({lines: ['one', 'two'], bytesUsed: 7});
});

test('ends a line at CRLF as at LF, and keeps a carriage return inside it', () => {
  expect(split('a\r\nb\rc\n\r\n').lines).toEqual(['a', 'b\rc', '']);
});

test('replaces invalid UTF-8 and keeps NUL bytes inside a line', () => {
  expect(split(Buffer.from([0x61, 0xff, 0x62, 0x00, 0x63, 0x0a])).lines).toEqual(['a\uFFFDb\0c']);
});

test('passes over the NUL bytes of a hole before a line', () => {
  expect(split(`${'\0'.repeat(5000)}after\n`)).toEqual({lines: ['after'], bytesUsed: 5006});
  expect(split('\0'.repeat(100))).toEqual({lines: [], bytesUsed: 100});
});

test('cuts a line that is too long into pieces, never inside a character', () => {
  const {lines} = split(`x${'é'.repeat(lineBytesMax)}\n`);
  expect(lines.map(line => Buffer.byteLength(line))).toEqual([65535, 65536, 2]);
  expect(lines.join('')).toBe(`x${'é'.repeat(lineBytesMax)}`);
});

test('cuts the same pieces however the bytes arrive', () => {
  const text = `${'y'.repeat(lineBytesMax * 2 + 10)}\nshort\r\n`;
  const whole = split(text);
  fc.assert(
    fc.property(fc.integer({min: 1, max: text.length - 1}), cut => {
      const first = split(text.slice(0, cut));
      const second = split(text.slice(first.bytesUsed));
      expect([...first.lines, ...second.lines]).toEqual(whole.lines);
    }),
    {numRuns: 50},
  );
});

test('a piece that goes on is told by its size, whatever the line has; no whole line has that size', () => {
  const characters = fc.constantFrom('a', 'é', '€', '😀', '\uFFFD');
  const line = fc.tuple(fc.string({unit: characters, maxLength: 40}), characters, fc.integer({min: 1, max: 150_000}));
  fc.assert(
    fc.property(line, ([start, character, count]) => {
      const text = start + character.repeat(count);
      const {lines} = split(`${text}\nnext\n`);
      expect(lines.join('') === `${text}next`).toBe(true);
      expect(lines.map(isPiece)).toEqual([...Array.from({length: lines.length - 2}, () => true), false, false]);
    }),
    {numRuns: 100},
  );
});

test.each([65_533, 65_534, 65_535, 65_536])(
  'a line of %i bytes, as a piece has, is a piece and its empty rest',
  size => {
    const line = 'z'.repeat(size);
    expect(split(`${line}\r\n`)).toEqual({lines: [line, ''], bytesUsed: size + 2});
    expect(split(line, true).lines).toEqual([line, '']);
    expect(split(`${line}\r`).lines).toEqual([]);
  },
);

test('a line of fewer bytes than a piece is whole', () => {
  expect(split(`${'z'.repeat(pieceBytesMin - 1)}\n`).lines).toEqual(['z'.repeat(65_532)]);
});

test('what is not UTF-8 is cut by what it is decoded to, with its end or before that has come', () => {
  const bytes = Buffer.alloc(100_000, 0xfc);
  for (const atEnd of [true, false]) {
    const {lines} = splitLines(bytes, {atEnd});
    expect(lines.map(line => [line.length, isPiece(line)])).toEqual(
      atEnd
        ? [...Array.from({length: 4}, () => [21_845, true]), [12_620, false]]
        : [...Array.from({length: 2}, () => [21_845, true])],
    );
  }
});

test('leaves out a byte order mark before a line, however its bytes arrive, and keeps one inside it', () => {
  const text = Buffer.from('\uFEFFone\n\0\0\uFEFFtwo\uFEFF\n\uFEFF\n');
  expect(split(text).lines).toEqual(['one', 'two\uFEFF', '']);
  for (let cut = 1; cut < text.length; cut += 1) {
    const first = split(text.subarray(0, cut));
    const second = split(text.subarray(first.bytesUsed));
    expect([...first.lines, ...second.lines]).toEqual(['one', 'two\uFEFF', '']);
  }
  expect(split('\uFEFF', true)).toEqual({lines: [], bytesUsed: 3});
});

test.each([
  ['a shorter line is whole', `${'a'.repeat(65_532)}\nb\n`, ['a'.repeat(65_532), 'b']],
  [
    'one at the bound too, with its empty rest',
    `${'a'.repeat(lineBytesMax)}\r\nb\n`,
    ['a'.repeat(lineBytesMax), '', 'b'],
  ],
  ['one past it', `${'a'.repeat(lineBytesMax + 1)}\nb\n`, [`${'a'.repeat(lineBytesMax)} … (truncated at 64 KB)`, 'b']],
  [
    'one of many times the bound',
    `${'a'.repeat(lineBytesMax * 3)}\nb\n`,
    [`${'a'.repeat(lineBytesMax)} … (truncated at 64 KB)`, 'b'],
  ],
  [
    'never inside a character',
    `a${'é'.repeat(lineBytesMax)}\n`,
    [`a${'é'.repeat(lineBytesMax / 2 - 1)} … (truncated at 64 KB)`],
  ],
])('truncates where asked to: %s', (_, text, lines) => {
  expect(splitLines(Buffer.from(text), {atEnd: false, truncates: true})).toEqual({
    lines,
    bytesUsed: Buffer.byteLength(text),
  });
});

test('where lines are truncated, nothing comes of one without its end, until the end of all', () => {
  const text = `b\n${'a'.repeat(lineBytesMax * 2)}`;
  expect(splitLines(Buffer.from(text), {atEnd: false, truncates: true})).toEqual({lines: ['b'], bytesUsed: 2});
  expect(splitLines(Buffer.from(text), {atEnd: true, truncates: true})).toEqual({
    lines: ['b', `${'a'.repeat(lineBytesMax)} … (truncated at 64 KB)`],
    bytesUsed: text.length,
  });
});

test('a hole of any size before a line is passed over', () => {
  for (const size of [1, 4095, 4096, 4097, 8192]) {
    expect(split(`${'\0'.repeat(size)}x\n`)).toEqual({lines: ['x'], bytesUsed: size + 2});
  }
});
