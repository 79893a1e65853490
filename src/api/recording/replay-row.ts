import type {Numbering, ReadUpTo} from '../../log/line/numbering.ts';
import {type Arrivals, type WindowCut, windowCuts} from '../../log/line/window-cut.ts';
import type {Answer} from '../answer.ts';
import {type ApiErrorKind, apiErrorKinds} from '../api-error.ts';
import {isJsonObject, type Table} from '../decode/field-reader.ts';
import {checkArrivals, isPodSources} from '../http/parse-window-header.ts';
import {
  type RecordedCall,
  type RecordingHeader,
  recordingFormat,
  recordingVersion,
  type WindowPart,
} from './recording-format.ts';
import {parseNumbering} from './recording-numbering.ts';

/** What the row of a successful answer holds besides its call. Undefined means the same as in the previous answer. */
export type RecordedAnswer = Omit<Answer<unknown>, 'value' | 'notice'> & {
  readonly branches: readonly unknown[] | undefined;
  readonly window: readonly WindowPart[];
  /** Undefined if there are none. */
  readonly notLines: readonly number[] | undefined;
  readonly pods: readonly unknown[] | undefined;
  readonly sessionId: string | null | undefined;
  readonly cut: WindowCut | null | undefined;
  readonly sources: number | null | undefined;
  readonly arrivals: Arrivals | null | undefined;
  /** Undefined if there is none. */
  readonly numbering: Numbering | undefined;
  /** What the reader had; undefined if it asked for a whole window. */
  readonly after: ReadUpTo | undefined;
};

export type RecordedError = {
  readonly kind: ApiErrorKind;
  readonly message: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
};

/** A parsed row of a recording: exactly one of `answer` and `error` is set. */
export type RecordedRow = {
  readonly call: RecordedCall;
  readonly answer: RecordedAnswer | undefined;
  readonly error: RecordedError | undefined;
};

const operations = ['branches', 'deployed', 'log'] as const;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isOptionalNumber = (value: unknown): value is number | undefined => value === undefined || isNumber(value);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && isNumber(value);

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

const isOptionalList = (value: unknown): value is readonly unknown[] | undefined =>
  value === undefined || Array.isArray(value);

const isWindow = (value: unknown): value is readonly WindowPart[] =>
  Array.isArray(value) &&
  value.every(
    part => typeof part === 'string' || (Array.isArray(part) && part.length === 2 && part.every(item => isCount(item))),
  );

const isOptionalNotLines = (value: unknown): value is readonly number[] | undefined =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every((place, index) => isCount(place) && (index === 0 || place >= Number(value[index - 1]))));

const isOptionalCut = (value: unknown): value is WindowCut | null | undefined =>
  value === undefined || value === null || windowCuts.some(cut => cut === value);

const isOptionalSources = (value: unknown): value is number | null | undefined =>
  value === undefined || value === null || isPodSources(value);

const isOptionalArrivals = (value: unknown): value is Arrivals | null | undefined => {
  if (value === undefined || value === null) {
    return true;
  }
  if (!isJsonObject(value)) {
    return false;
  }
  const {series, last, dropped} = value;
  return (
    typeof series === 'string' &&
    typeof last === 'number' &&
    typeof dropped === 'number' &&
    checkArrivals({series, last, dropped}) !== undefined
  );
};

const isOptionalReadUpTo = (value: unknown): value is ReadUpTo | undefined =>
  value === undefined || (isJsonObject(value) && typeof value.series === 'string' && isCount(value.last));

/** Returns how many lines the parts of a window have. */
const lineCountOf = (window: readonly WindowPart[]): number =>
  window.reduce((sum, part) => sum + (typeof part === 'string' ? 1 : part[1]), 0);

const parseTable = (text: string): Table | undefined => {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
};

/** Parses the first row. If it is not valid, returns the end of a sentence that says why. */
export const parseHeader = (text: string): RecordingHeader | string => {
  const table = parseTable(text);
  if (table?.format !== recordingFormat) {
    return 'is no header: this is not a recording of branchlog';
  }
  const {version, recordedAt, host, bufferMb, intervalMs} = table;
  if (!isCount(version) || version < 1 || version > recordingVersion) {
    return `is of version ${typeof version === 'number' ? version : 'unknown'}, this program plays versions 1 to ${recordingVersion}`;
  }
  return typeof recordedAt === 'string' &&
    !Number.isNaN(Date.parse(recordedAt)) &&
    typeof host === 'string' &&
    isNumber(bufferMb) &&
    isNumber(intervalMs)
    ? {format: recordingFormat, version, recordedAt, host, bufferMb, intervalMs}
    : 'is a damaged header';
};

/** Parses a row after the header; returns undefined if it is not valid. */
export const parseReplayRow = (text: string): RecordedRow | undefined => {
  const table = parseTable(text);
  const call = table && readCall(table);
  if (!table || !call) {
    return undefined;
  }
  const error = table.error === undefined ? undefined : readError(table.error);
  const answer = table.error === undefined ? readAnswer(table, call) : undefined;
  return error || answer ? {call, answer, error} : undefined;
};

const readCall = (table: Table): RecordedCall | undefined => {
  const {siteId, siteName, branchId, beganMs, cameMs} = table;
  const operation = operations.find(name => name === table.operation);
  const hasIds = typeof siteId === 'string' && isOptionalText(siteName) && isOptionalText(branchId);
  if (!operation || !hasIds || !isNumber(beganMs) || !isNumber(cameMs)) {
    return undefined;
  }
  return (operation === 'log') === (branchId !== undefined)
    ? {operation, siteId, siteName, branchId, beganMs, cameMs}
    : undefined;
};

const readError = (value: unknown): RecordedError | undefined => {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const {message, status, retryAfterMs} = value;
  const kind = apiErrorKinds.find(name => name === value.kind);
  return kind && typeof message === 'string' && isOptionalNumber(status) && isOptionalNumber(retryAfterMs)
    ? {kind, message, status, retryAfterMs}
    : undefined;
};

const readAnswer = (table: Table, {operation}: RecordedCall): RecordedAnswer | undefined => {
  const {status, durationMs, bodyBytes, serviceTimeMs, skipped = [], branches, window = [], pods, sessionId} = table;
  const {withoutId, notLines, cut, sources, arrivals, after} = table;
  const numbering =
    table.numbering === undefined || !isWindow(window)
      ? undefined
      : parseNumbering(table.numbering, lineCountOf(window));
  const isWhole =
    isNumber(status) &&
    isNumber(durationMs) &&
    isNumber(bodyBytes) &&
    isOptionalNumber(serviceTimeMs) &&
    isTexts(skipped) &&
    (withoutId === undefined || isCount(withoutId)) &&
    isOptionalList(branches) &&
    isOptionalList(pods) &&
    isWindow(window) &&
    isOptionalNotLines(notLines) &&
    (sessionId === null || isOptionalText(sessionId)) &&
    isOptionalCut(cut) &&
    isOptionalSources(sources) &&
    isOptionalArrivals(arrivals) &&
    isOptionalReadUpTo(after) &&
    (table.numbering === undefined) === (numbering === undefined) &&
    (operation !== 'log' || table.window !== undefined);
  return isWhole
    ? {
        status,
        durationMs,
        bodyBytes,
        serviceTimeMs,
        skipped,
        withoutId,
        branches,
        window,
        notLines,
        pods,
        sessionId,
        cut,
        sources,
        arrivals,
        numbering,
        after,
      }
    : undefined;
};
