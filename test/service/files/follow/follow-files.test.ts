import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {waitFor} from '../../../support/wait-for.ts';
import {createLogFolder, readLines, readTexts, waitForTexts} from '../pod-backend.ts';

const handlesMem = (fd: string): boolean => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).endsWith('/mem');
  } catch {
    return false;
  }
};

/** Numbered lines with enough in them to be told apart by their first bytes. */
const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `line ${from + index} ${'.'.repeat(40)}\n`).join('');

const numbersOf = (texts: readonly string[]): readonly number[] => texts.map(text => Number(text.split(' ')[1]));

const range = (from: number, to: number): readonly number[] =>
  Array.from({length: to - from}, (_, index) => from + index);

test('answers with lines that were written just before the request', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'one\n');
  const backend = await folder.open({web: ['a.log']});
  expect(await readTexts(backend)).toEqual(['one']);
  folder.append('a.log', 'two\nthr');
  expect(await readTexts(backend)).toEqual(['one', 'two']);
  folder.append('a.log', 'ee\n');
  expect(await readTexts(backend)).toEqual(['one', 'two', 'three']);
});

test('stamps lines with strictly rising nanoseconds even while the clock stands still', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'one\ntwo\n');
  folder.append('b.log', 'three\n');
  const backend = await folder.open({web: ['a.log'], php: ['b.log']});
  expect(await readLines(backend)).toEqual([
    '2025-01-01T00:00:00.000000000Z one',
    '2025-01-01T00:00:00.000000001Z two',
    '2025-01-01T00:00:00.000000002Z three',
  ]);
});

test('merges container lines of several pods by their own timestamps', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '2024-01-01T00:00:01Z stdout F a1\n2024-01-01T00:00:03Z stdout P a\n');
  folder.append('b.log', '2024-01-01T00:00:02Z stderr F b1\n');
  const backend = await folder.open({web: ['a.log'], php: ['b.log']});
  folder.append('a.log', '2024-01-01T00:00:04Z stdout F 2\n');
  expect(await readLines(backend)).toEqual([
    '2024-01-01T00:00:01.000000000Z a1',
    '2024-01-01T00:00:02.000000000Z b1',
    '2024-01-01T00:00:03.000000000Z a2',
  ]);
});

test('reads only the last window of a file at the first start, however large it is', async () => {
  const folder = createLogFolder();
  const path = join(folder.path, 'log', 'a.log');
  writeFileSync(path, '');
  truncateSync(path, 10 * 1024 ** 3);
  folder.append('a.log', `\n${numbered(0, 50)}`);
  const backend = await folder.open({web: ['a.log']}, {windowLines: 20});
  expect(numbersOf(await readTexts(backend))).toEqual(range(30, 50));
});

test('reads the whole first window at the start: the newest lines by time, however many there are', async () => {
  const folder = createLogFolder();
  const timed = (hour: number, from: number, to: number): string =>
    range(from, to)
      .map(number => `2024-12-31T${hour}:00:00Z line ${number} ${'x'.repeat(500)}\n`)
      .join('');
  folder.append('a.log', timed(20, 0, 8_000));
  folder.append('b.log', timed(10, 8_000, 8_100));
  const backend = await folder.open({web: ['a.log'], php: ['b.log']}, {windowLines: 8_000});
  const numbers = (await readTexts(backend)).map(text => Number(text.split(' ')[2]));
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([8_000, 0, 7_999]);
});

test('shares the first window among the pods', async () => {
  const folder = createLogFolder();
  folder.append('a.log', numbered(0, 50));
  folder.append('b.log', numbered(100, 150));
  const backend = await folder.open({web: ['a.log'], php: ['b.log']}, {windowLines: 10});
  expect(numbersOf(await readTexts(backend))).toEqual([...range(45, 50), ...range(145, 150)]);
});

test('gives each pod a window of its own where asked to', async () => {
  const folder = createLogFolder();
  folder.append('a.log', numbered(0, 50));
  folder.append('b.log', numbered(100, 103));
  const backend = await folder.open({web: ['a.log'], php: ['b.log']}, {windowLines: 5, windowPerPod: true});
  expect(numbersOf(await readTexts(backend))).toEqual([...range(45, 50), ...range(100, 103)]);
});

