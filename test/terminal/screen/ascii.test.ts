import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {toAscii} from '#terminal/screen/ascii.ts';
import {capabilitiesOf, createStage} from '../stage.ts';

test.each([
  [' ▸ ✗ staging  2.8 → 398/min ↑', ' > x staging  2.8 ->398/min ^'],
  ['≥ error  ± 3 lines  \u001b[1m→\u001b[0m', '>=error  +-3 lines  \u001b[1m>\u001b[0m'],
  ['▁▂▃▄▅▆▇█╳▲◆│·', '_-:=+%&#X^*|.'],
  ['── pod web-7… came · “cart” ──', '-- pod web-7~ came . "cart" --'],
  ['plain ASCII, \u001b[1mwith a style\u001b[0m', 'plain ASCII, \u001b[1mwith a style\u001b[0m'],
])('draws %s in ASCII', (text, ascii) => {
  expect(toAscii(text)).toBe(ascii);
});

test('a foreign character keeps its cells, as question marks', () => {
  expect(toAscii('naïve 漢字 🙂 e\u0301 end')).toBe('na?ve ???? ?? e end');
});

/** Texts of others that are looked for in lines, and what is read aloud. */
const foreign = /traces\.ts|read-entry\.ts/;

test('every glyph that the screens draw with has its like in ASCII', () => {
  const root = join(import.meta.dirname, '../../../src');
  const files = globSync('{app,ui,log/words,log/overview}/**/*.{ts,tsx}', {cwd: root}).filter(
    file => !foreign.test(file),
  );
  const code = files
    .map(file => readFileSync(join(root, file), 'utf8').replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, ''))
    .join('');
  const glyphs = [...new Set(code.match(/\P{ASCII}/gu) ?? [])];
  expect(glyphs).toContain('▸');
  expect(glyphs.filter(glyph => toAscii(glyph) === '?')).toEqual([]);
});

test('a terminal without UTF-8 gets no byte above ASCII, in a frame or between two', async () => {
  const {screen, terminal, clock} = createStage(capabilitiesOf({TERM: 'xterm', LC_ALL: 'C'}));
  screen.enter();
  screen.stream.write(' ▸ ✗ naïve…\n漢字 ●');
  screen.writeControl('\u001b]9;shop › master\u0007');
  await clock.moveOn(0);
  await clock.moveOn(0);
  const written = terminal.writes.join('');
  expect(written).toContain('> x na?ve~');
  expect(written).toContain('???? o');
  expect(written).toContain('\u001b]9;shop > master\u0007');
  expect(written).not.toMatch(/\P{ASCII}/u);
});
