import {isAscii} from 'node:buffer';

/** Decodes bytes of valid UTF-8. All-ASCII bytes, the usual case for logs, are copied without decoding. */
export const textOfUtf8 = (body: Buffer, start = 0, end = body.length): string => {
  const bytes = body.subarray(start, end);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
};
