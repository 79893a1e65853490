import {setImmediate as nextTurn} from 'node:timers/promises';
import {promisify} from 'node:util';
import {constants, gzip} from 'node:zlib';
import type {ServedWindow} from '../backend.ts';

/** Characters put into JSON in one go: about 2 ms of work, so that a window of 24 MB delays no other request. */
const sliceCharactersMax = 512 * 1024;
/** Below this, a gzip header and the compression cost more than they save. */
const gzipBytesMin = 1024;

const gzipInThreadPool = promisify(gzip);

/**
 * Formats the body of a log answer, interface specification section 2.5. Each line is quoted once, for `data` and
 * `events` alike, and the event loop gets a turn between slices.
 */
export const formatLogAnswer = async (window: ServedWindow, sessionId: string): Promise<Buffer> => {
  const data: Buffer[] = [];
  const events: Buffer[] = [];
  let [dataSlice, eventsSlice] = ['', ''];
  for (const line of window.lines) {
    const quoted = JSON.stringify(line);
    dataSlice += dataSlice === '' && data.length === 0 ? quoted : `,${quoted}`;
    eventsSlice += eventsSlice === '' && events.length === 0 ? `{"message":${quoted}}` : `,{"message":${quoted}}`;
    if (dataSlice.length > sliceCharactersMax) {
      data.push(Buffer.from(dataSlice));
      events.push(Buffer.from(eventsSlice));
      [dataSlice, eventsSlice] = ['', ''];
      await nextTurn();
    }
  }
  return Buffer.concat([
    Buffer.from(`{"podNamesList":${JSON.stringify(window.pods)},"data":[`),
    ...data,
    Buffer.from(`${dataSlice}],"events":[`),
    ...events,
    Buffer.from(`${eventsSlice}],"sessionId":${JSON.stringify(sessionId)}}`),
  ]);
};

/** Checks whether an accept-encoding header (RFC 9110, section 12.5.3) allows gzip. */
export const acceptsGzip = (header: string | undefined): boolean => {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map(part => part.trim());
    const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, quality === undefined ? 1 : Number(quality));
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
};

/** Encodes the body for sending: gzip if the client accepts it and it pays, compressed off the event loop's thread. */
export const encodeBody = async (
  body: Buffer,
  acceptEncoding: string | undefined,
): Promise<{readonly body: Buffer; readonly encoding: 'gzip' | undefined}> =>
  body.length > gzipBytesMin && acceptsGzip(acceptEncoding)
    ? {body: await gzipInThreadPool(body, {level: constants.Z_BEST_SPEED}), encoding: 'gzip'}
    : {body, encoding: undefined};
