import {durationMsOf, findAddressEnd, unitsMs} from '#log/tokens/find-tokens.ts';
import {type FoundForm, isAccessForm} from './find-form.ts';
import type {Piece} from './form.ts';
import {findRequestTime} from './formats/web/access.ts';
import type {RecordParts} from './record-parts.ts';
import type {PartSource, TextPart} from './scan-text.ts';
import {durationParts, isValueOf, type PartName} from './vocabulary.ts';

/** The request that a line reports. Parts that it leaves out are undefined. */
export type Request = {
  readonly method: string | undefined;
  /** As written, with its query; a whole address if the line has one. */
  readonly path: string | undefined;
  readonly status: number | undefined;
  /** Milliseconds that the answer took; undefined also if nothing tells in which unit the line counts. */
  readonly durationMs: number | undefined;
  /** Bytes sent. */
  readonly bytes: number | undefined;
  /** An address or a name, without its port. */
  readonly client: string | undefined;
};

/** A value as written, and where it was read. Without a place it is the part of the line's form. */
export type SaidPart = {readonly text: string; readonly source: PartSource; readonly place?: Piece};

export type SaidName = 'method' | 'path' | 'status' | 'bytes' | 'client' | 'duration';

/** The request fields of a line, whether it reports a request or not. */
export type RequestFields = Readonly<Record<SaidName, SaidPart | undefined>> & {
  readonly durationMs: number | undefined;
  readonly isRequest: boolean;
};

/** The request fields of a line that mentions none. */
export const noRequest: RequestFields = {
  ...{method: undefined, path: undefined, status: undefined, bytes: undefined, client: undefined},
  ...{duration: undefined, durationMs: undefined, isRequest: false},
};

const bareUnitsMs: Readonly<Partial<Record<PartName, number>>> = {
  seconds: unitsMs.s,
  millis: unitsMs.ms,
  micros: unitsMs.µs,
  nanos: unitsMs.ns,
};

