import {isAscii} from 'node:buffer';

/** The text of bytes that are valid UTF-8. What is all ASCII, as logs mostly are, is copied and not decoded. */
export const textOfUtf8 = (body: Buffer, start = 0, end = body.length): string => {
  const bytes = body.subarray(start, end);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
};
