import {packSegment, type Segment} from './gzip-segments.ts';

/** Small enough that a new line costs little, large enough to pack well. */
const sliceLinesMax = 512;
/** About 2 ms of work: a window of 24 MB must not hold up other requests. */
const sliceCharactersMax = 256 * 1024;

/** Consecutive lines of a window. Windows that have the same lines share it. */
export type WindowSlice = {
  readonly lines: readonly string[];
  /** No line follows, so no comma does. */
  readonly isLast: boolean;
  /** Each made when it is first needed. */
  plain?: {readonly data: Buffer; readonly events: Buffer};
  packed?: {readonly data: Segment; readonly events: Segment};
};

const isAt = (slice: WindowSlice, lines: readonly string[], start: number): boolean =>
  slice.isLast === (start + slice.lines.length === lines.length) &&
  slice.lines.every((line, index) => line === lines[start + index]);

/** Cuts a window into slices, with those of the window before wherever the same lines follow each other. */
export const sliceWindow = (lines: readonly string[], before: readonly WindowSlice[]): readonly WindowSlice[] => {
  const byFirstLine = new Map(before.map(slice => [slice.lines[0], slice]));
  const slices: WindowSlice[] = [];
  for (let start = 0; start < lines.length; ) {
    const known = byFirstLine.get(lines[start]);
    let slice = known && isAt(known, lines, start) ? known : undefined;
    if (!slice) {
      let [end, characters] = [start, 0];
      do {
        characters += lines[end]?.length ?? 0;
        end += 1;
      } while (
        end < Math.min(lines.length, start + sliceLinesMax) &&
        characters < sliceCharactersMax &&
        !byFirstLine.has(lines[end])
      );
      slice = {lines: lines.slice(start, end), isLast: end === lines.length};
    }
    slices.push(slice);
    start += slice.lines.length;
  }
  return slices;
};

/** Formats a slice for `data` and `events` of a log answer (interface specification, section 2.5). */
const formatSlice = ({lines, isLast}: WindowSlice): {readonly data: Buffer; readonly events: Buffer} => {
  const quoted = lines.map(line => JSON.stringify(line));
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