test.each(['a.log', 'a.log*'])(
  'follows a rotation by rename and late lines in the old file, with %s',
  async pattern => {
    const folder = createLogFolder();
    folder.append('a.log', numbered(0, 10));
    const backend = await folder.open({web: [pattern]});
    renameSync(join(folder.path, 'log/a.log'), join(folder.path, 'log/a.log.1'));
    folder.append('a.log.1', numbered(10, 15));
    folder.append('a.log', numbered(100, 105));
    await waitForTexts(backend, 20);
    folder.append('a.log.1', numbered(15, 20));
    const numbers = numbersOf(await waitForTexts(backend, 25));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([...range(0, 20), ...range(100, 105)]);
  },
);

test('gives out the last line of a rotated file without its newline once the file was let go', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'one\nlast');
  const backend = await folder.open({web: ['a.log']}, {rotationGraceMs: 20});
  renameSync(join(folder.path, 'log/a.log'), join(folder.path, 'log/gone'));
  expect(await waitForTexts(backend, 2)).toEqual(['one', 'last']);
});

test('knows a file again that was moved away, let go, and moved back', async () => {
  const folder = createLogFolder();
  folder.append('a.log', numbered(0, 10));
  const backend = await folder.open({web: ['a.log']}, {rotationGraceMs: 1});
  renameSync(join(folder.path, 'log/a.log'), join(folder.path, 'log/gone'));
  folder.append('b.marker', '');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning about the missing file'});
  for (let look = 0; look < 20; look += 1) {
    await readTexts(backend);
  }
  folder.append('gone', numbered(10, 12));
  renameSync(join(folder.path, 'log/gone'), join(folder.path, 'log/a.log'));
  expect(numbersOf(await waitForTexts(backend, 12))).toEqual(range(0, 12));
});

test.each(['a.log', 'a.log*'])(
  'follows copy-and-truncate, reading from the copy what came just before, with %s',
  async pattern => {
    const folder = createLogFolder();
    const [path, copy] = [join(folder.path, 'log/a.log'), join(folder.path, 'log/a.log.1')];
    folder.append('a.log', numbered(0, 30));
    const backend = await folder.open({web: [pattern]}, {pollIntervalMs: 60_000});
    folder.append('a.log', numbered(30, 40));
    copyFileSync(path, copy);
    truncateSync(path, 0);
    folder.append('a.log', numbered(100, 105));
    expect(numbersOf(await readTexts(backend))).toEqual([...range(0, 40), ...range(100, 105)]);
    folder.append('a.log', numbered(105, 107));
    expect(numbersOf(await readTexts(backend))).toEqual([...range(0, 40), ...range(100, 107)]);
  },
);

test('does not double the lines of a copy that is made slowly, piece by piece', async () => {
  const folder = createLogFolder();
  folder.append('a.log', numbered(0, 30));
  let nowMs = 0;
  const backend = await folder.open({web: ['a.log*']}, {monotonicMs: () => nowMs, pollIntervalMs: 1_000});
  const text = numbered(0, 30);
  const fd = openSync(join(folder.path, 'log/a.log.1'), 'w');
  for (let at = 0; at < text.length; at += 500) {
    writeSync(fd, text.slice(at, at + 500));
    // Time for the next look at the folder.
    nowMs += 1_000;
    await readTexts(backend);
  }
  closeSync(fd);
  truncateSync(join(folder.path, 'log/a.log'), 0);
  folder.append('a.log', numbered(30, 33));
  expect(numbersOf(await waitForTexts(backend, 33))).toEqual(range(0, 33));
});

test('reads a new file that only begins like another one', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'started\n');
  const backend = await folder.open({web: ['a*.log']});
  folder.append('a2.log', 'started\nsomething else\n');
  expect(await waitForTexts(backend, 3)).toEqual(['started', 'started', 'something else']);
});

