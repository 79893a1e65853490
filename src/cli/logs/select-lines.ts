import {setImmediate as nextTurn} from 'node:timers/promises';
import {ApiError} from '#api/client/api-error.ts';
import type {CommandInput} from '#cli/arguments/args.ts';
import type {PrintLimits} from '#cli/arguments/limits.ts';
import {type LinearPattern, readLogsOptions} from '#cli/arguments/logs-options.ts';
import {resolveRange} from '#cli/arguments/time-range.ts';
import {labelPrinted} from '#cli/connection/label-branches.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type Chunk, entriesAt, sourceAt, timeAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {type EntryList, markersOf} from '#log/buffer/entry-list.ts';
import {noOffsets} from '#log/buffer/offset-search.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {createMatches, type Matches} from '#log/pattern/matches.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import {continuationsOf, kindsOf, type LineWriter, levelsOf} from '#log/traits/line-traits.ts';
import {applyWhole, createLineFilter} from '#log/view/line-filter.ts';
import {mergeLists} from '#log/view/log-view.ts';
import {type Alike, type ClassifiedCandidate, createLineBudget, type LineBudget} from './line-budget.ts';
import {cutForLimits, formatEntryJson} from './line-text.ts';
import {recordLinesMax} from './print/record-filter.ts';
import type {ReadLogs} from './read-logs.ts';

/** Taken from the log at once, so that a cancellation is seen in between. */
const pieceEntries = 20_000;

/** A record without its text has more bytes. */
const rowBytesMin = 40;

/** An entry in its chunk, which is not unpacked, and the index of its log. */
type Place = {
  readonly log: number;
  readonly chunk: Chunk;
  readonly offset: number;
  readonly at: Instant;
  readonly line: ClassifiedCandidate['line'];
};

type LinesWanted = {
  /** Only so many of the entries that are wanted, before and after this time. */
  readonly around?: {readonly at: Instant; readonly entries: number} | undefined;
  /** Besides those of the flags, one of which must match. */
  readonly grep?: readonly LinearPattern[];
  readonly limits: PrintLimits;
  /** Is shown each line that is wanted, whether or not it fits the limits, and the time of which lines are wanted. */
  readonly see?: (
    line: {readonly at: Instant; readonly source: LineWriter},
    range: {readonly from: Instant; readonly to: Instant},
  ) => void;
};

export type SelectedLines = {readonly budget: LineBudget; readonly matched: number};

const mayMatch = ({needs}: LinearPattern, text: string): boolean =>
  needs === undefined || needs.some(needed => text.includes(needed));

/** Finds the lines that a pattern matches, and with `isWhole` all lines of their records, such as a stack trace. */
const findMatches = (chunks: readonly Chunk[], pattern: LinearPattern, isWhole: boolean): Matches => {
  type LogRecord = {isHit: boolean; lines: (readonly [index: number, offset: number])[]};
  const hits = chunks.map((): number[] => []);
  const records = new Map<LineWriter, LogRecord>();
  for (const [index, chunk] of chunks.entries()) {
    const continuations = continuationsOf(chunk);
    for (const [offset, text] of textsOf(chunk).entries()) {
      if (text !== undefined) {
        const source = sourceAt(chunk, offset);
        const before = isWhole && continuations[offset] === 1 ? records.get(source) : undefined;
        const record = before ?? {isHit: false, lines: []};
        records.set(source, record);
        record.isHit ||= mayMatch(pattern, text) && pattern.test(text);
        record.lines.push([index, offset]);
        if (record.isHit) {
          for (const [hitIndex, hitOffset] of record.lines) {
            hits[hitIndex]?.push(hitOffset);
          }
          record.lines = [];
        } else if (record.lines.length > recordLinesMax) {
          record.lines.shift();
        }
      }
    }
  }
  const matches = createMatches();
  for (const [index, chunk] of chunks.entries()) {
    matches.take(chunk, Uint16Array.from(hits[index] ?? []).sort());
  }
  return matches;
};

/** The chunks of a time, and the one before, of which the first lines may be a part. */
const chunksOf = ({chunks}: LineBuffer, {from, to}: TimeRange): readonly Chunk[] => {
  const first = from === undefined ? 0 : chunks.findIndex(({lastAt}) => lastAt >= from);
  return first === -1
    ? []
    : chunks.slice(Math.max(0, first - 1)).filter(({firstAt}) => to === undefined || firstAt <= to);
};

