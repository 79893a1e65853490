import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {open} from 'node:fs/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import {follow, numbered, range} from '../follow-log.ts';

const banner = Array.from({length: 20}, (_, index) => `banner ${index} ${'='.repeat(40)}\n`).join('');

test('reads at once what a program writes after the same beginning', async () => {
  const log = await follow(`${banner}${numbered(0, 600)}`);
  writeFileSync(log.path, `${banner}${numbered(600, 1000)}`);
  expect((await log.lookAgain()).toSorted((a, b) => a - b).slice(-400)).toEqual(range(600, 1000));
  expect(await log.losses()).toHaveLength(1);
});

test.each([
  ['shorter than before', 40],
  ['longer than before', 400],
])('reads what follows the part that was left of a file, %s', async (_name, more) => {
  const log = await follow(numbered(0, 200));
  truncateSync(log.path, Buffer.byteLength(numbered(0, 100)));
  log.append(numbered(200, 200 + more));
  expect(await log.lookAgain()).toEqual(range(0, 200 + more));
  log.append(numbered(200 + more, 210 + more));
  expect(await log.look()).toEqual(range(0, 210 + more));
  expect(await log.losses()).toHaveLength(1);
});

test('shows nothing twice of a file with many lines that was cut to a part of them', async () => {
  const log = await follow(numbered(0, 9000), {windowLines: 10_000});
  truncateSync(log.path, Buffer.byteLength(numbered(0, 1001)));
  log.append(numbered(9000, 9100));
  const seen = await log.lookAgain();
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.at(-1)).toBe(9099);
  expect(await log.losses()).toHaveLength(1);
});

const edits: readonly (readonly [string, (lines: readonly string[]) => readonly string[]])[] = [
  ['first line deleted', lines => lines.slice(1)],
  ['lines deleted everywhere', lines => lines.filter((_line, index) => index % 3 !== 1)],
  ['last line changed', lines => [...lines.slice(0, -1), 'line 349 changed']],
  ['only the tail', lines => lines.slice(-100)],
];

test.each(edits)('goes on after the last lines of an edited file, in place: %s', async (_name, edit) => {
  const log = await follow(numbered(0, 350));
  const lines = readFileSync(log.path, 'utf8').split('\n').slice(0, -1);
  writeFileSync(log.path, `${edit(lines).join('\n')}\n`);
  const once = [...new Set(await log.lookAgain())];
  expect(once).toEqual(range(0, 350));
  log.append(numbered(350, 360));
  const seen = await log.look();
  expect(seen.length).toBeLessThanOrEqual(361);
  expect([...new Set(seen)]).toEqual(range(0, 360));
  expect(await log.losses()).toEqual([]);
});

test.each(edits)('goes on after the last lines of an edited file, as sed -i does it: %s', async (_name, edit) => {
  for (const backup of [undefined, 'a.log.bak']) {
    const log = await follow(numbered(0, 350));
    const lines = readFileSync(log.path, 'utf8').split('\n').slice(0, -1);
    writeFileSync(log.beside('sedX'), `${edit(lines).join('\n')}\n`);
    if (backup) {
      renameSync(log.path, log.beside(backup));
    }
    renameSync(log.beside('sedX'), log.path);
    log.append(numbered(350, 360));
    const seen = await log.look();
    expect(seen.length).toBeLessThanOrEqual(361);
    expect([...new Set(seen)]).toEqual(range(0, 360));
    expect(log.warnings).toEqual([]);
  }
});

test.each([1, 2])(
  'goes on after the only lines of a log of %i, which an editor saves while its backup is there',
  async count => {
    const log = await follow(numbered(0, count));
    renameSync(log.path, log.beside('a.log~'));
    writeFileSync(log.path, numbered(0, count + 1));
    expect(await log.look()).toEqual(range(0, count + 1));
    expect(log.warnings).toEqual([]);
  },
);

test('reads a log of one line again that a program begins like the one that was moved away', async () => {
  const log = await follow('line 0 started\n');
  renameSync(log.path, log.beside('a.log.bak'));
  writeFileSync(log.path, 'line 0 started\nline 1\n');
  expect(await log.look()).toEqual([0, 0, 1]);
});

test('goes on in a file whose front became a hole', async () => {
  const log = await follow(numbered(0, 382));
  const file = openSync(log.path, 'r+');
  writeSync(file, Buffer.alloc(4096), 0, 4096, 0);
  closeSync(file);
  log.append(numbered(382, 390));
  expect(await log.look()).toEqual(range(0, 390));
  expect(await log.losses()).toEqual([]);
});

test('reads a new log whole that begins like the rotated one', async () => {
  const log = await follow(`${banner}${numbered(0, 200)}`);
  copyFileSync(log.path, log.beside('a.log.1'));
  writeFileSync(log.path, `${banner}${numbered(200, 250)}`);
  expect(await log.look()).toEqual(range(0, 250));
  expect(await log.losses()).toEqual([]);
});

test('reads nothing again after read errors, whenever they come', async () => {
  const log = await follow(numbered(0, 5));
  const probe = await open(log.path);
  const read = vi.spyOn(Object.getPrototypeOf(probe), 'read');
  await probe.close();
  onTestFinished(() => read.mockRestore());
  log.append(numbered(5, 7));
  const fault = Object.assign(new Error('stale'), {code: 'ESTALE'});
  // The first ends the reading, the second comes while the file is opened again.
  read.mockRejectedValueOnce(fault).mockRejectedValueOnce(fault);
  await log.look();
  await log.look();
  expect(await log.look()).toEqual(range(0, 7));
});
