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

/** U+FFFD that the service sent itself are no replacements. */
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

/** Reads JSON as `JSON.parse` does, errors included, from bytes that are valid UTF-8 and are not kept. */
export type ParseJson = (body: Buffer) => unknown;

/**
 * Reads a body as JSON, by `parse` where that is given: it must throw what is not JSON, as `JSON.parse` does. A byte order mark is stripped; what is not UTF-8 becomes U+FFFD, and `notes` says how often.
 * Throws an `ApiError` of kind `notInterface` that names a byte offset and never a piece of the body, which may hold secrets.
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
 * Where a body that `JSON.parse` refused stops being JSON: its length if it only ends too early. V8's own message quotes the body,
 * which may hold secrets, and names no position for most errors.
 */
const findJsonError = (body: Buffer): number => {
  // In latin1 a code unit is a byte.
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
