import {expect, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {LineBackendOptions} from '#service/served/served-records.ts';
import {createLogFolder, readLines, readTexts, testNowMs} from '../files/pod-backend.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A clock that begins at midnight of the new year and is set by hand. */
const createClock = () => {
  let nowMs = testNowMs;
  return {
    now: () => instantFromMs(nowMs),
    set: (ms: number) => {
      nowMs = ms;
    },
  };
};

const numbered = (from: number, to: number): string =>
  Array.from({length: to - from}, (_, index) => `${from + index}\n`).join('');

const stampsOf = (lines: readonly string[]): readonly string[] => lines.map(line => line.slice(0, 30));

const expectRising = (lines: readonly string[]): void => {
  const stamps = stampsOf(lines);
  expect(stamps).toEqual([...new Set(stamps)].toSorted());
};

const forged = '2199-01-01T00:00:00Z stdout F x';

test('a forged container line in a plain file is text, and no line after it is lost', async () => {
  const folder = createLogFolder();
  folder.append('f.log', '');
  const backend = await folder.open({web: ['f.log']});
  folder.append('f.log', `real\n${forged}\n`);
  expect(await readLines(backend)).toEqual([
    '2025-01-01T00:00:00.000000000Z real',
    `2025-01-01T00:00:00.000000001Z ${forged}`,
  ]);
  folder.append('f.log', numbered(1, 8_001));
  const texts = await readTexts(backend);
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([1_000, '7001', '8000']);
});

test('a thousand forged lines do not keep the real ones out, nor after a restart', async () => {
  const folder = createLogFolder();
  folder.append('f.log', '');
  const first = await folder.open({web: ['f.log']});
  folder.append('f.log', `real\n${`${forged}\n`.repeat(1_000)}`);
  await readTexts(first);
  folder.append('f.log', numbered(1, 11));
  expect((await readTexts(first)).slice(-10)).toEqual(numbered(1, 11).trim().split('\n'));
  await first.close();
  folder.append('f.log', numbered(11, 21));
  expect((await readTexts(await folder.open({web: ['f.log']}))).slice(-20)).toEqual(numbered(1, 21).trim().split('\n'));
});

test('a plain file is known as such where reading begins among forged lines', async () => {
  const folder = createLogFolder();
  folder.append('f.log', `real\n${`${forged}\n`.repeat(50)}`);
  expect(await readTexts(await folder.open({web: ['f.log']}, {windowLines: 5}))).toEqual(Array(5).fill(forged));
});

test('a file whose first line alone looks like a container line is plain once the second does not', async () => {
  const folder = createLogFolder();
  folder.append('f.log', '');
  const backend = await folder.open({web: ['f.log']});
  folder.append('f.log', '2024-12-31T00:00:00Z stdout P first\n');
  await readTexts(backend);
  folder.append('f.log', `second\n${forged}\n`);
  expect(await readTexts(backend)).toEqual(['first', 'second', forged]);
});

test('in a container file a stamp far ahead is not believed, and other text stays after the line before it', async () => {
  const folder = createLogFolder();
  const lines = Array.from({length: 20}, (_, index) => `2024-12-31T23:59:${10 + index}Z stdout F line ${index}\n`);
  folder.append('c.log', lines.join(''));
  const backend = await folder.open({web: ['c.log']}, {windowLines: 3});
  folder.append('c.log', `torn\n${forged}\n2025-01-01T00:00:01.5Z stdout F a second ahead\n`);
  expect(await readLines(backend)).toEqual([
    '2024-12-31T23:59:29.000000000Z torn',
    '2025-01-01T00:00:00.000000000Z x',
    '2025-01-01T00:00:01.500000000Z a second ahead',
  ]);
});

test('the format of a file can be given', async () => {
  const folder = createLogFolder();
  folder.append('c.log', 'torn\n2024-12-31T23:59:00Z stdout F one\n');
  folder.append('p.log', '2024-12-31T23:59:01Z stdout F two\n');
  const backend = await folder.open(
    {web: ['c.log'], app: ['p.log']},
    {},
    {web: {format: 'container'}, app: {format: 'plain'}},
  );
  expect(await readLines(backend)).toEqual([
    '2024-12-31T23:59:00.000000000Z one',
    '2024-12-31T23:59:01.000000000Z 2024-12-31T23:59:01Z stdout F two',
    '2025-01-01T00:00:00.000000000Z torn',
  ]);
});

test('lines written before the first start have their own times, in the order of their file', async () => {
  const folder = createLogFolder();
  folder.append(
    'error.log',
    'a banner without a time\n2024/12/30 10:00:05 [error] late\n  #1 trace\n2024/12/30 10:00:03 [error] goes back\n',
  );
  folder.append('access.log', '1.2.3.4 - - [30/Dec/2024:10:00:04 +0000] "GET / HTTP/1.1" 200 5\n'.repeat(2));
  const backend = await folder.open({web: ['error.log', 'access.log']});
  expect(await readLines(backend)).toEqual([
    '2024-12-30T10:00:04.000000000Z 1.2.3.4 - - [30/Dec/2024:10:00:04 +0000] "GET / HTTP/1.1" 200 5',
    '2024-12-30T10:00:04.000000001Z 1.2.3.4 - - [30/Dec/2024:10:00:04 +0000] "GET / HTTP/1.1" 200 5',
    '2024-12-30T10:00:05.000000000Z a banner without a time',
    '2024-12-30T10:00:05.000000001Z 2024/12/30 10:00:05 [error] late',
    '2024-12-30T10:00:05.000000002Z   #1 trace',
    '2024-12-30T10:00:05.000000003Z 2024/12/30 10:00:03 [error] goes back',
  ]);
});

test.each([
  ['nginx access', '1.2.3.4 - - [30/Dec/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 5'],
  ['nginx error', '2024/12/30 10:00:00 [error] 7#7: x'],
  ['Apache error', '[Mon Dec 30 10:00:00 2024] [core:error] x'],
  ['PHP', '[30-Dec-2024 10:00:00 UTC] PHP Warning:  x'],
  ['syslog', 'Dec 30 10:00:00 web php: x'],
  ['ISO 8601', '2024-12-30T10:00:00Z x'],
  ['JSON', '{"time":1735552800,"msg":"x"}'],
])('a backlog of %s lines keeps its times after downtime, and after the next restart', async (_, line) => {
  const folder = createLogFolder();
  const clock = createClock();
  folder.append('a.log', 'begin\n');
  clock.set(Date.UTC(2024, 11, 30, 9));
  await (await folder.open({web: ['a.log']}, {now: clock.now})).close();
  folder.append('a.log', `${line}\n${line}\nno time\n`);
  clock.set(testNowMs);
  const expected = [
    '2024-12-30T09:00:00.000000000Z begin',
    `2024-12-30T10:00:00.000000000Z ${line}`,
    `2024-12-30T10:00:00.000000001Z ${line}`,
    '2024-12-30T10:00:00.000000002Z no time',
  ];
  const second = await folder.open({web: ['a.log']}, {now: clock.now});
  expect(await readLines(second)).toEqual(expected);
  await second.close();
  clock.set(testNowMs + dayMs);
  const third = await folder.open({web: ['a.log']}, {now: clock.now});
  expect(await readLines(third)).toEqual(expected);
  // Caught up: what comes now is written now.
  folder.append('a.log', 'still no time\n');
  expect((await readLines(third)).at(-1)).toBe('2025-01-02T00:00:00.000000000Z still no time');
});

test('lines without a time stay after a backlog line however many they are', async () => {
  const folder = createLogFolder();
  // More than is read in one go.
  const trace = `  at ${'x'.repeat(95)}\n`.repeat(6_000);
  folder.append('a.log', `[30-Dec-2024 10:00:00 UTC] PHP Fatal error:  x\n${trace}`);
  const lines = await readLines(await folder.open({web: ['a.log']}, {windowLines: 10_000}));
  expect(lines.length).toBe(6_001);
  expect(lines.at(-1)?.slice(0, 30)).toBe('2024-12-30T10:00:00.000006000Z');
  expectRising(lines);
});

test('after a restart, a line without a time is not put after a backlog that was read to its end', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '2024-12-30T10:00:00Z old\n');
  await (await folder.open({web: ['a.log']})).close();
  folder.append('a.log', 'no time\n');
  expect((await readLines(await folder.open({web: ['a.log']}))).at(-1)).toBe('2025-01-01T00:00:00.000000000Z no time');
});

