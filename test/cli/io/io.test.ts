import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {hasScreen, processIo, sleep} from '#cli/io/io.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const terminal = Object.assign(new PassThrough(), {isTTY: true});
const file = new PassThrough();

test.each([
  ['a terminal for keys and for screens', terminal, terminal, 'xterm-256color', true],
  ['no terminal for keys', file, terminal, 'xterm-256color', false],
  ['no terminal for screens', terminal, file, 'xterm-256color', false],
  ['a terminal that cannot move its cursor', terminal, terminal, 'dumb', false],
])('%s', (_, stdin, stdout, term, expected) => {
  expect(hasScreen({stdin, stdout, env: {TERM: term}})).toBe(expected);
});

test('a wait ends at once with the reason of its signal', async () => {
  const reason = new Error('told to stop');
  const stop = new AbortController();
  const waiting = sleep(60_000, stop.signal);
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(sleep(60_000, stop.signal)).rejects.toBe(reason);
});

test('a wait longer than a timer can hold is split: Node warns of one that would end at once', async () => {
  const warnings: string[] = [];
  const warned = ({name}: Error): number => warnings.push(name);
  process.on('warning', warned);
  const stop = new AbortController();
  const waiting = sleep(2 ** 31, stop.signal).catch(() => 'stopped');
  await new Promise(resolve => setImmediate(resolve));
  stop.abort();
  await expect(waiting).resolves.toBe('stopped');
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('a negative wait ends', async () => {
  await expect(sleep(-1)).resolves.toBeUndefined();
});

test('a stop signal is told until nobody listens any more', () => {
  const folder = createTempFolder('io');
  const told: string[] = [];
  const forget = processIo(folder.path).onStopSignal(signal => told.push(signal));
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const) {
    process.emit(signal, signal);
  }
  expect(told).toEqual(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM']);
  const before = process.listenerCount('SIGTERM');
  forget();
  expect(process.listenerCount('SIGTERM')).toBe(before - 1);
  folder.remove();
});
