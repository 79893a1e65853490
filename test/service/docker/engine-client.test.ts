import {once} from 'node:events';
import {createServer, type RequestListener} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {ContainerPlace, LogQuery} from '#service/containers/container-logs.ts';
import {createEngineLogs} from '#service/docker/engine/engine-logs.ts';
import {createEngineClient, findEngine} from '#service/docker/engine-client.ts';
import {createShortFolder} from '../../support/temp-folder.ts';

const start = async (answer: RequestListener, {api = '1.43', kind = 'docker' as const} = {}) => {
  const folder = createShortFolder('engine');
  const path = join(folder.path, 'engine.sock');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/_ping') {
      response.writeHead(200, api === '' ? {} : {'api-version': api}).end('OK');
    } else {
      answer(request, response);
    }
  });
  server.listen(path);
  await once(server, 'listening');
  const client = createEngineClient(findEngine(kind, {DOCKER_HOST: `unix://${path}`}, false));
  onTestFinished(() => {
    client.close();
    server.close();
    server.closeAllConnections();
    folder.remove();
  });
  return {client, asked, title: `Docker at ${path}`};
};

const never = new AbortController().signal;

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    ({kind, status, message}: {kind?: string; status?: number; message: string}) => [kind, status, message],
  );

test('asks in the version that the engine names, which it is asked for once', async () => {
  const {client, asked, title} = await start((_request, response) => response.end('[1]'));
  expect(await client.get('/containers/json', {all: 1})).toEqual([1]);
  expect(await text((await client.open('/events', {}, never)).body)).toBe('[1]');
  expect([asked, client.title]).toEqual([['/_ping', '/v1.43/containers/json?all=1', '/v1.43/events'], title]);
});

test('what says no version is no engine, and is asked again', async () => {
  const {client, asked, title} = await start((_request, response) => response.end('[]'), {api: ''});
  const words = ['body', 200, `${title} is not a Docker or Podman API: check the address.`];
  expect(await failureOf(client.get('/a'))).toEqual(words);
  expect(await failureOf(client.get('/a'))).toEqual(words);
  expect(asked).toEqual(['/_ping', '/_ping']);
});

test('an answer that is no JSON is that of no engine', async () => {
  const {client, title} = await start((_request, response) => response.end('<html>'));
  expect(await failureOf(client.get('/a'))).toEqual([
    'body',
    200,
    `${title} is not a Docker or Podman API: check the address.`,
  ]);
});

test('a refusal has the words of the engine, cut', async () => {
  const said = 'x'.repeat(301);
  const {client, title} = await start((request, response) => {
    response.writeHead(404).end(request.url === '/v1.43/a' ? JSON.stringify({message: ` ${said}`}) : 'nothing');
  });
  expect(await failureOf(client.get('/a'))).toEqual([
    'status',
    404,
    `${title} answered GET /v1.43/a with 404: ${'x'.repeat(300)}.`,
  ]);
  expect(await failureOf(client.open('/b', {}, never))).toEqual([
    'status',
    404,
    `${title} answered GET /v1.43/b with 404.`,
  ]);
});

test('an answer that breaks off, or no answer at all, is told as one', async () => {
  const {client, title} = await start((request, response) => {
    if (request.url === '/v1.43/cut') {
      response.writeHead(200, {'content-length': '10'});
      response.write('{', () => response.destroy());
    } else {
      request.socket.destroy();
    }
  });
  expect(await failureOf(client.get('/cut'))).toEqual([
    'connection',
    undefined,
    `The response from ${title} to GET /v1.43/cut broke off or is too long.`,
  ]);
  expect(await failureOf(client.get('/gone'))).toEqual([
    'connection',
    undefined,
    `${title} closed the connection: is it being restarted?`,
  ]);
});

test('where no engine is, it says what to do', async () => {
  const folder = createShortFolder('engine');
  onTestFinished(folder.remove);
  const ask = (kind: 'docker' | 'podman', path: string) => {
    const client = createEngineClient(
      findEngine(kind, {DOCKER_HOST: `unix://${path}`, CONTAINER_HOST: `unix://${path}`}, false),
    );
    onTestFinished(client.close);
    return failureOf(client.get('/a'));
  };
  const path = join(folder.path, 'gone.sock');
  expect(await ask('docker', path)).toEqual([
    'connection',
    undefined,
    `There is no socket ${path}. Is Docker running? If not, start it, as in systemctl start docker, or name its socket in DOCKER_HOST.`,
  ]);
  expect(await ask('podman', path)).toEqual([
    'connection',
    undefined,
    `There is no socket ${path}. Is Podman running? If not, start it, as in systemctl --user start podman.socket, or name its socket in CONTAINER_HOST.`,
  ]);
  const client = createEngineClient(findEngine('docker', {DOCKER_HOST: 'tcp://127.0.0.1:1'}, false));
  onTestFinished(client.close);
  expect(await failureOf(client.get('/a'))).toEqual([
    'connection',
    undefined,
    'Nothing is listening at 127.0.0.1:1. Is Docker running? If not, start it, as in systemctl start docker, or name its socket in DOCKER_HOST.',
  ]);
});

test('a client that is closed says so', async () => {
  const {client, asked, title} = await start(() => undefined);
  const refused = failureOf(client.get('/a'));
  await vi.waitFor(() => expect(asked).toContain('/v1.43/a'));
  client.close();
  expect(await refused).toEqual(['connection', undefined, `The connection to ${title} was closed.`]);
});

