import {type Chunk, sourceAt} from '#log/buffer/chunk.ts';
import {chunkTextOf, decodeChunkText, textStartOf} from '#log/buffer/chunk-text.ts';
import {createChunkCache} from '#log/buffer/weak-cache.ts';
import {levelOfRank, levelRank} from '#log/tokens/level-words.ts';
import {copyOf} from '#log/traits/frequent-table.ts';
import {continuationsOf, levelsOf} from '#log/traits/line-traits.ts';
import {sourceWords} from '#log/words/source-words.ts';
import {settingsIn} from './fields.ts';
import {type LineEvent, readEvent} from './read-event.ts';

/** Every nth of the lines, of the errors and, for fields, of the lines that are read. */
export type ReadSteps = {readonly lines: number; readonly errors: number; readonly fields: number};

/** The reading of one line. Its message is cut to the key of its series. */
export type LineReading = LineEvent & {
  readonly offset: number;
  readonly rank: number;
  /** It is one of every nth of the lines, or of the errors. */
  readonly isRead: boolean;
  readonly isErrorRead: boolean;
  /** Who wrote it, as far as the service says so. */
  readonly source: string | undefined;
  /** The text of an error of which nobody says who wrote it: it may name a pod. */
  readonly text: string | undefined;
  /** The fields with their values, if it is one of every nth of the lines that are read. */
  readonly settings: readonly (readonly [name: string, value: string])[];
};

/** A line of which one is enough. */
export type FatalLine = {readonly offset: number; readonly text: string; readonly rank: number};

type ChunkReading = {
  readonly steps: ReadSteps;
  readonly lines: readonly LineReading[];
  readonly fatals: readonly FatalLine[];
};

const keyCharsMax = 300;

/** Returns what a series is known by. */
export const seriesKeyOf = (said: string): string => said.slice(0, keyCharsMax);

const noRank = levelRank('none');
const errorRank = levelRank('error');

const known = createChunkCache<ChunkReading>();

/**
 * Reads some of the lines of a chunk. What was read is kept with the chunk, so that a log that is judged again is read
 * only as far as it is new, or as long as it has not become so much longer that fewer of its lines are read.
 */
export const readChunk = (chunk: Chunk, steps: ReadSteps): ChunkReading => {
  const before = known.get(chunk);
  const isSame =
    before?.steps.lines === steps.lines && before.steps.errors === steps.errors && before.steps.fields === steps.fields;
  const reading = before !== undefined && isSame ? before : readAnew(chunk, steps);
  known.set(chunk, reading);
  return reading;
};

/** Returns who wrote a line; undefined if the service does not say so. */
export const sourceOf = (chunk: Chunk, offset: number): string | undefined => {
  const name = sourceAt(chunk, offset);
  return name === undefined ? undefined : sourceWords(name) || undefined;
};

const readAnew = (chunk: Chunk, steps: ReadSteps): ChunkReading => {
  const levels = levelsOf(chunk);
  const continuations = continuationsOf(chunk);
  const stored = chunkTextOf(chunk);
  const {lengths, marks} = stored;
  // Most lines need no text of their own: they stay one string.
  const joined = decodeChunkText(stored);
  // The lines of a chunk say much the same: each is kept once, and keeps no text of the chunk in memory.
  const kept = new Map<string, string>();
  const keep = (said: string | undefined): string | undefined => {
    if (said === undefined) {
      return undefined;
    }
    const key = seriesKeyOf(said);
    const copy = kept.get(key) ?? copyOf(key);
    kept.set(copy, copy);
    return copy;
  };
  const lines: LineReading[] = [];
  const fatals: FatalLine[] = [];
  // Lines that come in turn would be missed in part if each chunk were read from its first line on.
  let lineIndex = Number((chunk.firstAt / 1_000_000n) % BigInt(steps.lines));
  let [errorIndex, readIndex, end] = [0, 0, -1];
  let signAt = nextFatalSign(joined, 0);
  // A trace reports one end, however often it names it.
  let isHeadFatal = false;
  // By index: of a million lines, an iterator's pairs cost as much as reading those that are wanted.
  for (let offset = 0; offset < lengths.length; offset++) {
    const storedAt = end + 1;
    end = storedAt + (lengths[offset] ?? 0);
    const textStart = textStartOf(marks[offset] ?? 0);
    if (textStart === undefined) {
      continue;
    }
    const textAt = storedAt + textStart;
    if (signAt < textAt) {
      signAt = nextFatalSign(joined, textAt);
    }
    const rank = levels[offset] ?? 0;
    if (continuations[offset] === 1) {
      // What ends a process is seldom written by its logger: below a line of that, it looks like a part of it.
      const text = signAt < end && !isHeadFatal ? joined.slice(textAt, end) : '';
      if (text !== '' && isFatal(text, noRank)) {
        isHeadFatal = true;
        fatals.push({offset, text: copyOf(text), rank});
      }
      continue;
    }
    isHeadFatal = false;
    const isRead = lineIndex++ % steps.lines === 0;
    const isErrorRead = rank >= errorRank && errorIndex++ % steps.errors === 0;
    const isSuspect = mayBeFatal(rank, signAt < end);
    if (!isRead && !isErrorRead && !isSuspect) {
      continue;
    }
    const text = joined.slice(textAt, end);
    if (isSuspect && isFatal(text, rank)) {
      isHeadFatal = true;
      fatals.push({offset, text: copyOf(text), rank});
    }
    if (!isRead && !isErrorRead) {
      continue;
    }
    const {message, request, ...event} = readEvent(text, levelOfRank(rank));
    const source = sourceOf(chunk, offset);
    const hasSettings = isRead && readIndex++ % steps.fields === 0;
    lines.push({
      ...event,
      ...{message: keep(message), request: keep(request), offset, rank, isRead, isErrorRead, source},
      text: isErrorRead && source === undefined ? copyOf(text) : undefined,
      settings: hasSettings ? settingsIn(text).map(([name, value]) => [keep(name) ?? '', copyOf(value)]) : [],
    });
  }
  return {steps, lines, fatals};
};

