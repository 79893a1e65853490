import type {Numbering, NumberRun, SourceRun} from '#log/window/window-claims.ts';
import {packSegment, type Segment} from './encode-body.ts';

/**
 * Lines of a slice: a part of the window, since the first and the last slice of one that moves on are remade; enough
 * to pack well, and so few that a new line costs little.
 */
const [sliceLinesMin, sliceLinesMax, slicesUsual] = [64, 512, 8];
/** About 2 ms of work: a window of 24 MB must not hold up other requests. */
const sliceCharactersMax = 256 * 1024;

/** Consecutive items of an answer. Answers that have the same items share it. */
type AnswerSlice<Item, Key> = {
  readonly items: readonly Item[];
  /** The key by which its first item is found in the next answer. */
  readonly key: Key;
  /** No item follows, so no comma does. */
  readonly isLast: boolean;
};

/** Consecutive lines of a window. */
export type WindowSlice = AnswerSlice<string, string> & {
  /** Each made when it is first needed. */
  plain?: {readonly data: Buffer; readonly events: Buffer};
  packed?: {readonly data: Segment; readonly events: Segment};
};

type SliceRules<Item, Key> = {
  readonly keyAt: (index: number) => Key;
  readonly areSame: (one: Item, other: Item | undefined) => boolean;
  readonly itemsMax: number;
  readonly sizeOf: (item: Item) => number;
  readonly sizeMax: number;
};

/** Cuts an answer into slices, with those of the answer before wherever the same items follow each other. */
const cutSlices = <Item, Key, Known extends AnswerSlice<Item, Key>>(
  items: readonly Item[],
  before: readonly Known[],
  {keyAt, areSame, itemsMax, sizeOf, sizeMax}: SliceRules<Item, Key>,
): readonly (Known | AnswerSlice<Item, Key>)[] => {
  const byKey = new Map(before.map(slice => [slice.key, slice]));
  const isAt = (slice: Known, start: number): boolean =>
    slice.isLast === (start + slice.items.length === items.length) &&
    slice.items.every((item, index) => areSame(item, items[start + index]));
  const slices: (Known | AnswerSlice<Item, Key>)[] = [];
  for (let start = 0; start < items.length; ) {
    const known = byKey.get(keyAt(start));
    let slice: Known | AnswerSlice<Item, Key> | undefined = known && isAt(known, start) ? known : undefined;
    if (!slice) {
      let [end, size] = [start, 0];
      do {
        const item = items[end];
        size += item === undefined ? 0 : sizeOf(item);
        end += 1;
      } while (end < Math.min(items.length, start + itemsMax) && size < sizeMax && !byKey.has(keyAt(end)));
      slice = {items: items.slice(start, end), key: keyAt(start), isLast: end === items.length};
    }
    slices.push(slice);
    start += slice.items.length;
  }
  return slices;
};

/** Cuts a window into slices. */
export const sliceWindow = (lines: readonly string[], before: readonly WindowSlice[]): readonly WindowSlice[] =>
  cutSlices(lines, before, {
    keyAt: index => lines[index] ?? '',
    areSame: (one, other) => one === other,
    itemsMax: Math.min(Math.max(sliceLinesMin, Math.ceil(lines.length / slicesUsual)), sliceLinesMax),
    sizeOf: line => line.length,
    sizeMax: sliceCharactersMax,
  });

/** Formats a slice for `data` and `events` of a log answer (interface specification, section 2.5). */
const formatSlice = ({items, isLast}: WindowSlice): {readonly data: Buffer; readonly events: Buffer} => {
  const quoted = items.map(line => JSON.stringify(line));
  const end = isLast ? '' : ',';
  return {
    data: Buffer.from(`${quoted.join(',')}${end}`),
    events: Buffer.from(`{"message":${quoted.join('},{"message":')}}${end}`),
  };
};

export const makePlain = (slice: WindowSlice): {readonly data: Buffer; readonly events: Buffer} => {
  slice.plain ??= formatSlice(slice);
  return slice.plain;
};

export const makePacked = async (slice: WindowSlice): Promise<{readonly data: Segment; readonly events: Segment}> => {
  if (!slice.packed) {
    const {data, events} = slice.plain ?? formatSlice(slice);
    const [packedData, packedEvents] = await Promise.all([packSegment(data), packSegment(events)]);
    slice.packed = {data: packedData, events: packedEvents};
  }
  return slice.packed;
};

/** Some 20 kB as text. */
const sliceRunsMax = 2_048;

type Run = NumberRun | SourceRun;

/** Consecutive runs of the numbers or of the sources of an answer. */
export type RunSlice = AnswerSlice<Run, number> & {
  /** Each made when it is first needed. */
  plain?: Buffer;
  packed?: Segment;
};

/** The runs of an answer. */
export type SlicedRuns = {readonly numbers: readonly RunSlice[]; readonly sources: readonly RunSlice[]};

export const noRuns: SlicedRuns = {numbers: [], sources: []};

/** Cuts the runs of an answer into slices, with those of the answer before wherever the same lines have the same. */
export const sliceRuns = (numbering: Numbering | undefined, before: SlicedRuns): SlicedRuns => {
  if (!numbering) {
    return noRuns;
  }
  const {numbers = [], runs} = numbering;
  const firstNumbers = numbersAtRuns(numbering);
  return {
    numbers: cutRuns(numbers, before.numbers, index => numbers[index]?.[0] ?? -1),
    sources: cutRuns(runs, before.sources, index => firstNumbers[index] ?? -1),
  };
};

const cutRuns = (
  runs: readonly Run[],
  before: readonly RunSlice[],
  keyAt: (index: number) => number,
): readonly RunSlice[] =>
  cutSlices(runs, before, {
    keyAt,
    areSame: (one, other) => one === other || (other !== undefined && one[0] === other[0] && one[1] === other[1]),
    itemsMax: sliceRunsMax,
    sizeOf: () => 1,
    sizeMax: sliceRunsMax,
  });

/** Returns the number of the first line of each run of a source: no other line ever has it. */
const numbersAtRuns = ({first, numbers, runs}: Numbering): Float64Array => {
  const found = new Float64Array(runs.length);
  let [place, offset] = [0, 0];
  for (const [index, [, count]] of runs.entries()) {
    found[index] = (numbers === undefined ? first : (numbers[place]?.[0] ?? 0)) + offset;
    offset += count;
    for (let length = numbers?.[place]?.[1]; length !== undefined && offset >= length; length = numbers?.[place]?.[1]) {
      offset -= length;
      place += 1;
    }
  }
  return found;
};

const formatRuns = ({items, isLast}: RunSlice): Buffer =>
  Buffer.from(`${items.map(([value, count]) => `[${value},${count}]`).join(',')}${isLast ? '' : ','}`, 'latin1');

export const makePlainRuns = (slice: RunSlice): Buffer => {
  slice.plain ??= formatRuns(slice);
  return slice.plain;
};

export const makePackedRuns = async (slice: RunSlice): Promise<Segment> => {
  slice.packed ??= await packSegment(slice.plain ?? formatRuns(slice));
  return slice.packed;
};
