import type {Output} from '#cli/io/output.ts';
import {type Instant, nanosPerSecond} from '#log/line/instant.ts';
import {createJoin} from '#log/text/join-bytes.ts';
import {wholeLines} from '#service/window/split-lines.ts';
import {stampLines} from '#service/window/stamped-lines.ts';
import {mergeLines, type TimedLines} from './merge-lines.ts';
import {createShowBytes, type ShowBytesOptions, type Shown, type ShownPart} from './show-bytes.ts';

type PrintBytesOptions = Omit<ShowBytesOptions, 'isStream' | 'source'> & {
  readonly output: Output;
  readonly now: Instant;
  readonly signal: AbortSignal;
};

/** A stream of bytes, read once. A block need hold only until the next one is asked for. */
type PrintedSource = Pick<ShowBytesOptions, 'isStream' | 'source'> & {
  readonly blocks: AsyncIterable<Buffer>;
  /** When it was written last, where that is known: a time without a year is no later. */
  readonly writtenAt?: Instant | undefined;
  /** Its lines need no times: there is no other source, and nobody asks for the time of the last. */
  readonly isUntimed: boolean;
  /** Is called after its last line, with the time of that; of now without any. */
  readonly onEnd: (lastAt: Instant) => void;
};

const bytesOf = (bytes: Buffer, part: ShownPart): Buffer =>
  part.kind === 'asIs' ? bytes.subarray(part.from, part.to) : Buffer.from(part.text);

/** Whole lines, and where each ends. */
type BytesOfLines = TimedLines & {readonly bytes: Buffer; readonly ends: readonly number[]};

/** Returns what is shown of lines, each with the time of the line for which it is shown. */
const stampShown = (
  {bytes, parts}: Shown,
  lines: BytesOfLines,
  join: (pieces: readonly Buffer[]) => Buffer,
): BytesOfLines => {
  const [ends, seconds, nanos]: [number[], number[], number[]] = [[], [], []];
  let index = 0;
  let shown = 0;
  const add = (length: number): void => {
    shown += length;
    ends.push(shown);
    seconds.push(lines.seconds[index] ?? 0);
    nanos.push(lines.nanos[index] ?? 0);
  };
  const pieces = parts.map(part => {
    const piece = bytesOf(bytes, part);
    const at = part.kind === 'asIs' ? part.from : part.at;
    while ((lines.ends[index] ?? bytes.length) <= at) {
      index += 1;
    }
    if (part.kind === 'line') {
      add(piece.length);
      return piece;
    }
    for (let from = at; from < part.to; index += 1) {
      const end = Math.min(lines.ends[index] ?? part.to, part.to);
      add(end - from);
      from = end;
    }
    return piece;
  });
  return {bytes: join(pieces), ends, seconds, nanos};
};

/** Returns whole lines as if all were of one time. */
const untimed = async function* (blocks: AsyncIterable<Buffer>): AsyncGenerator<BytesOfLines> {
  const join = createJoin();
  for await (const pieces of wholeLines(blocks)) {
    const bytes = join(pieces);
    yield {bytes, ends: [bytes.length], seconds: [0], nanos: [0]};
  }
};

/** Prints the lines of sources in order of time: of each, those that are printed of it alone. */
export const printBytes = async (
  sources: readonly PrintedSource[],
  {output, signal, now, ...how}: PrintBytesOptions,
): Promise<void> => {
  const shown = sources.map(async function* ({blocks, writtenAt, isUntimed, onEnd, ...source}) {
    const show = createShowBytes({...how, ...source});
    const join = createJoin();
    let lastAt = now;
    for await (const lines of isUntimed ? untimed(blocks) : stampLines(blocks, {now, writtenAt})) {
      signal.throwIfAborted();
      const {bytes, parts} = show([lines.bytes]);
      const [first, ...others] = parts;
      lastAt = BigInt(lines.seconds.at(-1) ?? 0) * nanosPerSecond + BigInt(lines.nanos.at(-1) ?? 0);
      yield first?.kind === 'asIs' && others.length === 0 ? lines : stampShown({bytes, parts}, lines, join);
    }
    onEnd(lastAt);
  });
  const join = createJoin();
  for await (const runs of mergeLines(shown)) {
    const pieces = runs.map(({lines, first, end}) => lines.bytes.subarray(lines.ends[first - 1], lines.ends[end - 1]));
    await output.write(join(pieces), signal);
  }
};
