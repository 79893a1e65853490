import {isUtf8} from 'node:buffer';
import {sanitise} from '#log/text/sanitise.ts';
import type {Work} from '#log/work.ts';
import {ApiError} from '../api-error.ts';
import {findJsonFault, parseJson} from './parse-json.ts';

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

/** The codings that are undone before. */
const decodedCoding = /^(?:identity|x-gzip|gzip|deflate|br|zstd)?$/i;
const codingCharsMax = 40;

type BodyHeaders = {readonly 'content-type'?: string | undefined; readonly 'content-encoding'?: string | undefined};

/** Parses JSON like `JSON.parse`, errors included, from bytes of valid UTF-8. Must not keep the bytes. */
export type ParseJson = (body: Buffer) => Work<unknown>;

/**
 * Parses a body as JSON, with `parse` if given, which must throw on invalid JSON as `JSON.parse` does. Strips a byte
 * order mark; replaces invalid UTF-8 with U+FFFD and reports the number of replacements in `notes`.
 * Throws an `ApiError`: of kind `tooLarge`, or of kind `notInterface` that names a byte offset and never quotes the
 * body, which may hold secrets.
 */
export function* parseBody(
  bytes: Buffer,
  headers: BodyHeaders,
  host: string,
  parse: ParseJson = parseJson,
): Work<{json: unknown; notes: readonly string[]}> {
  const coding = headers['content-encoding'];
  if (coding !== undefined && !decodedCoding.test(coding)) {
    const name = sanitise(coding.slice(0, codingCharsMax));
    throw new ApiError('notInterface', `the response from ${host} is encoded as ${name}, which was not requested`);
  }
  const start = startOf(bytes);
  const body = bytes.subarray(start);
  const mended = isUtf8(body) ? undefined : body.toString('utf8');
  const notes =
    mended === undefined ? [] : [`body: ${countReplacements(mended, body)} sequences were not UTF-8 and were replaced`];
  try {
    const json = yield* parse(mended === undefined ? body : Buffer.from(mended));
    return {json, notes};
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ApiError('tooLarge', `answer too large: ${host} sent JSON with too many brackets to be data`);
    }
    throw new ApiError('notInterface', yield* describeNonJson(body, start, headers['content-type'], host));
  }
}

function* describeNonJson(body: Buffer, start: number, contentType: string | undefined, host: string): Work<string> {
  if (body.length === 0) {
    return `${host} answered with an empty body, not with JSON`;
  }
  if (looksLikeHtml(body, contentType)) {
    return `${host} answered with an HTML page (a proxy or a login page?)`;
  }
  const offset = (yield* findJsonFault(body)) ?? body.length;
  return `the response from ${host} is not JSON at byte ${start + offset} of ${start + body.length}`;
}
