import {writeFileSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Client} from '#api/client/client.ts';
import {createTokenProvider} from '#api/client/token.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {canaryToken, connect, emptyLog, failureOf} from '../../client-setup.ts';
import {type LoopbackServer, startServer} from '../../loopback-server.ts';

let folder: TempFolder;
let server: LoopbackServer | undefined;
let client: Client | undefined;
beforeEach(() => {
  folder = createTempFolder('unauthorised');
});
afterEach(async () => {
  client?.close();
  await server?.close();
  folder.remove();
});

const start = async (token: string, handle: RequestListener) => {
  const path = join(folder.path, 'token');
  writeFileSync(path, token, {mode: 0o600});
  const running = await startServer(handle);
  server = running;
  const provider = createTokenProvider({kind: 'file', path}, {env: {}, nowMs: () => 0});
  client = connect(running.port, {token: provider, nowMs: () => 0});
  return {path, client, server: running};
};

test('a token that changed in the meantime is sent once more', async () => {
  const {
    path,
    client: asking,
    server: answering,
  } = await start('old', (request, response) => {
    if (request.headers.authorization === 'Bearer new') {
      response.end(emptyLog);
      return;
    }
    writeFileSync(path, 'new');
    response.writeHead(401).end();
  });
  expect((await asking.fetchLog('s', 'b')).status).toBe(200);
  expect(answering.requests.map(({headers}) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
});

test('a token that changes with every refusal is not tried for ever', async () => {
  let count = 0;
  const {
    path,
    client: asking,
    server: answering,
  } = await start('t0', (_, response) => {
    count += 1;
    writeFileSync(path, `t${count}`);
    response.writeHead(401).end();
  });
  const failure = await failureOf(asking.fetchLog('s', 'b'));
  expect([failure.kind, failure.status]).toEqual(['unauthorised', 401]);
  expect(answering.requests).toHaveLength(2);
});

test('a token that is the same was rejected, and its file is named', async () => {
  const {
    path,
    client: asking,
    server: answering,
  } = await start('opaque', (_, response) => response.writeHead(401).end());
  const failure = await failureOf(asking.fetchLog('s', 'b'));
  expect(failure.message).toBe(`token rejected (401 by 127.0.0.1:${answering.port}): replace the one in ${path}`);
  expect(answering.requests).toHaveLength(1);
});

test('a token is expired by the clock of the service, not by ours', async () => {
  const {
    path,
    client: asking,
    server: answering,
  } = await start(canaryToken, (_, response) => response.writeHead(401, {date: 'Sun, 09 Sep 2001 01:46:41 GMT'}).end());
  const failure = await failureOf(asking.fetchLog('s', 'b'));
  expect(failure.message).toBe(
    `token expired at 2001-09-09 01:46:40 UTC (401 by 127.0.0.1:${answering.port}): replace the one in ${path}`,
  );
});

test('a token file that became bad meanwhile is told of in the same sentence', async () => {
  const {
    path,
    client: asking,
    server: answering,
  } = await start('good', (_, response) => {
    writeFileSync(path, 'two words');
    response.writeHead(401).end();
  });
  const failure = await failureOf(asking.fetchLog('s', 'b'));
  expect([failure.kind, failure.message]).toEqual([
    'unauthorised',
    `token rejected (401 by 127.0.0.1:${answering.port}): replace the one in ${path} (the token file ${path} has a blank at byte 3: it must hold the token alone, without "Bearer" or quotes)`,
  ]);
});

test('without a token no request is sent', async () => {
  const {client: asking, server: answering} = await start('', (_, response) => response.end(emptyLog));
  expect((await failureOf(asking.fetchLog('s', 'b'))).kind).toBe('token');
  expect(answering.requests).toHaveLength(0);
});
