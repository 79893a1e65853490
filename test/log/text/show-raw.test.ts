import fc from 'fast-check';
import {expect, test} from 'vitest';
import {showRaw} from '#log/text/sanitise.ts';
import {shownCharsMax} from '#log/text/scan-foreign.ts';
import {anyCharacter} from '../../support/any-character.ts';

test('what is not printable ASCII is written as an escape', () => {
  expect(showRaw('a\x1b[31m\t\x7f\x9b\xe9\u202e日😀\ud800"')).toBe(
    'a\\x1b[31m\\x09\\x7f\\x9b\\xe9\\u{202e}\\u{65e5}\\u{1f600}\\u{d800}"',
  );
});

test('a backslash is written as two, so that no text looks like an escape', () => {
  expect(showRaw('\\x1b')).toBe('\\\\x1b');
});

test('a long text is cut with the length of the rest', () => {
  expect(showRaw('x'.repeat(shownCharsMax))).toBe('x'.repeat(shownCharsMax));
  expect(showRaw('x'.repeat(shownCharsMax + 120))).toBe(`${'x'.repeat(shownCharsMax)}\\...(120 more)`);
});

const readBack = (raw: string): string =>
  raw.replace(/\\\\|\\x(..)|\\u\{([^}]+)\}/g, (_, unit?: string, codePoint?: string) =>
    unit === undefined && codePoint === undefined ? '\\' : String.fromCodePoint(parseInt(unit ?? codePoint ?? '', 16)),
  );

test('it is printable ASCII and can be read back', () => {
  fc.assert(
    fc.property(fc.string({unit: anyCharacter, maxLength: 200, size: 'max'}), fc.string(), (strange, plain) => {
      const text = `${strange}\\${plain}\udc00\x1b`;
      expect(showRaw(text)).toMatch(/^[ -~]*$/);
      expect(readBack(showRaw(text))).toBe(text);
    }),
    {numRuns: 1000},
  );
});
