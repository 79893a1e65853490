import {promisify} from 'node:util';
import {constants, gzip} from 'node:zlib';

/** A coding of a body, RFC 9110, section 8.4.1. `identity`: as it is. */
export type Coding = 'gzip' | 'identity';

/** Below this, a gzip header and the compression cost more than they save. */
const gzipBytesMin = 1024;

const gzipInThreadPool = promisify(gzip);

/** Returns the coding to use for an accept-encoding header (RFC 9110, section 12.5.3). */
export const chooseCoding = (header: string | undefined): Coding => {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map(part => part.trim());
    const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, quality === undefined ? 1 : Number(quality));
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0 ? 'gzip' : 'identity';
};

/** Encodes a body for sending, off the event loop's thread. A short one stays as it is. */
export const encodeBody = async (
  body: Buffer,
  coding: Coding,
): Promise<{readonly body: Buffer; readonly coding: Coding}> =>
  coding === 'gzip' && body.length > gzipBytesMin
    ? {body: await gzipInThreadPool(body, {level: constants.Z_BEST_SPEED}), coding}
    : {body, coding: 'identity'};
