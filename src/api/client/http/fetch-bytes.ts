import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import got from 'got';
import type {Agents} from '../agents.ts';
import {ApiError} from '../api-error.ts';
import type {Limits} from '../limits.ts';
import {describeFailure} from './describe-failure.ts';

/**
 * Memory that grows in place and returns what it no longer needs to the system at once. Memory allocated for each body
 * of megabytes would wait for the garbage collector, which is in no hurry, and leave holes that nothing else fits into.
 */
type ElasticMemory = {
  readonly byteCount: number;
  /**
   * Resizes to `byteCount` bytes, at most `bytesMax`, and keeps the content. Buffers returned earlier stay valid until
   * the memory shrinks.
   */
  resize(byteCount: number): Buffer;
};

/**
 * Reserves `bytesMax` of address space. Uses only as much memory as its current size, rounded up to a page, and only
 * pages that were written to.
 */
const createElasticMemory = (bytesMax: number): ElasticMemory => {
  const memory = new ArrayBuffer(0, {maxByteLength: bytesMax});
  return {
    get byteCount() {
      return memory.byteLength;
    },
    resize: byteCount => {
      memory.resize(byteCount);
      return Buffer.from(memory);
    },
  };
};

/** An answer with its whole body. */
export type FetchedBytes = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decoded. Empty for anything but 2xx, because bodies of refusals are ignored. Valid until `release`. */
  readonly body: Buffer;
  /** Releases the body's memory for the next one. */
  readonly release: () => void;
};

type FetchOptions = {
  readonly url: string;
  /** The service in words. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agents: Agents;
  readonly limits: Limits;
  readonly bodies: BodyPool;
  readonly signal: AbortSignal;
};

/**
 * How much of a refusal's body is read and discarded to keep the connection alive; beyond that the connection is
 * closed.
 */
const refusalBytesMax = 64 * 1024;

/**
 * Frees a chunk's memory at once. The garbage collector is slow to free memory outside its heap, and a body's chunks
 * take as much as the body. Only frees a chunk that owns its whole ArrayBuffer; a shared one may still back later
 * chunks.
 */
const freeChunk = (chunk: Buffer): void => {
  const memory = chunk.buffer;
  if (memory instanceof ArrayBuffer && memory.byteLength === chunk.length && chunk.length > 0) {
    memory.transfer(0);
  }
};

/**
 * Sends one GET, without retries or redirects. Counts the body as it is decoded, so that a gzip bomb is cut off at the
 * limit and never held.
 * Throws an `ApiError` of kind `network`, `timeout`, `tls`, `tooLarge` or `cancelled`.
 */
export const fetchBytes = async (options: FetchOptions): Promise<FetchedBytes> => {
  const {url, host, headers, agents, limits, bodies, signal} = options;
  let answer: {readonly status: number; readonly headers: IncomingHttpHeaders} | undefined;
  // Only these headers: they replace got's default user agent. There is no body and no cookie.
  const stream = got.stream(url, {
    headers: {...headers},
    agent: {http: agents.http, https: agents.https},
    followRedirect: false,
    throwHttpErrors: false,
    retry: {limit: 0},
    decompress: true,
    signal,
    timeout: {
      lookup: limits.connectMs,
      connect: limits.connectMs,
      secureConnect: limits.connectMs,
      response: limits.headersMs,
      socket: limits.idleMs,
      request: limits.requestMs,
    },
  });
  // got's connection limits start once there is a socket; through a proxy there is none until the tunnel is open.
  let unconnected: ApiError | undefined;
  const noSocket = setTimeout(() => {
    const via = agents.proxy ? ` (proxy ${agents.proxy})` : '';
    unconnected = new ApiError('timeout', `no connection to ${host}${via} within ${limits.connectMs / 1000} s`);
    stream.destroy(unconnected);
  }, limits.connectMs);
  stream.once('request', request => {
    request.once('socket', () => clearTimeout(noSocket));
    // Nobody asked to change the protocol. Unheard, Node closes the connection, and the request would never end.
    request.once('upgrade', (response: IncomingMessage, socket: Duplex) => {
      answer = {status: response.statusCode ?? 0, headers: response.headers};
      socket.destroy();
      stream.destroy(new Error('another protocol'));
    });
  });
  stream.once('response', response => {
    answer = {status: response.statusCode, headers: response.headers};
  });
  const isGood = () => answer !== undefined && answer.status >= 200 && answer.status < 300;

  const body = bodies.take();
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (!isGood()) {
        if (bytes > refusalBytesMax) {
          break;
        }
      } else if (bytes > limits.bodyBytesMax) {
        throw new ApiError(
          'tooLarge',
          `answer too large: ${host} sent more than ${Math.round(limits.bodyBytesMax / 1024 / 1024)} MB`,
        );
      } else {
        body.add(chunk);
        freeChunk(chunk);
      }
    }
  } catch (error) {
    body.giveBack();
    // A refusal whose body is cut short is still that refusal.
    if (answer && !isGood() && !signal.aborted) {
      return {...answer, body: Buffer.alloc(0), release: () => {}};
    }
    if (signal.aborted) {
      throw new ApiError('cancelled', `the request to ${host} was cancelled`);
    }
    // got wraps the error that its stream was destroyed with.
    throw describeFailure(unconnected ?? error, {
      host,
      hostname: new URL(url).hostname,
      proxy: agents.proxy,
      limits,
      hasAnswered: answer !== undefined,
    });
  } finally {
    clearTimeout(noSocket);
    stream.destroy();
  }
  if (!answer) {
    body.giveBack();
    throw new ApiError('network', `${host} closed the connection without an answer`);
  }
  return {...answer, body: body.bytes(), release: body.giveBack};
};

