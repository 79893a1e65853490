import {Secret} from '#base/secret.ts';
import {ApiError} from './api-error.ts';

/** Node refuses requests whose headers exceed 16 KiB in total, and JWTs of more than a few KiB are rare. */
export const tokenBytesMax = 12 * 1024;

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

// RFC 6750, section 2.1: ALPHA, DIGIT, "-", ".", "_", "~", "+", "/", "=". Any other character could end the header or
// start another one.
const isTokenByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x2d && byte <= 0x2f) ||
  byte === 0x5f ||
  byte === 0x7e ||
  byte === 0x2b ||
  byte === 0x3d;

const classOf = (byte: number): string => {
  if (byte === 0x0a || byte === 0x0d) {
    return 'a line break';
  }
  if (isBlank(byte)) {
    return 'a blank';
  }
  if (byte < 0x20 || byte === 0x7f) {
    return 'a control character';
  }
  if (byte >= 0x80) {
    return 'a character outside ASCII';
  }
  return byte === 0x22 || byte === 0x27 || byte === 0x60 ? 'a quotation mark' : 'a punctuation character';
};

/**
 * Parses a token from the bytes of a file, a command's output or a variable, which `origin` names in errors. Strips a
 * byte order mark and surrounding white space; returns undefined if nothing is left.
 * Throws an `ApiError` of kind `token` that names the offset and the class of an invalid character, but never the
 * character itself, which may be part of the secret.
 */
export const parseTokenText = (bytes: Uint8Array, origin: string): Secret | undefined => {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start] ?? 0)) {
    start += 1;
  }
  while (end > start && isBlank(bytes[end - 1] ?? 0)) {
    end -= 1;
  }
  if (start === end) {
    return undefined;
  }
  if (end - start > tokenBytesMax) {
    throw new ApiError('token', `${origin} holds more than ${tokenBytesMax} bytes, which is no token`);
  }
  for (let offset = start; offset < end; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (!isTokenByte(byte)) {
      throw new ApiError(
        'token',
        `${origin} has ${classOf(byte)} at byte ${offset}: it must hold the token alone, without "Bearer" or quotes`,
      );
    }
  }
  return new Secret(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'));
};