/** Go's zap, which Caddy uses, counts seconds; Go's slog and Traefik count nanoseconds. */
const zapHead = /^\{"level":"[a-z]{4,6}","ts":\d/;
const slogHead = /^\{"time":"[^"]{20,40}","level":"[A-Z]{4,5}[+-]?\d*","msg":/;
/** A larger number is in a unit that nothing tells. */
const bareMillisMax = 100_000;
const whole = /^\d+$/;

/** Returns the unit of a bare number whose name doesn't tell it, in milliseconds. */
const guessUnitMs = (text: string, value: string, status: SaidPart | undefined): number | undefined => {
  if (zapHead.test(text)) {
    return unitsMs.s;
  }
  if (slogHead.test(text) || status?.source === 'DownstreamStatus') {
    return unitsMs.ns;
  }
  // Fractions are seconds in some logs and milliseconds in others; in lograge they are milliseconds.
  const isMillis = whole.test(value) ? Number(value) <= bareMillisMax : text.includes(' controller=');
  return isMillis ? unitsMs.ms : undefined;
};

/** Collects what `find` finds; a duration whose name tells its unit comes before others. */
const collect = (text: string, find: (part: PartName) => SaidPart | undefined): RequestFields => {
  const [method, path, status] = [find('method'), find('path'), find('status')];
  let part: PartName | undefined;
  let duration: SaidPart | undefined;
  for (let index = 0; index < durationParts.length && duration === undefined; index += 1) {
    part = durationParts[index];
    duration = part && find(part);
  }
  const durationMs =
    part && duration && durationMsOf(duration.text, bareUnitsMs[part] ?? guessUnitMs(text, duration.text, status));
  return {
    ...{method, path, status, bytes: find('bytes'), client: find('client'), duration, durationMs},
    isRequest: status ? (path ?? durationMs) !== undefined : method !== undefined && path !== undefined,
  };
};

const requestForm = /^([A-Z]{3,16}) (?=[/*]|https?:)([^\s"]+)/;

/** Reads what the record says that begins somewhere in a text. */
export const readRequestOfRecord = (text: string, parts: RecordParts): RequestFields => {
  if ((parts.status ?? parts.path ?? parts.request ?? parts.client) === undefined) {
    return noRequest;
  }
  // `GET /cart HTTP/1.1`, in a field of its own or in that of the path
  const asked = parts.request ?? (parts.method === undefined ? parts.path : undefined);
  const [, method, path] = (asked && requestForm.exec(text.slice(asked.start, asked.end))) ?? [];
  return collect(text, name => {
    const part = parts[name];
    if (asked !== undefined && method !== undefined && path !== undefined && (name === 'method' || name === 'path')) {
      const start = asked.start + (name === 'method' ? 0 : method.length + 1);
      const said = name === 'method' ? method : path;
      return {text: said, source: asked.name, place: {start, end: start + said.length}};
    }
    return part && {text: text.slice(part.start, part.end), source: part.name, place: part};
  });
};

/** Reads what the text of no known form mentions. */
export const readMentionedRequest = (text: string, parts: readonly TextPart[]): RequestFields =>
  collect(text, name => {
    for (const {part, start, end, source, isCertain} of parts) {
      const value = part === name && isCertain ? text.slice(start, end) : '';
      if (value !== '' && isValueOf(part, value)) {
        return {text: value, source, place: {start, end}};
      }
    }
    return undefined;
  });

/** Reads what a line of a form says that reports requests. */
export const readRequestOfForm = ({form, texts}: FoundForm): RequestFields => {
  const source = isAccessForm(form) ? 'access' : 'reported';
  const said = (text: string | undefined): SaidPart | undefined => (text ? {text, source} : undefined);
  const {method, path, status, bytes, client, took, rest = ''} = texts;
  const time = took === undefined ? findRequestTime(rest) : undefined;
  const duration = took ?? (time && rest.slice(time.start, time.end));
  return {
    ...{method: said(method), path: said(path), status: said(status), client: said(client)},
    bytes: bytes === '-' ? undefined : said(bytes),
    duration: said(duration),
    durationMs: duration === undefined ? undefined : durationMsOf(duration, time ? unitsMs.s : unitsMs.ms),
    isRequest: true,
  };
};

/** Checks whether a value is from a line of a form that reports requests. */
export const isOfForm = (source: PartSource): boolean => source === 'access' || source === 'reported';

/**
 * Returns where the shape of a request was read that fields report: their names in the order of the line, such as
 * `{method:verb,path:uri,status:code`.
 */
export const sourceOfFields = (fields: Readonly<Record<'method' | 'path' | 'status', SaidPart>>): PartSource => {
  const startOf = ({place}: SaidPart): number => place?.start ?? 0;
  const {method, path, status} = fields;
  const asked =
    startOf(method) < startOf(path)
      ? `method:${method.source},path:${path.source}`
      : `path:${path.source},method:${method.source}`;
  return startOf(status) < startOf(path) ? `{status:${status.source},${asked}` : `{${asked},status:${status.source}`;
};

/** Checks whether a shape is that of a request. */
export const isOfRequest = (source: PartSource): boolean => isOfForm(source) || source.startsWith('{');

/** Returns a client without its port. */
export const withoutPort = (client: string): string => {
  const end = findAddressEnd(client, 0);
  return end === -1 ? client : client.slice(0, end);
};

const numberOf = (said: SaidPart | undefined): number | undefined => said && Number(said.text);

/** Returns the request that a line reports; undefined if it reports none. */
export const requestOf = (said: RequestFields): Request | undefined =>
  said.isRequest
    ? {
        method: said.method?.text,
        path: said.path?.text,
        status: numberOf(said.status),
        durationMs: said.durationMs,
        bytes: numberOf(said.bytes),
        client: said.client && withoutPort(said.client.text),
      }
    : undefined;