/**
 * Reusable memory for bodies. Allocating megabytes for a new body every second would leave more garbage than is ever in
 * use.
 */
type BodyPool = {
  /** Returns an empty body to fill. */
  take(): GrowingBody;
};

type GrowingBody = {
  /** Throws a `RangeError` if the body would exceed its limit. */
  add(bytes: Buffer): void;
  /** Returns what was added; valid until `giveBack`. */
  bytes(): Buffer;
  /** Returns most of the memory to the system; its address range is kept for the next body. */
  giveBack(): void;
};

const bytesMin = 64 * 1024;
/** Memory kept between polls: in a virtual machine, writing to a page again can take some 20 µs. */
const keptBytesMax = 8 * 1024 * 1024;
/** The number of logs that are watched at once. */
const keptMax = 8;

/** Creates the pool. `bodyBytesMax`: the limit of a body's decoded bytes. */
export const createBodyPool = (bodyBytesMax: number): BodyPool => {
  const kept: ElasticMemory[] = [];
  return {
    take: () => {
      const memory = kept.pop() ?? createElasticMemory(bodyBytesMax);
      let place = memory.resize(Math.min(Math.max(bytesMin, memory.byteCount), bodyBytesMax));
      let byteCount = 0;
      let isGivenBack = false;
      return {
        add: bytes => {
          const needed = byteCount + bytes.length;
          if (needed > place.length) {
            place = memory.resize(Math.max(needed, Math.min(2 * place.length, bodyBytesMax)));
          }
          bytes.copy(place, byteCount);
          byteCount = needed;
        },
        bytes: () => place.subarray(0, byteCount),
        giveBack: () => {
          if (isGivenBack) {
            return;
          }
          isGivenBack = true;
          const freeBytes = keptBytesMax - kept.reduce((sum, {byteCount}) => sum + byteCount, 0);
          memory.resize(Math.min(memory.byteCount, Math.max(freeBytes, 0)));
          if (kept.length < keptMax) {
            kept.push(memory);
          }
        },
      };
    },
  };
};
