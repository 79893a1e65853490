import type {Output} from '#cli/io/output.ts';
import type {Instant} from '#log/line/instant.ts';
import {createJoin} from '#log/text/join-bytes.ts';
import {mergeLines} from '#service/window/merge-lines.ts';
import {createShowBytes, type ShowBytesOptions, type Shown, type ShownPart} from './show-bytes.ts';

const newline = 0x0a;

type PrintBytesOptions = ShowBytesOptions & {readonly output: Output; readonly signal: AbortSignal};

const bytesOf = (bytes: Buffer, part: ShownPart): Buffer =>
  part.kind === 'asIs' ? bytes.subarray(part.from, part.to) : Buffer.from(part.text);

const textsOf = (parts: readonly ShownPart[]): readonly string[] =>
  parts.flatMap(part => (part.kind === 'line' && typeof part.text === 'string' ? part.text : []));

/** Prints the lines of a stream of bytes, once. A block need hold only until the next one is asked for. */
export const printBytes = async (
  blocks: AsyncIterable<Buffer>,
  {output, signal, ...how}: PrintBytesOptions,
): Promise<void> => {
  const show = createShowBytes(how);
  /** Prints whole lines, which come in pieces. */
  const print = async (pieces: readonly Buffer[]): Promise<void> => {
    signal.throwIfAborted();
    const {bytes, parts} = show(pieces);
    const texts = textsOf(parts);
    const isText = texts.length === parts.length;
    await output.write(isText ? texts.join('') : Buffer.concat(parts.map(part => bytesOf(bytes, part))), signal);
  };

  let partial: readonly Buffer[] = [];
  for await (const block of blocks) {
    const end = block.lastIndexOf(newline) + 1;
    if (end > 0) {
      await print([...partial, block.subarray(0, end)]);
      partial = [];
    }
    if (end < block.length) {
      partial = [...partial, Buffer.from(block.subarray(end))];
    }
  }
  if (partial.length > 0) {
    await print([...partial, Buffer.from('\n')]);
  }
};

type MergeParameters = Parameters<typeof mergeLines>;
type StampedLines = Parameters<NonNullable<MergeParameters[1]['show']>>[1];

/** Returns what is shown of lines, each with the time of the line for which it is shown. */
const stampShown = (
  {bytes, parts}: Shown,
  lines: StampedLines,
  join: (pieces: readonly Buffer[]) => Buffer,
): StampedLines => {
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
      const end = lines.ends[index] ?? part.to;
      add(end - from);
      from = end;
    }
    return piece;
  });
  return {bytes: join(pieces), ends, seconds, nanos};
};

/** One of several sources whose lines are printed. */
export type PrintedSource = MergeParameters[0][number] & Pick<ShowBytesOptions, 'isStream' | 'source'>;

/** Prints the lines of several sources in order of time: of each, those that are printed of it alone. */
export const printMerged = async (
  sources: readonly PrintedSource[],
  {
    output,
    signal,
    now,
    onFault,
    ...how
  }: Omit<PrintBytesOptions, 'isStream' | 'source'> & {
    readonly now: Instant;
    readonly onFault: (sourceIndex: number, error: unknown, lastAt: Instant) => void;
  },
): Promise<void> => {
  const shows = sources.map(({isStream, source}) => createShowBytes({...how, isStream, source}));
  const joins = sources.map(createJoin);
  const joinAll = createJoin();
  const show = (index: number, lines: StampedLines): StampedLines => {
    const shown = shows[index]?.([lines.bytes]) ?? {bytes: lines.bytes, parts: []};
    const [first, ...others] = shown.parts;
    return first?.kind === 'asIs' && others.length === 0 ? lines : stampShown(shown, lines, joins[index] ?? joinAll);
  };
  for await (const runs of mergeLines(sources, {now, onFault, show})) {
    signal.throwIfAborted();
    const pieces = runs.map(({lines, first, end}) => lines.bytes.subarray(lines.ends[first - 1], lines.ends[end - 1]));
    await output.write(joinAll(pieces), signal);
  }
};
