import {createServer, type RequestListener} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import {gzipSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {createHttp1Link} from '#service/link/http1-link.ts';
import {BodyCutError, BodyTooLargeError, drainAnswer, type LinkAnswer, readBody} from '#service/link/link.ts';

/** Asks a server of its own for one answer. */
const ask = async (answer: RequestListener, path = '/'): Promise<LinkAnswer> => {
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const link = createHttp1Link(new URL(`http://127.0.0.1:${port}`), async () => connect(port, '127.0.0.1'), {
    pingMs: 60_000,
    pingPath: '/ping',
  });
  onTestFinished(() => {
    link.close();
    server.close();
    server.closeAllConnections();
  });
  return await link.send({path, headers: {}, isEndless: false}, new AbortController().signal);
};

const never = new AbortController().signal;

test.each([
  ['as it is', {}, Buffer.from('0123456789')],
  ['decompressed', {'content-encoding': 'gzip'}, gzipSync('0123456789')],
])('reads a body %s, up to its bound', async (_, headers, bytes) => {
  const answer: RequestListener = (_request, response) => {
    response.writeHead(200, headers).end(bytes);
  };
  // Compressed, so short a text takes more bytes than it has.
  const size = Math.max(10, bytes.length);
  expect(String(await readBody(await ask(answer), size, never))).toBe('0123456789');
  await expect(readBody(await ask(answer), size - 1, never)).rejects.toThrow(
    new BodyTooLargeError(`more than ${size - 1} bytes`),
  );
});

test('a body that is too large only when it is decompressed is refused', async () => {
  const answer: RequestListener = (_request, response) => {
    response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync('x'.repeat(1_000)));
  };
  expect(await readBody(await ask(answer), 1_000, never)).toHaveLength(1_000);
  await expect(readBody(await ask(answer), 999, never)).rejects.toThrow(BodyTooLargeError);
});

test('a body that breaks off, or is not what it says, is refused', async () => {
  const cut = await ask((_request, response) => {
    response.writeHead(200, {'content-length': '10'});
    response.write('01234', () => response.destroy());
  });
  await expect(readBody(cut, 100, never)).rejects.toThrow(new BodyCutError('cut'));
  const damaged = await ask((_request, response) => {
    response.writeHead(200, {'content-encoding': 'gzip'}).end('no gzip');
  });
  await expect(readBody(damaged, 100, never)).rejects.toThrow(new BodyCutError('damaged'));
});

test('whoever gives up gets its own reason, and the answer is ended', async () => {
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>(resolve => {
    closed = resolve;
  });
  const answer = await ask((_request, response) => {
    response.on('close', () => closed?.());
    response.write('01234');
  });
  const control = new AbortController();
  const body = readBody(answer, 100, control.signal);
  control.abort(new Error('enough'));
  await expect(body).rejects.toThrow('enough');
  await isClosed;
});

test('a reader that stops hears neither of further bytes nor of the end', async () => {
  const heard: unknown[] = [];
  const answer = await ask((_request, response) => {
    response.write('one');
  });
  const isClosed = new Promise(resolve => answer.body.once('close', resolve));
  await new Promise<void>(resolve => {
    const stop = drainAnswer(
      answer,
      bytes => {
        heard.push(String(bytes));
        stop();
        resolve();
      },
      fault => heard.push(fault),
    );
  });
  answer.body.emit('data', Buffer.from('two'));
  await isClosed;
  expect(heard).toEqual(['one']);
});

test('an orderly end is told as one, and bytes come as they are written', async () => {
  const heard: string[] = [];
  const answer = await ask((_request, response) => {
    response.write('one');
    response.end('two');
  });
  const fault = await new Promise(resolve => {
    drainAnswer(answer, bytes => heard.push(String(bytes)), resolve);
  });
  expect([heard.join(''), fault, answer.isWhole()]).toEqual(['onetwo', undefined, true]);
});
