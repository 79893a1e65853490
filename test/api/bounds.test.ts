import {truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {readCaCertificates} from '#api/client/agents.ts';
import {parseBody} from '#api/client/body/parse-body.ts';
import {parseJson} from '#api/client/body/parse-json.ts';
import {skipValue} from '#api/client/body/scan-json.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import {describeRefusal} from '#api/client/http/describe-failure.ts';
import {createBodyPool} from '#api/client/http/fetch-bytes.ts';
import {Secret} from '#base/secret.ts';
import {finishWork, type Work} from '#log/work.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {connect, failureOf} from './client-setup.ts';
import {startServer} from './loopback-server.ts';

const megabyte = 1024 * 1024;

/** The longest run of `x` in a text. */
const lengthOf = (text: string): number => Math.max(0, ...(text.match(/x+/g) ?? []).map(run => run.length));

const messageOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return error instanceof Error ? error.message : 'thrown';
  }
};

const refuse = (status: number, headers: Readonly<Record<string, string>>): string =>
  describeRefusal({
    ...{status, headers, host: 'h', url: 'http://h/', tenant: 't', subject: 'site', proxy: undefined, nowMs: 0},
    token: new Secret('secret'),
  }).message;

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** A value of so many bytes. */
const longValue = (bytes: number): Buffer => Buffer.from(`[${'1'.repeat(bytes - 2)}]`);

const pausesIn = (work: Work<unknown>): number => {
  let pauses = 0;
  while (!work.next().done) {
    pauses += 1;
  }
  return pauses;
};

/** How many of so many bodies that are given back are used again. */
const bodiesKept = (count: number): number => {
  const pool = createBodyPool(megabyte);
  const take = () => {
    const body = pool.take();
    body.add(Buffer.from('x'));
    return body;
  };
  const first = Array.from({length: count}, take);
  const memories = new Set(first.map(body => body.bytes().buffer));
  for (const body of first) {
    body.giveBack();
  }
  return Array.from({length: count}, take).filter(body => memories.has(body.bytes().buffer)).length;
};

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['bodies whose memory is kept', bodiesKept, 8, 8, 8],
  ['depth of an item that is scanned', size => skipValue(Buffer.from(nested(size)), 0), 1000, 2000, -1],
  ['bytes of an item that is scanned', size => skipValue(longValue(size), 0), megabyte, megabyte, -1],
  ['reason for a refusal', size => lengthOf(refuse(503, {'branchlog-reason': 'x'.repeat(size)})), 600, 600, 600],
  ['scheme of a redirect', size => lengthOf(refuse(302, {location: `${'x'.repeat(size)}:y`})), 11, 11, 11],
])('%s', (_, read, at, within, beyond) => {
  expect([read(at), read(at + 1)]).toEqual([within, beyond]);
});

test('a coding that nobody asked for is named with its first 40 characters', async () => {
  const message = await messageOf(() =>
    finishWork(parseBody(Buffer.from('{}'), {'content-encoding': 'x'.repeat(50)}, 'HOST')),
  );
  expect(lengthOf(message)).toBe(40);
});

test('a body of more than 4 MB is parsed with a pause now and then, a smaller one at once', () => {
  const listOf = (bytes: number): Buffer =>
    Buffer.from(bytes % 2 === 0 ? `[${'1,'.repeat((bytes - 4) / 2)}11]` : `[${'1,'.repeat((bytes - 3) / 2)}1]`);
  const [small, large] = [4 * megabyte, 4 * megabyte + 1].map(bytes => pausesIn(parseJson(listOf(bytes))));
  expect(small).toBe(4);
  expect(large).toBeGreaterThan(100);
});

test('a log of more than two million items is refused', () => {
  const data = Array<string>(2_000_001).fill('');
  expect(() => decodeLog({podNamesList: [], data, sessionId: 's'})).toThrow('more than 2,000,000 lines');
});

test('a ca_file of more than 8 MB is refused unread', async () => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  const path = join(folder.path, 'ca.pem');
  writeFileSync(path, '', {mode: 0o600});
  truncateSync(path, 8 * megabyte);
  expect(await messageOf(() => readCaCertificates(path))).toContain('holds no certificate');
  truncateSync(path, 8 * megabyte + 1);
  expect(await messageOf(() => readCaCertificates(path))).toContain('8 MB');
});

test('the body of a refusal is read up to 64 KB, so that its connection serves again', async () => {
  const connectionsFor = async (bytes: number): Promise<number> => {
    const server = await startServer((_, response) => {
      response.statusCode = 500;
      response.end('x'.repeat(bytes));
    });
    onTestFinished(server.close);
    const client = connect(server.port);
    onTestFinished(() => client.close());
    for (let request = 0; request < 2; request += 1) {
      await failureOf(client.fetchLog('s', 'b'));
    }
    return server.connections();
  };
  expect([await connectionsFor(60_000), await connectionsFor(500_000)]).toEqual([1, 2]);
});
