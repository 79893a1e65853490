import {existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {renewReadme} from '../scripts/readme-sections.ts';

const readme = readFileSync('README.md', 'utf8');

test('keys, commands, exit codes and scenarios in the README are those of the program (npm run readme writes them)', () => {
  expect(renewReadme(readme)).toBe(readme);
});

test('every npm script that the README names exists', () => {
  const {scripts} = JSON.parse(readFileSync('package.json', 'utf8')) as {scripts: Record<string, string>};
  const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? '');
  expect(named).toContain('demo');
  expect(named.filter(name => !(name in scripts))).toEqual([]);
});

test('every file that the README and the map in src link to exists', () => {
  for (const [path, folder] of [
    ['README.md', '.'],
    ['src/README.md', 'src'],
  ] as const) {
    const links = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => `${folder}/${link}`);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(link => !existsSync(link))).toEqual([]);
  }
});
