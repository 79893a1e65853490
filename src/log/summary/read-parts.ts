import {findAccessLine} from '../fields/access-line.ts';
import {findReportedRequest} from '../fields/reported-request.ts';
import {findRecordStart} from '../json/find-record.ts';
import {findPathEnd, foldPath} from './fold-path.ts';
import {foldText} from './fold-text.ts';
import {clientCharsMax, type LinePart} from './line-part.ts';
import {findRecordParts, type RecordPart} from './record-parts.ts';
import {findTextParts} from './text-parts.ts';

/** What a summary counts of one line. */
export type LineParts = {
  /**
   * What the line says, with marks for what changes from line to line, so that lines that say the same are counted
   * together. For an access line it is `GET /cart/‹n› 200`, for a JSON record its message as written there.
   */
  readonly shape: LinePart<string>;
  readonly status: LinePart<number> | undefined;
  readonly path: LinePart<string> | undefined;
  readonly client: LinePart<string> | undefined;
};

/** A longer line is read only as far as it is shown. */
const readCharsMax = 16_384;

/**
 * The most that a container's log puts before a record; with more, that text is the message and the record only its
 * context.
 */
const recordPrefixCharsMax = 64;

const statusPattern = /^[1-5]\d\d$/;

const readAccess = (text: string): LineParts | undefined => {
  const line = findAccessLine(text);
  if (line === undefined) {
    return undefined;
  }
  const {method, path, client, statusCode} = line;
  const source = 'access';
  const folded =
    path.end > path.start ? foldPath(text.slice(path.start, findPathEnd(text, path.start, path.end))) : undefined;
  const request = folded === undefined ? '-' : `${text.slice(method.start, method.end)} ${folded}`;
  const clientEnd = Math.min(client.end, client.start + clientCharsMax);
  return {
    shape: {value: `${request} ${statusCode}`, source},
    status: {value: statusCode, source},
    path: folded === undefined ? undefined : {value: folded, source},
    client: clientEnd > client.start ? {value: text.slice(client.start, clientEnd), source} : undefined,
  };
};

const sgr = /\x1b\[[\d;]*m/g;

const readReported = (received: string): LineParts | undefined => {
  const text = received.includes('\x1b') ? received.replace(sgr, '') : received;
  const found = findReportedRequest(text);
  const wordOf = (name: string): string => text.slice(...(found?.[name] ?? [0, 0]));
  const [method, sent, status, client] = ['method', 'path', 'status', 'client'].map(wordOf);
  if (!method || !sent || !status) {
    return undefined;
  }
  const source = 'reported';
  const path = foldPath(sent.slice(0, findPathEnd(sent, 0, sent.length)));
  return {
    shape: {value: `${method} ${path} ${status}`, source},
    status: {value: Number(status), source},
    path: {value: path, source},
    client: client ? {value: client.slice(0, clientCharsMax), source} : undefined,
  };
};

const readRecordStatus = (text: string, {key, start, end}: RecordPart): LinePart<number> | undefined => {
  const value = text.slice(start, end);
  return statusPattern.test(value) ? {value: Number(value), source: key} : undefined;
};

const readRecordLine = (text: string): LineParts | undefined => {
  if (!text.startsWith('{') && !text.endsWith('}')) {
    return undefined;
  }
  const start = findRecordStart(text);
  if (start === -1 || start > recordPrefixCharsMax) {
    return undefined;
  }
  const {message, status, path, client} = findRecordParts(text, start);
  return {
    shape:
      message.end === 0
        ? {value: foldText(text), source: 'text'}
        : {value: foldText(text.slice(message.start, message.end)), source: message.key},
    status: readRecordStatus(text, status),
    path:
      path.end === 0
        ? undefined
        : {value: foldPath(text.slice(path.start, findPathEnd(text, path.start, path.end))), source: path.key},
    client:
      client.end === 0 || client.end - client.start > clientCharsMax
        ? undefined
        : {value: text.slice(client.start, client.end), source: client.key},
  };
};

const readText = (text: string): LineParts => {
  const {status, path, client} = findTextParts(text);
  return {
    shape: {value: foldText(text), source: 'text'},
    status: status && {value: Number(status.value), source: status.source},
    path: path && {
      value: foldPath(path.value.slice(0, findPathEnd(path.value, 0, path.value.length))),
      source: path.source,
    },
    client,
  };
};

/**
 * Reads the parts of a line that a summary counts, from the text as received. Access lines give their status, path and
 * client; JSON and logfmt records those of their fields; error lines of web servers those of the request they report.
 */
export const readLineParts = (text: string): LineParts => {
  const read = text.length > readCharsMax ? text.slice(0, readCharsMax) : text;
  return readAccess(read) ?? readReported(read) ?? readRecordLine(read) ?? readText(read);
};
