import {globSync, readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {expect, test} from 'vitest';
import {type Follow, followLine, followNothing} from '../../../src/log/level/continuation.ts';
import {levelOf} from '../../../src/log/level/level.ts';

type Line = readonly [letter: string, text: string];

/**
 * Each line of a sample begins with the first letter of its level, `-` if it has none, or `|` if it continues the line
 * above it.
 */
const readSample = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => [line.slice(0, 1), line.slice(2)]);

const paths = globSync('test/log/level/samples/*.log').sort();
const samples = paths.map(path => [basename(path, '.log'), readSample(path)] as const);

test.each(samples)('every line of %s has its level', (_, lines) => {
  let follow: Follow = followNothing;
  const found = lines.map(([, text]) => {
    follow = followLine(follow, text);
    const level = levelOf(text);
    return [follow.isContinuation ? '|' : level === 'none' ? '-' : level.slice(0, 1), text];
  });
  expect(found).toEqual(lines);
});

test('docs/levels.md tells what the samples hold, and lnav finds no more of it', () => {
  const count = (lines: readonly Line[], letters: string): number =>
    lines.filter(([letter]) => letters.includes(letter)).length;
  const rows = [
    ...readFileSync('docs/levels.md', 'utf8').matchAll(/^\| \[([\w-]+)\]\S+ \| (.*) \| (\d+) \| (\d+) \|$/gm),
  ];
  expect(rows.map(([, name, counts]) => [name, counts])).toEqual(
    samples.map(([name, lines]) => {
      const [errors, warnings] = [count(lines, 'ef'), count(lines, 'w')];
      return [name, `${errors} of ${errors} | ${warnings} of ${warnings}`];
    }),
  );
  for (const [index, [, name, , errors, warnings]] of rows.entries()) {
    const lines = samples[index]?.[1] ?? [];
    expect([name, Number(errors) <= count(lines, 'ef') && Number(warnings) <= count(lines, 'w')]).toEqual([name, true]);
  }
});
