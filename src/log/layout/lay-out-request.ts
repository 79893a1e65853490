import {formatCount} from '#log/words/format-count.ts';
import type {LaidPart, LaidRow} from '../reading/laid-row.ts';
import type {LayoutContext} from '../reading/layout-context.ts';
import type {Reading} from '../reading/reading.ts';

/** What a web server says of one request; parts that it does not say are undefined. */
export type RequestParts = {
  readonly status: LaidPart;
  readonly method: LaidPart | undefined;
  /** A path, or the request as sent if it is none. */
  readonly path: LaidPart;
  /** Bytes sent. */
  readonly bytes: LaidPart | undefined;
  /** How long the answer took. */
  readonly duration: LaidPart | undefined;
  readonly client: LaidPart | undefined;
};

/** `DELETE` and longer ones push the path to the right. */
const methodColumns = 4;
/** `999,999 B` */
const bytesColumns = 9;
const durationColumns = 6;
/** An IPv4 address. */
const clientColumns = 15;

/** The path takes what the row has left, within reason: numbers far away from it would be hard to follow. */
const otherColumns = 40;
const pathColumnsMin = 8;
const pathColumnsMax = 40;

/** Formats a duration in milliseconds: `5 ms`, `1.2 s`, `120 s`. */
const formatDuration = (ms: number): string => {
  if (ms < 999.5) {
    return `${Math.round(ms)} ms`;
  }
  const seconds = ms / 1000;
  return `${seconds < 99.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
};

/** Returns the parts of the request that a line reports. */
export const requestPartsOf = (reading: Reading): Omit<RequestParts, 'status' | 'path'> => {
  const {request} = reading;
  const [bytes, duration] = [reading.placeOf('bytes') ?? reading.parts.bytes, reading.placeOf('duration')];
  const {durationMs} = reading.said;
  return {
    method: reading.placeOf('method'),
    // An empty cell for `-`.
    bytes: bytes && {...bytes, text: request?.bytes === undefined ? '' : `${formatCount(request.bytes)} B`},
    duration: duration && durationMs !== undefined ? {...duration, text: formatDuration(durationMs)} : undefined,
    client: reading.placeOf('client'),
  };
};

/** Adds a request in columns, status first: `502 POST /checkout  157 B  1.2 s  198.51.100.51`. */
export const layOutRequest = (
  row: LaidRow,
  parts: RequestParts,
  {columns, keepsWhole = false}: Pick<LayoutContext, 'columns' | 'keepsWhole'>,
): void => {
  const {status, method, path, bytes, duration, client} = parts;
  row.show(status);
  row.add(' ');
  if (method !== undefined) {
    row.show(method);
  }
  row.padTo(4 + methodColumns + 1);
  const pathColumns = Math.max(pathColumnsMin, Math.min(pathColumnsMax, columns - otherColumns));
  let column = 9 + pathColumns;
  const hasMore = [bytes, duration, client].some(part => part !== undefined && part.end > part.start);
  // The edge cuts it where nothing after it is in view.
  row.showWithin(
    path,
    hasMore && !keepsWhole && column + bytesColumns < columns ? pathColumns : Number.POSITIVE_INFINITY,
  );
  for (const [part, width] of [
    [bytes, bytesColumns],
    [duration, durationColumns],
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
