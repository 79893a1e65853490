import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {PtyProgram} from '../support/pty-program.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());

const args = ['shop', 'master'];

/** Fifty sizes, the smallest and absurd ones among them, the same in every run. */
const storm: readonly (readonly [columns: number, rows: number])[] = Array.from({length: 50}, (_, index) => {
  switch (index % 10) {
    case 3:
      return [1, 1];
    case 6:
      return [600, 300];
    case 8:
      return [19, 4];
    default:
      return [20 + ((index * 37) % 180), 5 + ((index * 11) % 55)];
  }
});

const lastOf = (program: PtyProgram): (() => boolean) => {
  const before = program.bytesReceived();
  return () => program.bytesReceived() > before;
};

/** The clock of the last poll moves by itself. */
const withoutClock = (rows: readonly string[]): readonly string[] =>
  rows.map(row => row.replace(/(?<=live )14:12:\d\d/, '14:12:ss'));

test('after a storm of sizes the screen is the one that a program started at the last size shows', async () => {
  const fresh = service.open({args, columns: 90, rows: 20});
  const wanted = withoutClock(await fresh.waitFor('14:04:54.118'));
  await fresh.close();
  const program = service.open({args});
  await program.waitFor('14:04:54.118');
  for (const [columns, rows] of storm) {
    program.resize(columns, rows);
  }
  program.resize(90, 20);
  await program.waitFor(rows => withoutClock(rows).join('\n') === wanted.join('\n'), {
    what: 'the screen of a fresh one',
  });
  // A key is answered as ever.
  program.press('g');
  await program.waitFor('paused at 14:00:00');
  await program.close();
});

// Each test returns to 80×24.
describe('one program on a log', () => {
  let program: PtyProgram;
  beforeAll(async () => {
    program = service.open({args});
    await program.waitFor('14:04:54.118');
  });

  test('sizes that come one by one are all drawn, the header first and the keys last', async () => {
    for (const [columns, rows] of [
      [60, 12],
      [200, 50],
      [20, 5],
      [33, 7],
    ] as const) {
      const hasDrawn = lastOf(program);
      program.resize(columns, rows);
      const screen = await program.waitFor(
        lines =>
          hasDrawn() &&
          lines.length === rows &&
          lines[0]?.startsWith(' shop') === true &&
          /\? help/.test(lines[rows - 1] ?? ''),
        {what: `the screen at ${columns}×${rows}`},
      );
      expect(screen[rows - 2]).toBe(' following');
    }
    program.resize(80, 24);
    await program.waitFor('14:04:54.118');
  });

  test('a size that comes and goes before the program looks leaves nothing of itself behind', async () => {
    // Node tells of no resize where the size is again what it was; the terminal has cut its rows all the same.
    const repaints = (): number => program.output().split('\u001b[2J').length;
    const before = repaints();
    program.signal('SIGWINCH');
    await program.waitFor(() => repaints() > before, {what: 'a whole repaint'});
    program.resize(1, 1);
    program.resize(80, 24);
    await program.waitFor(
      rows => rows[0]?.startsWith(' shop › master') === true && rows[21]?.includes('14:04:54') === true,
    );
  });

  test.each([
    [19, 24, 'needs 20×5, is 19×24'],
    [80, 4, 'needs 20×5, is 80×4'],
    [12, 2, 'needs 20×5,'],
    [1, 1, 'n'],
  ])('at %i×%i one line says so, and nothing else is there', async (columns, rows, line) => {
    program.resize(columns, rows);
    const screen = await program.waitFor(
      lines => lines[0]?.startsWith(line.slice(0, columns)) === true && lines.slice(1).join('') === '',
    );
    expect(screen).toHaveLength(rows);
    program.resize(80, 24);
    await program.waitFor('14:04:54.118');
  });

  test('after all of them it ends as ever', async () => {
    program.press('q');
    expect(await program.exitCode()).toBe(0);
  });
});