/**
 * Lines that report the end of a process or a node. `said`: in the form in which a kernel, a runtime or a build says
 * it, which nothing else does, so that no level is needed; `named`: in words that calm lines have, too, so only an
 * error is believed.
 */
const fatals: readonly {readonly said: RegExp; readonly named?: RegExp}[] = [
  // Out of memory.
  {
    said: /\bOut of memory: Kill(?:ed)? process \d|\boom-kill:|\binvoked oom-killer\b|\bOOM ?Killed\b|\bjava\.lang\.OutOfMemoryError\b|\bheap out of memory\b|\bAllowed memory size of \d+ bytes exhausted\b|^fatal error: runtime: out of memory/,
    named: /\bout of memory\b|\b(?:ENOMEM|[Cc]annot allocate memory)\b|\bMemoryError\b/i,
  },
  // Panics of a kernel, of Go and of Rust.
  {said: /\bKernel panic - not syncing\b|^panic: |\bthread '[^']*' panicked at\b/, named: /\bpanic(?:ked)?:/i},
  // Segmentation faults.
  {
    said: /\bsegfault at [\da-f]+ ip\b|^Segmentation fault\b|\bSegmentation fault \(core dumped\)|\bexited on signal (?:6|9|11)\b/,
    named: /\bsegmentation (?:fault|violation)\b|\bSIGSEGV\b/i,
  },
  // Killed.
  {
    said: /\bKilled process \d+ \(|^Killed$|\bwas sent SIGKILL\b|\bterminated by signal 9\b/,
    named: /\bsignal: killed\b|\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]+137\b/,
  },
  // A full disk.
  {
    said: /\bENOSPC\b|\b[Nn]o space left on device\b/,
    named: /\bno space left\b|\bdisk(?: is)? full\b|\b[Dd]isk quota exceeded\b/i,
  },
  // No file handles left.
  {
    said: /\bEMFILE\b|\bENFILE\b|\b24[:\]] Too many open files\b|\bsocket: too many open files\b/,
    named: /\btoo many open files\b/i,
  },
  // An expired certificate.
  {
    said: /\bx509: certificate has expired\b|\bCERT_HAS_EXPIRED\b/,
    named: /\bcertificate (?:has |is )?expired\b/i,
  },
  // A step of a build that failed.
  {said: /(?:^|\s)##\[error\]|^::error\b/},
];

const infoRank = levelRank('info');
const union = (patterns: readonly RegExp[], flags: string): RegExp =>
  new RegExp(patterns.map(({source}) => source).join('|'), flags);
const said = union(
  fatals.map(each => each.said),
  '',
);
const named = union(
  fatals.flatMap(each => each.named ?? []),
  'i',
);

/**
 * One of these is in every line that `said` matches. They are looked for first: a million lines are hardly ever fatal.
 * Of a shorter one among them, the search would take twice as long: it skips as many characters as the shortest has.
 */
const sign =
  /illed|SIGKI|emory|oom-k|panic|egfau|egmen|signal|NOSPC|space left|MFILE|NFILE|open fil|rtificate has|CERT_|##\[er|::err/g;

/** Returns where the first sign of such a line is from a place in a text on, which may be of many lines. */
const nextFatalSign = (text: string, from: number): number => {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? text.length;
};

/** Whether a line of a level can be one; `hasSign`: one of those signs is in it. */
const mayBeFatal = (rank: number, hasSign: boolean): boolean =>
  rank >= errorRank || (hasSign && (rank === 0 || rank >= infoRank));

/** Checks whether a line reports the end of a process or a node; `rank` is that of its level. */
export const isFatal = (text: string, rank: number): boolean =>
  mayBeFatal(rank, nextFatalSign(text, 0) < text.length) &&
  (said.test(text) || (rank >= errorRank && named.test(text)));