test('lines read as they are written have the time of reading, which orders pods among themselves', async () => {
  const folder = createLogFolder();
  const clock = createClock();
  folder.append('a.log', '');
  folder.append('b.log', '');
  const backend = await folder.open({web: ['a.log'], php: ['b.log']}, {now: clock.now});
  folder.append('b.log', '2024/12/31 23:59:59 [error] a second old\n');
  await readLines(backend);
  clock.set(testNowMs + 10);
  folder.append('a.log', '2025/01/01 00:00:01 [error] a second ahead\n  its trace\n');
  expect(await readLines(backend)).toEqual([
    '2025-01-01T00:00:00.000000000Z 2024/12/31 23:59:59 [error] a second old',
    '2025-01-01T00:00:00.010000000Z 2025/01/01 00:00:01 [error] a second ahead',
    '2025-01-01T00:00:00.010000001Z   its trace',
  ]);
});

test('an own time more than two seconds ahead is not believed', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '2025-01-01T00:00:03Z ahead\n');
  expect(await readLines(await folder.open({web: ['a.log']}))).toEqual([
    '2025-01-01T00:00:00.000000000Z 2025-01-01T00:00:03Z ahead',
  ]);
});

test.each<[string, Partial<LineBackendOptions>, {web?: {stamps?: 'own' | 'read'}}]>([
  ['for all', {stamps: 'read'}, {}],
  ['for a pod', {}, {web: {stamps: 'read'}}],
])('own times can be switched off %s', async (_, options, pods) => {
  const folder = createLogFolder();
  folder.append('a.log', '2024-12-30T10:00:00Z old\n');
  expect(await readLines(await folder.open({web: ['a.log']}, options, pods))).toEqual([
    '2025-01-01T00:00:00.000000000Z 2024-12-30T10:00:00Z old',
  ]);
});

