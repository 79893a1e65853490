import {expect, test} from 'vitest';
import {leaveOutEnd, readUnfinished} from '#service/window/split-lines.ts';

const bytesMax = 64 * 1024;

const smile = [0xf0, 0x9f, 0x98, 0x80];

test.each<readonly [what: string, bytes: Buffer, text: string, bytesUsed: number]>([
  ['nothing', Buffer.alloc(0), '', 0],
  ['a plain text', Buffer.from('abc'), 'abc', 3],
  ['a whole character of two bytes', Buffer.from('aé'), 'aé', 3],
  ['the first of two bytes', Buffer.from([0x61, 0xc3]), 'a', 1],
  ['a whole character of three bytes', Buffer.from('a€'), 'a€', 4],
  ['the first of three bytes', Buffer.from([0x61, 0xe2]), 'a', 1],
  ['two of three bytes', Buffer.from([0x61, 0xe2, 0x82]), 'a', 1],
  ['a whole character of four bytes', Buffer.from([0x61, ...smile]), 'a😀', 5],
  ['three of four bytes', Buffer.from([0x61, ...smile.slice(0, 3)]), 'a', 1],
  ['the first of four bytes', Buffer.from([0x61, 0xf0]), 'a', 1],
  ['bytes that are no beginning of a character', Buffer.from([0x61, 0x80, 0x80, 0x80]), 'a\uFFFD\uFFFD\uFFFD', 4],
  ['NUL bytes, left out before the text alone', Buffer.from('\0\0a\0b'), 'a\0b', 5],
  ['a carriage return, whose newline may follow', Buffer.from('a\rb\r'), 'a\rb', 4],
  ['as many bytes as a line may have', Buffer.from('x'.repeat(bytesMax)), 'x'.repeat(bytesMax), bytesMax],
  ['one byte more', Buffer.from('x'.repeat(bytesMax + 1)), 'x'.repeat(bytesMax), bytesMax],
  [
    'a character across the bound',
    Buffer.from(`x${'é'.repeat(bytesMax / 2)}`),
    `x${'é'.repeat(bytesMax / 2 - 1)}`,
    bytesMax - 1,
  ],
])('shows of a line without its end: %s', (_, bytes, text, bytesUsed) => {
  expect(readUnfinished(bytes)).toEqual({text, bytesUsed});
});

test.each<readonly [what: string, lines: readonly string[], tail: string, left: readonly string[]]>([
  ['the end of a line that was shown is left out', ['', 'b'], 'shown', ['b']],
  ['the rest of a line that was shown is a line', ['rest', 'b'], 'shown', ['rest', 'b']],
  ['an empty line after a whole line stays', ['', 'b'], 'whole\n', ['', 'b']],
  ['an empty line at the beginning of a file stays', ['', 'b'], '', ['', 'b']],
  ['nothing stays nothing', [], 'shown', []],
])('%s', (_, lines, tail, left) => {
  expect(leaveOutEnd(lines, Buffer.from(tail))).toEqual(left);
});
