import {match, ok, strictEqual} from 'node:assert';
import {once} from 'node:events';
import net from 'node:net';
import fc from 'fast-check';
import {createServer} from '#service/http/server.ts';
import {anyCharacter} from '../support/any-character.ts';

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('GET ', 'POST ', 'HEAD ', ' HTTP/1.1\r\n', ' HTTP/1.0\r\n', '\r\n', '\n', ': '),
  },
  {weight: 4, arbitrary: fc.constantFrom('/dev-v1/sites/', 'shop', '/branches', '/m1/logs', '/healthz', '%', '?', '#')},
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'host: x\r\n',
      'authorization: Bearer secret-token\r\n',
      'tenant: a\r\nauth-mode: b\r\n',
      'content-length: ',
      'transfer-encoding: chunked\r\n',
      'accept-encoding: gzip\r\n',
      'content-type: ',
      'expect: 100-continue\r\n',
      'connection: upgrade\r\nupgrade: ',
      'connection: close\r\n',
    ),
  },
  {weight: 2, arbitrary: fc.string({unit: anyCharacter, maxLength: 20})},
  {weight: 1, arbitrary: fc.nat(100_000).map(String)},
);

const starts = [
  'GET /dev-v1/sites/shop/branches/m1/logs HTTP/1.1\r\nhost: x\r\n',
  'POST /dev-v1/sites/shop/branches HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret-token\r\n',
];

/**
 * Sends random requests to the server of the interface. Rejects if an answer is not HTTP, or an error is not JSON, or if
 * the server does not go on.
 */
export const fuzzHttpServer = async ({seed, runs}: {readonly seed: number; readonly runs: number}): Promise<void> => {
  const server = createServer({
    backend: {
      start: async () => undefined,
      close: async () => undefined,
      listBranches: async () => [],
      readWindow: async () => ({pods: [], lines: ['2025-01-01T00:00:00.000000000Z one']}),
    },
    token: 'secret-token',
    tenant: 'a',
    authMode: 'b',
    host: '127.0.0.1',
    port: 0,
  });
  const {baseUrl} = await server.start();
  const port = Number(new URL(baseUrl).port);
  const send = async (bytes: Buffer): Promise<string> => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    let text = '';
    socket.setEncoding('latin1').on('data', data => {
      text += data;
    });
    // What follows ends a request that is whole by then, and breaks any other.
    socket.end(Buffer.concat([bytes, Buffer.from('\r\n\r\n\0')]));
    await once(socket, 'close');
    return text;
  };
  const request = fc.asyncProperty(
    fc.constantFrom('', ...starts),
    fc.array(piece, {maxLength: 30}),
    async (start, pieces) => {
      const text = await send(Buffer.from(start + pieces.join('')));
      for (const head of text.match(/^HTTP\/1\.1 \d[\s\S]*?\r\n\r\n/gm) ?? []) {
        match(head, /^HTTP\/1\.1 (?:100|[24]\d\d) /);
        ok(!head.startsWith('HTTP/1.1 4') || head.includes('content-type: application/json'), head);
      }
      ok(text === '' || text.startsWith('HTTP/1.1 '), text);
      ok(!text.includes('secret-token'), 'it repeats the token');
    },
  );
  try {
    await fc.assert(request, {seed, numRuns: runs});
    strictEqual(await (await fetch(new URL('/healthz', baseUrl))).text(), 'ok');
  } finally {
    await server.stop();
  }
};
