import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import {findTimeEnd} from '#log/tokens/find-tokens.ts';
import {type Piece, type PlacedParts, restToken, restTokensMax} from './form.ts';
import {createLaidRow, type LaidLine, type LaidPart, type LaidRow} from './laid-row.ts';
import {
  isSameTime,
  isShownLevel,
  isShownTime,
  type LayoutContext,
  showAfter,
  showLevel,
  showTime,
} from './layout-context.ts';
import {type LaidField, type LaidRecord, readMessageFields} from './read-record.ts';
import type {Reading} from './reading.ts';
import {levelOfField, type PartName, partOfName, rankOf} from './vocabulary.ts';

/** A web server's account of one request; parts that it leaves out are undefined. */
type RequestParts = {
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
/** Where the path begins: after a status and a method. */
const pathColumn = 3 + 1 + methodColumns + 1;
/** `999 kB` */
const bytesColumns = 6;
const durationColumns = 6;
/** An IPv4 address. */
const clientColumns = 15;
/** A longer one, such as of IPv6, has room in rows from here on. */
const [wideColumns, wideClientColumns] = [140, 39];
const pathColumnsMin = 16;
/** The path takes what the row has left, within reason: numbers far away from it would be hard to follow. */
const pathColumnsMax = 48;
/** Narrower rows, as on terminals of less than some 100 columns, leave out the client and what follows it. */
const clientColumnsMin = 76;
/** With less room, what follows the client says nothing: the site of a referer, the same in all rows. */
const restColumnsMin = 32;

/** Formats a duration in milliseconds: `5 ms`, `1.2 s`, `120 s`. */
const formatDuration = (ms: number): string => {
  if (ms < 999.5) {
    return `${Math.round(ms)} ms`;
  }
  const seconds = ms / 1000;
  return `${seconds < 99.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
};

/** Formats a size: `157 B`, `2.4 kB`, `41 kB`, `1.2 MB`. */
const formatBytes = (bytes: number): string => {
  const [size, unit] =
    bytes < 999_500 ? [bytes / 1e3, 'kB'] : bytes < 999.5e6 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return bytes < 1000 ? `${bytes} B` : `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${unit}`;
};

/** Returns the parts of the request that a line reports. */
const requestPartsOf = (reading: Reading): Omit<RequestParts, 'status' | 'path'> => {
  const {request} = reading;
  const [bytes, duration] = [reading.placeOf('bytes') ?? reading.parts.bytes, reading.placeOf('duration')];
  const {durationMs} = reading.said;
  return {
    method: reading.placeOf('method'),
    // An empty cell for `-`.
    bytes: bytes && {...bytes, text: request?.bytes === undefined ? '' : formatBytes(request.bytes)},
    duration: duration && durationMs !== undefined ? {...duration, text: formatDuration(durationMs)} : undefined,
    client: reading.placeOf('client'),
  };
};

/**
 * Adds a request in columns, status first: `502 POST /checkout  157 B  1.2 s  198.51.100.51`. No column moves with what
 * is in the others. Returns whether there is room for more.
 */
const layOutRequest = (
  row: LaidRow,
  {status, method, path, bytes, duration, client}: RequestParts,
  {columns, keepsWhole = false}: Pick<LayoutContext, 'columns' | 'keepsWhole'>,
): boolean => {
  const given = [
    {part: bytes, width: bytesColumns},
    {part: duration, width: durationColumns},
  ].flatMap(({part, width}) => (part === undefined ? [] : [{part, width}]));
  // In a very narrow row the path alone is worth showing.
  const isTight = columns - pathColumn - given.length * (1 + bytesColumns) < pathColumnsMin;
  const figures = isTight && !keepsWhole ? [] : given;
  const figureColumns = figures.reduce((sum, {width}) => sum + 1 + width, 0);
  const addressColumns = columns < wideColumns ? clientColumns : wideClientColumns;
  const hasClient = keepsWhole || columns >= clientColumnsMin;
  const room = columns - pathColumn - figureColumns - (hasClient && client !== undefined ? 2 + addressColumns : 0);
  const hasRest = hasClient && room - pathColumnsMax >= restColumnsMin;
  const pathColumns = Math.max(pathColumnsMin, hasRest ? pathColumnsMax : room);
  row.show(status);
  row.add(' ');
  if (method !== undefined) {
    row.show(method);
  }
  row.padTo(pathColumn);
  const cells = (width: number): number => (keepsWhole ? Number.POSITIVE_INFINITY : width);
  // The edge cuts the path where nothing follows it.
  const wordColumns = method === undefined ? 0 : method.end - method.start - methodColumns;
  row.showWithin(
    path,
    cells(figureColumns === 0 && !hasClient ? Number.POSITIVE_INFINITY : pathColumns - Math.max(0, wordColumns)),
  );
  let column = pathColumn + pathColumns;
  for (const {part, width} of figures) {
    column += width + 1;
    row.padTo(column - (part.text ?? '').length);
    row.show(part, part === bytes);
  }
  if (client !== undefined && hasClient) {
    row.padTo(column + 2, 2);
    row.showWithin(client, cells(addressColumns), true);
    row.padTo(column + 2 + addressColumns, 0);
  }
  return keepsWhole || hasRest;
};

/** Adds a message, and the fields of a record that it is or ends with. Returns whether there is one. */
const layOutMessage = (row: LaidRow, context: LayoutContext, {start, end}: Piece): boolean => {
  const received = context.reading.text.slice(0, end);
  const record = readMessageFields(received, start);
  row.show(record?.lead ?? {start, end: start + received.slice(start).trimEnd().length});
  if (record !== undefined) {
    layOutRecord(row, context, record);
  }
  return record !== undefined;
};

const placeholder = /^"?-?"?$/;

/** Returns what follows the parts of a request, in pieces without quotes, but for the time that it took. */
const readRest = (text: string, {start: from, end: to}: Piece, duration: Piece | undefined): readonly Piece[] => {
  const others: Piece[] = [];
  for (const match of text.slice(from, to).matchAll(restToken)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (others.length === restTokensMax) {
      others.push({start, end: to});
      break;
    }
    const isQuoted = match[1] !== undefined;
    const isDuration = duration !== undefined && start <= duration.start && duration.end <= end;
    if (!isDuration && !placeholder.test(match[0])) {
      others.push(isQuoted ? {start: start + 1, end: end - 1} : {start, end});
    }
  }
  return others;
};

/** Returns a part without blanks around it; an empty one for `-`, which says nothing. */
const trim = (text: string, {start, end}: Piece): Piece => {
  const said = text.slice(start, end);
  const from = start + said.length - said.trimStart().length;
  return {start: from, end: placeholder.test(said.trim()) ? from : start + said.trimEnd().length};
};

/** Lays out a line of a known form: a request in columns, or its message, then its other parts, quiet. */
const layOutForm = (context: LayoutContext): LaidLine | undefined => {
  const {text, head} = context.reading;
  // Only the time is known of the parts before a loose form, as of a line of no known form.
  const form = context.reading.form?.form.isLoose ? undefined : context.reading.form;
  const parts: PlacedParts = form === undefined ? {...(head.time && {time: head.time})} : context.reading.parts;
  const {time, level, label, message, status} = parts;
  const asked = parts.path ?? parts.sent;
  const isRequest = status !== undefined && asked !== undefined;
  const said = message ?? (form === undefined && time ? {start: head.next, end: text.length} : undefined);
  const names = [parts.logger, parts.b1, parts.b2, parts.b3, parts.protocol, parts.b4];
  const isOnlyTimed = !isRequest && names.every(part => part === undefined) && (level ?? label) === undefined;
  if ((said === undefined && !isRequest) || (isOnlyTimed && time && !isShownTime(context, time))) {
    // Where nothing but a time is known, it has to stay.
    return undefined;
  }
  const row = createLaidRow(text);
  const others = parts.rest ? readRest(text, parts.rest, context.reading.placeOf('duration')) : [];
  const hasRoom = !isRequest || layOutRequest(row, {...requestPartsOf(context.reading), status, path: asked}, context);
  if (label !== undefined) {
    row.show(label);
    row.add('  ');
  }
  if (said !== undefined) {
    layOutMessage(row, context, said);
  }
  const [logger, b1, ...after] = names.map(part => part && trim(text, part));
  for (const part of hasRoom ? [logger, b1, ...others, ...after] : []) {
    showAfter(row, part);
  }
  // Without room for more, anything else would cut off the last figure. A time that no column shows is needed.
  if (hasRoom || context.at === undefined) {
    showLevel(row, context, level);
    showTime(row, context, time);
    showTime(row, context, parts.stamp);
  }
  return row.line();
};

/** A line that is a record, or ends with one after a text of unknown form, which stays as it is. */
const layOutWhole = (context: LayoutContext): LaidLine | undefined => {
  const row = createLaidRow(context.reading.text);
  return layOutMessage(row, context, {start: 0, end: context.reading.text.length}) ? row.line() : undefined;
};

/**
 * Lays out a line for reading: what decides first, then the rest as quiet pieces; the time and the level that stand
 * beside the row are left out, and so are signs that only separate. Returns undefined for a line whose format is not
 * known for certain: it is shown as received. The row is safe, and sanitising it again changes nothing.
 */
export const layOutLine = (context: LayoutContext): LaidLine | undefined => {
  const laid = layOutForm(context) ?? layOutWhole(context);
  return laid === undefined || sanitise(laid.text) !== laid.text ? undefined : laid;
};

const valueCharsMax = 200;

/** No screen shows a longer row; fields beyond it are only counted. */
const rowCharsMax = 8192;

/** A value with one of these in it is quoted, so that its end is visible. */
const needsQuotes = /[\s"=]|^$/;

/** A number at least this large is a time since 1970, in seconds or finer. */
const epochSecondsMin = 1_000_000_000;

const valid: Readonly<Partial<Record<PartName, (field: LaidField) => boolean>>> = {
  time: ({value}) => findTimeEnd(value.text, 0, true) !== -1 || Number(value.text) >= epochSecondsMin,
  level: ({value}) => levelOfField('level', value.text) !== undefined,
  severityNumber: ({value}) => levelOfField('severityNumber', value.text) !== undefined,
  message: ({isText, value}) => isText && value.text.trim() !== '',
};

/** The fields of a record that the vocabulary knows and whose values are such, in order. */
type KnownFields = ReadonlyMap<PartName, readonly LaidField[]>;

const knownFields = (fields: readonly LaidField[]): KnownFields => {
  const known = new Map<PartName, LaidField[]>();
  for (const field of fields) {
    const part = partOfName(field.key.text);
    if (part !== undefined && (valid[part]?.(field) ?? true)) {
      known.set(part, [...(known.get(part) ?? []), field]);
    }
  }
  return known;
};

/**
 * Finds the fields of a record that say what a web server was asked and answered: a status, a method and a path at
 * least. Returns undefined for a record of anything else.
 */
const findRequest = (
  reading: Reading,
  fields: readonly LaidField[],
): {readonly parts: RequestParts; readonly used: readonly LaidField[]} | undefined => {
  const [status, path] = [reading.placeOf('status'), reading.placeOf('path')];
  const parts = status && path && {...requestPartsOf(reading), status, path};
  const places = Object.values(parts ?? {}).filter(place => place !== undefined);
  const used = fields.filter(({value}) => places.some(({start, end}) => start >= value.start && end <= value.end));
  const isRequest =
    parts?.method !== undefined &&
    places.every(({start, end}) => used.some(({value}) => start >= value.start && end <= value.end));
  return isRequest ? {parts, used} : undefined;
};

/** Monolog nests what is said under `context` and `extra`; the words alone say it. */
const monologNest = /^(?:context|extra)\./;

const showField = (row: LaidRow, {key, value, isText}: LaidField, isQuiet: boolean): void => {
  row.show(key, isQuiet);
  const text = sanitiseWord(value.text, valueCharsMax);
  const isQuoted = isText && needsQuotes.test(text);
  row.add(isQuoted ? '="' : '=');
  row.show({...value, text: isQuoted ? text.replaceAll('"', '\\"') : text}, isQuiet);
  if (isQuoted) {
    row.add('"');
  }
};

/**
 * Adds a record to a row that may begin with a text: a request in columns if it is one, the message, then the other
 * fields in order as `key=value`, nested ones with dotted names. The level and the first time are left out if they
 * stand beside the row. Numbers stay as written.
 */
const layOutRecord = (row: LaidRow, context: LayoutContext, {fields, moreFields}: LaidRecord): void => {
  const known = knownFields(fields);
  const numbered = known.get('severityNumber') ?? [];
  const levels = [...(known.get('level') ?? []), ...numbered];
  const levelOf = (field: LaidField) =>
    levelOfField(numbered.includes(field) ? 'severityNumber' : 'level', field.value.text);
  const [leveled] = levels;
  const level = leveled && levelOf(leveled);
  const [time] = known.get('time') ?? [];
  const [message] = (known.get('message') ?? []).toSorted(
    (a, b) => rankOf('message', a.key.text) - rankOf('message', b.key.text),
  );
  const request = findRequest(context.reading, fields);
  const hasLead = row.length() > 0;
  // Many records state the level as a number and as a word.
  const used = new Set([message, ...levels.filter(each => levelOf(each) === level), ...(request?.used ?? [])]);
  if (time !== undefined && context.at !== undefined && isSameTime(time.value.text, context.at)) {
    used.add(time);
  }
  if (request !== undefined && !layOutRequest(row, request.parts, context)) {
    return;
  }
  if (message !== undefined) {
    row.addGap(request === undefined ? 1 : 2);
    row.show(message.value);
  }
  if (leveled !== undefined && level !== undefined && !isShownLevel(level, context)) {
    showAfter(row, /^\d/.test(leveled.value.text) ? {...leveled.value, text: level.toUpperCase()} : leveled.value);
  }
  const isQuiet = hasLead || request !== undefined || message !== undefined;
  // Monolog's nests need no name; the words alone say it.
  const nest = fields.some(({key}) => key.text === 'level_name') ? monologNest : '';
  let more = moreFields;
  let gap = 2;
  for (const field of fields.filter(each => !used.has(each))) {
    if (row.length() > rowCharsMax) {
      more += 1;
      continue;
    }
    row.addGap(gap);
    showField(row, {...field, key: {...field.key, text: field.key.text.replace(nest, '')}}, isQuiet);
    gap = 1;
  }
  if (more > 0) {
    row.addGap(1);
    row.add(`… ${more} more`);
  }
};
