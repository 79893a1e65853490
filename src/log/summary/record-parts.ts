import {findClosingQuote} from '../fields/json-fields.ts';

/** What a summary counts of a record in JSON: places in the line, without quotes; empty (`end` 0) where there is none. */
export type RecordPart = {key: string; start: number; end: number};
export type RecordParts = {
  readonly message: RecordPart;
  readonly status: RecordPart;
  readonly method: RecordPart;
  readonly path: RecordPart;
  readonly client: RecordPart;
};

export type PartName = keyof RecordParts;

/** Names of the fields: the first of a line wins, of messages the first of this list. */
const keysOfParts: Readonly<Record<PartName, readonly string[]>> = {
  message: ['message', 'msg', 'short_message', 'textPayload', '@m', '@mt', 'event', 'log'],
  status: ['status', 'status_code', 'statusCode', 'http_status', 'http.status_code', 'http.response.status_code'],
  method: ['method', 'http_method', 'request_method', 'http.method', 'http.request.method'],
  path: ['path', 'uri', 'url', 'request_uri', 'request_path', 'http.target', 'url.path'],
  client: ['client', 'client_ip', 'clientip', 'client_addr', 'remote_addr', 'remote_ip', 'remote_address', 'ip'],
};

/** What the value of a field is, by the field's name; undefined where a summary doesn't count it. */
export const partOfKey: ReadonlyMap<string, PartName> = new Map(
  (Object.keys(keysOfParts) as PartName[]).flatMap(part => keysOfParts[part].map(key => [key, part] as const)),
);

const keyCharsMax = 26;
/** Fields of the record and of the objects in it: `{"request":{"method":"GET"}}`. */
const depthMax = 2;
const keyColon = /\s{0,4}:\s{0,4}/y;
const number = /\d{1,3}(?=[\s,}])/y;

const emptyPart = (): RecordPart => ({key: '', start: 0, end: 0});
const createParts = (): RecordParts => ({
  message: emptyPart(),
  status: emptyPart(),
  method: emptyPart(),
  path: emptyPart(),
  client: emptyPart(),
});

const isBetter = (part: PartName, key: string, known: RecordPart): boolean =>
  known.end === 0 || (part === 'message' && keysOfParts.message.indexOf(key) < keysOfParts.message.indexOf(known.key));

/** By how much the nesting changes from `start` to `end`, where no string stands. */
const countDepth = (text: string, start: number, end: number): number => {
  let depth = 0;
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) {
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return depth;
};

/**
 * The parts of the record in JSON that begins at `start`. Reads on from string to string without parsing or checking, so it costs
 * little and a record that is cut off has parts too.
 */
export const findRecordParts = (text: string, start: number): RecordParts => {
  const parts = createParts();
  let depth = 0;
  let index = start;
  for (let open = text.indexOf('"', index); open !== -1; open = text.indexOf('"', index)) {
    depth += countDepth(text, index, open);
    const close = findClosingQuote(text, open);
    if (close === -1) {
      break;
    }
    index = close + 1;
    const name =
      depth <= depthMax && close - open <= keyCharsMax ? partOfKey.get(text.slice(open + 1, close)) : undefined;
    keyColon.lastIndex = index;
    if (name === undefined || (name === 'message' && depth > 1) || !keyColon.test(text)) {
      continue;
    }
    const value = keyColon.lastIndex;
    const part = parts[name];
    const key = text.slice(open + 1, close);
    if (text[value] === '"') {
      const end = findClosingQuote(text, value);
      if (end > value + 1 && isBetter(name, key, part)) {
        Object.assign(part, {key, start: value + 1, end});
      }
      index = end === -1 ? text.length : end + 1;
    } else if (name === 'status') {
      number.lastIndex = value;
      if (number.test(text) && part.end === 0) {
        Object.assign(part, {key, start: value, end: number.lastIndex});
      }
    }
  }
  return parts;
};
