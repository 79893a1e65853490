import {expect, test} from 'vitest';
import {compressText, expandText} from '#log/text/compress-text.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['a word', 'paid'],
  ['lines alike', 'GET /cart 200\n'.repeat(5000)],
  ['a text that does not shrink', Array.from({length: 3000}, (_, index) => Math.sin(index)).join('')],
])('what was compressed is restored: %s', (_, text) => {
  const bytes = bytesOf(text);
  expect(expandText(compressText(bytes), bytes.length).toString()).toBe(text);
});

test('lines alike shrink to a ninth and less', () => {
  const bytes = bytesOf('2026-11-21T14:02:11Z GET /cart 200\n'.repeat(1000));
  expect(compressText(bytes).length).toBeLessThan(bytes.length / 9);
});

test('more than was said, and what was never compressed, is refused', () => {
  const compressed = compressText(bytesOf('paid twice'));
  expect(() => expandText(compressed, 9)).toThrow(expect.any(Error));
  expect(() => expandText(bytesOf('paid twice'), 10)).toThrow(expect.any(Error));
});
