import {packSegment, type Segment} from '../../body/gzip-segments.ts';

/** Small enough that a new line costs little, large enough to pack well. */
const sliceLinesMax = 512;
/** About 2 ms of work: a window of 24 MB must not hold up other requests. */
const sliceCharactersMax = 256 * 1024;

/** Consecutive items of an answer. Answers that have the same items share it. */
export type AnswerSlice<Item, Key> = {
  readonly items: readonly Item[];
  /** What its first item is found by in the next answer. */
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
export const cutSlices = <Item, Key, Known extends AnswerSlice<Item, Key>>(
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
    itemsMax: sliceLinesMax,
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
