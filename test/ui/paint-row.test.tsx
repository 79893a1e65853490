import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {createFrameFormatter} from '../../src/terminal/screen/frame-change.ts';
import {paintRow} from '../../src/ui/paint-row.ts';
import {ScreenRow} from '../../src/ui/row.tsx';
import {sixteenDarkTheme} from '../../src/ui/theme/theme.ts';
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
