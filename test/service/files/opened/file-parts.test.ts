import {appendFileSync, renameSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {lastNumberOf} from '#log/ingest/numbered.ts';
import {instantFromMs, parseInstant} from '#log/line/instant.ts';
import type {UnreadWish} from '#log/line/unread.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import {findOpened} from '#service/files/find-opened.ts';
import {createOpenedBackend, type OpenedBackend, openedId} from '#service/files/opened-backend.ts';
import {findLastLines} from '#service/window/fingerprint.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';

let folder: TempFolder;
let backend: OpenedBackend | undefined;

beforeEach(() => {
  folder = createTempFolder('parts');
});
afterEach(async () => {
  await backend?.close();
  backend = undefined;
  folder.remove();
});

const path = (name: string): string => join(folder.path, name);

/** Opens files at their last ten lines. */
const open = async (...words: readonly string[]): Promise<OpenedBackend> => {
  backend = createOpenedBackend({
    name: 'test',
    sources: await findOpened({words, command: [], withRotated: false, stdin: Readable.from([])}),
    beginsAt: async handle => (await findLastLines(handle, (await handle.stat()).size, 10)).offset,
    firstBytesMax: 64 * 1024 * 1024,
    isAllAtOnce: false,
    follows: true,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    warn: () => undefined,
  });
  await backend.start();
  return backend;
};

const find = async (opened: OpenedBackend, wish: UnreadWish, branchId = openedId) => {
  const found = await opened.unread?.open(branchId, wish);
  return found ?? expect.unreachable('there is nothing that was not read');
};

const read = async (from: OpenedBackend, branchId: string, after?: ReadUpTo): Promise<ServedWindow> =>
  (await from.readWindow(openedId, branchId, after)) ?? expect.unreachable('there is no such part');

const textOf = (line: string): string => line.slice(line.indexOf(' ') + 1);

const placeAfter = ({numbering, lines}: ServedWindow): ReadUpTo => ({
  series: numbering?.series ?? '',
  last: numbering === undefined ? 0 : Math.max(numbering.first - 1, lastNumberOf(numbering, lines.length)),
});

/** Reads a part to both of its ends. Returns all lines in order of their stamps. */
const readAll = async (from: OpenedBackend, branchId: string): Promise<readonly string[]> => {
  let window = await read(from, branchId);
  const all = [...window.lines];
  while (window.heldFrom?.why === 'unread' || window.heldTo?.why === 'unread') {
    const wants = window.heldFrom?.why === 'unread' ? 'earlier' : 'later';
    window = await read(from, branchId, {...placeAfter(window), wants});
    expect(window.areEarlier).toBe(wants === 'earlier');
    all.push(...window.lines);
  }
  return all.toSorted();
};

const times: string[] = [];
/** Ten lines a second. */
const timeOf = (index: number): string => {
  const second = Math.floor(index / 10);
  times[second] ??= new Date(Date.UTC(2026, 10, 21) + second * 1000).toISOString();
  return times[second];
};
/** Few and long lines, so that a file of some megabytes is soon read. */
const write = (name: string, textOfIndex: (index: number) => string, count = 10_000): readonly string[] => {
  const lines = Array.from({length: count}, (_, index) => `${textOfIndex(index)} ${'.'.repeat(600)}`);
  writeFileSync(path(name), `${lines.join('\n')}\n`);
  return lines;
};
const at = (index: number) => parseInstant(timeOf(index)) ?? 0n;

test('the lines around a time are a part that says what was not read, and reads on to both ends', async () => {
  const all = write('app.log', index => `${timeOf(index)} line ${index} of a long file, with some more words`);
  const opened = await open(path('app.log'));
  const found = await find(opened, {kind: 'time', at: at(2_000)});
  const branchId = found.kind === 'part' ? found.branchId : '';
  expect(found).toEqual({kind: 'part', branchId, at: at(2_000)});
  const first = await read(opened, branchId);
  expect(first.lines).toContain(`2026-11-21T00:03:20.000000000Z ${all[2_000]}`);
  expect([first.heldFrom?.why, first.heldTo?.why]).toEqual(['unread', 'unread']);
  expect(first.lines.length).toBeLessThan(4_000);
  const stamped = await readAll(opened, branchId);
  // Up to where the newest part begins, each line once, and in the file's order by its stamp.
  expect(stamped.map(textOf)).toEqual(all.slice(0, -10));
});

test('the first lines are a part where much is before what was read, also where lines say no time', async () => {
  const far = (name: string) =>
    write(name, index => `line ${index} of a long file, with some more words than it needs`);
  const all = far('far.log');
  const opened = await open(path('far.log'));
  const found = await find(opened, {kind: 'start'});
  const window = await read(opened, found.kind === 'part' ? found.branchId : '');
  expect([window.heldFrom?.why, textOf(window.lines[0] ?? '')]).toEqual(['start', all[0]]);
  await opened.close();
  write('near.log', index => `${timeOf(index)} ${index}`, 100);
  expect(await find(await open(path('near.log')), {kind: 'start'})).toEqual({kind: 'near'});
});

test('where a file begins with NUL bytes, as one that was emptied while a program wrote on, that is said', async () => {
  writeFileSync(path('app.log'), '');
  truncateSync(path('app.log'), 20 * 1024 * 1024);
  appendFileSync(path('app.log'), '\nfirst\n'.repeat(20));
  const opened = await open(path('app.log'));
  expect(await find(opened, {kind: 'start'})).toEqual({
    kind: 'none',
    why: 'there are no lines there, only NUL bytes: search for others',
  });
});

test('of several files the first lines are those of the file that begins first', async () => {
  const timed = (name: string, ahead: number) =>
    write(name, index => `${timeOf(index + ahead)} line ${index} of a long file, with some more words`);
  timed('late.log', 500);
  const all = timed('early.log', 0);
  const opened = await open(path('late.log'), path('early.log'));
  const found = await find(opened, {kind: 'start'});
  const window = await read(opened, found.kind === 'part' ? found.branchId : '');
  expect(textOf(window.lines.toSorted()[0] ?? '')).toBe(all[0]);
});

test('of hits in several files the nearest is gone to, with the lines of all files around it', async () => {
  write('a.log', index => `${timeOf(index)} a ${index}`);
  write('b.log', index => `${timeOf(index)} b ${index}`);
  const opened = await open(path('a.log'), path('b.log'));
  const ranges = opened.unread?.ranges(openedId, 'earlier') ?? [];
  expect(ranges.map(({name, from}) => [name, from])).toEqual([
    ['a.log', 0],
    ['b.log', 0],
  ]);
  const places = [
    {file: 0, offset: 1_000_000},
    {file: 1, offset: 1_500_000},
  ];
  const nearest = await find(opened, {kind: 'nearest', places, direction: 'earlier'});
  const window = await read(opened, nearest.kind === 'part' ? nearest.branchId : '');
  expect(new Set(window.lines.map(line => textOf(line).split(' ')[1]))).toEqual(new Set(['a', 'b']));
  expect(nearest.kind === 'part' && nearest.at > at(2_000)).toBe(true);
  const first = await find(opened, {kind: 'nearest', places, direction: 'later'});
  expect(first.kind === 'part' && nearest.kind === 'part' && first.at < nearest.at).toBe(true);
});

test('lines without times keep their order in a part, before those of the newest part; a time is not found in them', async () => {
  const all = write('plain.log', index => `line ${index} without a time`);
  const opened = await open(path('plain.log'));
  const newest = await read(opened, openedId);
  const found = await find(opened, {kind: 'nearest', places: [{file: 0, offset: 1_000_000}], direction: 'earlier'});
  const stamped = await readAll(opened, found.kind === 'part' ? found.branchId : '');
  expect(stamped.map(textOf)).toEqual(all.slice(0, -10));
  expect((stamped.at(-1) ?? '') < (newest.lines[0] ?? '')).toBe(true);
  expect(await find(opened, {kind: 'time', at: at(5)})).toEqual({
    kind: 'none',
    why: 'plain.log has no times: scroll up to read on, or search',
  });
});

test('a time among times that are out of order is read back to, not searched by halves', async () => {
  write(
    'mixed.log',
    index => `${timeOf(index < 5_000 ? index + 40_000 : index)} line ${index} of a log, with some more words`,
  );
  const opened = await open(path('mixed.log'));
  expect(await find(opened, {kind: 'time', at: at(6_000)})).toEqual({
    kind: 'near',
    why: 'mixed.log has times that are out of order',
  });
});

test('a time near before what was read, or within it, opens no part', async () => {
  write('app.log', index => `${timeOf(index)} line ${index}`);
  const opened = await open(path('app.log'));
  expect((await find(opened, {kind: 'time', at: at(9_900)})).kind).toBe('near');
  expect((await find(opened, {kind: 'time', at: at(20_000)})).kind).toBe('newest');
});

test('a file that was moved away is still read in parts, and one that was rewritten is not', async () => {
  write('app.log', index => `${timeOf(index)} line ${index}`);
  const opened = await open(path('app.log'));
  renameSync(path('app.log'), path('app.log.1'));
  writeFileSync(path('app.log'), 'new\n');
  expect((await find(opened, {kind: 'time', at: at(2_000)})).kind).toBe('part');
  truncateSync(path('app.log.1'), 0);
  writeFileSync(path('app.log.1'), `${timeOf(0)} of another log\n`.repeat(20_000));
  expect(await find(opened, {kind: 'nearest', places: [{file: 0, offset: 100_000}], direction: 'earlier'})).toEqual({
    kind: 'none',
    why: 'the file was changed: what was not read of it is gone',
  });
});

test('a part goes on at its edge as another part', async () => {
  const all = write('app.log', index => `${timeOf(index)} line ${index} of a long file, with some more words`, 20_000);
  const opened = await open(path('app.log'));
  const found = await find(opened, {kind: 'time', at: at(10_000)});
  const branchId = found.kind === 'part' ? found.branchId : '';
  const firstText = textOf((await read(opened, branchId)).lines[0] ?? '');
  const next = await find(opened, {kind: 'edge', direction: 'earlier'}, branchId);
  const {lines} = await read(opened, next.kind === 'part' ? next.branchId : '');
  const texts = lines.map(textOf);
  const place = texts.indexOf(firstText);
  expect(place).toBeGreaterThan(100);
  expect(texts).toEqual(all.slice(all.indexOf(firstText) - place, all.indexOf(firstText) - place + texts.length));
  expect(await opened.readWindow(openedId, branchId)).toBeUndefined();
});
