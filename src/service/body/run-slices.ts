import type {Numbering, NumberRun, SourceRun} from '#log/window/window-claims.ts';
import {type AnswerSlice, cutSlices} from '../http/body/window-slices.ts';
import {packSegment, type Segment} from './gzip-segments.ts';

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
