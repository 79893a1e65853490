import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {lightRow, span, type Tone} from '#app/rows/view-row.ts';
import {createFrameFormatter} from '#terminal/screen/frame-change.ts';
import {ScreenRow} from '#ui/app.tsx';
import {paintRow} from '#ui/paint-screen.ts';
import {darkTheme, plainTheme, sixteenDarkTheme} from '#ui/theme.ts';
import {capabilitiesOf} from '../terminal/stage.ts';

const address = 'https://console.example.com/site/1?branch=2';

const written = (row: string, term = 'xterm-256color'): string =>
  createFrameFormatter(capabilitiesOf({TERM: term}))(undefined, [row], {columns: 40, rows: 1}).bytes;

test('a link reaches the terminal past Ink and through it', () => {
  const row = paintRow(
    [
      {text: 'see ', tone: 'plain'},
      {text: 'page', tone: 'accent', link: address},
    ],
    sixteenDarkTheme,
  );
  const link = `\u001b[36m\u001b]8;;${address}\u001b\\page\u001b[m\u001b]8;;\u001b\\`;
  expect(written(row)).toContain(link);
  const {lastFrame, unmount} = render(<ScreenRow painted={row} />);
  expect(written(lastFrame() ?? '')).toContain(link);
  unmount();
  expect(written(row, 'linux')).not.toContain('console.example.com');
});

test.each([
  'http://example.com/',
  'https://example.com/a b',
  'https://example.com/\u001b[2J',
  'https://example.com/\u0007',
  'https://exämple.com/',
  `https://example.com/${'a'.repeat(2000)}`,
  'javascript:alert(1)',
  '',
])('draws the words alone where the address is %j', link => {
  expect(paintRow([{text: 'page', tone: 'plain', link}], sixteenDarkTheme)).toBe('page');
});

test('a word on a background leaves the blanks beside it plain, and a hit of blanks is seen', () => {
  expect(paintRow([{text: '  FAILED ', tone: 'bad'}], sixteenDarkTheme)).toBe('  \u001b[1;97;41mFAILED\u001b[0m ');
  expect(paintRow([{text: '  ', tone: 'hit'}], sixteenDarkTheme)).toBe('\u001b[30;43m  \u001b[0m');
});

test('in a reversed row a word on a background keeps it to itself', () => {
  expect(paintRow(lightRow([span(' FAILED ', 'bad')]), sixteenDarkTheme)).toBe(
    '\u001b[7m \u001b[0m\u001b[1;97;41mFAILED\u001b[0m\u001b[7m \u001b[0m',
  );
});

test.each([
  ['a tinted ground under its own colour', darkTheme, 'bad', '48;5;237;38;5;210'],
  ['a tinted ground alone', darkTheme, 'plain', '48;5;237'],
  ['the ground of a search hit over that of the row', darkTheme, 'hit', '48;5;237;38;5;234;48;5;222'],
  ['reversed, for what is read by the palette of the terminal', sixteenDarkTheme, 'busy', '7'],
  ['a search hit as it is, where the row is reversed', sixteenDarkTheme, 'hit', '30;43'],
  ['reversed, without colour', plainTheme, 'plain', '7'],
  ['reversed and bold, without colour', plainTheme, 'bad', '7;1'],
  ['reversed and nothing fainter', plainTheme, 'dim', '7'],
] as const)('in a highlighted row a text has %s', (_what, theme, tone: Tone, parameters) => {
  expect(paintRow(lightRow([span('text', tone)]), theme)).toBe(`\u001b[${parameters}mtext\u001b[0m`);
});

test('moving the highlight writes the two rows that change and no others', () => {
  const rows = (highlighted: number): readonly string[] =>
    ['one', 'two', 'three'].map((name, index) => {
      const row = [span(name.padEnd(10))];
      return paintRow(index === highlighted ? lightRow(row) : row, darkTheme);
    });
  const format = createFrameFormatter(capabilitiesOf({TERM: 'xterm-256color'}));
  const {shown} = format(undefined, rows(0), {columns: 10, rows: 3});
  const {bytes} = format(shown, rows(1), {columns: 10, rows: 3});
  expect(bytes).toBe('\u001b[1Hone\u001b[K\u001b[2H\u001b[48;5;237mtwo       \u001b[m');
});
