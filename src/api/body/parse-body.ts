import {isUtf8} from 'node:buffer';
import {type JsonVisitor, walkJson} from '../../log/json/walk-json.ts';
import {ApiError} from '../api-error.ts';
import {textOfUtf8} from './utf8-text.ts';

const startOf = (body: Buffer): number => (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0);

const looksLikeHtml = (body: Buffer, contentType: string | undefined): boolean => {
  const start = body.subarray(0, 1024).toString('latin1').trimStart();
  return (
    /^<(?:!doctype|html|head|body|!--|\?xml)/i.test(start) || (start.startsWith('<') && /html/i.test(contentType ?? ''))
  );
};

/** Counts replaced sequences. Does not count U+FFFD that the service itself sent. */
const countReplacements = (text: string, body: Buffer): number => {
  const sent = Buffer.from('\u{fffd}');
  let count = 0;
  for (let at = text.indexOf('\u{fffd}'); at !== -1; at = text.indexOf('\u{fffd}', at + 1)) {
    count += 1;
  }
  for (let at = body.indexOf(sent); at !== -1; at = body.indexOf(sent, at + sent.length)) {
    count -= 1;
  }
  return count;
};

/** Parses JSON like `JSON.parse`, errors included, from bytes of valid UTF-8. Must not keep the bytes. */
export type ParseJson = (body: Buffer) => unknown;

/**
 * Parses a body as JSON, with `parse` if given, which must throw on invalid JSON as `JSON.parse` does. Strips a byte
 * order mark; replaces invalid UTF-8 with U+FFFD and reports the number of replacements in `notes`.
 * Throws an `ApiError` of kind `notInterface` that names a byte offset and never quotes the body, which may hold
 * secrets.
 */
export const parseBody = (
  bytes: Buffer,
  contentType: string | undefined,
  host: string,
  parse: ParseJson = body => JSON.parse(textOfUtf8(body)) as unknown,
): {json: unknown; notes: readonly string[]} => {
  const start = startOf(bytes);
  const body = bytes.subarray(start);
  const mended = isUtf8(body) ? undefined : body.toString('utf8');
  const notes =
    mended === undefined ? [] : [`body: ${countReplacements(mended, body)} sequences were not UTF-8 and were replaced`];
  try {
    const json = parse(mended === undefined ? body : Buffer.from(mended));
    return {json, notes};
  } catch {
    throw new ApiError('notInterface', describeNonJson(body, start, contentType, host));
  }
};

const ignored: JsonVisitor = {onOpen: () => {}, onClose: () => {}, onKey: () => {}, onScalar: () => {}};

/**
 * Returns the offset at which a body that `JSON.parse` refused stops being JSON, or its length if it merely ends too
 * early. V8's own message quotes the body, which may hold secrets, and gives no position for most errors.
 */
const findJsonError = (body: Buffer): number => {
  // In latin1 one code unit is one byte.
  const text = body.toString('latin1');
  const end = walkJson(text, 0, ignored, Number.POSITIVE_INFINITY);
  if (end < 0) {
    return ~end;
  }
  const behind = text.slice(end).search(/[^ \t\r\n]/);
  return behind === -1 ? text.length : end + behind;
};

const describeNonJson = (body: Buffer, start: number, contentType: string | undefined, host: string): string => {
  if (body.length === 0) {
    return `${host} answered with an empty body, not with JSON`;
  }
  if (looksLikeHtml(body, contentType)) {
    return `${host} answered with an HTML page (a proxy or a login page?)`;
  }
  const offset = findJsonError(body);
  return `the answer of ${host} is not JSON at byte ${start + offset} of ${start + body.length}`;
};
