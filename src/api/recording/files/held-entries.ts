import {isTable, type Table} from '#base/table.ts';
import type {Change, Entry, HorizonMarker, Marker, SourceName} from '#log/line/entry.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import {proofs} from '#log/line/proof.ts';
import {readLine} from '#log/window/window-line.ts';
import {isGapReason} from '#log/words/describe-marker.ts';
import {sourceKey} from '#log/words/source-words.ts';
import {isCount, isList, isNameIn, isText, readTable, readText} from './json-value.ts';

/**
 * Some entries as JSON. Whatever a line says itself is left out: its time, and where its text begins. The usual form of
 * a time takes more room than the text after it, once that is compressed: of a line that begins with it, `times` has
 * the nanoseconds since the line before that does, and `lines` what follows; null: `lines` has the whole line.
 */
type StoredEntries = {
  readonly lines: readonly string[];
  readonly times: readonly (number | null)[];
  /** The sources, and for each line in turn, how many lines are of which; -1: of none that is known. */
  readonly sources: readonly SourceName[];
  readonly runs: readonly (readonly [source: number, count: number])[];
  /** By the index of the line: those that do not say their time, or not where it is expected. */
  readonly odd: readonly (readonly [line: number, at: string, textIndex: number])[];
  readonly late: readonly number[];
  /** By the index of the entry. */
  readonly markers: readonly (readonly [entry: number, marker: object])[];
};

/** The first nanosecond of the year 0 and that of the year 10000, with a day on either side for zones. */
const [timeMin, timeMax] = [-62_167_305_600_000_000_000n, 253_402_387_200_000_000_000n];

/** Whether a time can be written as a date of four digits. */
const isTime = (at: Instant): boolean => at > timeMin && at < timeMax;

/** Reads a time in nanoseconds since 1970, as a text; undefined if it is none. */
export const readTime = (value: unknown): Instant | undefined => {
  const at = isText(value) && /^-?\d{1,30}$/.test(value) ? BigInt(value) : undefined;
  return at !== undefined && isTime(at) ? at : undefined;
};

/** Returns entries as JSON. `mask` is applied to each line. */
export const formatEntries = (entries: readonly Entry[], mask: (raw: string) => string): string => {
  const lines: string[] = [];
  const times: (number | null)[] = [];
  let lastTime = 0n;
  const sources = new Map<string, readonly [index: number, name: SourceName]>();
  const runs: [number, number][] = [];
  const odd: [number, string, number][] = [];
  const late: number[] = [];
  const markers: [number, object][] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'line') {
      markers.push([index, storeMarker(entry)]);
      continue;
    }
    const raw = mask(entry.raw);
    const read = readLine(raw);
    if (read?.at !== entry.at || read.textIndex !== entry.textIndex) {
      odd.push([lines.length, String(entry.at), Math.min(entry.textIndex, raw.length)]);
    }
    if (entry.late) {
      late.push(lines.length);
    }
    const source = entry.source === undefined ? -1 : indexIn(sources, entry.source);
    const run = runs.at(-1);
    if (run?.[0] === source) {
      run[1] += 1;
    } else {
      runs.push([source, 1]);
    }
    const sinceLast = Number(entry.at - lastTime);
    const stamp = formatInstant(entry.at);
    const isUsual = Number.isSafeInteger(sinceLast) && raw.startsWith(stamp);
    times.push(isUsual ? sinceLast : null);
    lines.push(isUsual ? raw.slice(stamp.length) : raw);
    lastTime = isUsual ? entry.at : lastTime;
  }
  const stored: StoredEntries = {
    lines,
    times,
    sources: [...sources.values()].map(([, name]) => name),
    runs,
    odd,
    late,
    markers,
  };
  return JSON.stringify(stored);
};

const indexIn = (sources: Map<string, readonly [number, SourceName]>, name: SourceName): number => {
  const key = sourceKey(name);
  const known = sources.get(key);
  if (known === undefined) {
    sources.set(key, [sources.size, name]);
    return sources.size - 1;
  }
  return known[0];
};

const storeMarker = ({id: _, ...marker}: Marker): object =>
  Object.fromEntries(
    Object.entries(marker).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );

/**
 * Parses what `formatEntries` wrote; the first entry gets `firstId`. `intern` returns the one object of a source.
 * Returns undefined if anything in it is not valid.
 */
