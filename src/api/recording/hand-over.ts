import {createHash} from 'node:crypto';
import {constants, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import {isTable, type Table} from '#base/table.ts';
import type {Entry, SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {sourceKey} from '#log/words/source-words.ts';
import {formatEntries, parseEntries, readTime} from './files/held-entries.ts';
import {isCount, isList, isText, readTable} from './files/json-value.ts';
import {handOverVersion, RecordingError, recordingFormat} from './recording-format.ts';

/**
 * The first row. A hand-over is a recording of version 3: a log as it was held, with what its reader made of it, and no
 * answers. After this row come sections, each compressed on its own, a row that names them with their sums, and one
 * with the sum of that row. So each byte is of something that has a name, and a place in the log can be shown before
 * the rest is read.
 */
const firstRow = Buffer.from(`${JSON.stringify({format: recordingFormat, version: handOverVersion})}\n`);

/** Entries of a section: what is shown first is of one, or of two. */
export const blockEntries = 8_192;
/** Text of a section, in characters, if its lines are long. */
const blockCharsMax = 4 * 1024 * 1024;
/** What a section may hold, in bytes: one line is at most as long as an answer, and quotes are escaped. */
const sectionBytesMax = 256 * 1024 * 1024;
/** Text that may hold so many values at most that nothing is to be counted. */
const uncountedBytesMax = 4 * 1024 * 1024;
/** Many more values than a section of lines or an index of a full buffer has; each takes some forty bytes. */
const valuesMax = 2_000_000;

/** The last row: the bytes of the row before it, and its sum. */
const lastRowPattern = /\n(\{"index":(\d{1,9}),"sha256":"([0-9a-f]{64})"\})\n$/;
const lastRowBytesMax = 128;
/** The list of sections, and the records of some branches with all of their pods. */
const indexBytesMax = 64 * 1024 * 1024;

const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A log of a hand-over. */
export type HandedLog = {
  /** What is known of it besides its entries. */
  readonly facts: object;
  /** In their order. */
  readonly entries: Iterable<Entry>;
};

export type HandOver = {
  /** Whose log it is, who saved it, and when. */
  readonly head: object;
  /** What its reader had chosen, and where they were. */
  readonly view: object;
  readonly findings: readonly object[];
  readonly logs: readonly HandedLog[];
};

type Section = {readonly name: string; readonly bytes: number; readonly sha256: string};

/**
 * Writes a hand-over in pieces. `mask` is applied to every line. Entries are numbered from 1 on, over all logs.
 */
export function* writeHandOver(
  {head, view, findings, logs}: HandOver,
  mask: (raw: string) => string,
): Generator<Buffer> {
  const sections: Section[] = [];
  const pack = (name: string, json: string): Buffer => {
    const packed = zstdCompressSync(json, {params: {[constants.ZSTD_c_compressionLevel]: 1}});
    sections.push({name, bytes: packed.length, sha256: sum(packed)});
    return packed;
  };
  yield firstRow;
  yield pack('head', JSON.stringify(head));
  yield pack('view', JSON.stringify(view));
  yield pack('findings', JSON.stringify(findings));
  const blocks: {log: number; first: number; count: number; at: string}[] = [];
  let number = 1;
  for (const [log, {entries}] of logs.entries()) {
    for (const block of blocksOf(entries)) {
      blocks.push({log, first: number, count: block.length, at: String(block[0]?.at)});
      number += block.length;
      yield pack(`lines from ${blocks.at(-1)?.first} on`, formatEntries(block, mask));
    }
  }
  const index = Buffer.from(
    JSON.stringify({firstRow: sum(firstRow), sections, blocks, logs: logs.map(({facts}) => facts)}),
  );
  yield Buffer.concat([Buffer.from('\n'), index]);
  yield Buffer.from(`\n${JSON.stringify({index: index.length, sha256: sum(index)})}\n`);
}

function* blocksOf(entries: Iterable<Entry>): Generator<readonly Entry[]> {
  let block: Entry[] = [];
  let chars = 0;
  for (const entry of entries) {
    block.push(entry);
    chars += entry.kind === 'line' ? entry.raw.length : 0;
    if (block.length === blockEntries || chars >= blockCharsMax) {
      yield block;
      [block, chars] = [[], 0];
    }
  }
  if (block.length > 0) {
    yield block;
  }
}

/** Some entries of a log, which have the numbers from `first` on; `at`: the time of the first. */
type Block = {readonly first: number; readonly count: number; readonly at: Instant; readonly section: number};

export type ReadHandedLog = {
  readonly facts: Table;
  readonly blocks: readonly Block[];
  /** Throws a `RecordingError` if what the block holds is not valid. */
  read(block: Block): readonly Entry[];
};

export type ReadHandOver = {
  readonly head: Table;
  readonly view: Table;
  readonly findings: readonly Table[];
  readonly logs: readonly ReadHandedLog[];
};

/** Whether a file that begins with these bytes is a hand-over, or was one. */
export const isHandOver = (begin: Uint8Array): boolean =>
  Buffer.from(begin.subarray(0, firstRow.length)).equals(firstRow);

/**
 * Reads a hand-over. Everything is checked before anything is returned: throws a `RecordingError` that names what was
 * changed. `path` names the file in it.
 */
export const readHandOver = (bytes: Buffer, path: string): ReadHandOver => {
  const refuse = (what: string): never => {
    throw new RecordingError(`${path} is not as it was saved: ${what}. Ask for the file again`);
  };
  const {index, sections, begin} = readIndex(bytes, refuse);
  const starts: number[] = [];
  let end = begin;
  for (const {name, bytes: count, sha256} of sections) {
    starts.push(end);
    end += count;
    if (sum(bytes.subarray(end - count, end)) !== sha256) {
      refuse(`the sum of its ${name} is another one`);
    }
  }
  const unpack = (section: number): unknown => {
    const {name, bytes: count} = sections[section] ?? refuse('a section is missing');
    const start = starts[section] ?? 0;
    try {
      return readJson(zstdDecompressSync(bytes.subarray(start, start + count), {maxOutputLength: sectionBytesMax}));
    } catch {
      return refuse(`its ${name} cannot be read`);
    }
  };
  const tableOf = (value: unknown, name: string): Table => (isTable(value) ? value : refuse(`its ${name} is damaged`));
  const facts = isList(index.logs) ? index.logs : [];
  const blocks = readBlocks(index.blocks, sections.length) ?? refuse('its list of lines is damaged');
  const findings = unpack(2);
  const names = new Map<string, SourceName>();
  const intern = (name: SourceName): SourceName => {
    const key = sourceKey(name);
    const known = names.get(key) ?? name;
    names.set(key, known);
    return known;
  };
  return {
    head: tableOf(unpack(0), 'head'),
    view: tableOf(unpack(1), 'view'),
    findings: Array.isArray(findings) ? findings.filter(isTable) : refuse('its findings are damaged'),
    logs: facts.map((each, log) => ({
      facts: tableOf(each, 'facts'),
      blocks: blocks.filter(block => block.log === log),
      read: ({first, count, section}) => {
        const entries = parseEntries(unpack(section), first, intern);
        return entries?.length === count ? entries : refuse(`its ${sections[section]?.name} are damaged`);
      },
    })),
  };
};

/** The first three sections are of the whole hand-over. */
const blocksFrom = 3;

type Refuse = (what: string) => never;

/** Reads the last two rows, and checks that what they name is all that the file has. */
const readIndex = (bytes: Buffer, refuse: Refuse) => {
  const [whole, , length, sha256] =
    lastRowPattern.exec(bytes.subarray(-lastRowBytesMax).toString('latin1')) ??
    refuse('its last row is missing or was changed');
  const indexEnd = bytes.length - whole.length;
  const indexStart = indexEnd - Number(length);
  const row = bytes.subarray(Math.max(0, indexStart), Math.max(0, indexEnd));
  if (indexStart <= firstRow.length || bytes[indexStart - 1] !== 0x0a || sum(row) !== sha256) {
    return refuse('the sum of its index is another one');
  }
  const index = row.length > indexBytesMax ? undefined : tryJson(row);
  const sections = isTable(index) && Array.isArray(index.sections) ? index.sections.filter(isSection) : [];
  const begin = firstRow.length;
  const end = sections.reduce((sum, {bytes}) => sum + bytes, begin);
  if (!isTable(index) || sections.length < blocksFrom || end !== indexStart - 1) {
    return refuse('its index is damaged');
  }
  if (!isHandOver(bytes) || index.firstRow !== sum(bytes.subarray(0, begin))) {
    return refuse('its first row is another one');
  }
  return {index, sections, begin};
};

const tryJson = (bytes: Buffer): unknown => {
  try {
    return readJson(bytes);
  } catch {
    return undefined;
  }
};

/** Parses JSON; throws if it is none, or has so many values that they would fill the memory. */
const readJson = (bytes: Buffer): unknown => {
  if (bytes.length > uncountedBytesMax && countValues(bytes) > valuesMax) {
    throw new RangeError('too many values');
  }
  return JSON.parse(bytes.toString());
};

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

/** Counts what commas separate outside of strings. */
const countValues = (bytes: Buffer): number => {
  let count = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] === comma) {
      count += 1;
    } else if (bytes[index] === quote) {
      index = endOfString(bytes, index + 1);
    }
  }
  return count;
};

const endOfString = (bytes: Buffer, from: number): number => {
  let index = from;
  while (index < bytes.length && bytes[index] !== quote) {
    index += bytes[index] === backslash ? 2 : 1;
  }
  return index;
};

const isSection = (value: unknown): value is Section =>
  isTable(value) && isText(value.name) && isCount(value.bytes) && isText(value.sha256);

const readBlocks = (value: unknown, sectionCount: number): readonly (Block & {readonly log: number})[] | undefined => {
  if (!Array.isArray(value) || value.length !== sectionCount - blocksFrom) {
    return undefined;
  }
  let next = 1;
  const blocks = value.flatMap((each: unknown, index) => {
    const {log, first, count, at: text} = readTable(each);
    const at = readTime(text);
    if (!isCount(log) || !isCount(count) || first !== next || at === undefined) {
      return [];
    }
    next += count;
    return [{log, first: next - count, count, at, section: index + blocksFrom}];
  });
  return blocks.length === value.length ? blocks : undefined;
};
