import {type Chunk, sourceAt} from '#log/buffer/chunk.ts';
import {chunkTextOf, decodeChunkText, textStartOf} from '#log/buffer/chunk-text.ts';
import {createChunkCache} from '#log/buffer/weak-cache.ts';
import {levelOfRank, levelRank} from '#log/tokens/level-words.ts';
import {copyOf} from '#log/traits/frequent-table.ts';
import {continuationsOf, levelsOf} from '#log/traits/line-traits.ts';
import {sourceWords} from '#log/words/source-words.ts';
import {isFatal, mayBeFatal, nextFatalSign} from './fatal-lines.ts';
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
  // A trace tells of one end, however often it names it.
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
