import {apiErrorKinds} from '#api/client/api-error.ts';
import {checkArrivals, isPodSources} from '#api/client/log-headers-read.ts';
import {isTable, type Table} from '#base/table.ts';
import {type Arrivals, type Numbering, type ReadUpTo, windowCuts} from '#log/window/window-claims.ts';
import {
  handOverVersion,
  parseNumbering,
  type RecordedCall,
  type RecordingHeader,
  recordingFormat,
  recordingVersion,
  type WindowPart,
} from '../recording-format.ts';
import {isCount, isList, isText} from './json-value.ts';

/** Checks a value of JSON. */
type Guard<T = unknown> = (value: unknown) => value is T;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isTexts = (value: unknown): value is readonly string[] => isList(value) && value.every(isText);

const isOneOf =
  <T extends string>(words: readonly T[]) =>
  (value: unknown): value is T =>
    words.some(word => word === value);

const optional =
  <T>(is: Guard<T>) =>
  (value: unknown): value is T | undefined =>
    value === undefined || is(value);

const optionalOrNull =
  <T>(is: Guard<T>) =>
  (value: unknown): value is T | null | undefined =>
    value === undefined || value === null || is(value);

const isWindow = (value: unknown): value is readonly WindowPart[] =>
  isList(value) && value.every(part => isText(part) || (isList(part) && part.length === 2 && part.every(isCount)));

const isNotLines = (value: unknown): value is readonly number[] =>
  isList(value) && value.every((place, index) => isCount(place) && (index === 0 || place >= Number(value[index - 1])));

const isArrivals = (value: unknown): value is Arrivals => {
  const {series, last, dropped} = isTable(value) ? value : {};
  return (
    isText(series) &&
    typeof last === 'number' &&
    typeof dropped === 'number' &&
    checkArrivals({series, last, dropped}) !== undefined
  );
};

const isReadUpTo = (value: unknown): value is ReadUpTo => isTable(value) && isText(value.series) && isCount(value.last);

const isTime = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));

type Fields = Readonly<Record<string, Guard>>;

/** The fields that some checks read. */
type ReadBy<Checks extends Fields> = {
  readonly [Name in keyof Checks]: Checks[Name] extends Guard<infer T> ? T : never;
};

/** Reads the fields of a row; undefined if any is not valid. */
const readFields = <Checks extends Fields>(table: Table, checks: Checks): ReadBy<Checks> | undefined =>
  Object.entries(checks).every(([name, isValid]) => isValid(table[name]))
    ? (Object.fromEntries(Object.keys(checks).map(name => [name, table[name]])) as ReadBy<Checks>)
    : undefined;

const headerFields = {version: isCount, recordedAt: isTime, host: isText, bufferMb: isNumber, intervalMs: isNumber};

const callFields = {
  operation: isOneOf(['branches', 'deployed', 'log']),
  siteId: isText,
  siteName: optional(isText),
  branchId: optional(isText),
  beganMs: isNumber,
  cameMs: isNumber,
};

const errorFields = {
  kind: isOneOf(apiErrorKinds),
  message: isText,
  status: optional(isNumber),
  retryAfterMs: optional(isNumber),
};

const answerFields = {
  status: isNumber,
  durationMs: isNumber,
  bodyBytes: isNumber,
  serviceTimeMs: optional(isNumber),
  skipped: isTexts,
  withoutId: optional(isCount),
  branches: optional(isList),
  window: isWindow,
  /** Undefined if there are none. */
  notLines: optional(isNotLines),
  pods: optional(isList),
  sessionId: optionalOrNull(isText),
  cut: optionalOrNull(isOneOf(windowCuts)),
  sources: optionalOrNull(isPodSources),
  arrivals: optionalOrNull(isArrivals),
  /** The reader's place; undefined if it asked for a whole window. */
  after: optional(isReadUpTo),
};

/** The row of a successful answer, without its call. Undefined means the same as in the previous answer. */
export type RecordedAnswer = ReadBy<typeof answerFields> & {
  /** Undefined if there is none. */
  readonly numbering: Numbering | undefined;
};

/** A parsed row of a recording: exactly one of `answer` and `error` is set. */
export type RecordedRow = {
  readonly call: RecordedCall;
  readonly answer: RecordedAnswer | undefined;
  readonly error: ReadBy<typeof errorFields> | undefined;
};

/** Returns how many lines the parts of a window have. */
export const lineCountOf = (window: readonly WindowPart[]): number =>
  window.reduce((sum, part) => sum + (typeof part === 'string' ? 1 : part[1]), 0);

const parseTable = (text: string): Table | undefined => {
  try {
    const json: unknown = JSON.parse(text);
    return isTable(json) ? json : undefined;
  } catch {
    return undefined;
  }
};

/** Parses the first row. If it is not valid, returns the end of a sentence that says why. */
export const parseHeader = (text: string): RecordingHeader | string => {
  const table = parseTable(text);
  if (table?.format !== recordingFormat) {
    return 'is not a header: this is not a branchlog recording';
  }
  const {version} = table;
  if (version === handOverVersion) {
    return 'is of a hand-over: it is opened, not played, as in branchlog open FILE';
  }
  if (!isCount(version) || version < 1 || version > recordingVersion) {
    return `is of version ${typeof version === 'number' ? version : 'unknown'}, this program plays versions 1 to ${recordingVersion}`;
  }
  const header = readFields(table, headerFields);
  return header ? {format: recordingFormat, ...header} : 'is a damaged header';
};

/** Parses a row after the header; returns undefined if it is not valid. */
export const parseReplayRow = (text: string): RecordedRow | undefined => {
  const table = parseTable(text);
  const call = table && readFields(table, callFields);
  if (!call || (call.operation === 'log') !== (call.branchId !== undefined)) {
    return undefined;
  }
  const isError = table.error !== undefined;
  const error = isError && isTable(table.error) ? readFields(table.error, errorFields) : undefined;
  const answer = isError ? undefined : readAnswer(table, call);
  return error || answer ? {call, answer, error} : undefined;
};

const readAnswer = (table: Table, {operation}: RecordedCall): RecordedAnswer | undefined => {
  const answer = readFields({skipped: [], window: [], ...table}, answerFields);
  const isNumbered = table.numbering !== undefined;
  const numbering = answer && isNumbered ? parseNumbering(table.numbering, lineCountOf(answer.window)) : undefined;
  const isWhole =
    (table.numbering === undefined) === (numbering === undefined) &&
    (operation !== 'log' || table.window !== undefined);
  return answer && isWhole ? {...answer, numbering} : undefined;
};
