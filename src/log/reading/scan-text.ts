import {findAddressEnd, findTimeEnd} from '#log/tokens/find-tokens.ts';
import type {Piece} from './form.ts';
import {type PartName, partOfName} from './vocabulary.ts';

/**
 * Where a part of a line was read: `access`, an access line; `reported`, a request as gin or HAProxy report it;
 * `message`, the message of a line of a known form; `text`, the words of another line; `status=`, a logfmt field;
 * otherwise the name of a field of a JSON record. No field that is read has one of these names.
 */
export type PartSource = string;

/** A part that a text mentions. What merely looks like a request or its status is not `certain`. */
export type TextPart = Piece & {readonly part: PartName; readonly source: PartSource; readonly isCertain: boolean};

/** The mentions in a text, in order: the names of `key=value`, its parts, and where it goes on as a JSON record. */
export type TextParts = {
  readonly keys: readonly Piece[];
  readonly parts: readonly TextPart[];
  readonly recordStart: number | undefined;
};

/** The most pieces of a line to examine; a line of thousands of single letters stays cheap. */
const piecesMax = 200;

// Every repetition is over disjoint characters, so that none can be slow. Groups have no names, which would be slower.
const piece = new RegExp(
  `(?<![\\w./:@?&%-])(?:${[
    String.raw`([A-Za-z_@][\w.@/-]{0,63})=(?:"((?:[^"\\]|\\.)*)"?|([^\s,;)\]}"]+))?`,
    String.raw`([A-Z]{3,16}) ((?:/|https?:)[^\s"]*)( HTTP/[\d.]{1,8}")?`,
    String.raw`client:? (?=[\da-fA-F:])`,
    String.raw`status: ([1-5]\d\d)(?=\s|$)`,
    String.raw`(\{)(?=\s{0,8}")`,
    String.raw`(\d{2}|[A-Z][a-z]{2},? (?=[A-Z\d ]))`,
  ].join('|')})`,
  'g',
);
const clientEnd = /[:,\]\s]|$/y;

/** Returns the address before the quote at `quote`: `10.1.1.1 "GET /v2 HTTP/1.1" status: 200` (OpenStack). */
const findClientBefore = (text: string, quote: number): Piece | undefined => {
  const start = text.lastIndexOf(' ', quote - 2) + 1;
  return quote > 1 && findAddressEnd(text, start) === quote - 1 ? {start, end: quote - 1} : undefined;
};

/**
 * Finds what a text mentions: times, `key=value` by the vocabulary, requests such as `GET /cart`, `client: 10.2.0.7`
 * (nginx), `[client 10.2.0.7:80]` (Apache), `status: 200`. Without `hasTimes` times are passed over, which is faster.
 */
export const scanText = (text: string, hasTimes = true): TextParts => {
  const keys: Piece[] = [];
  const parts: TextPart[] = [];
  const add = (part: PartName, start: number, end: number, source = 'text', isCertain = true): void => {
    if (end > start) {
      parts.push({part, start, end, source, isCertain});
    }
  };
  piece.lastIndex = 0;
  for (let count = 0; count < piecesMax; count += 1) {
    const match = piece.exec(text);
    if (match === null) {
      break;
    }
    const [, key, quoted, bare, method, path, protocol, status, record, time] = match;
    const {index} = match;
    if (key !== undefined) {
      keys.push({start: index, end: index + key.length});
      const part = partOfName(key);
      const start = index + key.length + (quoted === undefined ? 1 : 2);
      if (part !== undefined) {
        add(part, start, start + (quoted ?? bare ?? '').length, `${key}=`);
      }
    } else if (method !== undefined && path !== undefined) {
      const isQuoted = protocol !== undefined && text[index - 1] === '"';
      const client = isQuoted ? findClientBefore(text, index - 1) : undefined;
      if (client !== undefined) {
        add('client', client.start, client.end);
      }
      const pathStart = index + method.length + 1;
      add('method', index, index + method.length, 'text', isQuoted);
      add('path', pathStart, pathStart + path.length, 'text', isQuoted);
    } else if (status !== undefined) {
      add('status', piece.lastIndex - status.length, piece.lastIndex, 'text', text.startsWith('" ', index - 2));
    } else if (record !== undefined) {
      return {keys, parts, recordStart: index};
    } else if (time === undefined) {
      const end = findAddressEnd(text, piece.lastIndex);
      clientEnd.lastIndex = end;
      add('client', piece.lastIndex, end !== -1 && clientEnd.test(text) ? end : -1);
    } else if (hasTimes) {
      const end = findTimeEnd(text, index, index === 0);
      add('time', index, end);
      piece.lastIndex = Math.max(end, piece.lastIndex);
    }
  }
  return {keys, parts, recordStart: undefined};
};
