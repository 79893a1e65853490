import type {Level} from './level-words.ts';

const requestStart = /[A-Z]{3,16} (?:[/*]|https?:)|-"/y;
const statusBehindQuote = / (\d{3})(?: |$)/y;

/** Whether the quote at `index` opens a request: the common log format has `] ` before it, others a method behind it. */
const opensRequest = (text: string, index: number): boolean => {
  if (text.startsWith('] ', index - 2)) {
    return true;
  }
  requestStart.lastIndex = index + 1;
  return requestStart.test(text);
};

/** Apache writes a quote of the client as `\\"` and a backslash as two: an odd run of them escapes the quote behind it. */
const isEscaped = (text: string, index: number): boolean => {
  let start = index;
  while (text[start - 1] === '\\') {
    start -= 1;
  }
  return (index - start) % 2 === 1;
};

/**
 * The level of a web server's access line by its status: 5xx error, 4xx warn, any other info; undefined for other lines. It
 * knows the common and combined log formats of Apache and nginx and those of PHP-FPM and uvicorn, all of which have the request
 * in quotes and the status behind it. A quote inside the request is escaped by the server and skipped here, so it can't forge a status.
 */
export const levelOfAccess = (text: string): Level | undefined => {
  const start = text.indexOf('"');
  if (start === -1 || !opensRequest(text, start)) {
    return undefined;
  }
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (isEscaped(text, end)) {
      continue;
    }
    statusBehindQuote.lastIndex = end + 1;
    const status = Number(statusBehindQuote.exec(text)?.[1] ?? 0);
    if (status >= 100 && status <= 599) {
      return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
    }
  }
  return undefined;
};
