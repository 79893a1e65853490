import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {executable} from '../support/built-program.ts';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';

let program: PtyProgram | undefined;
afterEach(async () => {
  await program?.close();
  program = undefined;
});

const steppedClock = join(import.meta.dirname, 'fixtures/stepped-clock.ts');

const linesOf = (rows: readonly string[]): readonly string[] =>
  rows.slice(2, -2).filter(row => /^ [✗! ] \d\d:\d\d/.test(row));

/** What the status line says of each fault, in the order in which they come, and the word in the header. */
const faults: readonly (readonly [said: string, word: RegExp])[] = [
  ['answered 500 (Internal Server Error)', /failing since/],
  ['answered 503 (Service Unavailable)', /failing since/],
  ['received too many requests (429)', /failing since/],
  ['token rejected (401', /signed out/],
  ['answered with an HTML page', /failing since/],
  ['is not JSON at byte', /failing since/],
  ['was cut short', /failing since/],
];

// The executable ignores NODE_OPTIONS, and with it the clock that this test steps.
const ofPackage = test.skipIf(executable !== undefined);

ofPackage(
  'a service that fails in turns: each fault is told, lines stay, and it is live again after each',
  async () => {
    const demo = startPtyProgram({
      args: ['demo', 'errors'],
      columns: 120,
      rows: 30,
      env: {NODE_OPTIONS: `--import=${steppedClock}`},
    });
    program = demo;
    await demo.waitFor('▸ shop');
    demo.press('Enter');
    await demo.waitFor('● master');
    demo.press('/', 'master');
    await demo.waitFor('/ master█');
    demo.press('Enter');
    const isLive = (rows: readonly string[]): boolean =>
      / (live|slowed to \d+ s) /.test(rows[0] ?? '') && / following/.test(rows.at(-2) ?? '');
    await demo.waitFor(rows => isLive(rows) && linesOf(rows).length > 10, {what: 'a log'});
    for (const [said, word] of faults) {
      demo.signal('SIGUSR1');
      demo.press('r');
      const isTold = (rows: readonly string[]): boolean =>
        rows.at(-2)?.includes(said) === true &&
        /next try at \d\d:\d\d:\d\d|trying now/.test(rows.at(-2) ?? '') &&
        word.test(rows[0] ?? '');
      const failing = await demo.waitFor(isTold, {what: said});
      expect(linesOf(failing).length).toBeGreaterThan(10);
      demo.signal('SIGUSR1');
      demo.press('r');
      const back = await demo.waitFor(isLive, {what: `it to be live again after ${said}`});
      expect(linesOf(back).length).toBeGreaterThan(10);
    }
    demo.press('q');
    expect(await demo.exitCode()).toBe(0);
  },
);
