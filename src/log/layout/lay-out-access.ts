import type {Piece} from '../fields/access-line.ts';
import {findAccessRequest} from '../level/access-level.ts';
import {type LaidGround, showBehind, showTime} from './laid-ground.ts';
import {createLaidRow, type LaidLine} from './laid-row.ts';
import {bytesPart, layOutRequest, secondsPart} from './lay-out-request.ts';

/** What may stand before the request, in the formats that are certain. */
const heads: readonly RegExp[] = [
  // The common and combined formats of Apache and nginx, with a host before them, or without the time.
  /^(?:(?<host>[\w.-]{1,253}:\d{1,5}) )?(?<client>[\w.:%-]{1,253}) (?<identity>\S{1,64}) (?<user>\S{1,128}) (?:\[(?<time>[^\]]{10,40})\] )?$/d,
  // PHP-FPM: `127.0.0.1 -  21/Nov/2026:14:02:11 +0000 `
  /^(?<client>[\w.:%-]{1,253}) - (?<user>\S{0,128}) (?<time>\d\d\/[^ ]{10,20} [+-]\d{4}) $/d,
  // Django's development server: `[21/Nov/2026 14:02:11] `
  /^\[(?<time>\d\d\/[^\]]{10,32})\] $/d,
  // uvicorn: `INFO:     10.2.0.7:52312 - `
  /^INFO: {1,8}(?<client>[\w.:%[\]-]{1,253}) - $/d,
];

/** `GET /cart HTTP/1.1` */
const requestForm = /^(?<method>[A-Z]{3,16}) (?<path>\S+)(?: (?<protocol>\S{1,16}))?$/d;

const restToken = /"((?:[^"\\]|\\.)*)"|\S+/g;
/** nginx's `$request_time`: seconds with three decimals, alone or with its name. */
const requestTime = /^(?:(?:rt|request_time)=)?"?(\d{1,9}\.\d{3})"?$/d;
const placeholder = /^"?-?"?$/;

/** A log format has a dozen variables; what comes after is shown in one piece. */
const restTokensMax = 40;

type Groups = Readonly<Record<string, Piece | undefined>>;

/** Returns the named groups of a match as pieces of a text in which the matched text begins at `offset`. */
const piecesOf = (match: RegExpExecArray, offset: number): Groups =>
  Object.fromEntries(
    Object.entries(match.indices?.groups ?? {}).flatMap(([name, range]) =>
      range === undefined ? [] : [[name, {start: offset + range[0], end: offset + range[1]}]],
    ),
  );

/** Returns what follows the status and the bytes, in pieces without quotes; what says nothing (`-`) is left out. */
const readRest = (
  received: string,
  from: number,
): {readonly seconds: Piece | undefined; readonly others: readonly Piece[]} => {
  const others: Piece[] = [];
  let seconds: Piece | undefined;
  let hasQuoted = false;
  restToken.lastIndex = from;
  for (let match = restToken.exec(received); match !== null; match = restToken.exec(received)) {
    const start = match.index;
    const end = start + match[0].length;
    if (others.length === restTokensMax) {
      others.push({start, end: received.length});
      break;
    }
    const isQuoted = match[1] !== undefined;
    const time = hasQuoted && !isQuoted && seconds === undefined ? requestTime.exec(match[0]) : null;
    const range = time?.indices?.[1];
    if (range) {
      seconds = {start: start + range[0], end: start + range[1]};
    } else if (!placeholder.test(match[0])) {
      others.push(isQuoted ? {start: start + 1, end: end - 1} : {start, end});
    }
    hasQuoted ||= isQuoted;
  }
  return {seconds, others};
};

/**
 * Lays out an access line: status, method, path, bytes, time taken and client in columns, the rest behind them. Returns
 * undefined for other lines.
 */
export const layOutAccess = (ground: LaidGround): LaidLine | undefined => {
  const {received, columns} = ground;
  const request = findAccessRequest(received);
  const head =
    request && heads.map(form => form.exec(received.slice(0, request.openQuote))).find(match => match !== null);
  if (!request || !head) {
    return undefined;
  }
  const {openQuote, closeQuote} = request;
  const {host, client, identity, user, time} = piecesOf(head, 0);
  const sent = requestForm.exec(received.slice(openQuote + 1, closeQuote));
  const {method, path, protocol} = sent === null ? {} : piecesOf(sent, openQuote + 1);
  const status = {start: closeQuote + 2, end: closeQuote + 5};
  const bytesEnd = received.slice(status.end, status.end + 17).match(/^ (?:\d{1,15}|-)(?= |$)/)?.[0].length ?? 0;
  const bytes = {start: status.end + Math.min(1, bytesEnd), end: status.end + bytesEnd};
  const {seconds, others} = readRest(received, bytes.end);
  const row = createLaidRow(received);
  layOutRequest(
    row,
    {
      status,
      method,
      path: path ?? {start: openQuote + 1, end: closeQuote},
      bytes: bytesPart(received, bytes),
      seconds: seconds && secondsPart(received, seconds),
      client,
    },
    columns,
  );
  for (const part of [user, ...others, host, identity, protocol]) {
    if (part !== undefined && !placeholder.test(received.slice(part.start, part.end))) {
      showBehind(row, part);
    }
  }
  showTime(row, ground, time);
  return row.line();
};
