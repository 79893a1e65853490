/**
 * Runs all benchmarks, each in its own process, one after the other, and prints their results. Run by `npm run bench`.
 */
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {missedWord, readFigure} from './measure.ts';

const benchmarks: readonly (readonly [file: string, ...args: string[]])[] = [
  ['engine.ts'],
  ['memory.ts', '10000'],
  ['memory.ts', '50000'],
  ['flood.ts'],
  ['sanitise.ts'],
  ['search.ts'],
  ['hand-over.ts'],
  ['branch-filter.ts'],
];

/** Prints a benchmark's output. Returns its figures, or a row that says that it failed. */
const run = async ([file, ...args]: (typeof benchmarks)[number]): Promise<readonly string[]> => {
  const name = [file, ...args].join(' ');
  console.log(`\n${name}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const figures: string[] = [];
  for await (const printed of createInterface({input: child.stdout})) {
    const figure = readFigure(printed);
    console.log(figure ?? printed);
    figures.push(...(figure === undefined ? [] : [figure]));
  }
  const code = await ended;
  return code === 0 ? figures : [...figures, `${name} ended with ${code}  ${missedWord}`];
};

const rows: string[] = [];
for (const benchmark of benchmarks) {
  rows.push(...(await run(benchmark)));
}
console.log(`\n${rows.join('\n')}`);
process.exitCode = rows.some(row => row.endsWith(missedWord)) ? 1 : 0;
