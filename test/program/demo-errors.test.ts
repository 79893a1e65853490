import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';

let program: PtyProgram | undefined;
afterEach(async () => {
  await program?.close();
  program = undefined;
});

const fastClock = join(import.meta.dirname, 'fixtures/fast-clock.ts');

const linesOf = (rows: readonly string[]): readonly string[] =>
  rows.slice(2, -2).filter(row => /^ [✗! ] \d\d:\d\d/.test(row));

test('a service that fails in turns: each fault is told, lines stay meanwhile, and it is live again after each', async () => {
  const demo = startPtyProgram({
    args: ['demo', 'errors'],
    columns: 100,
    rows: 30,
    env: {NODE_OPTIONS: `--import=${fastClock}`},
  });
  program = demo;
  await demo.waitFor('▸ shop');
  demo.press('Enter');
  await demo.waitFor('▸ ● master');
  demo.press('Enter');
  const isLive = (rows: readonly string[]): boolean =>
    / (live|slowed to \d+ s) /.test(rows[0] ?? '') && / following/.test(rows.at(-2) ?? '');
  await demo.waitFor(rows => isLive(rows) && linesOf(rows).length > 10, {what: 'a log'});
  for (const fault of ['answered 500 (Internal Server Error)', 'answered 503 (Service Unavailable)']) {
    const failing = await demo.waitFor(rows => rows.at(-2)?.includes(fault) === true, {
      what: fault,
      deadlineMs: 20_000,
    });
    expect(failing.at(-2)).toMatch(/^ ! 127\.0\.0\.1:\d+ answered 50[03] .*(next try at \d\d:\d\d:\d\d|trying now)/);
    expect(linesOf(failing).length).toBeGreaterThan(10);
    await demo.waitFor(rows => rows[0]?.includes('failing since') === true, {what: 'since when it fails'});
    const back = await demo.waitFor(isLive, {what: 'it to be live again', deadlineMs: 20_000});
    expect(linesOf(back).length).toBeGreaterThan(10);
  }
  demo.press('q');
  expect(await demo.exitCode()).toBe(0);
});
