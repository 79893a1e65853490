import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {
  createArrivalTimes,
  createOpenedPods,
  createWakeSignal,
  type OpenedSource,
} from '#service/files/opened/opened-pods.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const openedAt = instantFromMs(Date.UTC(2026, 10, 22, 12));
const second = 1_000_000_000n;

const create = () => createArrivalTimes(openedAt, text => (text.startsWith('at ') ? 1n : undefined));
const line = (ahead: bigint, text: string): string => `${formatInstant(openedAt + ahead)} ${text}`;

test.each([
  ['a line without a time that came after the opening arrived then', [line(1n, 'x')], 0n],
  ['a line that says its time was written then', [line(1n, 'at one')], undefined],
  ['one such line is enough, whatever follows', [line(1n, 'x'), line(1n, 'at one'), line(1n, 'x')], undefined],
  ['lines read back are stamped within a second before', [line(1n - second, 'x')], 0n],
  ['a stamp from before that is its own', [line(-second, 'x')], undefined],
  ['what has no stamp tells nothing', ['no stamp'], undefined],
  ['no lines tell nothing', [], undefined],
])('%s', (_, lines, from) => {
  const times = create();
  times.look(lines);
  expect(times.from()).toBe(from);
});

test('once a line said its time, later ones are not looked at', () => {
  const times = create();
  times.look([line(1n, 'at one')]);
  times.look([line(1n, 'x')]);
  expect(times.from()).toBeUndefined();
});

test('what was there before is told from what arrives', () => {
  const times = create();
  times.noteThere(5n);
  expect(times.from()).toBeUndefined();
  times.look([line(1n, 'x')]);
  expect(times.from()).toBe(5n);
});

test('a bell ends a wait, or the next one; otherwise its time does', async () => {
  const bell = createWakeSignal();
  const heard: string[] = [];
  const wait = (name: string): void => void bell.wait(1_000).then(() => heard.push(name));
  wait('rung');
  await vi.advanceTimersByTimeAsync(999);
  expect(heard).toEqual([]);
  bell.ring();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(['rung']);
  // What rang in between is not missed, and counts once.
  bell.ring();
  bell.ring();
  wait('before');
  await vi.advanceTimersByTimeAsync(0);
  wait('in time');
  await vi.advanceTimersByTimeAsync(999);
  expect(heard).toEqual(['rung', 'before']);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard).toEqual(['rung', 'before', 'in time']);
  expect(vi.getTimerCount()).toBe(0);
});

const source = (name: string, kind: OpenedSource['kind']): OpenedSource => ({
  name,
  kind,
  setup: {kind: 'files', open: () => expect.unreachable('nothing is read')},
});

test('each source is a pod until a stream has ended, which the first answer does not know', () => {
  const ended = new Set(['pipe', 'old.gz']);
  const pods = createOpenedPods({
    id: 'open',
    name: 'test',
    sources: [source('app.log', 'files'), source('old.gz', 'kept'), source('pipe', 'live'), source('other', 'live')],
    startedAtMs: 0,
    isEndTold: name => ended.has(name),
  });
  const names = () => pods.show().map(({name}) => name);
  expect(names()).toEqual(['app.log', 'old.gz', 'pipe', 'other']);
  expect(pods.isEndAhead()).toBe(true);
  expect(names()).toEqual(['app.log', 'old.gz', 'other']);
  const shown = pods.show();
  expect(pods.isEndAhead()).toBe(false);
  expect(pods.show()).toBe(shown);
  ended.add('other');
  expect(pods.isEndAhead()).toBe(true);
  expect(names()).toEqual(['app.log', 'old.gz']);
  expect(pods.show()[0]).toMatchObject({metadata: {annotations: {'branchlog/source': 'files'}}});
});
