import fc from 'fast-check';
import {expect, test} from 'vitest';
import {markdownCell, timelineMarkdown} from '#app/timeline/timeline-markdown.ts';
import {parseInstant} from '#log/line/instant.ts';
import {anyCharacter} from '../../support/any-character.ts';

const at = (time: string): bigint => parseInstant(`2026-11-21T${time}Z`) ?? 0n;

test('a timeline is a heading, what it rests on, and a table', () => {
  const heading = {
    ...{title: 'shop: master', from: at('14:00:00'), to: at('15:00:00'), clock: "Times are the service's.", leftOut: 2},
    bases: [{branch: 'master', basis: 'complete from 13:00:00'}],
  };
  const row = {what: 'onset' as const, branch: 'master', text: 'Errors 0 → 30/min', basis: 'sure'};
  const link = 'branchlog shop/master@2026-11-21T14:01:00Z';
  expect(
    timelineMarkdown(heading, [
      {...row, at: at('14:01:00'), until: at('14:02:30'), link},
      {...row, what: 'guard', at: at('14:02:00'), until: undefined, branch: null, text: 'a | b', link: undefined},
    ]),
  ).toBe(`# Timeline of shop: master

2026-11-21T14:00:00Z to 2026-11-21T15:00:00Z. Times are the service's.

- master: complete from 13:00:00

2 older rows left out: ask of less time.

| time | branch | what | basis | opens there |
| --- | --- | --- | --- | --- |
| 2026-11-21T14:01:00Z to 2026-11-21T14:02:30Z | master | **onset** Errors 0 → 30/min | sure | \`${link}\` |
| 2026-11-21T14:02:00Z | all | **guard** a &#124; b | sure |  |
`);
});

test('nothing that happened is said, too', () => {
  const heading = {title: 'x', from: 0n, to: 0n, clock: '', bases: [], leftOut: 0};
  expect(timelineMarkdown(heading, [])).toContain('Nothing is known to have happened in this time.');
});

test.each([
  ['<img src=x onerror=alert(1)>', '&#60;img src=x onerror=alert(1)&#62;'],
  ['a|b `c` \\| d', 'a&#124;b &#96;c&#96; &#92;&#124; d'],
  ['one\r\ntwo\u0000\u001b[31m\u202e', 'one two \\[31m'],
  [
    '**bold** _it_ [x](http://y) ~~no~~ ![i](z)',
    '\\*\\*bold\\*\\* \\_it\\_ \\[x\\](http&#58;//y) \\~\\~no\\~\\~ \\!\\[i\\](z)',
  ],
  ['&lt; #12 @team www.example.org', '&#38;lt; &#35;12 &#64;team www&#46;example.org'],
])('the cell of %j has nothing that means anything in Markdown', (text, cell) => {
  expect(markdownCell(text)).toBe(cell);
});

/** A reader of Markdown: what it shows of a cell, or why it would not show it as a text. */
const shown = (cell: string): string => {
  if (/[|`<>\n\r]|\p{Cc}/u.test(cell)) {
    return 'it is more than a text';
  }
  return cell.replace(/&#(\d+);|&|\\([!-/:-@[-`{-~])|([*_[\]~!#@\\])/g, (all, code?: string, escaped?: string) =>
    code === undefined ? (escaped ?? `not escaped: ${all}`) : String.fromCodePoint(Number(code)),
  );
};

test('whatever others wrote is shown as they wrote it, on one line', () => {
  const hostile = fc.constantFrom(
    '|',
    '`',
    '\\',
    '<',
    '>',
    '&',
    '&#124;',
    '\n',
    '\u001b',
    '**',
    '_',
    '[',
    ']',
    '://',
    'www.',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, anyCharacter), {maxLength: 30}), parts => {
      const text = parts.join('');
      expect(shown(markdownCell(text))).toBe(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim());
    }),
  );
});
