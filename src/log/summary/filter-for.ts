import {isOfRequest} from '#log/reading/request.ts';
import type {PartSource} from '#log/reading/scan-text.ts';
import {cutMark} from '#log/text/width.ts';
import {pathCharsMax} from '#log/traits/fold-path.ts';
import {escapePattern, patternOfShape} from '#log/traits/fold-text.ts';
import type {SummaryRow, TableName} from './summary.ts';

/** A longer query is not one that a person could read or edit. */
const queryCharsMax = 4000;

// An access line up to the quote that opens its request, and the rest of the request after it.
const beforeRequest = '^[^"]*"';
const restOfRequest = String.raw`(?:[^"\\]|\\.)*"`;
const anyStatus = String.raw` \d{3}(?: |$)`;

/**
 * Returns the pattern of what precedes a field's value: `"status": ` in JSON, `status=` in logfmt. Quotes around the
 * value are up to the caller.
 */
const fieldOf = (source: PartSource): string =>
  source.endsWith('=') ? String.raw`(?:^|\s)${escapePattern(source)}` : String.raw`"${escapePattern(source)}"\s*:\s*`;

// After the path: a query, a fragment or the protocol, or the end of the request.
const afterPath = String.raw`(?:[?# ](?:[^"\\]|\\.)*)?"`;

// The endings of messages of nginx and Monolog.
const afterMessage = String.raw`(?:, client: .*|\s\{".*| \[\]){0,3}$`;

const isCutPath = (path: string): boolean => path.length >= pathCharsMax;

const requestPattern = (method: string, path: string): string =>
  `${beforeRequest}${method} ${patternOfShape(path)}${isCutPath(path) ? restOfRequest : afterPath}`;

// Text of gin, Fiber, morgan and HAProxy around a status, and before and after a path; morgan colours its status.
const colour = String.raw`(?:\x1b\[[\d;]*m)*`;
const reportedStatus = (status: string): string =>
  String.raw`(?:\b(?:Completed|Sent|Chunked) ${status} | ${status} (?:in )?[\d.]+m?s\b| ${status} \d+ \d+ \d+$|\|${colour} *${status} *${colour}\| |/\+?\d+ ${status} \+?\d+ \S+ \S+ [\w-]{4} |(?:\b|m)${status} ${colour}(?:[\d.]+ ms - (?:\d+|-)|(?:\d+|-) - [\d.]+ ms)${colour}$)`;
const reportedRequest = (method: string, path: string): string =>
  `(?:^|[|" m])${method}[ |"]{1,12}${colour}[ |"]{0,4}${patternOfShape(path)}${isCutPath(path) ? '' : String.raw`(?:[?#"\s]|$)`}`;

/** Returns the pattern of the fields that report a request, see `sourceOfFields`. */
const fieldsPattern = (source: PartSource, said: Readonly<Record<string, string>>): string => {
  const values = new Map<PartSource, string[]>();
  for (const [name = '', field = ''] of source
    .slice(1)
    .split(',')
    .map(each => each.split(':'))) {
    const value = said[name] ?? '';
    const end = name === 'path' && isCutPath(value) ? '' : String.raw`(?:[?#"\s,}]|$)`;
    values.set(field, [...(values.get(field) ?? []), patternOfShape(value) + end]);
  }
  // One field may have both the method and the path: the blank between them is the end of the method.
  const fields = [...values].map(([field, patterns]) => `${fieldOf(field)}"?${patterns.join('')}`);
  // The end of a value may be the blank before the next name.
  return fields.join('.*').replaceAll(String.raw`.*(?:^|\s)`, String.raw`.*\b`);
};

const shapePattern = (shape: string, source: PartSource): string => {
  const isCut = shape.endsWith(cutMark);
  const pattern = patternOfShape(isCut ? shape.slice(0, -1) : shape);
  if (source === 'text') {
    return `^${pattern}${isCut ? '' : '$'}`;
  }
  if (source.startsWith('>')) {
    return String.raw`${escapePattern(source.slice(1))}\s*${pattern}${isCut ? '' : afterMessage}`;
  }
  if (!isOfRequest(source)) {
    return `${fieldOf(source)}"${pattern}${isCut ? '' : '"'}`;
  }
  const [, method = '', path = '', status = ''] = /^(\S+) (.*) (\d{3})$/.exec(shape) ?? [];
  if (source.startsWith('{')) {
    return fieldsPattern(source, {method, path, status});
  }
  if (source === 'reported') {
    const [asked, answered] = [reportedRequest(method, path), reportedStatus(status)];
    return `(?:${asked}.*${answered}|${answered}.*${asked})`;
  }
  return method === ''
    ? `${beforeRequest}${restOfRequest} ${shape.slice(-3)}(?: |$)`
    : `${requestPattern(method, path)} ${status}(?: |$)`;
};

const pathRowPattern = (path: string, source: PartSource): string => {
  if (source === 'access') {
    return requestPattern('[A-Z]{3,16}', path) + anyStatus;
  }
  if (source === 'reported') {
    return reportedRequest('[A-Z]{3,16}', path);
  }
  if (source === 'text') {
    return `"[A-Z]{3,16} ${patternOfShape(path)}${isCutPath(path) ? '' : afterPath}`;
  }
  const after = isCutPath(path) ? '' : String.raw`(?:[?#"\s]|$)`;
  return `${fieldOf(source)}"?(?:[A-Z]{3,16} )?${patternOfShape(path)}${after}`;
};

const statusPattern = (status: string, source: PartSource): string => {
  if (source === 'access') {
    return `${beforeRequest}${restOfRequest} ${status}(?: |$)`;
  }
  if (source === 'reported') {
    return reportedStatus(status);
  }
  return source === 'text' ? `" status: ${status}(?: |$)` : String.raw`${fieldOf(source)}"?${status}\b`;
};

const clientPattern = (client: string, source: PartSource): string => {
  const pattern = escapePattern(client);
  if (source === 'reported') {
    return String.raw`(?:^|\s)${pattern}(?::\d{1,5})?(?: |$)`;
  }
  if (source === 'access') {
    return String.raw`^(?:[^"]*\s)?${pattern}[\s:][^"]*"${restOfRequest}${anyStatus}`;
  }
  return source === 'text'
    ? String.raw`(?:\bclient:? ${pattern}(?:[:,\]\s]|$)|(?:^|\s)${pattern} "[A-Z]{3,16} )`
    : String.raw`${fieldOf(source)}"?${pattern}(?:["\s]|$)`;
};

const patternsOfTables: Readonly<Record<Exclude<TableName, 'sources'>, (key: string, source: PartSource) => string>> = {
  errors: shapePattern,
  warnings: shapePattern,
  shapes: shapePattern,
  paths: pathRowPattern,
  statuses: statusPattern,
  clients: clientPattern,
};

/**
 * Returns the query that finds the lines a row of the summary counts: `re:` and a pattern without lookaround or
 * references, for the text of a line as received. It finds all of them; others only if a number, an id or a time of
 * another form is in a mark's place. Returns undefined if the pattern would be longer than 4,000 characters, and for a
 * source, which is in no text.
 */
export const filterFor = ({table, key, sources}: Pick<SummaryRow, 'table' | 'key' | 'sources'>): string | undefined => {
  if (table === 'sources') {
    return undefined;
  }
  const patterns = sources.map(source => patternsOfTables[table](key, source));
  const pattern = patterns.length === 1 ? patterns.join('') : `(?:${patterns.join('|')})`;
  return pattern.length > queryCharsMax ? undefined : `re:${pattern}`;
};