/** Returns the entries of a list from an index up to another. */
function* placesIn(list: EntryList, log: number, first: number, last: number): Generator<Place> {
  let start = 0;
  for (const [index, chunk] of list.buffer.chunks.entries()) {
    const offsets = list.offsetsIn(index) ?? noOffsets;
    const wanted = offsets.subarray(Math.max(0, first - start), Math.max(0, last - start));
    start += offsets.length;
    if (wanted.length > 0) {
      const [levels, kinds, markers] = [levelsOf(chunk), kindsOf(chunk), markersOf(chunk)];
      for (const offset of wanted) {
        const at = timeAt(chunk, offset) ?? 0n;
        const isMarker = markers.some(marker => marker.offset === offset);
        const line = isMarker ? undefined : {at, rank: levels[offset] ?? 0, shape: kinds[offset] ?? 0};
        yield {log, chunk, offset, at, line};
      }
    }
  }
}

/** Returns the entries of all lists by time, from an index up to another. */
const inOrder = (lists: readonly EntryList[], first: number, last: number): Iterable<Place> => {
  const [only] = lists;
  return only !== undefined && lists.length === 1
    ? placesIn(only, 0, first, last)
    : lists
        .flatMap((list, log) => [...placesIn(list, log, 0, list.entryCount)])
        .sort((a, b) => Number(a.at - b.at))
        .slice(first, last);
};

/** Selects lines of logs that were read, by the flags of `logs`, in the records of its `--format json`. */
export const selectLines = async (
  {own, nowMs}: ReadLogs,
  {around, grep = [], limits, see}: LinesWanted,
  {parsed, say, signal}: Pick<CommandInput, 'parsed' | 'say' | 'signal'>,
): Promise<SelectedLines> => {
  const options = readLogsOptions(parsed, say);
  const range = resolveRange(options, instantFromMs(nowMs));
  const branches = own.map(({branch}) => branch);
  const labels = own.length > 1 ? labelPrinted(branches, undefined) : [];
  const isArrival = own.some(
    ({poll: {result}}) => !(result instanceof ApiError) && result.value.heldFrom?.arrivalsFrom !== undefined,
  );
  const buffers = own.map(({poll}) => poll.tail.log.buffer);
  const chunks = buffers.map(buffer => chunksOf(buffer, range));
  const lists = buffers.map((buffer, log) => {
    const match = (isWhole: boolean) => (pattern: LinearPattern) => findMatches(chunks[log] ?? [], pattern, isWhole);
    const filter = createLineFilter({
      includes: [...options.grep, ...grep].map(match(true)),
      excludes: options.exclude.map(match(false)),
      levelMin: options.levelMin === undefined ? 0 : levelRank(options.levelMin),
      ...{range, contextLines: 0},
    });
    return applyWhole(filter, buffer).list;
  });
  const view = mergeLists(lists);
  const middle = around === undefined ? 0 : view.indexAtOrAfter(around.at);
  const first = around === undefined ? 0 : Math.max(0, middle - around.entries);
  const last = around === undefined ? view.entryCount : middle + around.entries + 1;
  const bounds = {from: range.from ?? view.timeAt(0) ?? 0n, to: range.to ?? view.timeAt(view.entryCount - 1) ?? 0n};
  const budget = createLineBudget(limits);
  let [seen, matched] = [0, 0];
  for (const {log, chunk, offset, at, line} of inOrder(lists, first, last)) {
    seen += 1;
    if (seen % pieceEntries === 0) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const format = (alike?: Alike): string => {
      const [whole] = entriesAt(chunk, Uint16Array.of(offset));
      const {entry, cut} = whole ? cutForLimits(whole) : {};
      return (entry && formatEntryJson(entry, {branch: labels[log]?.name, isArrival, cut, ...alike})) ?? '';
    };
    if (line !== undefined) {
      matched += 1;
      see?.({at, source: sourceAt(chunk, offset)}, bounds);
    }
    // Some markers have no record.
    if (line !== undefined || format() !== '') {
      budget.add({line, bytesMin: rowBytesMin, format});
    }
  }
  return {budget, matched};
};
