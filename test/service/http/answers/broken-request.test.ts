import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {answerBrokenRequest} from '#service/http/answers/broken-request.ts';
import {formatWindowHeader, readAfterHeader} from '#service/http/answers/log-headers.ts';

test.each([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'The request did not arrive in time.'],
  ['HPE_INVALID_METHOD', '400 Bad Request', 'The request is not valid HTTP.'],
])('a request that is broken by %s is answered, and its connection closed', async (code, status, message) => {
  const server = createServer();
  server.on('clientError', (error, socket) => answerBrokenRequest(Object.assign(error, {code}), socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('nonsense\r\n\r\n');
  const body = JSON.stringify({message});
  expect(await text(socket)).toBe(
    [
      `HTTP/1.1 ${status}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
});

test('a client that has gone gets no answer', () => {
  const gone = new PassThrough();
  answerBrokenRequest(Object.assign(new Error('reset'), {code: 'ECONNRESET'}), gone);
  expect([gone.destroyed, gone.read()]).toEqual([true, null]);
  const ended = new PassThrough().end();
  answerBrokenRequest(new Error('late'), ended);
  expect(ended.destroyed).toBe(true);
});

test('the header of a window says how it was cut, and what arrived if that is known', () => {
  const arrivals = {series: 's', last: 7, dropped: 2};
  expect([{}, {arrivals}, {cut: 'pod'} as const, {cut: 'branch', arrivals} as const].map(formatWindowHeader)).toEqual([
    undefined,
    undefined,
    'pod',
    'branch; series=s; last=7; dropped=2',
  ]);
  expect(formatWindowHeader({cut: 'source', arrivals: {...arrivals, unread: 3}})).toBe(
    'source; series=s; last=7; dropped=2; unread=3',
  );
  expect(formatWindowHeader({cut: 'source', arrivals: {...arrivals, unread: 0}})).toBe(
    'source; series=s; last=7; dropped=2',
  );
});

test('a place is a series of up to 128 characters and a number', () => {
  const read = (value: string | undefined) => readAfterHeader({'branchlog-after': value});
  expect(read('a:b:12')).toEqual({series: 'a:b', last: 12});
  expect(read(`${'x'.repeat(128)}:0`)).toEqual({series: 'x'.repeat(128), last: 0});
  expect([read(`${'x'.repeat(129)}:0`), read(':1'), read('x'), read(undefined)]).toEqual(Array(4).fill(undefined));
  expect([read(`x:${Number.MAX_SAFE_INTEGER}`)?.last, read('x:9007199254740992')]).toEqual([
    Number.MAX_SAFE_INTEGER,
    undefined,
  ]);
});
