import {promisify} from 'node:util';
import {constants, crc32, deflateRaw, gzip} from 'node:zlib';

/** A part of a gzip body, packed on its own, so that bodies can share it. */
export type Segment = {
  /** Deflate blocks that end on a byte and refer to nothing before them. */
  readonly packed: Buffer;
  readonly crc: number;
  readonly sizeBytes: number;
  /** Turns a checksum into that of the same bytes with `sizeBytes` zeros after them, by `multiply`. */
  readonly shift: number;
};

const deflateInThreadPool = promisify(deflateRaw);

/** The polynomial of CRC-32, reflected: the coefficient of x^0 is the highest bit. */
const polynomial = 0xedb88320;
const one = 0x80000000;
/** x^8: one zero byte. */
const zeroByte = 0x00800000;

/** Multiplies two polynomials over GF(2), modulo CRC-32's. */
const multiply = (left: number, right: number): number => {
  let [product, factor] = [0, right];
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((left & bit) !== 0) {
      product ^= factor;
    }
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
};

/** Returns x^8 to the power of `sizeBytes`, by squaring. */
const findShift = (sizeBytes: number): number => {
  let [shift, power] = [one, zeroByte];
  for (let rest = sizeBytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      shift = multiply(shift, power);
    }
    power = multiply(power, power);
  }
  return shift;
};

/** To set a packer up costs more than these bytes, which stay as they are. */
const storedBytesMax = 256;

/** RFC 1951, section 3.2.4: a block that is not compressed, and not the last one. */
const storeBlock = (bytes: Buffer): Buffer => {
  const block = Buffer.alloc(5 + bytes.length);
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(0xffff - bytes.length, 3);
  block.set(bytes, 5);
  return block;
};

const packBytes = (bytes: Buffer): Buffer | Promise<Buffer> =>
  bytes.length <= storedBytesMax
    ? storeBlock(bytes)
    : deflateInThreadPool(bytes, {level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH});

/** Packs a part of a body, off the event loop's thread. */
export const packSegment = async (bytes: Buffer): Promise<Segment> => ({
  packed: await packBytes(bytes),
  crc: crc32(bytes),
  sizeBytes: bytes.length,
  shift: findShift(bytes.length),
});

/** RFC 1952, section 2.3: deflate, no flags, no time, fastest, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty last block. */
const lastBlock = Buffer.from([0x03, 0x00]);

/** Joins segments into one gzip body, in pieces to send one after the other. */
export const joinGzip = (segments: readonly Segment[]): readonly Buffer[] => {
  let [crc, sizeBytes] = [0, 0];
  for (const segment of segments) {
    crc = multiply(segment.shift, crc) ^ segment.crc;
    sizeBytes += segment.sizeBytes;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc >>> 0, 0);
  trailer.writeUInt32LE(sizeBytes % 2 ** 32, 4);
  return [header, ...segments.map(({packed}) => packed), lastBlock, trailer];
};

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
