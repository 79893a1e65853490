import type {ServerResponse} from 'node:http';
import {setTimeout as delay} from 'node:timers/promises';

/** A way in which an answer is spoiled. */
export type FakeFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** 200 with any bytes: broken JSON, a gzip bomb (with its header), a wrong shape. */
  | {
      readonly kind: 'body';
      readonly body: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** 200 with a page, as a proxy or a login form answers. */
  | {readonly kind: 'html'}
  /** Half of the announced body, then the connection is gone. */
  | {readonly kind: 'cut'}
  /** The connection is gone before any answer. */
  | {readonly kind: 'reset'}
  /** Nothing ever comes, or nothing after half of the body. */
  | {readonly kind: 'stall'; readonly at: 'headers' | 'body'}
  | {readonly kind: 'redirect'; readonly to: string; readonly status?: number}
  /** The right answer, so many bytes at a time. */
  | {readonly kind: 'slow'; readonly chunkBytes: number; readonly pauseMs: number}
  /** The right answer, later. */
  | {readonly kind: 'late'; readonly delayMs: number};

const page = '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

/** Sends the answer as the fault has it. `body` is what would have been right, and `headers` what goes with it. */
export const answerWithFault = async (
  response: ServerResponse,
  fault: FakeFault,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  const json = {...headers, 'content-type': 'application/json'};
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, {...json, ...fault.headers}).end(fault.body ?? '{"message":"on purpose"}');
      return;
    case 'body':
      response.writeHead(200, {...json, ...fault.headers}).end(fault.body);
      return;
    case 'html':
      response.writeHead(200, {...headers, 'content-type': 'text/html; charset=utf-8'}).end(page);
      return;
    case 'redirect':
      response.writeHead(fault.status ?? 302, {...headers, location: fault.to}).end();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'stall':
      if (fault.at === 'body') {
        response.writeHead(200, {...json, 'content-length': body.length});
        response.write(body.subarray(0, Math.floor(body.length / 2)));
      }
      return;
    case 'cut':
      response.writeHead(200, {...json, 'content-length': body.length});
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    case 'slow':
      response.writeHead(200, {...json, 'content-length': body.length});
      for (let start = 0; start < body.length && !response.destroyed; start += fault.chunkBytes) {
        response.write(body.subarray(start, start + fault.chunkBytes));
        await delay(fault.pauseMs);
      }
      response.end();
      return;
    case 'late':
      await delay(fault.delayMs);
      response.writeHead(200, {...json, 'content-length': body.length}).end(body);
  }
};
