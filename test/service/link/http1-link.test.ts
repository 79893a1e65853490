import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type AddressInfo, connect, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createHttp1Link} from '#service/link/http1-link.ts';
import {formatTarget, SilentLinkError, StaleLinkError} from '#service/link/link.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const start = async (answer: Answer, {pingMs = 60_000, base = ''} = {}) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} host=${request.headers.host} token=${request.headers.authorization}`);
    answer(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const link = createHttp1Link(
    new URL(`http://cluster.example${base}`),
    async () => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      return socket;
    },
    {pingMs, pingPath: '/version'},
  );
  onTestFinished(() => {
    link.close();
    server.close();
    server.closeAllConnections();
  });
  const send = (path: string, isEndless = false, signal = new AbortController().signal) =>
    link.send({path, headers: {authorization: 'Bearer abc'}, isEndless}, signal);
  return {link, send, asked, sockets, server};
};

test('a path has the fields that are given, and no question mark without any', () => {
  expect([
    formatTarget('/a'),
    formatTarget('/a', {b: undefined}),
    formatTarget('/a', {b: 'c d', e: 0, f: false, g: undefined}),
  ]).toEqual(['/a', '/a', '/a?b=c+d&e=0&f=false']);
});

test('asks with its headers and the name of the host, on one connection that is kept', async () => {
  const {link, send, asked, sockets} = await start((request, response) => {
    response.writeHead(request.url === '/b' ? 404 : 200, {'x-a': 'b'}).end(request.url);
  });
  expect([link.isIdle(), link.hasRoom()]).toEqual([true, true]);
  const first = await send('/a');
  expect([first.status, first.headers['x-a'], link.isIdle()]).toEqual([200, 'b', false]);
  expect([await text(first.body), first.isWhole()]).toEqual(['/a', true]);
  await vi.waitFor(() => expect(link.isIdle()).toBe(true));
  const second = await send('/b');
  expect([second.status, await text(second.body)]).toEqual([404, '/b']);
  expect(asked).toEqual(['/a', '/b'].map(path => `${path} host=cluster.example token=Bearer abc`));
  expect(sockets).toHaveLength(1);
});

test('sixteen connections are for answers with an end; the others have one each', async () => {
  const {send, asked, sockets} = await start((request, response) => {
    if (request.url === '/endless') {
      response.write('x');
    }
  });
  const ask = () => send('/slow').catch(() => undefined);
  for (let count = 1; count <= 16; count += 1) {
    ask();
    await vi.waitFor(() => expect(asked).toHaveLength(count));
  }
  ask();
  await Promise.all(Array.from({length: 17}, () => send('/endless', true)));
  expect([sockets.length, asked.filter(each => each.startsWith('/slow')).length]).toEqual([33, 16]);
});

test('a connection that the server closed is told from one that fails anew', async () => {
  const {send, sockets} = await start((request, response) => {
    if (request.url === '/break') {
      request.socket.destroy();
    } else {
      response.end('ok');
    }
  });
  await expect(send('/break')).rejects.not.toBeInstanceOf(StaleLinkError);
  expect(await text((await send('/a')).body)).toBe('ok');
  await expect(send('/break')).rejects.toBeInstanceOf(StaleLinkError);
  expect(sockets).toHaveLength(2);
});

test('whoever gives up before the answer ends the request', async () => {
  const {link, send, asked} = await start(() => undefined);
  const control = new AbortController();
  const failed = expect(send('/a', false, control.signal)).rejects.toThrow();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  control.abort();
  await failed;
  await vi.waitFor(() => expect(link.isIdle()).toBe(true));
});

test('whoever has given up before sends nothing', async () => {
  const {send, asked, sockets} = await start(() => undefined);
  await expect(send('/a', true, AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
  expect([asked, sockets]).toEqual([[], []]);
});

test('giving up after the headers does not end the body: its reader does', async () => {
  const {send} = await start((_request, response) => {
    response.write('one');
    setImmediate(() => response.end('two'));
  });
  const control = new AbortController();
  const answer = await send('/a', true, control.signal);
  control.abort();
  expect(await text(answer.body)).toBe('onetwo');
});

test('an answer that its reader ends is not whole', async () => {
  const {send} = await start((_request, response) => {
    response.write('one');
  });
  const answer = await send('/a', true);
  const isClosed = new Promise(resolve => answer.body.once('close', resolve));
  answer.cancel();
  await isClosed;
  expect(answer.isWhole()).toBe(false);
});

test('a connection that cannot be opened fails with its reason', async () => {
  const link = createHttp1Link(
    new URL('http://cluster.example'),
    async () => {
      throw new Error('no route');
    },
    {pingMs: 60_000, pingPath: '/version'},
  );
  onTestFinished(link.close);
  const signal = new AbortController().signal;
  await expect(link.send({path: '/a', headers: {}, isEndless: false}, signal)).rejects.toThrow('no route');
});

test('a link that is closed takes no further request', async () => {
  const {link} = await start(() => undefined);
  link.close();
  expect(link.hasRoom()).toBe(false);
});

test('a server that answers the small request beside a long one is not silent', async () => {
  const {send, asked} = await start(
    (request, response) => {
      if (request.url?.endsWith('/version')) {
        response.end('{}');
      } else {
        response.write('x');
      }
    },
    {pingMs: 5, base: '/k8s/'},
  );
  const answer = await send('/k8s/logs', true);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(4), {timeout: 20_000});
  expect([answer.body.destroyed, asked[1]]).toEqual([false, '/k8s/version host=cluster.example token=Bearer abc']);
});

test('a server that answers nothing any more ends all requests, with and without an answer', async () => {
  const {link, send} = await start(
    (request, response) => {
      if (request.url === '/logs') {
        response.write('x');
      }
    },
    {pingMs: 20},
  );
  const answer = await send('/logs', true);
  const ended = new Promise(resolve => answer.body.once('error', resolve));
  const waiting = send('/slow');
  await expect(waiting).rejects.toThrow(new SilentLinkError('a request was not answered'));
  expect(await ended).toBeInstanceOf(SilentLinkError);
  expect(answer.isWhole()).toBe(false);
  await vi.waitFor(() => expect(link.isIdle()).toBe(true));
});

test('nothing is sent while nobody asks', async () => {
  vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const {link, send, asked} = await start((_request, response) => response.end('ok'), {pingMs: 1_000});
  await text((await send('/a')).body);
  await vi.waitFor(() => expect(link.isIdle()).toBe(true));
  vi.advanceTimersByTime(5_000);
  expect(await text((await send('/b')).body)).toBe('ok');
  expect(asked.map(each => each.split(' ')[0])).toEqual(['/a', '/b']);
});
