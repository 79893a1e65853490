import {promptCharsMax} from '#base/bounds.ts';
import type {IncidentFinding, SubjectKind} from '#log/incident/incident-finding.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {LogMemory, RememberedMark, RememberedWatch} from '#log/overview/log-memory.ts';
import type {SourcePick} from '#log/view/sources.ts';
import {storedFields} from './state-file.ts';

/** How a branch's log was viewed, as it is stored: times are RFC 3339 to the nanosecond. */
export type BranchState = LogMemory<string>;

type StoredMark = RememberedMark<string>;
type StoredWatch = RememberedWatch<string>;

/** More than anyone marks by hand; if there are more, the last of the list are kept. */
export const storedMarksMax = 100;

/** More than the screen can show or a user would type; any more are dropped. */
const filtersMax = 50;
const contextLinesMax = 9;
const timeCharsMax = 40;
const wordCharsMax = 30;

const readText = (value: unknown, charsMax: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= charsMax ? value : undefined;

const readTexts = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) => readText(item, promptCharsMax) ?? []).slice(0, filtersMax)
    : [];

const readSource = (value: unknown): readonly SourceName[] => {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const {pod, container, stream} = storedFields<SourceName>(value);
  const field = (name: keyof SourceName, text: unknown): SourceName => {
    const word = readText(text, promptCharsMax);
    return word === undefined ? {} : {[name]: word};
  };
  return [{...field('pod', pod), ...field('container', container), ...field('stream', stream)}];
};

/** More sources than that are not chosen one by one. */
const sourcesMax = 500;

const readPick = (value: unknown): SourcePick | undefined => {
  const {kind, names} = storedFields<SourcePick>(value);
  return (kind === 'hide' || kind === 'only') && Array.isArray(names)
    ? {kind, names: names.slice(0, sourcesMax).flatMap(readSource)}
    : undefined;
};

const readMark = (value: unknown): StoredMark[] => {
  const {at, lineHash, note} = storedFields<StoredMark>(value);
  const time = readText(at, timeCharsMax);
  const hash = typeof lineHash === 'string' && /^[\da-f]{16}$/.test(lineHash) ? lineHash : undefined;
  return time === undefined ? [] : [{at: time, lineHash: hash, note: readText(note, promptCharsMax) ?? ''}];
};

const watchedWhats: readonly IncidentFinding['what'][] = [
  'rise',
  'slower',
  'stopped',
  'storm',
  'new',
  'gone',
  'fewer',
  'fatal',
];
const watchedKinds: readonly SubjectKind[] = [
  ...(['errors', 'kind', 'failed', 'pod', 'status', 'request', 'message', 'source'] as const),
];

const readWatch = (value: unknown): StoredWatch | undefined => {
  const {what, of, subject, since, before, now} = storedFields<StoredWatch>(value);
  const [isWhat, kind] = [watchedWhats.find(each => each === what), watchedKinds.find(each => each === of)];
  const [text, time] = [readText(subject, promptCharsMax), readText(since, timeCharsMax)];
  const rateOf = (rate: unknown): number | undefined => (typeof rate === 'number' ? rate : undefined);
  return isWhat && kind && text !== undefined && time !== undefined
    ? {what: isWhat, of: kind, subject: text, since: time, before: rateOf(before), now: rateOf(now)}
    : undefined;
};

/** Drops fields that are invalid or too long, so that one bad field does not affect the others. */
export const decodeBranchState = (record: Readonly<Record<string, unknown>>): BranchState => {
  const {contextLines, minimumLevel, sourcePick, wraps, timeMode, rows, columns, highlights, marks, lastSeenAt} =
    record;
  const isContext = typeof contextLines === 'number' && Number.isInteger(contextLines) && contextLines >= 0;
  return {
    filters: readTexts(record.filters),
    filtersOff: readTexts(record.filtersOff),
    contextLines: isContext ? Math.min(contextLines, contextLinesMax) : 0,
    minimumLevel: readText(minimumLevel, wordCharsMax),
    sourcePick: readPick(sourcePick),
    wraps: wraps === true,
    timeMode: readText(timeMode, wordCharsMax),
    rows: readText(rows, wordCharsMax),
    ...(Array.isArray(columns) && {columns: readTexts(columns)}),
    ...(Array.isArray(record.folds) && {folds: readTexts(record.folds)}),
    highlights: readTexts(highlights),
    marks: Array.isArray(marks) ? marks.flatMap(readMark).slice(-storedMarksMax) : [],
    ...(record.watched !== undefined && {watched: readWatch(record.watched)}),
    lastSeenAt: readText(lastSeenAt, timeCharsMax),
  };
};
