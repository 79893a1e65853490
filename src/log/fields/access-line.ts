import {findAccessRequest} from '../level/access-level.ts';
import {findAddressEnd} from './find-address.ts';
import {findTimeEnd} from './find-time.ts';

/** A piece of a text: code units `start` up to but not including `end`; empty if the line has none. */
export type Piece = {readonly start: number; readonly end: number};

/** The parts of a web server's access line. */
export type AccessLine = {
  readonly client: Piece;
  readonly time: Piece;
  readonly method: Piece;
  /** Including its query. */
  readonly path: Piece;
  readonly status: Piece;
  readonly statusCode: number;
};

const nothing: Piece = {start: 0, end: 0};
const statusChars = 3;

/** A host name, a client, its identity and name, and what a container's log puts before a line. */
const leadingTokensMax = 12;

const method = /[A-Z]{3,16} /y;

/** Returns the token that ends before `end`, skipping spaces. */
const tokenBefore = (text: string, end: number): Piece => {
  let last = end;
  while (last > 0 && text.charCodeAt(last - 1) <= 0x20) {
    last -= 1;
  }
  let start = last;
  while (start > 0 && text.charCodeAt(start - 1) > 0x20) {
    start -= 1;
  }
  return {start, end: last};
};

/** Finds the first token before `end` that begins with an IP address, and returns only the address. */
const findAddress = (text: string, end: number): Piece => {
  let index = 0;
  for (let count = 0; count < leadingTokensMax; count += 1) {
    while (index < end && text.charCodeAt(index) <= 0x20) {
      index += 1;
    }
    if (index >= end) {
      break;
    }
    const addressEnd = findAddressEnd(text, index);
    if (addressEnd !== -1 && addressEnd <= end) {
      return {start: index, end: addressEnd};
    }
    while (index < end && text.charCodeAt(index) > 0x20) {
      index += 1;
    }
  }
  return nothing;
};

/** Finds the client in `client identity user [time] "request"`: the third token before the bracket. */
const findCommonClient = (text: string, bracket: number): Piece => {
  const user = tokenBefore(text, bracket);
  const identity = tokenBefore(text, user.start);
  const client = tokenBefore(text, identity.start);
  return client.end > client.start && text[client.start] !== '-' ? client : findAddress(text, bracket);
};

const skipDashes = (text: string, index: number): number => {
  let next = index;
  while (text[next] === ' ' || text[next] === '-') {
    next += 1;
  }
  return next;
};

const findRequestPath = (text: string, start: number, closeQuote: number): Piece => {
  const blank = text.indexOf(' ', start);
  return {start, end: blank === -1 || blank > closeQuote ? closeQuote : blank};
};

/** Finds the parts of an access line in the formats that `levelOf` knows. Returns undefined for other lines. */
export const findAccessLine = (text: string): AccessLine | undefined => {
  const request = findAccessRequest(text);
  if (request === undefined) {
    return undefined;
  }
  const {openQuote, closeQuote, status: statusCode} = request;
  const bracket = text.startsWith('] ', openQuote - 2) ? text.lastIndexOf('[', openQuote) : -1;
  method.lastIndex = openQuote + 1;
  const hasMethod = method.test(text) && method.lastIndex <= closeQuote;
  const methodEnd = hasMethod ? method.lastIndex - 1 : openQuote + 1;
  const client = bracket > 0 ? findCommonClient(text, bracket) : findAddress(text, openQuote);
  // PHP-FPM writes `client -  time "request"`.
  const timeStart = bracket === -1 ? skipDashes(text, client.end) : bracket + 1;
  const timeEnd = findTimeEnd(text, timeStart, false);
  return {
    client,
    time: timeEnd === -1 ? nothing : {start: timeStart, end: timeEnd},
    method: {start: openQuote + 1, end: methodEnd},
    path: hasMethod ? findRequestPath(text, methodEnd + 1, closeQuote) : nothing,
    status: {start: closeQuote + 2, end: closeQuote + 2 + statusChars},
    statusCode,
  };
};

/** Finds the request at `index`, a method and a path as in `GET /cart HTTP/1.1`. Returns undefined if there is none. */
export const findRequest = (
  text: string,
  index: number,
): {readonly method: Piece; readonly path: Piece} | undefined => {
  method.lastIndex = index;
  if (!method.test(text)) {
    return undefined;
  }
  const pathStart = method.lastIndex;
  if (!text.startsWith('/', pathStart) && !text.startsWith('http', pathStart)) {
    return undefined;
  }
  let end = pathStart;
  while (end < text.length && text.charCodeAt(end) > 0x20 && text[end] !== '"') {
    end += 1;
  }
  return {method: {start: index, end: pathStart - 1}, path: {start: pathStart, end}};
};
