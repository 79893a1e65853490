import type {BufferEdit} from '../buffer/buffer-edit.ts';
import type {GapMarker} from '../line/entry.ts';
import {earliestOf, type Instant, latestOf} from '../line/instant.ts';
import type {Loss, Numbering} from '../line/numbering.ts';
import type {SourceName} from '../line/source-name.ts';
import {sourceKey} from '../sources/source-words.ts';
import type {Numbered} from './numbered.ts';
import type {ReadNumbers} from './read-numbered.ts';

/** A gap before it has an id and a place. */
export type NumberedGap = Omit<GapMarker, 'kind' | 'id'>;

export type LossesInput = {
  /** What was read before; undefined at the first answer. */
  readonly before: Numbered | undefined;
  readonly numbering: Numbering;
  readonly named: readonly (SourceName | undefined)[];
  readonly read: ReadNumbers;
  /** The oldest line that is held and the newest one, this answer's lines included. */
  readonly oldest: Instant | undefined;
  readonly newest: Instant | undefined;
  readonly serviceAt: Instant | undefined;
};

/** A clock in the `date` header has whole seconds. */
const second: Instant = 1_000_000_000n;
/** Without any clock, at most so much time passes between two answers. */
const hour = 3600n * second;

/**
 * Returns the gaps of an answer: the losses that the service tells of and that have no marker yet, and the numbers
 * without a line. A range is from the line before to the line after in the same source; where no source is named, from
 * the earliest of what the sources wrote last.
 */
export const findGaps = (
  input: LossesInput,
): {readonly gaps: readonly NumberedGap[]; readonly reported: Set<string>} => {
  const {before, numbering, named, read} = input;
  const reported = new Set<string>();
  const gaps: NumberedGap[] = [];
  const explained = new Set<number>();
  for (const loss of numbering.losses) {
    const source = loss.source === undefined ? undefined : named[loss.source];
    const missing = read.missing.find(({number}) => number === loss.number);
    const key = keyOfLoss(loss, source);
    if (loss.number > read.last) {
      reported.add(key);
    }
    // What was lost ahead of the first answer is ahead of the log.
    const isKnown = before === undefined ? loss.number <= numbering.first : loss.number <= before.last;
    const isMissing = missing !== undefined && loss.source === undefined;
    if (isMissing) {
      explained.add(loss.number);
    }
    if (isKnown || before?.reported.has(key)) {
      continue;
    }
    gaps.push({
      ...rangeOf(input, loss, source),
      reason: loss.isNoLine ? 'not-lines' : isMissing ? 'moved-on' : 'told',
      source,
      missingLines: isMissing ? missing.count : loss.lines,
      why: loss.why,
    });
  }
  if (before !== undefined) {
    for (const {count, number} of read.missing) {
      if (!explained.has(number)) {
        gaps.push({...rangeOf(input, {number}, undefined), reason: 'moved-on', missingLines: count});
      }
    }
  }
  return {gaps: gaps.map(gap => ({...gap, proof: 'counted'})), reported};
};

const keyOfLoss = ({number, after}: Loss, source: SourceName | undefined): string =>
  JSON.stringify([number, source && sourceKey(source), after?.toString()]);

const rangeOf = (
  input: LossesInput,
  {after, before: end, number}: Pick<Loss, 'after' | 'before' | 'number'>,
  source: SourceName | undefined,
): Pick<GapMarker, 'at' | 'after' | 'before'> => {
  const {before, read, serviceAt} = input;
  const {oldest = before?.serviceAt ?? serviceAt ?? 0n} = input;
  const {newest = serviceAt === undefined ? oldest : serviceAt + second} = input;
  const next = read.lines.find(line => line.number >= number && (source === undefined || line.source === source));
  const isNamed = source !== undefined;
  const spans = [...(before?.newest ?? [])]
    .filter(([of]) => !isNamed || of === source)
    .map(([of, last]) => spanOf(input, {of, last, number}));
  const from = after ?? earliestOf(spans.map(span => span.from)) ?? oldest;
  const to = end ?? latestOf([...spans.map(span => span.to), isNamed ? next?.line.at : newest]) ?? newest;
  return {
    at: end ?? next?.line.at ?? newest,
    after: from < to ? from : from === to ? from - 1n : to,
    before: from < to ? to : from,
  };
};

/** Returns the range in which lines of one source may be missing: from its line before to its line after the loss. */
const spanOf = (
  input: LossesInput,
  {of, last, number}: {readonly of: SourceName | undefined; readonly last: Instant; readonly number: number},
): {readonly from: Instant; readonly to: Instant} => {
  const lateness = input.before?.lateness ?? second;
  const nextAt = input.read.lines.find(line => line.number >= number && line.source === of)?.line.at;
  if (nextAt === undefined) {
    // The sources of a pod share its clock, which may have been set back.
    const beside = input.read.lines.find(({source}) => source?.pod !== undefined && source.pod === of?.pod)?.line.at;
    const first = beside === undefined ? last : earliestOf([last, beside - elapsedIn(input)]);
    return {from: (first ?? last) - lateness, to: last + elapsedIn(input) + lateness};
  }
  // A clock that was set back: the line before is later than the one after, and the missing ones are of either time.
  return nextAt < last
    ? {from: nextAt - elapsedIn(input) - lateness, to: last + elapsedIn(input) + lateness}
    : {from: last - lateness, to: nextAt + lateness};
};

/** Returns at most how much time passed between two answers, by the service's clock or else by that of its lines. */
const elapsedIn = ({before, read, serviceAt}: LossesInput): Instant => {
  if (before?.serviceAt !== undefined && serviceAt !== undefined) {
    return serviceAt - before.serviceAt + second;
  }
  const passed = read.lines.map(({line, source}) => line.at - (before?.newest.get(source) ?? line.at));
  return latestOf([...passed, 0n]) || hour;
};

/** Returns the last of the numbers that the service says have no line any more, if they follow the last line. */
export const lastTold = ({losses}: Numbering, last: number): number =>
  losses.some(({source, number, lines}) => source === undefined && lines !== undefined && number - lines - 1 === last)
    ? Math.max(...losses.map(({number}) => number - 1))
    : 0;

/** Inserts the gaps, each ahead of the line that follows the loss. */
export const placeGaps = (
  edit: BufferEdit,
  gaps: readonly NumberedGap[],
  newestHeld: Instant | undefined,
): GapMarker[] =>
  gaps.map(gap => {
    const marker: GapMarker = {kind: 'gap', id: edit.takeId(), ...gap};
    // With nothing after it, a gap is after what was held.
    edit.insert(marker, newestHeld !== undefined && gap.at <= newestHeld ? undefined : 0);
    return marker;
  });
