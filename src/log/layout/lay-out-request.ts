import {formatCount} from '../words/format-count.ts';
import type {LaidGround} from './laid-ground.ts';
import type {LaidPart, LaidRow} from './laid-row.ts';

/** What a web server says of one request; parts that it does not say are undefined. */
export type RequestParts = {
  readonly status: LaidPart;
  readonly method: LaidPart | undefined;
  /** A path, or the request as sent if it is none. */
  readonly path: LaidPart;
  /** Bytes sent, a whole number. */
  readonly bytes: LaidPart | undefined;
  /** Seconds that the answer took, with decimals. */
  readonly seconds: LaidPart | undefined;
  readonly client: LaidPart | undefined;
};

/** `DELETE` and longer ones push the path to the right. */
const methodColumns = 4;
/** `999,999 B` */
const bytesColumns = 9;
const secondsColumns = 6;
/** An IPv4 address. */
const clientColumns = 15;

/** The path takes what the row has left, within reason: numbers far away from it would be hard to follow. */
const otherColumns = 40;
const pathColumnsMin = 8;
const pathColumnsMax = 40;

/** Formats a duration in seconds: `5 ms`, `1.2 s`, `120 s`. */
const formatSeconds = (seconds: number): string => {
  if (seconds < 0.9995) {
    return `${Math.round(seconds * 1000)} ms`;
  }
  return `${seconds < 99.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
};

const digits = /^\d{1,15}$/;
const decimal = /^\d{1,9}(?:\.\d{1,9})?$/;

/** Returns a part of digits as a number of bytes, `-` as an empty cell; undefined if it is neither. */
export const bytesPart = (received: string, part: LaidPart): LaidPart | undefined => {
  const text = received.slice(part.start, part.end);
  if (text === '-') {
    return {...part, text: ''};
  }
  return digits.test(text) ? {...part, text: `${formatCount(Number(text))} B`} : undefined;
};

/** Returns a part with a decimal number of seconds as a duration; undefined if it is none. */
export const secondsPart = (received: string, part: LaidPart): LaidPart | undefined => {
  const text = received.slice(part.start, part.end);
  return decimal.test(text) ? {...part, text: formatSeconds(Number(text))} : undefined;
};

const secondsOf: Readonly<Record<string, number>> = {ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1};
const withUnit = /^([\d.]{1,20}) ?([nuµμm]?s)?$/;

/** Returns a part with a number and its unit, milliseconds if it has none, as a duration; as it is if it is none. */
export const takenPart = (received: string, part: LaidPart): LaidPart => {
  const [, number, unit = 'ms'] = withUnit.exec(received.slice(part.start, part.end)) ?? [];
  const seconds = Number(number) * (secondsOf[unit] ?? 1);
  return Number.isFinite(seconds) ? {...part, text: formatSeconds(seconds)} : part;
};

/** Adds a request in columns, status first: `502 POST /checkout  157 B  1.2 s  198.51.100.51`. */
export const layOutRequest = (
  row: LaidRow,
  parts: RequestParts,
  {columns, keepsWhole = false}: Pick<LaidGround, 'columns' | 'keepsWhole'>,
): void => {
  const {status, method, path, bytes, seconds, client} = parts;
  row.show(status);
  row.add(' ');
  if (method !== undefined) {
    row.show(method);
  }
  row.padTo(4 + methodColumns + 1);
  const pathColumns = Math.max(pathColumnsMin, Math.min(pathColumnsMax, columns - otherColumns));
  let column = 9 + pathColumns;
  const hasMore = [bytes, seconds, client].some(part => part !== undefined && part.end > part.start);
  // The edge cuts it where nothing after it is in view.
  row.showWithin(
    path,
    hasMore && !keepsWhole && column + bytesColumns < columns ? pathColumns : Number.POSITIVE_INFINITY,
  );
  for (const [part, width] of [
    [bytes, bytesColumns],
    [seconds, secondsColumns],
  ] as const) {
    if (part !== undefined) {
      column += width + 1;
      row.padTo(column - (part.text ?? '').length);
      row.show(part, part === bytes);
    }
  }
  if (client !== undefined) {
    row.padTo(column + 2, 2);
    row.show(client, true);
    row.padTo(column + 2 + clientColumns, 0);
  }
};
