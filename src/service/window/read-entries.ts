import type {LineEntry, SourceName} from '#log/line/entry.ts';
import {formatInstant, type Instant, nanosPerSecond} from '#log/line/instant.ts';
import {createJoin} from '#log/text/join-bytes.ts';
import {createLineStamper, type StampedLine, type StampedStream, type StreamNames} from './line-stamper.ts';
import {createSourceNames} from './source-names.ts';
import {readWholeLine, splitLines, wholeLines} from './split-lines.ts';
import {stampLines} from './stamped-lines.ts';
import {emptyStreamStamps} from './stored-state.ts';

type EntryReading = {
  readonly pod: string;
  readonly names: StreamNames;
  /** The lines may be those of a container runtime, with what it writes before each. */
  readonly isPlain: boolean;
  /** Its first bytes. */
  readonly head: Buffer;
  readonly now: Instant;
  /** When it was written last, where that is known: a time without a year is no later. */
  readonly writtenAt?: Instant | undefined;
};

const entryOf = (at: Instant, text: string, source: SourceName): LineEntry => {
  const stamp = formatInstant(at);
  return {kind: 'line', id: 0, at, raw: `${stamp} ${text}`, textIndex: stamp.length + 1, late: false, source};
};

const compareStamps = (left: StampedLine, right: StampedLine): number =>
  left.stamp < right.stamp ? -1 : left.stamp > right.stamp ? 1 : 0;

/** Reads lines that may be those of a container runtime, whose times are their own: as read together, by these. */
const readContainerEntries = async function* (
  blocks: AsyncIterable<Buffer>,
  {pod, names, head, now, writtenAt}: EntryReading,
) {
  const pods = new Map([[0, {name: pod}]]);
  const sources = createSourceNames(pods);
  const stamper = createLineStamper({clock: {last: 0n, highest: 0n}, pods});
  const stream: StampedStream = {podKey: 0, names, writtenAt, stamps: emptyStreamStamps, held: {}};
  const join = createJoin();
  const take = (lines: readonly string[], endsHere: boolean) => {
    const stamped = stamper.take(stream, lines, {head, readAt: now, after: 0, endsHere}).toSorted(compareStamps);
    return {
      entries: stamped.map(({stamp, text, ownStream}) => entryOf(stamp, text, sources.ofLine(stream, ownStream))),
      seconds: stamped.map(({stamp}) => Number(stamp / nanosPerSecond)),
      nanos: stamped.map(({stamp}) => Number(stamp % nanosPerSecond)),
    };
  };
  for await (const pieces of wholeLines(blocks)) {
    yield take(splitLines(join(pieces), {atEnd: true}).lines, false);
  }
  yield take([], true);
};

/**
 * Reads the lines of one source as entries, in order, with their times also in seconds since 1970 and nanoseconds.
 * Lines that are too long come in pieces.
 */
export const readEntries = async function* (blocks: AsyncIterable<Buffer>, reading: EntryReading) {
  if (!reading.isPlain) {
    yield* readContainerEntries(blocks, reading);
    return;
  }
  const {pod, names, now, writtenAt} = reading;
  const source = {pod, ...(names.container !== undefined && {container: names.container})};
  for await (const {bytes, ends, seconds, nanos, pieces} of stampLines(blocks, {now, writtenAt, cutsLines: true})) {
    const entries = ends.map((end, index) => {
      const text = pieces?.get(index) ?? readWholeLine(bytes, ends[index - 1] ?? 0, end);
      return entryOf(BigInt(seconds[index] ?? 0) * nanosPerSecond + BigInt(nanos[index] ?? 0), text, source);
    });
    yield {entries, seconds, nanos};
  }
};
