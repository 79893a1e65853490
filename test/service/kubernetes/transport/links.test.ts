import type {ServerResponse} from 'node:http';
import type {Http2ServerResponse} from 'node:http2';
import {expect, test} from 'vitest';
import {waitFor} from '../../../support/wait-for.ts';
import {answerJson, fault, follow} from '../answers.ts';
import {connectTo as connect, startApi as start, startForwarder} from '../start-api.ts';

test('a kept connection that the server closes as the next request comes is no failure', async () => {
  let requests = 0;
  const api = await start('h1', (request, response) => {
    requests += 1;
    if (requests === 2) {
      request.socket.destroy();
    } else {
      answerJson(response, 200, {requests});
    }
  });
  const client = connect(api.url);
  expect(await client.get('/a')).toEqual({requests: 1});
  expect(await client.get('/b')).toEqual({requests: 3});
});

test('opens a further connection when the server allows no more streams on the first', async () => {
  const api = await start('h2', (_, response) => response.write('x'), {maxConcurrentStreams: 3});
  const client = connect(api.url);
  await Promise.all(Array.from({length: 8}, () => follow(client, '/log')));
  expect(api.sessions.length).toBe(3);
});

test('does not open connections without end to a server that takes no request on any', async () => {
  const api = await start('h2', () => undefined, {maxConcurrentStreams: 0});
  expect((await fault(connect(api.url).get('/pods'))).message).toBe(
    `The request to ${api.url} failed (10 new connections took no request).`,
  );
  expect(api.sessions.length).toBe(10);
});

test('lets the server send 16 MB of all streams before it waits', async () => {
  const api = await start('h2', (_, response) => response.write('x'));
  await follow(connect(api.url), '/log');
  await waitFor(() => (api.sessions[0]?.state.remoteWindowSize ?? 0) > 15_000_000, {what: 'the larger window'});
});

test('reads an answer that is larger than all windows', async () => {
  const text = 'x'.repeat(20 * 1024 * 1024);
  const api = await start('h2', (_, response) => response.end(text));
  const client = connect(api.url, {}, {textBytesMax: text.length});
  expect((await client.get('/log', {as: 'text'})) === text).toBe(true);
});

test('a stream that ends makes room for the next on its connection', async () => {
  const responses: ServerResponse[] = [];
  const api = await start('h2', (_, response) => responses.push(response.writeHead(200)) && response.write('x'), {
    maxConcurrentStreams: 2,
  });
  const client = connect(api.url);
  const streams = await Promise.all(Array.from({length: 2}, () => follow(client, '/log')));
  responses[0]?.end();
  await Promise.race(streams.map(({ended}) => ended));
  await follow(client, '/log');
  expect(api.sessions.length).toBe(1);
});

test.each(['h2', 'h1'] as const)('opens a stream over %s while many others wait for their answers', async kind => {
  // A kubelet answers for an empty log when its first line comes.
  const api = await start(kind, ({url}, response) => url === '/full' && response.write('one\n'));
  const client = connect(api.url, {}, {answerMs: 300_000});
  const waiting = Array.from({length: 20}, () => follow(client, '/empty').catch(() => undefined));
  const stream = await follow(client, '/full');
  await waitFor(() => stream.text() === 'one\n', {what: 'the line'});
  await client.close();
  await Promise.all(waiting);
});

test.each([
  ['h2', 'a PING'],
  ['h1', 'a request'],
] as const)('a dead connection over %s that nobody closed is found by %s', async (kind, what) => {
  let versions = 0;
  const api = await start(kind, ({url}, response) => {
    if (url === '/log') {
      response.write('one\n');
    } else {
      versions += url === '/version' ? 1 : 0;
      answerJson(response, 200, {});
    }
  });
  const forwarder = await startForwarder(api.port);
  const client = connect(`https://127.0.0.1:${forwarder.port}`, {}, {pingMs: 500, answerMs: 300_000});
  // The second time, the timers of the first connection have been due again.
  for (let count = 0; count < 2; count += 1) {
    const stream = await follow(client, '/log');
    // Its connection is kept for the next request, and is dead then.
    await client.get('/pods');
    const asked = versions;
    await waitFor(() => stream.text() !== '' && (kind === 'h2' || versions > asked), {what: 'line and answer'});
    forwarder.freeze();
    expect((await stream.ended)?.message).toBe(
      `The connection to ${client.address} was dead: ${what} was not answered.`,
    );
  }
  expect(await client.get('/pods')).toEqual({});
});

test('after GOAWAY open streams go on, and new ones take a new connection', async () => {
  const responses: ServerResponse[] = [];
  const api = await start('h2', (_, response) => {
    response.write('one\n');
    responses.push(response);
  });
  const client = connect(api.url);
  const first = await follow(client, '/first');
  api.sessions[0]?.goaway();
  // On one connection in this order: when the line is there, so is the GOAWAY.
  responses[0]?.write('two\n');
  await waitFor(() => first.text() === 'one\ntwo\n', {what: 'the second line'});
  const second = await follow(client, '/second');
  responses[0]?.end('last\n');
  expect(await first.ended).toBeUndefined();
  expect(first.text()).toBe('one\ntwo\nlast\n');
  second.close();
  expect(api.sessions.length).toBe(2);
});

test('a stream that the server does not finish after GOAWAY is cut', async () => {
  const api = await start('h2', (_, response) => response.write('one\n'));
  const stream = await follow(connect(api.url), '/log');
  api.sessions[0]?.goaway(2, 0);
  expect((await stream.ended)?.kind).toBe('connection');
});

test('a request that the server refuses unread, as those after GOAWAY, is sent again', async () => {
  let requests = 0;
  const api = await start('h2', (_, response) => {
    requests += 1;
    if (requests === 1) {
      // REFUSED_STREAM (RFC 9113, section 8.7).
      (response as unknown as Http2ServerResponse).stream.close(7);
    } else {
      answerJson(response, 200, {requests});
    }
  });
  expect(await connect(api.url).get('/pods')).toEqual({requests: 2});
});

test('names the reason for which a server refuses every stream', async () => {
  const api = await start('h2', (_, response) => {
    // ENHANCE_YOUR_CALM (RFC 9113, section 7).
    (response as unknown as Http2ServerResponse).stream.close(11);
  });
  expect((await fault(connect(api.url).get('/pods'))).message).toBe(
    `The request to ${api.url} failed (Stream closed with error code NGHTTP2_ENHANCE_YOUR_CALM).`,
  );
});
