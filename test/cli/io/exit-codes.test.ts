import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import {exitCodeOf, NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import {createSay, hasScreen, isUnderNohup, processIo, sleep} from '#cli/io/io.ts';
import {loadPart} from '#cli/io/load-part.ts';
import {describeNotLines, describeSkipped, OutputClosed, OutputFailed, saySkipped} from '#cli/io/output.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

test.each<readonly [kind: ApiErrorKind, code: number]>([
  ['token', 3],
  ['badId', 2],
  ['setting', 2],
  ['unauthorised', 3],
  ['forbidden', 3],
  ['notFound', 4],
  ['tooManyRequests', 5],
  ['server', 5],
  ['network', 5],
  ['timeout', 5],
  ['tls', 5],
  ['redirect', 6],
  ['notInterface', 6],
  ['tooLarge', 6],
  ['cancelled', 1],
  ['ended', 0],
])('a request that failed by %s ends with %i', (kind, code) => {
  expect(exitCodeOf(new ApiError(kind, 'it failed'))).toBe(code);
});

test.each<readonly [error: unknown, code: number]>([
  [new UsageError('x'), 2],
  [new RecordingError('x'), 2],
  [new NotFoundError('x'), 4],
  [new OutputClosed('x'), 0],
  [new OutputFailed('x'), 1],
  [new Error('x'), 1],
  ['x', 1],
])('%s ends with %i', (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

test('what was left out of an answer is told with its first place, or not at all', () => {
  expect([describeNotLines(), describeNotLines([])]).toEqual([undefined, undefined]);
  expect(describeNotLines([7, 9])).toMatch(/\(the first is data\[7\] of the response\)$/);
  expect(describeNotLines([0])).toMatch(/data\[0\]/);
  expect(describeSkipped([])).toBeUndefined();
  expect(describeSkipped(['[2].name: expected a string'])).toBe(
    'ignored 1 part of the response that does not match the interface; the first is [2].name: expected a string',
  );
  const said: string[] = [];
  saySkipped([], sentence => said.push(sentence));
  saySkipped(['a', 'b'], sentence => said.push(sentence));
  expect(said).toEqual(['ignored 2 parts of the response that do not match the interface; the first is a']);
});

test('a sentence is one line of the program, and cannot act on the terminal', () => {
  const stderr = new PassThrough();
  createSay(stderr)('pod a\u001b[2J has gone');
  expect(String(stderr.read())).toBe('branchlog: pod a␛ has gone\n');
  // Nobody reads it: that ends nothing.
  stderr.emit('error', new Error('EPIPE'));
});

test('a part that is gone from the disk says what to do, and any other failure is told as it is', async () => {
  expect(await loadPart(async () => 7)).toBe(7);
  const gone = Object.assign(new Error('Cannot find module'), {code: 'ERR_MODULE_NOT_FOUND'});
  await expect(loadPart(() => Promise.reject(gone))).rejects.toThrow(
    'this branchlog was replaced on disk: quit and start it again to use this',
  );
  const other = new Error('a mistake');
  await expect(loadPart(() => Promise.reject(other))).rejects.toBe(other);
});

const screenWith = ({stdin = true, stdout = true, TERM = 'xterm'}) =>
  hasScreen({
    stdin: Object.assign(new PassThrough(), {isTTY: stdin}),
    stdout: Object.assign(new PassThrough(), {isTTY: stdout}),
    env: {TERM},
  });

test('a screen needs a terminal at both ends that can draw', () => {
  expect([screenWith({}), screenWith({stdin: false}), screenWith({stdout: false}), screenWith({TERM: 'dumb'})]).toEqual(
    [true, false, false, false],
  );
});

test('a wait ends in time, or with the reason of its signal', async () => {
  await expect(sleep(5, AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
  await sleep(-5);
  await sleep(1);
  const control = new AbortController();
  const waiting = sleep(3_000_000_000, control.signal);
  control.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('a stop signal is heard until nobody listens any more', () => {
  const heard: string[] = [];
  const before = process.listenerCount('SIGHUP');
  const stop = processIo(undefined).onStopSignal(signal => heard.push(signal));
  expect(process.listenerCount('SIGHUP')).toBe(before + 1);
  for (const name of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const) {
    const listeners = process.listeners(name);
    listeners.at(-1)?.(name);
  }
  stop();
  expect(process.listenerCount('SIGHUP')).toBe(before);
  expect(heard).toEqual(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM']);
});

test('no file of nohup is there, so it did not start this', () => {
  const folder = createTempFolder('nohup');
  onTestFinished(folder.remove);
  expect([isUnderNohup(undefined), isUnderNohup(folder.path)]).toEqual([false, false]);
  writeFileSync(join(folder.path, 'nohup.out'), '');
  expect(isUnderNohup(folder.path)).toBe(false);
});