export const parseEntries = (
  json: unknown,
  firstId: number,
  intern: (name: SourceName) => SourceName,
): readonly Entry[] | undefined => {
  if (!isTable(json) || !isStored(json)) {
    return undefined;
  }
  const {lines, times, runs, odd, late, markers} = json;
  // Checked before anything is made of it: each run might stand for as many lines as there are.
  const isOfLines =
    runs.reduce((sum, [, count]) => sum + count, 0) === lines.length &&
    runs.every(([source, count]) => count > 0 && source >= -1 && source < json.sources.length);
  if (!isOfLines) {
    return undefined;
  }
  let lastTime = 0n;
  const sources = json.sources.map(name => intern(readSource(name) ?? {}));
  const oddLines = new Map(odd.map(([line, ...rest]) => [line, rest]));
  const lateLines = new Set(late);
  const markerAt = new Map(markers);
  const ofLines = runs.flatMap(([source, count]) => Array<number>(count).fill(source));
  const entries: Entry[] = [];
  let index = 0;
  for (let id = firstId; index < lines.length || markerAt.has(entries.length); id += 1) {
    const stored = markerAt.get(entries.length);
    if (stored !== undefined) {
      const marker = readMarker(stored, id);
      if (marker === undefined) {
        return undefined;
      }
      entries.push(marker);
      continue;
    }
    const sinceLast = times[index] ?? null;
    lastTime = sinceLast === null ? lastTime : lastTime + BigInt(sinceLast);
    if (!isTime(lastTime)) {
      return undefined;
    }
    const raw = `${sinceLast === null ? '' : formatInstant(lastTime)}${lines[index] ?? ''}`;
    const [oddAt, oddIndex] = oddLines.get(index) ?? [];
    const read = oddAt === undefined ? readLine(raw) : {at: readTime(oddAt), textIndex: oddIndex ?? 0};
    if (read?.at === undefined || read.textIndex > raw.length) {
      return undefined;
    }
    const source = sources[ofLines[index] ?? -1];
    const line = {kind: 'line', id, at: read.at, raw, textIndex: read.textIndex, late: lateLines.has(index)} as const;
    entries.push(source === undefined ? line : {...line, source});
    index += 1;
  }
  return entries.length === lines.length + markerAt.size ? entries : undefined;
};

const isStored = (json: Table): json is Table & StoredEntries =>
  isList(json.lines) &&
  json.lines.every(isText) &&
  isList(json.times) &&
  json.times.every(time => time === null || Number.isSafeInteger(time)) &&
  isList(json.sources) &&
  isList(json.runs) &&
  json.runs.every(run => isList(run) && Number.isSafeInteger(run[0]) && isCount(run[1])) &&
  isList(json.odd) &&
  json.odd.every(each => isList(each) && isCount(each[0]) && isText(each[1]) && isCount(each[2])) &&
  isList(json.late) &&
  json.late.every(isCount) &&
  isList(json.markers) &&
  json.markers.every(each => isList(each) && isCount(each[0]) && isTable(each[1]));

const readSource = (json: unknown): SourceName | undefined => {
  if (!isTable(json)) {
    return undefined;
  }
  const parts = (['pod', 'container', 'stream'] as const).flatMap(name => {
    const value = json[name];
    return isText(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(parts);
};

const horizonWhys: Readonly<Record<NonNullable<HorizonMarker['why']>, true>> = {
  ...{asked: true, unread: true, file: true, memory: true, start: true, newest: true},
};

type Head = {readonly id: number; readonly at: Instant};

/** How each kind of marker is read. A field that is not valid counts as not there. */
const readMarkerOf: {
  readonly [Kind in Marker['kind']]: (table: Table, head: Head) => Extract<Marker, {kind: Kind}> | undefined;
} = {
  gap: (table, head) => {
    const reason = readText(table.reason) ?? '';
    return {
      kind: 'gap',
      ...head,
      after: readTime(table.after) ?? head.at,
      before: readTime(table.before) ?? head.at,
      reason: isGapReason(reason) ? reason : undefined,
      proof: proofs.find(proof => proof === table.proof),
      source: readSource(table.source),
      missingLines: isCount(table.missingLines) ? table.missingLines : undefined,
      why: readText(table.why),
      newLines: isCount(table.newLines) ? table.newLines : undefined,
    };
  },
  pod: (table, head) => ({
    kind: 'pod',
    ...head,
    change: table.change === 'gone' ? 'gone' : 'appeared',
    name: readText(table.name) ?? '',
    since: readTime(table.since),
    isWhole: table.isWhole === true ? true : undefined,
    ending: readText(table.ending),
  }),
  quiet: (table, head) => ({kind: 'quiet', ...head, since: readTime(table.since) ?? head.at}),
  change: (table, head) => {
    const json = readTable(table.change);
    const change = isNameIn(readChangeOf, json.kind) ? readChangeOf[json.kind](json) : undefined;
    return change && {kind: 'change', ...head, happenedAt: readTime(table.happenedAt), change};
  },
  horizon: (table, head) => ({
    ...{kind: 'horizon', ...head, why: isNameIn(horizonWhys, table.why) ? table.why : undefined},
    ...(table.isEnd === true && {isEnd: true}),
  }),
};

const readChangeOf: {readonly [Kind in Change['kind']]: (table: Table) => Extract<Change, {kind: Kind}>} = {
  status: table => ({kind: 'status', before: readText(table.before) ?? null, now: readText(table.now) ?? null}),
  activity: table => ({
    kind: 'activity',
    action: readText(table.action),
    status: readText(table.status),
    createdBy: readText(table.createdBy),
  }),
  trouble: table => ({kind: 'trouble', who: readText(table.who) ?? '', reason: readText(table.reason) ?? ''}),
};

const readMarker = (json: object, id: number): Marker | undefined => {
  const table = readTable(json);
  const at = readTime(table.at);
  return at !== undefined && isNameIn(readMarkerOf, table.kind) ? readMarkerOf[table.kind](table, {id, at}) : undefined;
};