test('notices a truncated file that has grown past the old position between two looks', async () => {
  const folder = createLogFolder();
  folder.append('a.log', numbered(0, 10));
  const backend = await folder.open({web: ['a.log']});
  writeFileSync(join(folder.path, 'log/a.log'), numbered(200, 240));
  expect(numbersOf(await readTexts(backend))).toEqual([...range(0, 10), ...range(200, 240)]);
});

test('notices it where the file begins as before', async () => {
  const folder = createLogFolder();
  const banner = `banner ${'='.repeat(600)}\n`;
  folder.append('a.log', `${banner}${numbered(0, 10)}`);
  const backend = await folder.open({web: ['a.log']});
  writeFileSync(join(folder.path, 'log/a.log'), `${banner}${numbered(200, 240)}`);
  expect(await readTexts(backend)).toHaveLength(11 + 40);
});

test('notices it where the same bytes stand before the old position', async () => {
  const folder = createLogFolder();
  const tail = `${'='.repeat(99)}\n`.repeat(10);
  folder.append('a.log', `first\n${tail}`);
  const backend = await folder.open({web: ['a.log']});
  writeFileSync(join(folder.path, 'log/a.log'), `other\n${tail}last\n`);
  expect(await readTexts(backend)).toHaveLength(11 + 12);
});

test('passes over the hole that a writer leaves which does not append', async () => {
  const folder = createLogFolder();
  const path = join(folder.path, 'log/a.log');
  folder.append('a.log', numbered(0, 10));
  const backend = await folder.open({web: ['a.log']});
  const fd = openSync(path, 'r+');
  truncateSync(path, 0);
  writeSync(fd, 'after the hole\n', 50_000_000);
  closeSync(fd);
  expect((await waitForTexts(backend, 11)).at(-1)).toBe('after the hole');
});

test('a replaced file with a terabyte unread holds up neither its successor nor the end of the service', async () => {
  const folder = createLogFolder();
  const path = join(folder.path, 'log/a.log');
  folder.append('a.log', numbered(0, 10));
  const backend = await folder.open({web: ['a.log']});
  expect(await readTexts(backend)).toHaveLength(10);
  const fd = openSync(path, 'r+');
  writeSync(fd, numbered(10, 1100), 2 ** 40);
  closeSync(fd);
  renameSync(path, join(folder.path, 'log/a.log.1'));
  folder.append('a.log', 'first of the next\n');
  await waitFor(async () => (await readTexts(backend)).includes('first of the next'), {what: 'the next file'});
});

test.skipIf(!existsSync('/proc/self/mem'))('a file that cannot be read holds up no other, and is closed', async () => {
  const folder = createLogFolder();
  folder.append('a.log', 'a\n');
  const backend = await folder.open({web: ['*.log']});
  expect(await readTexts(backend)).toEqual(['a']);
  // A regular file whose reading fails, like one on a damaged disk.
  symlinkSync('/proc/self/mem', join(folder.path, 'log/bad.log'));
  const openHandles = () => readdirSync('/proc/self/fd').filter(fd => handlesMem(fd)).length;
  await waitFor(async () => (await readTexts(backend)) && folder.warnings.length > 0, {what: 'a warning'});
  folder.append('b.log', 'b\n');
  expect(await waitForTexts(backend, 2)).toEqual(['a', 'b']);
  await backend.close();
  expect(openHandles()).toBe(0);
});

test('reads files that appear later from their start, and warns once of those that are missing', async () => {
  const folder = createLogFolder();
  const backend = await folder.open({web: ['later/*.log', 'none.log']});
  await readTexts(backend);
  mkdirSync(join(folder.path, 'log/later'));
  folder.append('later/x.log', 'first\nsecond\n');
  expect(await waitForTexts(backend, 2)).toEqual(['first', 'second']);
  rmSync(join(folder.path, 'log/later'), {recursive: true});
  await readTexts(backend);
  expect(folder.warnings.toSorted()).toEqual([
    `${join(folder.path, 'log/later/*.log')} is missing: pod web is served without it until it appears.`,
    `${join(folder.path, 'log/none.log')} is missing: pod web is served without it until it appears.`,
  ]);
});