test('a pod can have own times where the others have none', async () => {
  const folder = createLogFolder();
  folder.append('a.log', '2024-12-30T10:00:00Z old\n');
  const lines = await readLines(await folder.open({web: ['a.log']}, {stamps: 'read'}, {web: {stamps: 'own'}}));
  expect(lines).toEqual(['2024-12-30T10:00:00.000000000Z 2024-12-30T10:00:00Z old']);
});

test('a clock that was a day ahead and is set right stamps what follows with the right time', async () => {
  const folder = createLogFolder();
  const clock = createClock();
  folder.append('a.log', '');
  const first = await folder.open({web: ['a.log']}, {now: clock.now});
  clock.set(testNowMs + dayMs);
  folder.append('a.log', 'tomorrow\n');
  await readLines(first);
  clock.set(testNowMs);
  folder.append('a.log', 'today\n');
  expect(await readLines(first)).toEqual([
    '2025-01-01T00:00:00.000000002Z today',
    '2025-01-02T00:00:00.000000000Z tomorrow',
  ]);
  await first.close();
  clock.set(testNowMs + 1_000);
  folder.append('a.log', 'today, later\n');
  const lines = await readLines(await folder.open({web: ['a.log']}, {now: clock.now}));
  expect(lines[1]).toBe('2025-01-01T00:00:01.000000003Z today, later');
});

test('a clock that was a day ahead does not hold up the times of a backlog', async () => {
  const folder = createLogFolder();
  const clock = createClock();
  folder.append('a.log', '');
  const backend = await folder.open({web: ['a.log']}, {now: clock.now});
  clock.set(testNowMs + dayMs);
  folder.append('a.log', 'tomorrow\n');
  await readLines(backend);
  clock.set(testNowMs);
  folder.append('a.log', '2024-12-30T10:00:00Z old\n');
  expect((await readLines(backend))[0]).toBe('2024-12-30T10:00:00.000000000Z 2024-12-30T10:00:00Z old');
});

test('shows all of a full window that came after the clock was set back an hour', async () => {
  const folder = createLogFolder();
  const clock = createClock();
  folder.append('a.log', '');
  const backend = await folder.open({web: ['a.log']}, {now: clock.now, windowLines: 300});
  folder.append('a.log', numbered(0, 300));
  await readTexts(backend);
  clock.set(testNowMs - hourMs);
  folder.append('a.log', numbered(300, 600));
  const lines = await readLines(backend);
  expect(lines.map(line => Number(line.slice(31)))).toEqual(Array.from({length: 300}, (_, index) => 300 + index));
  expect(lines[0]?.slice(0, 23)).toBe('2024-12-31T23:00:00.000');
  expectRising(lines);
});

test('a text that is repeated an hour later by a clock set back an hour has another stamp', async () => {
  const folder = createLogFolder();
  const clock = createClock();
  folder.append('a.log', '');
  const backend = await folder.open({web: ['a.log']}, {now: clock.now, windowLines: 1});
  folder.append('a.log', 'beat\n');
  const before = await readLines(backend);
  clock.set(testNowMs + hourMs);
  folder.append('a.log', 'between\n');
  await readLines(backend);
  clock.set(testNowMs);
  folder.append('a.log', 'beat\n');
  expect(await readLines(backend)).not.toEqual(before);
});

test('the first window holds the newest lines of all files, wherever they stand', async () => {
  const folder = createLogFolder();
  const line = (second: number, text: string) => `2024-12-30T10:00:${String(second).padStart(2, '0')}Z ${text}\n`;
  folder.append('a.log', [10, 11, 12, 13, 14].map(second => line(second, 'a')).join(''));
  folder.append('b.log', [1, 2, 13].map(second => line(second, 'b')).join(''));
  const backend = await folder.open({web: ['a.log'], php: ['b.log']}, {windowLines: 4});
  expect((await readTexts(backend)).map(text => text.slice(-4))).toEqual(['2Z a', '3Z a', '3Z b', '4Z a']);
});
