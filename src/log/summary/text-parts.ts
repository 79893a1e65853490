import {findRequest} from '../fields/access-line.ts';
import {findAddressEnd} from '../fields/find-address.ts';
import {findClosingQuote} from '../record/next-name.ts';
import {clientCharsMax, type LinePart} from './line-part.ts';
import {type PartName, partOfKey} from './record-parts.ts';

/** What a line that is neither an access line nor a record says about a request, verbatim. */
export type TextParts = {status?: LinePart<string>; path?: LinePart<string>; client?: LinePart<string>};

/** The most pairs to read in one line. */
const pairsMax = 40;

const keyBefore = /[A-Za-z_][\w.]{1,25}$/;
const bareValue = /[^\s"]+/y;
const statusBehind = /" status: ([1-5]\d\d)(?: |$)/y;
const statusValue = /^[1-5]\d\d$/;
const clientLabel = /\bclient:? /g;
const clientBehind = /[:,\]\s]|$/y;

/**
 * Reads the pair whose `=` is at `equals` and whose value ends at `end`, if a summary counts it: its key must follow a
 * space or be at the start.
 */
const readPair = (
  text: string,
  equals: number,
  end: number,
): {part: PartName; key: string; value: string} | undefined => {
  const key = keyBefore.exec(text.slice(Math.max(0, equals - 27), equals))?.[0] ?? '';
  const part = partOfKey.get(key);
  const before = text[equals - key.length - 1];
  if (part === undefined || part === 'message' || (before !== undefined && before !== ' ')) {
    return undefined;
  }
  const start = text[equals + 1] === '"' ? equals + 2 : equals + 1;
  return end > start ? {part, key, value: text.slice(start, end)} : undefined;
};

/** Returns the index after the value that begins at `start`, without its quotes. */
const findValueEnd = (text: string, start: number): number => {
  if (text[start] === '"') {
    return findClosingQuote(text, start);
  }
  bareValue.lastIndex = start;
  return bareValue.test(text) ? bareValue.lastIndex : start;
};

const addPairs = (parts: TextParts, text: string): void => {
  let equals = text.indexOf('=');
  for (let count = 0; count < pairsMax && equals !== -1; count += 1) {
    const end = findValueEnd(text, equals + 1);
    const pair = readPair(text, equals, end);
    if (pair !== undefined) {
      const {part, value} = pair;
      const found = {value, source: `${pair.key}=`};
      if (part === 'status' && statusValue.test(value)) {
        parts.status ??= found;
      } else if (part === 'path') {
        parts.path ??= found;
      } else if (part === 'client' && value.length <= clientCharsMax) {
        parts.client ??= found;
      }
    }
    // Text within a value's quotes is not a pair.
    equals = text.indexOf('=', Math.max(end, equals + 1));
  }
};

/** Adds the address of `client: 10.2.0.7,` (nginx) or `[client 10.2.0.7:80]` (Apache). */
const addClient = (parts: TextParts, text: string): void => {
  clientLabel.lastIndex = 0;
  if (!clientLabel.test(text)) {
    return;
  }
  const start = clientLabel.lastIndex;
  const end = findAddressEnd(text, start);
  clientBehind.lastIndex = end;
  if (end !== -1 && clientBehind.test(text)) {
    parts.client ??= {value: text.slice(start, end), source: 'text'};
  }
};

/**
 * Adds the quoted request of `request: "GET /x HTTP/1.1"` (nginx) or `10.1.1.1 "GET /v2 HTTP/1.1" status: 200`
 * (OpenStack).
 */
const addRequest = (parts: TextParts, text: string): void => {
  const protocol = text.indexOf(' HTTP/');
  const open = protocol === -1 ? -1 : text.lastIndexOf('"', protocol);
  const request = open === -1 ? undefined : findRequest(text, open + 1);
  if (request === undefined) {
    return;
  }
  const {path} = request;
  parts.path ??= {value: text.slice(path.start, path.end), source: 'text'};
  const close = text.indexOf('"', protocol);
  statusBehind.lastIndex = close;
  const status = close === -1 ? undefined : statusBehind.exec(text)?.[1];
  if (status !== undefined) {
    parts.status ??= {value: status, source: 'text'};
  }
  const start = text.lastIndexOf(' ', open - 2) + 1;
  if (open > 1 && findAddressEnd(text, start) === open - 1) {
    parts.client ??= {value: text.slice(start, open - 1), source: 'text'};
  }
};

/** Finds the status, path and client in a logfmt line or an error line of a web server. */
export const findTextParts = (text: string): TextParts => {
  const parts: TextParts = {};
  addPairs(parts, text);
  addRequest(parts, text);
  addClient(parts, text);
  return parts;
};
