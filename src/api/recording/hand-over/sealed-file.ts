import {createHash} from 'node:crypto';
import {promisify} from 'node:util';
import {constants, zstdCompress, zstdDecompress} from 'node:zlib';
import {z} from 'zod';
import {RecordingError, recordingFormat, recordingRowBytesMax} from '../recording-format.ts';

/**
 * A file of compressed sections, each with the sum of its bytes. The first row says what it is, in plain text. The
 * sections follow each other without a byte between them, then a row that lists them, and a last row with the sum of
 * that list: so every byte of the file is under a sum, or must be exactly as it is.
 */

/** The version of a recording that is a hand-over: a log as it was held, instead of the answers it came from. */
export const handOverVersion = 3;

export const firstRow = `${JSON.stringify({format: recordingFormat, version: handOverVersion})}\n`;

export const sectionNames = ['head', 'view', 'log', 'lines'] as const;
/** `lines` is in several sections, one after the other; each other is there once. */
export type SectionName = (typeof sectionNames)[number];

/** A section of a file: its place, its bytes there and when expanded, and the SHA-256 of those in the file. */
export type Section = {
  readonly name: SectionName;
  /** How many entries of the log are in it. */
  readonly entries: number;
  readonly from: number;
  readonly bytes: number;
  readonly size: number;
};

/** A file is read into memory: a log fills its buffer with far less. */
export const sealedBytesMax = 1024 * 1024 * 1024;
/** What all sections together may expand to: more than any buffer holds. */
const sizeMax = 4 * 1024 * 1024 * 1024;
/** More than a full buffer of the shortest lines has. */
const sectionsMax = 100_000;
/** The last row is shorter; it tells where the list begins. */
const lastRowBytesMax = 200;

const count = z.int().min(0);

const listSchema = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        name: z.enum(sectionNames),
        entries: count.max(recordingRowBytesMax),
        bytes: count.max(sealedBytesMax),
        size: count.max(recordingRowBytesMax),
        sha256: z.string(),
      }),
    )
    .max(sectionsMax),
});

type Listed = z.infer<typeof listSchema>['sections'];

const lastRowForm = /^\{"list":(\d{1,12}),"sha256":"([\da-f]{64})"\}$/;

const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const compress = promisify(zstdCompress);
const expand = promisify(zstdDecompress);

/** Each section fits into the window of this level; a higher one takes several times as long. */
const level = 3;

/** Returns what makes the bytes of a file: call `begin`, then `add` for each section, then `end`, and write each. */
export const createSealer = () => {
  const listed: Listed = [];
  return {
    begin: (): Uint8Array => Buffer.from(firstRow),
    /** Rejects with a `RecordingError` if a section is larger than what is read again. */
    add: async (name: SectionName, text: string, entries = 0): Promise<Uint8Array> => {
      const plain = Buffer.from(text);
      if (plain.length > recordingRowBytesMax) {
        throw new RecordingError('a part of the log is too large for a hand-over file');
      }
      const bytes = await compress(plain, {params: {[constants.ZSTD_c_compressionLevel]: level}});
      listed.push({name, entries, bytes: bytes.length, size: plain.length, sha256: sumOf(bytes)});
      return bytes;
    },
    end: (): Uint8Array => {
      const list = Buffer.from(`${JSON.stringify({sections: listed})}\n`);
      return Buffer.concat([list, Buffer.from(`{"list":${list.length},"sha256":"${sumOf(list)}"}\n`)]);
    },
  };
};

/** Whether a file begins as a hand-over does. */
export const isHandOver = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, firstRow.length)).toString('latin1') === firstRow;

/** The error of a file of which a part is not as it was written. */
export const damaged = (part: string): RecordingError =>
  new RecordingError(`${part} was changed or is cut off, so nothing of it is shown`);

const readList = (bytes: Buffer): {readonly listed: Listed; readonly listFrom: number} => {
  if (!isHandOver(bytes)) {
    throw damaged('its first row');
  }
  const lastFrom = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  const lastRow = bytes.length - lastFrom <= lastRowBytesMax ? bytes.toString('latin1', lastFrom) : '';
  const [, length, sum] = lastRowForm.exec(lastRow.slice(0, -1)) ?? [];
  const listFrom = lastFrom - Number(length);
  if (!lastRow.endsWith('\n') || listFrom < firstRow.length || sum === undefined) {
    throw damaged('its last row');
  }
  const list = bytes.subarray(listFrom, lastFrom);
  if (sumOf(list) !== sum) {
    throw damaged('its list of sections');
  }
  const parsed = listSchema.safeParse(parseJson(list.toString('utf8'), 'its list of sections'));
  if (!parsed.success) {
    throw damaged('its list of sections');
  }
  return {listed: parsed.data.sections, listFrom};
};

const parseJson = (text: string, part: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(part);
  }
};

/**
 * Opens a file whose bytes are all here: checks every one of them, and expands none. Throws a `RecordingError` that
 * names the section that is not as it was written.
 */
export const openSealed = (bytes: Buffer) => {
  const {listed, listFrom} = readList(bytes);
  const sections: Section[] = [];
  let [from, size] = [firstRow.length, 0];
  for (const {name, entries, bytes: length, size: expanded, sha256} of listed) {
    if (from + length > listFrom || sumOf(bytes.subarray(from, from + length)) !== sha256) {
      throw damaged(`its section “${name}”`);
    }
    sections.push({name, entries, from, bytes: length, size: expanded});
    from += length;
    size += expanded;
  }
  const isWhole = sectionNames.every(
    name => name === 'lines' || sections.filter(section => section.name === name).length === 1,
  );
  if (from !== listFrom || size > sizeMax || !isWhole) {
    throw damaged('its list of sections');
  }
  return {
    sections,
    /** Returns what a section holds; rejects if that is not what the list says, or not of this form. */
    read: async <T>({name, from: start, bytes: length, size: expected}: Section, form: z.ZodType<T>): Promise<T> => {
      const plain = await expand(bytes.subarray(start, start + length), {maxOutputLength: expected + 1}).catch(() => {
        throw damaged(`its section “${name}”`);
      });
      if (plain.length !== expected) {
        throw damaged(`its section “${name}”`);
      }
      const parsed = form.safeParse(parseJson(plain.toString('utf8'), `its section “${name}”`));
      if (!parsed.success) {
        throw damaged(`its section “${name}”`);
      }
      return parsed.data;
    },
  };
};
