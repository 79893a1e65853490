import type {Level} from './level-words.ts';

const requestStart = /[A-Z]{3,16} (?:[/*]|https?:)|-"/y;
const statusBehindQuote = / (\d{3})(?: |$)/y;

/**
 * Checks whether the quote at `index` opens a request: the common log format has `] ` before it, other formats a method
 * after it.
 */
const opensRequest = (text: string, index: number): boolean => {
  if (text.startsWith('] ', index - 2)) {
    return true;
  }
  requestStart.lastIndex = index + 1;
  return requestStart.test(text);
};

/**
 * Apache writes a quote from the client as `\\"` and a backslash as two: an odd run of backslashes escapes the quote
 * after it.
 */
const isEscaped = (text: string, index: number): boolean => {
  let start = index;
  while (text[start - 1] === '\\') {
    start -= 1;
  }
  return (index - start) % 2 === 1;
};

/**
 * Where an access line has its request, between the quotes at `openQuote` and `closeQuote`, and the status after it.
 */
export type AccessRequest = {readonly openQuote: number; readonly closeQuote: number; readonly status: number};

/**
 * Finds the request and status of a web server's access line. Returns undefined for other lines. Supports the common
 * and combined log formats of Apache and nginx and those of PHP-FPM and uvicorn, all of which have the request in
 * quotes and the status after it. A quote inside the request is escaped by the server and skipped here, so it can't
 * forge a status.
 */
export const findAccessRequest = (text: string): AccessRequest | undefined => {
  const openQuote = text.indexOf('"');
  if (openQuote === -1 || !opensRequest(text, openQuote)) {
    return undefined;
  }
  for (let closeQuote = text.indexOf('"', openQuote + 1); closeQuote !== -1; ) {
    if (!isEscaped(text, closeQuote)) {
      statusBehindQuote.lastIndex = closeQuote + 1;
      const status = Number(statusBehindQuote.exec(text)?.[1] ?? 0);
      if (status >= 100 && status <= 599) {
        return {openQuote, closeQuote, status};
      }
    }
    closeQuote = text.indexOf('"', closeQuote + 1);
  }
  return undefined;
};

/** Returns the level of a request by the status of its answer: 5xx error, 4xx warn, any other info. */
export const levelOfStatus = (status: number): Level => (status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info');

/** Returns the level of a web server's access line by its status; undefined for other lines. */
export const levelOfAccess = (text: string): Level | undefined => {
  const status = findAccessRequest(text)?.status;
  return status === undefined ? undefined : levelOfStatus(status);
};
