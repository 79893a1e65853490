import {once} from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type ConnectionLimits, limitConnections} from '#service/http/connections.ts';
import {createTestAuthority} from '../../support/kubernetes/server/test-authority.ts';
import {waitFor} from '../../support/wait-for.ts';

const {ca, server: pair} = createTestAuthority();

describe.each([{hasTls: false}, {hasTls: true}])('with TLS: $hasTls', ({hasTls}) => {
  /** A server that answers `/token` as to a client with a token, and any path with the path, once `open` allows it. */
  const start = async (limits: ConnectionLimits, gate: () => Promise<void> = async () => undefined) => {
    const server = hasTls ? https.createServer(pair) : http.createServer();
    const connections = limitConnections(server, limits);
    const running = {now: 0, most: 0};
    server.on('request', (request, response) =>
      connections.take(request, response, async () => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await gate();
        running.now -= 1;
        if (request.url === '/token') {
          connections.trust(request.socket);
        }
        response.end(`${request.url} `);
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => connections.drain(0).then(() => void server.close()));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const connect = async () => {
      const socket = hasTls ? tls.connect({port, host: '127.0.0.1', ca}) : net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      let text = '';
      socket.on('data', data => {
        text += data;
      });
      await once(socket, hasTls ? 'secureConnect' : 'connect');
      return {
        socket,
        text: () => text,
        ask: async (path: string) => {
          socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
          await waitFor(() => text.includes(`${path} `), {what: `the answer to ${path}`});
        },
      };
    };
    /** Opens connections that send nothing, and waits until the server knows them. */
    const connectIdle = async (count: number) => {
      const idle = [];
      for (let index = 0; index < count; index += 1) {
        const each = await connect();
        await each.ask('/stranger');
        idle.push(each);
      }
      return idle;
    };
    const connectRaw = async () => {
      const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    return {running, connections, connect, connectIdle, connectRaw};
  };

  test('answers requests that were sent ahead one at a time, in their order', async () => {
    const {running, connect} = await start({}, () => new Promise(resolve => setImmediate(resolve)));
    const {socket, text} = await connect();
    const paths = Array.from({length: 60}, (_, index) => `/${index}`);
    socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
    await waitFor(() => text().includes('/59 '), {what: 'the last answer'});
    expect([...text().matchAll(/(\/\d+) /g)].map(([, path]) => path)).toEqual(paths);
    expect(running.most).toBe(1);
  });

  test('ends a connection that sends hundreds of requests ahead', async () => {
    const {connect} = await start({}, () => new Promise(() => undefined));
    const {socket} = await connect();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(300));
    await once(socket, 'close');
  });

  test('idle connections without a token make room for a client that has one', async () => {
    const {connect, connectIdle} = await start({connectionsMax: 8, strangersMax: 8});
    const idle = await connectIdle(8);
    const client = await connect();
    await client.ask('/token');
    await waitFor(() => idle[0]?.socket.closed, {what: 'the oldest idle connection to close'});
    expect(idle.filter(({socket}) => socket.closed)).toHaveLength(1);
  });

  test('connections without a token never push out one that has shown its token', async () => {
    const {connect, connectIdle} = await start({connectionsMax: 8, strangersMax: 8});
    const client = await connect();
    await client.ask('/token');
    await connectIdle(20);
    await client.ask('/token');
    expect(client.socket.closed).toBe(false);
  });

  test('one address has only its share of the connections without a token', async () => {
    const {connectIdle} = await start({connectionsMax: 8, strangersMax: 3});
    const idle = await connectIdle(5);
    await waitFor(() => idle[1]?.socket.closed, {what: 'the two oldest to close'});
    expect(idle.map(({socket}) => socket.closed)).toEqual([true, true, false, false, false]);
  });

  test('when every connection has shown a token, the one that is idle longest makes room', async () => {
    const {connect} = await start({connectionsMax: 3, strangersMax: 3});
    const [first, second, third] = [await connect(), await connect(), await connect()];
    await first.ask('/token');
    await second.ask('/token');
    await third.ask('/token');
    await first.ask('/token');
    const fourth = await connect();
    await fourth.ask('/token');
    await waitFor(() => second.socket.closed, {what: 'the one idle longest to close'});
    expect([first.socket.closed, third.socket.closed]).toEqual([false, false]);
  });

  test('connections that never begin the handshake of TLS make room, too', async () => {
    const {connect, connectRaw} = await start({connectionsMax: 4, strangersMax: 4});
    const silent = [await connectRaw(), await connectRaw(), await connectRaw(), await connectRaw()];
    await (await connect()).ask('/token');
    await waitFor(() => silent[0]?.closed, {what: 'the oldest one to close'});
  });

  test('draining ends idle connections, whatever protects them', async () => {
    const {connect, connections} = await start({});
    const {socket, ask} = await connect();
    await ask('/token');
    await Promise.all([connections.drain(60_000), once(socket, 'close')]);
  });
});
