import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sanitiseStyled} from '../../../src/log/text/sanitise.ts';
import {applyTextSgr, plainStyle, styleSpansMax} from '../../../src/log/text/style-spans.ts';
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
  ['1;2;22', {}],
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
