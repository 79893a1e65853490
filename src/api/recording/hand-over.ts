import {setImmediate as nextTurn} from 'node:timers/promises';
import type {z} from 'zod';
import type {HandedLog, HandedPlace} from '#api/client/answer.ts';
import {doWork} from '#api/client/do-work.ts';
import {maskSecrets} from '#base/secret.ts';
import {type BranchState, decodeBranchState} from '#config/memory/branch-state.ts';
import {createBuffer, entryAt, indexOfEntry, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {lineEntryOf} from '#log/ingest/added.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import type {Entry, LineEntry, SourceName} from '#log/line/entry.ts';
import {formatInstant} from '#log/line/instant.ts';
import type {KnownShape, ShapeTable} from '#log/traits/shape-table.ts';
import type {WindowClaims} from '#log/window/window-claims.ts';
import {readLine} from '#log/window/window-line.ts';
import {sourceKey} from '#log/words/source-words.ts';
import type {Work} from '#log/work.ts';
import {
  type HandOverHead,
  headSchema,
  linesSchema,
  logSchema,
  type StoredLines,
  toJson,
  viewSchema,
} from './hand-over/hand-over-schema.ts';
import {createSealer, damaged, openSealed, type Section, type SectionName} from './hand-over/sealed-file.ts';
import {RecordingError} from './recording-format.ts';

/** What a service said of its windows, as far as the proof of a log is told by it. */
type Said = Pick<WindowClaims, 'cut' | 'sources' | 'arrivals'>;

/** A log as it is held, and how it is looked at; times are of the service's clock. */
export type HandOver = {
  /** Without what is counted while it is written. */
  readonly head: Omit<HandOverHead, 'lines' | 'maskedLines'>;
  readonly view: BranchState;
  readonly handed: HandedLog;
  readonly said: Said;
};

/** What is in one section: so few entries that reading them keeps no key waiting. */
const entriesPerSection = 4096;
/** Long lines make fewer. */
const charactersPerSection = 8 * 1024 * 1024;

/** Returns a line in which what looks like a secret is masked. Its timestamp stays. */
export const maskLine = ({raw, textIndex}: LineEntry): string =>
  `${raw.slice(0, textIndex)}${maskSecrets(raw.slice(textIndex))}`;

/** Writes the entries of a buffer from an index on, as many as one section takes. */
function* writeLines(
  buffer: LineBuffer,
  from: number,
  writerOf: (source: SourceName | undefined) => number,
): Work<{readonly text: string; readonly entries: number; readonly lines: number; readonly masked: number}> {
  const ids: number[] = [];
  const rows: unknown[] = [];
  const odd: [number, string, number][] = [];
  const late: number[] = [];
  const writers: [number, number][] = [];
  let [characters, lines, masked] = [0, 0, 0];
  while (rows.length < entriesPerSection && characters < charactersPerSection) {
    const entries = sliceEntries(buffer, from + rows.length, 256);
    if (entries.length === 0) {
      break;
    }
    for (const entry of entries) {
      const writer = entry.kind === 'line' ? writerOf(entry.source) : noWriter;
      const run = writers.at(-1);
      if (run?.[0] === writer) {
        run[1] += 1;
      } else {
        writers.push([writer, 1]);
      }
      ids.push(entry.id);
      if (entry.kind !== 'line') {
        rows.push(JSON.parse(toJson(entry)));
        continue;
      }
      const raw = maskLine(entry);
      const read = readLine(raw);
      if (read?.at !== entry.at || read.textIndex !== entry.textIndex) {
        odd.push([rows.length, formatInstant(entry.at), entry.textIndex]);
      }
      if (entry.late) {
        late.push(rows.length);
      }
      lines += 1;
      masked += raw === entry.raw ? 0 : 1;
      characters += raw.length;
      rows.push(raw);
    }
    yield;
  }
  const [first = 0] = ids;
  const stored = {ids: ids.every((id, index) => id === first + index) ? first : ids, rows, odd, late, writers};
  return {text: JSON.stringify(stored), entries: rows.length, lines, masked};
}

const noWriter = -1;

/**
 * Yields the bytes of a hand-over file in order, each with the share that is done, 0 to 1. What looks like a secret in
 * lines, names, filters and notes is masked. Keys have their turn in between.
 */
export async function* writeHandOver(
  {head, view, handed, said}: HandOver,
  signal: AbortSignal,
): AsyncGenerator<{readonly bytes: Uint8Array; readonly share: number}> {
  const {log, shapes, cursor, top} = handed;
  const {buffer} = log;
  const sealer = createSealer();
  const names = new Map<string, {readonly index: number; readonly name: SourceName}>();
  const writerOf = (name: SourceName | undefined): number => {
    if (name === undefined) {
      return noWriter;
    }
    const key = sourceKey(name);
    const known = names.get(key) ?? {index: names.size, name};
    names.set(key, known);
    return known.index;
  };
  yield {bytes: sealer.begin(), share: 0};
  let [from, lines, maskedLines] = [0, 0, 0];
  while (from < buffer.entryCount) {
    const part = await doWork(writeLines(buffer, from, writerOf), signal);
    from += part.entries;
    lines += part.lines;
    maskedLines += part.masked;
    yield {bytes: await sealer.add('lines', part.text, part.entries), share: from / buffer.entryCount};
  }
  const {newestLine, nextId, evictedLines, evictedThrough, tooLateLines} = buffer;
  const {horizon, heldFrom, heldTo, wholeSince, proof, gapCount, pods} = log;
  const sections: readonly (readonly [SectionName, string])[] = [
    [
      'log',
      toJson({
        ...{horizon, heldFrom, heldTo, wholeSince, proof, gapCount, ...said},
        pods: pods.map(({name, createdAt}) => ({name, createdAt})),
        buffer: {
          ...{nextId, evictedLines, evictedThrough, tooLateLines},
          newest: newestLine && placeOf(newestLine),
        },
        names: [...names.values()].map(({name}) => name),
        shapes: {...shapes, newIds: [...shapes.newIds], shapes: [...shapes.shapes.values()].map(maskShape)},
      }),
    ],
    ['view', toJson({state: maskView(view), cursor, top, index: top ? indexOfEntry(buffer, top) : buffer.entryCount})],
    ['head', toJson({...head, lines, maskedLines})],
  ];
  for (const [name, text] of sections) {
    yield {bytes: await sealer.add(name, text), share: 1};
  }
  yield {bytes: sealer.end(), share: 1};
}

const maskShape = (known: KnownShape): KnownShape => ({...known, shape: maskSecrets(known.shape)});

/** A filter or highlight with a secret in it would find nothing once that is masked. */
const maskView = ({filters, filtersOff = [], highlights, marks, ...others}: BranchState): BranchState => {
  const isKept = (pattern: string): boolean => maskSecrets(pattern) === pattern;
  return {
    ...others,
    filters: filters.filter(isKept),
    filtersOff: filtersOff.filter(isKept),
    highlights: highlights.filter(isKept),
    marks: marks.map(mark => ({...mark, note: maskSecrets(mark.note)})),
  };
};

/** A hand-over file that was opened, and of which every byte is as it was written. */
export type OpenedHandOver = {
  readonly head: HandOverHead;
  readonly view: BranchState;
  readonly said: Said;
  readonly pods: BranchLog['pods'];
  readonly entryCount: number;
  /** Reads the log; with `isNear`, only some thousand entries around its reader, which are there at once. */
  readLog(signal: AbortSignal | undefined, isNear?: boolean): Promise<HandedLog>;
};

/**
 * Opens the bytes of a hand-over file. Rejects with a `RecordingError` if any of them is not as it was written.
 * With `line` the reader is at the entry of that number, from 1 on.
 */
export const openHandOver = async (bytes: Buffer, line?: number): Promise<OpenedHandOver> => {
  const {sections, read} = openSealed(bytes);
  const parts = sections.filter(({name}) => name === 'lines');
  const entryCount = parts.reduce((sum, {entries}) => sum + entries, 0);
  const readOnly = async <T>(name: SectionName, form: z.ZodType<T>): Promise<T> => {
    const section = sections.find(each => each.name === name);
    if (section === undefined) {
      throw damaged(`its section “${name}”`);
    }
    return read(section, form);
  };
  const head = await readOnly('head', headSchema);
  const {state, cursor, top, index} = await readOnly('view', viewSchema);
  if (line !== undefined && (line < 1 || line > entryCount)) {
    throw new RecordingError(`it has no line ${line}: its lines and markers are 1 to ${entryCount}`);
  }
  const near = line === undefined ? index : line - 1;
  const held = await readOnly('log', logSchema);
  const {names, shapes: given, buffer: facts, pods: foundPods, cut, sources, arrivals, ...known} = held;
  const pods = foundPods.map(({name, createdAt}) => ({name, createdAt}));
  const shapes: ShapeTable = {
    learnedUntil: given.learnedUntil,
    newIds: new Set(given.newIds),
    shapes: new Map(given.shapes.map(shape => [shape.shape, shape])),
  };
  const readPart = async (section: Section): Promise<readonly Entry[]> => {
    const entries = readLines(await read(section, linesSchema), names);
    if (entries?.length !== section.entries) {
      throw damaged('its section “lines”');
    }
    return entries;
  };
  return {
    head,
    view: decodeBranchState(state),
    said: {cut, sources, arrivals},
    pods,
    entryCount,
    readLog: async (signal, isNear = false) => {
      const edit = editBuffer(createBuffer(Number.MAX_SAFE_INTEGER));
      let [first, skipped, lastAt] = [0, 0, 0n];
      for (const section of parts) {
        const isWanted = !isNear || (first - entriesAfter <= near && near < first + section.entries + entriesBefore);
        first += section.entries;
        skipped += isWanted || first > near ? 0 : section.entries;
        for (const entry of isWanted ? await readPart(section) : []) {
          if (entry.at < lastAt || entry.id >= facts.nextId) {
            throw damaged('its section “lines”');
          }
          lastAt = entry.at;
          edit.insert(entry);
        }
        await nextTurn();
        signal?.throwIfAborted();
      }
      const buffer = edit.finish();
      const {nextId, evictedLines, evictedThrough, tooLateLines, newest} = facts;
      const newestLine = newest === undefined ? undefined : findLine(buffer, newest);
      return {
        log: {
          ...createBranchLog(0),
          ...known,
          pods,
          arrivals,
          said: {cut, sources},
          buffer: {
            ...buffer,
            ...{nextId, evictedLines, evictedThrough, tooLateLines},
            newestLine: newestLine ?? buffer.newestLine,
          },
        },
        shapes,
        ...(line === undefined ? {cursor, top} : placeAt(buffer, near - skipped)),
      };
    },
  };
};

/** So many entries are there at once around those on the screen. */
const [entriesBefore, entriesAfter] = [200, 1000];

/** Rows above a line that was named, so that what led to it is seen. */
const rowsBefore = 5;

const placeAt = (buffer: LineBuffer, index: number): Pick<HandedLog, 'cursor' | 'top'> => {
  const [cursor, top] = [entryAt(buffer, index), entryAt(buffer, Math.max(0, index - rowsBefore))];
  return {cursor: cursor && placeOf(cursor), top: top && {...placeOf(top), rowsAbove: 0}};
};

const placeOf = ({id, at}: Entry): HandedPlace => ({id, at});

const findLine = (buffer: LineBuffer, place: HandedPlace): LineEntry | undefined => {
  const found = entryAt(buffer, indexOfEntry(buffer, place));
  return found?.kind === 'line' && found.id === place.id ? found : undefined;
};

/** Returns the entries of a section; undefined if what it says of them does not fit together. */
const readLines = (
  {ids, rows, odd, late, writers}: StoredLines,
  names: readonly SourceName[],
): readonly Entry[] | undefined => {
  const nameOf = (name: SourceName): SourceName => names.find(each => sourceKey(each) === sourceKey(name)) ?? name;
  const [oddAt, lateAt] = [new Map(odd.map(([index, at, textIndex]) => [index, {at, textIndex}])), new Set(late)];
  const entries: Entry[] = [];
  for (const [writer, length] of writers) {
    const source = names[writer];
    for (let left = length; left > 0; left -= 1) {
      const index = entries.length;
      const row = rows[index];
      const id = typeof ids === 'number' ? ids + index : ids[index];
      if (typeof row === 'object') {
        entries.push(row.kind === 'gap' && row.source ? {...row, source: nameOf(row.source)} : row);
        continue;
      }
      const read = row === undefined ? undefined : (oddAt.get(index) ?? readLine(row));
      if (row === undefined || read === undefined || id === undefined || (writer >= 0 && source === undefined)) {
        return undefined;
      }
      entries.push(lineEntryOf({...read, raw: row}, id, lateAt.has(index), source));
    }
  }
  return entries.length === rows.length ? entries : undefined;
};
