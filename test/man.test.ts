import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {makeManPages} from '../scripts/man-pages.ts';
import {markdownToRoff} from '../scripts/markdown-to-roff.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const pages = makeManPages();

test('the man pages are those of the tables and documents (npm run man writes them), and npm installs them', () => {
  const {man, files} = JSON.parse(read('package.json')) as {man: readonly string[]; files: readonly string[]};
  expect(man).toEqual([...pages.keys()].map(name => `man/${name}`));
  expect(files).toContain('man');
  for (const [name, page] of pages) {
    expect(read(`man/${name}`), name).toBe(page);
  }
});

const hasGroff = spawnSync('groff', ['--version']).error === undefined;

test.skipIf(!hasGroff)('man shows them without a warning', () => {
  for (const page of pages.values()) {
    const {stdout, stderr} = spawnSync('groff', ['-man', '-ww', '-Kutf8', '-Tutf8'], {input: page, encoding: 'utf8'});
    expect(stderr).toBe('');
    expect(stdout.length).toBeGreaterThan(5_000);
  }
});

test.skipIf(!hasGroff)('what a program reads stays as it is: dashes, quotes, backslashes, leading dots', () => {
  const roff = markdownToRoff("Use `--follow` or `'a'`.\n\n```sh\n.dot --x '~' \\n ^`\n```\n");
  const shown = execFileSync('groff', ['-man', '-Kutf8', '-Tutf8', '-P-cbou'], {
    input: `.TH X 1\n${roff}\n`,
    encoding: 'utf8',
  });
  expect(shown).toContain("Use --follow or 'a'.");
  expect(shown).toContain(".dot --x '~' \\n ^`");
});

test('headings, tables, lists and links become requests of the man macros', () => {
  expect(
    markdownToRoff(
      '# Title\n\n## Part\n\n### `x`\n\nSee [the docs](docs/a.md) and [W](https://w.example).\nMore.\n\n| a | b | helps |\n| --- | --- | --- |\n| `k` | means | this |\n\n- one\n  more\n- two\n',
    ),
  ).toBe(
    [
      '.SH Part',
      '.SS \\fBx\\fR',
      '.PP',
      'See the docs and W <https://w.example>. More.',
      '.TP',
      '\\fBk\\fR',
      'means. helps: this.',
      '.IP \\(bu 2',
      'one more',
      '.IP \\(bu 2',
      'two',
    ].join('\n'),
  );
});