test('whoever gives up gets its own reason', async () => {
  const {client} = await start(() => undefined);
  expect(await failureOf(client.open('/x', {}, AbortSignal.abort(new Error('given up'))))).toEqual([
    undefined,
    undefined,
    'given up',
  ]);
});

const place = {podUid: 'a/b'} as ContainerPlace;

const frame = (stream: number, line: string): Buffer => {
  const bytes = Buffer.from(line);
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

const readLog = async (answer: RequestListener, query: LogQuery = {}, isRaw = false) => {
  const {client, asked, title} = await start(answer);
  const got: string[] = [];
  const end = await new Promise((resolve, reject) => {
    createEngineLogs(client, () => isRaw)
      .open(place, query, {
        signal: never,
        onData: (bytes, stream) => got.push(`${stream}: ${bytes}`),
        onEnd: error => resolve(error?.message.replace(title, 'E')),
      })
      .catch(reject);
  });
  return {got, end, asked: asked.at(-1)};
};

const sends =
  (...pieces: readonly Buffer[]): RequestListener =>
  (_request, response) => {
    response.end(Buffer.concat(pieces));
  };

test.each<readonly [query: LogQuery, target: string]>([
  [{}, 'stdout=1&stderr=1&timestamps=1&follow=0&tail=all'],
  [{follow: true, tailLines: 5}, 'stdout=1&stderr=1&timestamps=1&follow=1&tail=5'],
  [{tailLines: 0}, 'stdout=1&stderr=1&timestamps=1&follow=0&tail=0'],
  [{sinceTime: '1970-01-01T00:00:05.000000007Z'}, 'stdout=1&stderr=1&timestamps=1&follow=0&since=5.000000007&tail=all'],
  [{sinceTime: 'nonsense'}, 'stdout=1&stderr=1&timestamps=1&follow=0&tail=all'],
])('a log is asked for with %j as %s', async (query, target) => {
  const {asked} = await readLog(sends(), query);
  expect(asked).toBe(`/v1.43/containers/a%2Fb/logs?${target}`);
});

test('the frames of a log are its streams, and that of a terminal has none', async () => {
  const frames = [frame(1, 'T1 one\n'), frame(2, 'T2 two\n')];
  expect(await readLog(sends(...frames))).toMatchObject({
    got: ['stdout: T1 one\n', 'stderr: T2 two\n'],
    end: undefined,
  });
  expect(await readLog(sends(Buffer.from('T1 typed\n')), {}, true)).toMatchObject({
    got: ['stdout: T1 typed\n'],
    end: undefined,
  });
});

test('a log ends with why it cannot be read further', async () => {
  expect(await readLog(sends(frame(1, 'T1 one\n'), Buffer.from('no frame at all')))).toMatchObject({
    got: ['stdout: T1 one\n'],
    end: 'E sent something that is not a log.',
  });
  expect((await readLog(sends(frame(3, ` error ${'x'.repeat(400)}`)))).end).toBe(`E says: error ${'x'.repeat(294)}.`);
  const cut = await readLog((_request, response) => {
    response.writeHead(200, {'content-length': '100'});
    response.write(frame(1, 'T1 one\n'), () => response.destroy());
  });
  expect(cut).toMatchObject({got: ['stdout: T1 one\n'], end: 'The log of E broke off.'});
});

test('no more is read than was asked for', async () => {
  const endless: RequestListener = (_request, response) => {
    response.write(frame(1, 'T1 one\n'));
  };
  const bytes = frame(1, 'T1 one\n').length;
  expect(await readLog(endless, {limitBytes: bytes})).toMatchObject({got: ['stdout: T1 one\n'], end: undefined});
});

test('the front of a log is its first bytes, without frames', async () => {
  const {client} = await start(sends(frame(1, 'T1 one\n'), frame(1, 'T2 two\n')));
  const {readFront} = createEngineLogs(client, () => false);
  expect(await readFront(place, {limitBytes: 9}, never)).toBe('T1 one\nT2');
  expect(await readFront(place, {limitBytes: 900}, never)).toBe('T1 one\nT2 two\n');
});

test('whoever gives up on the front of a log gets its own reason', async () => {
  const control = new AbortController();
  const {client} = await start((_request, response) => {
    response.write(frame(1, 'T1 one\n'), () => control.abort(new Error('given up')));
  });
  expect(
    await failureOf(createEngineLogs(client, () => false).readFront(place, {limitBytes: 900}, control.signal)),
  ).toEqual([undefined, undefined, 'given up']);
});

const refusal = async (status: number, message: string, query: LogQuery = {}) =>
  failureOf(readLog((_request, response) => response.writeHead(status).end(JSON.stringify({message})), query));

test.each([
  'configured logging driver does not support reading',
  'the log driver is none',
  'this container is not logging',
])('a log that is only sent away is refused as what only its owner can change: %s', async message => {
  expect(await refusal(500, message)).toEqual([
    'status',
    403,
    'Its logging driver only sends lines away: docker logs cannot read it either. Drivers that can be read are json-file, local and journald.',
  ]);
  expect((await refusal(404, message))[1]).toBe(404);
});

test('any other refusal is that of the engine, and an earlier run has no log of its own', async () => {
  expect((await refusal(500, 'out of order'))[1]).toBe(500);
  const [kind, status, words] = await refusal(500, '', {previous: true});
  expect([kind, status]).toEqual(['status', 400]);
  expect(words).toMatch(/ keeps one log for all runs of a container\.$/);
});
