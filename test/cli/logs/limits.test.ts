import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {createLineBudget} from '#cli/logs/line-budget.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

/** An hour of requests, one a second; three kinds of lines, the rarest first and last in the middle. */
const texts = Array.from({length: 3600}, (_, second) => {
  if (second === 1800) {
    return 'level=fatal msg="disk full" free=0';
  }
  return second > 1700 && second % 9 === 0
    ? `level=error msg="quote failed" order=${second}`
    : `level=info msg="order stored" order=${second}`;
});
const stampOf = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString();

const run = async (...flags: readonly string[]) => {
  const folder = createTempFolder('limits');
  onTestFinished(folder.remove);
  const path = join(folder.path, 'app.log');
  writeFileSync(path, texts.map((text, second) => `${stampOf(second)} ${text}\n`).join(''));
  const [command = '', ...rest] = flags;
  const {code, stdout, stderr} = await runCommand([command, path, ...rest], {homeFolder: folder.path});
  const rows = stdout.trimEnd().split('\n');
  return {code, stderr, rows, bytes: Buffer.byteLength(stdout)};
};

test('within --max-bytes one line of each kind tells how many there are, then come errors and the newest; counts are those of the whole log', async () => {
  const {code, rows, bytes} = await run('open', '--format', 'json', '--max-bytes', '2k');
  expect(code).toBe(0);
  expect(bytes).toBeLessThanOrEqual(2048);
  const records = rows.map(row => JSON.parse(row));
  expect(records.filter(({like}) => like).map(({text, like, until}) => [text.slice(25), like, until])).toEqual([
    ['level=info msg="order stored" order=0', 3389, '2026-11-21T14:59:59.000000000Z'],
    ['level=error msg="quote failed" order=1701', 210, '2026-11-21T14:59:51.000000000Z'],
  ]);
  expect(records.map(({text = ''}) => text.slice(25)).filter(text => text.includes('disk full'))).toHaveLength(1);
  expect(records.at(-2).text).toBe(`${stampOf(3599)} level=info msg="order stored" order=3599`);
  const printed = records.length - 1;
  expect(records.at(-1)).toMatchObject({
    ...{kind: 'end', reason: 'done', lines: 3600, gaps: 0},
    leftOut: {lines: 3600 - printed, markers: 0, kinds: 0},
  });
});

test('--max-lines counts rows, the end record among them; text says on stderr what was left out', async () => {
  const json = await run('open', '--format', 'json', '--max-lines', '6');
  expect(json.rows).toHaveLength(6);
  const text = await run('open', '--max-lines', '6');
  expect(text.rows).toHaveLength(6);
  expect(text.rows[0]).toBe(
    `${stampOf(0)} level=info msg="order stored" order=0 [3389 like it until 2026-11-21T14:59:59.000000000Z]`,
  );
  expect(text.stderr).toBe('branchlog: left out 3,594 lines of 3600, by --max-bytes or --max-lines\n');
});

test('what fits is printed as without a limit', async () => {
  const {rows, stderr} = await run('open', '--level', 'fatal', '--max-bytes', '1000');
  expect({rows, stderr}).toEqual({rows: [`${stampOf(1800)} level=fatal msg="disk full" free=0`], stderr: ''});
});

test('an incident keeps its verdict and its first findings, and counts the others', async () => {
  const {code, rows, bytes} = await run('incident', '--format', 'json', '--max-lines', '3');
  expect([code, rows.length, bytes > 0]).toEqual([0, 3, true]);
  const [verdict, finding, end] = rows.map(row => JSON.parse(row));
  expect([verdict.kind, finding.kind]).toEqual(['verdict', 'finding']);
  expect(end).toEqual({kind: 'end', findings: expect.any(Number), leftOut: end.findings - 1});
});

test.each([
  [['logs', '--max-bytes', '12'], '--max-bytes: expected a number of at least 1000, such as 8000 or 8k, got "12"'],
  [['open', '--max-lines', 'few'], '--max-lines: expected a number of at least 1, such as 8000 or 8k, got "few"'],
])('%j is refused', async ([command = '', ...flags], message) => {
  const words = command === 'logs' ? ['main'] : [];
  const {code, stderr} = await run(command, ...words, ...flags);
  expect({code, stderr}).toEqual({code: 2, stderr: `branchlog: ${message}\n`});
});

test('a log that is followed for good has no end at which to select', async () => {
  const {code, stderr} = await run('open', '--follow', '--max-bytes', '8k');
  expect({code, stderr}).toEqual({
    code: 2,
    stderr:
      'branchlog: --max-bytes and --max-lines select of all that came: with --follow, add --duration TIME or --until REGEX\n',
  });
});

test('whatever comes, a selection fits its limits, is in order, and counts what it leaves out', () => {
  const word = fc.constantFrom('a', 'b 1', 'b 2', 'ERROR c 7', 'ERROR c 8', 'ERROR d', 'WARN é'.repeat(30));
  fc.assert(
    fc.property(
      fc.array(fc.oneof({weight: 9, arbitrary: word}, {weight: 1, arbitrary: fc.constant(undefined)})),
      fc.integer({min: 1, max: 2000}),
      fc.integer({min: 1, max: 60}),
      (offered, bytesMax, rowsMax) => {
        const limits = {bytesMax, rowsMax};
        const budget = createLineBudget(limits);
        for (const [index, text] of offered.entries()) {
          const at = BigInt(index);
          const line =
            text === undefined
              ? undefined
              : ({kind: 'line', id: index, at, raw: text, textIndex: 0, late: false} as const);
          budget.offer({
            line,
            text: text ?? 'gap',
            format: alike => `${index} ${text ?? 'gap'}${alike ? ` x${alike.like}` : ''}`,
          });
        }
        const {rows, leftOut} = budget.select(limits);
        const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0);
        expect(bytes).toBeLessThanOrEqual(bytesMax);
        expect(rows.length).toBeLessThanOrEqual(rowsMax);
        const order = rows.map(row => Number(row.split(' ')[0]));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(new Set(order).size).toBe(order.length);
        expect(rows.length + leftOut.lines + leftOut.markers).toBe(offered.length);
        const isAll = offered.every((text, index) => rows[index] === `${index} ${text ?? 'gap'}`);
        const allBytes = offered.reduce(
          (sum, text, index) => sum + Buffer.byteLength(`${index} ${text ?? 'gap'}`) + 1,
          0,
        );
        expect(isAll).toBe(allBytes <= bytesMax && offered.length <= rowsMax);
      },
    ),
  );
});

test('lines that differ only in a level that is a number are of different kinds', () => {
  const budget = createLineBudget({bytesMax: 70, rowsMax: undefined});
  for (let id = 0; id < 40; id += 1) {
    const raw = `{"level":${id === 20 ? 50 : 30},"msg":"quote"}`;
    const line = {kind: 'line', id, at: BigInt(id), raw, textIndex: 0, late: false} as const;
    budget.offer({line, text: raw, format: alike => `${id} ${raw}${alike ? ` x${alike.like}` : ''}`});
  }
  expect(budget.select().rows).toEqual(['20 {"level":50,"msg":"quote"}', '39 {"level":30,"msg":"quote"}']);
});
