import {beforeNames, findClosingQuote, moveToNextName} from '../record/next-name.ts';

/** What a summary counts of a JSON record: ranges in the line, without quotes; empty (`end` 0) if there is none. */
export type RecordPart = {key: string; start: number; end: number};
export type RecordParts = {
  readonly message: RecordPart;
  readonly status: RecordPart;
  readonly method: RecordPart;
  readonly path: RecordPart;
  readonly client: RecordPart;
};

export type PartName = keyof RecordParts;

/** Names of the fields. The first in a line wins; for messages, the first in this list. */
const keysOfParts: Readonly<Record<PartName, readonly string[]>> = {
  message: ['message', 'msg', 'short_message', 'textPayload', '@m', '@mt', 'event', 'log'],
  status: [
    'status',
    'status_code',
    'statusCode',
    'http_status',
    'http.status_code',
    'http.response.status_code',
    'DownstreamStatus',
  ],
  method: ['method', 'http_method', 'request_method', 'http.method', 'http.request.method', 'RequestMethod'],
  path: ['path', 'uri', 'url', 'request_uri', 'request_path', 'http.target', 'url.path', 'RequestPath'],
  client: [
    'client',
    'client_ip',
    'clientip',
    'client_addr',
    'remote_addr',
    'remote_ip',
    'remote_address',
    'ip',
    'ClientHost',
  ],
};

/** The part that a field's value is, by the field's name; undefined if a summary doesn't count it. */
export const partOfKey: ReadonlyMap<string, PartName> = new Map(
  (Object.keys(keysOfParts) as PartName[]).flatMap(part => keysOfParts[part].map(key => [key, part] as const)),
);

const keyCharsMax = 25;
/** Fields of the record and of the objects in it: `{"request":{"method":"GET"}}`. */
const depthMax = 2;
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

/** Finds the parts of the JSON record that begins at `start`. Works on truncated records too. */
export const findRecordParts = (text: string, start: number): RecordParts => {
  const parts = createParts();
  const name = beforeNames(start);
  while (moveToNextName(text, name)) {
    const {depth, valueStart} = name;
    const isShort = depth <= depthMax && name.end - name.start <= keyCharsMax;
    const key = isShort ? text.slice(name.start, name.end) : '';
    const partName = partOfKey.get(key);
    if (partName === undefined || (partName === 'message' && depth > 1)) {
      continue;
    }
    const part = parts[partName];
    if (text[valueStart] === '"') {
      const end = findClosingQuote(text, valueStart);
      if (end > valueStart + 1 && isBetter(partName, key, part)) {
        Object.assign(part, {key, start: valueStart + 1, end});
      }
      name.next = end === -1 ? text.length : end + 1;
    } else if (partName === 'status') {
      number.lastIndex = valueStart;
      if (number.test(text) && part.end === 0) {
        Object.assign(part, {key, start: valueStart, end: number.lastIndex});
      }
    }
  }
  return parts;
};
