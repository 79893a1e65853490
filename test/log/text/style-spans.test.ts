import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sanitiseStyled} from '#log/text/sanitise.ts';
import {shownCharsMax} from '#log/text/scan-foreign.ts';
import {applyTextSgr, plainStyle, styleSpansMax} from '#log/text/style-spans.ts';
import {hostilePieces} from '../hostile-text.ts';

test.each([
  ['31', {foreground: {kind: 'palette', index: 1}}],
  ['97', {foreground: {kind: 'palette', index: 15}}],
  ['44', {background: {kind: 'palette', index: 4}}],
  ['100', {background: {kind: 'palette', index: 8}}],
  ['38;5;200', {foreground: {kind: 'palette', index: 200}}],
  ['48;2;1;2;3', {background: {kind: 'rgb', red: 1, green: 2, blue: 3}}],
  ['38:5:200', {foreground: {kind: 'palette', index: 200}}],
  ['38:2:1:2:3', {foreground: {kind: 'rgb', red: 1, green: 2, blue: 3}}],
  ['38:2::1:2:3', {foreground: {kind: 'rgb', red: 1, green: 2, blue: 3}}],
  ['38;5;7;1', {foreground: {kind: 'palette', index: 7}, bold: true}],
  ['1;2;3;4;7;9', {bold: true, dim: true, italic: true, underline: true, inverse: true, strike: true}],
  ['4:3', {underline: true}],
  ['4;4:0', {}],
  ['1;31', {bold: true, foreground: {kind: 'palette', index: 1}}],
  ['1;38;5;7', {bold: true, foreground: {kind: 'palette', index: 7}}],
  ['1;48;5;7', {bold: true, background: {kind: 'palette', index: 7}}],
  ['1;2;22', {}],
  ['1;3;23', {bold: true}],
  ['3;23', {}],
  ['21;24', {}],
  ['7;27', {}],
  ['9;29', {}],
  ['31;39', {}],
  ['41;49', {}],
  ['31;0', {}],
  ['31;', {}],
  ['', {}],
  ['5;8;25;28', {}],
  ['38;5;256', {}],
  ['38;2;1;2', {}],
  ['38', {}],
  ['38;9;1', {}],
  ['30;47', {foreground: {kind: 'palette', index: 0}, background: {kind: 'palette', index: 7}}],
  ['37;40', {foreground: {kind: 'palette', index: 7}, background: {kind: 'palette', index: 0}}],
  ['90;107', {foreground: {kind: 'palette', index: 8}, background: {kind: 'palette', index: 15}}],
  ['29', {}],
  ['89;98;99;108', {}],
  ['38;5;255', {foreground: {kind: 'palette', index: 255}}],
  ['38;2;255;0;256', {}],
  ['38;2;255;0;255', {foreground: {kind: 'rgb', red: 255, green: 0, blue: 255}}],
  ['38;5', {}],
  ['38;9;1;3', {}],
  ['38:3:1;3', {italic: true}],
  ['38:5;3', {italic: true}],
  ['38;2;1;2;3;4', {foreground: {kind: 'rgb', red: 1, green: 2, blue: 3}, underline: true}],
  ['4:0', {}],
  ['4:', {}],
  [`${'0;'.repeat(31)}1`, {bold: true}],
  [`${'0;'.repeat(32)}1`, {}],
  ['999999999999999999999', {}],
])('SGR %j is %j', (parameters, style) => {
  expect(applyTextSgr(plainStyle, parameters)).toEqual(style);
});

test('spans lie over the safe text, whatever was replaced before them', () => {
  expect(sanitiseStyled('\x07\t\x1b[31mred\x1b]0;t\x07\x1b[1mbold\x1b[m plain')).toEqual({
    text: '␇       red␛bold plain',
    spans: [
      {start: 8, end: 12, style: {foreground: {kind: 'palette', index: 1}}},
      {start: 12, end: 16, style: {foreground: {kind: 'palette', index: 1}, bold: true}},
    ],
  });
});

test('a text without colour has no spans', () => {
  expect(sanitiseStyled('plain')).toEqual({text: 'plain', spans: []});
  expect(sanitiseStyled('é\x1b[2J')).toEqual({text: 'é␛', spans: []});
});

test('a colour at the end, without text, makes no span', () => {
  expect(sanitiseStyled('x\x1b[31m')).toEqual({text: 'x', spans: []});
});

test('colours that are set twice or before any text make one span', () => {
  const bold = {bold: true};
  expect(sanitiseStyled('\x1b[1m\x1b[1mab').spans).toEqual([{start: 0, end: 2, style: bold}]);
  expect(sanitiseStyled('a\x1b[1mb\x1b[0;1mc').spans).toEqual([
    {start: 1, end: 2, style: bold},
    {start: 2, end: 3, style: bold},
  ]);
});

test('a span ends with a text that was cut, and one behind the cut is left out', () => {
  const before = 'x'.repeat(shownCharsMax - 20);
  expect(sanitiseStyled(`${before}\x1b[1m${'y'.repeat(40)}`).spans).toEqual([
    {start: shownCharsMax - 20, end: shownCharsMax - 4, style: {bold: true}},
  ]);
  expect(sanitiseStyled(`${'\t'.repeat(shownCharsMax / 8)}\x1b[1m\tz`).spans).toEqual([]);
});

test('the number of spans is bounded', () => {
  const text = '\x1b[31mx\x1b[32my'.repeat(styleSpansMax);
  expect(sanitiseStyled(text).spans.length).toBeLessThanOrEqual(styleSpansMax);
  expect(sanitiseStyled('\x1b[1mx\x1b[3my'.repeat(900)).spans).toHaveLength(styleSpansMax);
});

test('spans ascend, do not overlap and stay within the text', () => {
  const pieces = fc.array(fc.constantFrom('\x1b[31m', '\x1b[m', '\x1b[1;4m', '\t'.repeat(900), ...hostilePieces));
  fc.assert(
    fc.property(pieces, parts => {
      const {text, spans} = sanitiseStyled(parts.join(''));
      let end = 0;
      for (const span of spans) {
        expect(span.start).toBeGreaterThanOrEqual(end);
        expect(span.end).toBeGreaterThan(span.start);
        end = span.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
    {numRuns: 2000},
  );
});
