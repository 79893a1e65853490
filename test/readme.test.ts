import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {renewReadme} from '../scripts/readme-sections.ts';

const readme = readFileSync('README.md', 'utf8');

test('keys, commands, exit codes and scenarios in the README are those of the program (npm run readme writes them)', () => {
  expect(renewReadme(readme)).toBe(readme);
});
