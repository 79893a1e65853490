import type {GapMarker, SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, laterOf, latestOf, nanosPerSecond} from '#log/line/instant.ts';
import {coversSource} from '#log/line/tag-sources.ts';
import type {Loss, Numbering} from '#log/window/window-claims.ts';
import type {Numbered} from '../numbered.ts';
import type {NumberedLine, ReadNumbers} from './read-numbered.ts';

export type LossesInput = {
  /** The reading before; undefined at the first answer. */
  readonly before: Numbered | undefined;
  readonly numbering: Numbering;
  readonly named: readonly (SourceName | undefined)[];
  readonly read: ReadNumbers;
  /** The oldest line that is held and the newest one, this answer's lines included. */
  readonly oldest: Instant | undefined;
  readonly newest: Instant | undefined;
  readonly serviceAt: Instant | undefined;
};

/** Without any clock, at most so much time passes between two answers. */
const hour = 3600n * nanosPerSecond;
/** A time that is told and is further from the service's clock and from all lines bounds nothing. */
const offMax = 24n * hour;
/** Returns the end of a loss after which a line has come: without a stamp of its own it came at any time up to now. */
export const endBy = (input: LossesInput, {line, source}: NumberedLine): Instant | undefined =>
  line.textIndex === 0 ? endOfOpen(input, source) : line.at + latenessOf(input);

const latenessOf = ({before, read}: LossesInput): Instant =>
  laterOf(before?.lateness ?? nanosPerSecond, read.latenessWithin);

/** Returns a time that the service tells, if it is near its own clock, or near the lines. */
export const believed = ({oldest, newest, serviceAt}: LossesInput, at: Instant | undefined): Instant | undefined => {
  const [from, through] = [earliestOf([oldest, serviceAt]), latestOf([newest, serviceAt])];
  return at === undefined ||
    (from !== undefined && at < from - offMax) ||
    (through !== undefined && at > through + offMax)
    ? undefined
    : at;
};

/** Returns the end of a loss after which no line has come: now, by the clock of its pod too if that is known. */
export const endOfOpen = (input: LossesInput, source: SourceName | undefined): Instant | undefined => {
  const {newest, serviceAt, read} = input;
  const ofPod = [...read.newest].filter(([of]) => of?.pod !== undefined && of.pod === source?.pod);
  return serviceAt === undefined
    ? newest
    : latestOf([newest, serviceAt + nanosPerSecond, ...ofPod.map(([of, at]) => at + passedSince(input, of))]);
};

export const rangeOf = (
  input: LossesInput,
  loss: Pick<Loss, 'after' | 'before' | 'number'>,
  source: SourceName | undefined,
  next: NumberedLine | undefined,
): Pick<GapMarker, 'at' | 'after' | 'before'> => {
  const {before, serviceAt} = input;
  const {oldest = before?.serviceAt ?? serviceAt ?? 0n} = input;
  const {newest = serviceAt === undefined ? oldest : serviceAt + nanosPerSecond} = input;
  const isNamed = source !== undefined;
  const [after, end] = [believed(input, loss.after), believed(input, loss.before)];
  const spans = spansOf(input, source, loss.number);
  const from =
    (after === undefined ? undefined : startBeside(input, source, {after, number: loss.number})) ??
    earliestOf(spans.map(span => span.from)) ??
    earliestOf([oldest, before?.serviceAt]) ??
    oldest;
  const to =
    (end === undefined ? undefined : endOfLate(input, source, {end, number: loss.number})) ??
    latestOf([
      ...spans.map(span => span.to),
      isNamed ? next?.line.at : newest,
      next === undefined || next.line.textIndex === 0 ? endOfOpen(input, source) : undefined,
    ]) ??
    newest;
  const at = end ?? next?.line.at ?? newest;
  if (from < to) {
    return {at, after: from, before: to};
  }
  if (from === to) {
    return {at, after: from - 1n, before: to};
  }
  // A clock that was set back: lines are missing of before and of after.
  const passed = passedSince(input, source);
  return {at, after: to - passed, before: from + passed};
};

/**
 * Returns the start of a loss after a told time. Lines that came after that one may be as late as others were; and if
 * some of its pod are earlier, the pod's clock was set back, and the missing ones are of either time.
 */
const startBeside = (
  input: LossesInput,
  source: SourceName | undefined,
  {after, number}: {readonly after: Instant; readonly number: number},
): Instant => {
  const {before, read} = input;
  const last = Math.max(
    before === undefined ? number : 0,
    ...read.lines.filter(line => line.source === source && line.number < number).map(line => line.number),
  );
  const beside = earliestBeside(input, source, last);
  const lateness = latenessOf(input);
  // So far lines may always be from the order of their times.
  const from = lateness > nanosPerSecond ? after - lateness : after;
  return beside === undefined || beside >= after - nanosPerSecond
    ? from
    : (earliestOf([from, beside - passedSince(input, source)]) ?? from);
};

/** Returns the end of a loss before a told time: where that is of a late line, the missing ones may be later. */
const endOfLate = (
  input: LossesInput,
  source: SourceName | undefined,
  {end, number}: {readonly end: Instant; readonly number: number},
): Instant => {
  const newest = latestOf([
    input.before?.newest.get(source),
    ...input.read.lines
      .filter(({line, ...each}) => each.source === source && each.number < number && line.textIndex !== 0)
      .map(({line}) => line.at),
  ]);
  return newest === undefined || newest <= end ? end : newest + passedSince(input, source);
};

/** Returns the earliest line of a pod that came after a number: its sources share a clock. */
const earliestBeside = ({read}: LossesInput, of: SourceName | undefined, number: number): Instant | undefined =>
  read.lines.find(
    ({line, source, ...each}) =>
      each.number > number && line.textIndex !== 0 && source?.pod !== undefined && source.pod === of?.pod,
  )?.line.at;

type Span = {readonly from: Instant; readonly to: Instant};

/** Returns the ranges in which lines of each source may be missing: from its line before to its line after the loss. */
const spansOf = (input: LossesInput, source: SourceName | undefined, number: number): readonly Span[] => {
  const {before, read} = input;
  const isMeant = (of: SourceName | undefined): boolean =>
    source === undefined || (of !== undefined && coversSource(source, of));
  const nextOf = new Map<SourceName | undefined, NumberedLine>();
  for (const line of read.lines) {
    const first = nextOf.get(line.source);
    const isNearer = first === undefined || line.number < first.number;
    if (line.line.textIndex !== 0 && line.number >= number && isNearer && isMeant(line.source)) {
      nextOf.set(line.source, line);
    }
  }
  if (before === undefined) {
    return [];
  }
  const meant = [...read.newest].filter(([of]) => isMeant(of));
  const spans = meant
    .filter(([of]) => before.newest.has(of) || source === undefined || !nextOf.has(of))
    .map(([of, newest]) => spanOf(input, of, newest, nextOf.get(of)?.line.at));
  // Of a source that never wrote, the others of its pod have the clock.
  const {serviceAt} = input;
  const beside = meant.length === 0 && serviceAt !== undefined ? source?.pod : undefined;
  for (const [of, newest] of beside === undefined ? [] : read.newest) {
    if (of?.pod === beside) {
      spans.push({from: newest - elapsedIn(input) - latenessOf(input), to: newest + passedSince(input, of)});
    }
  }
  const isKnown = before.newest.size > 0 && (source !== undefined || nextOf.size > 0);
  if (isKnown || before.serviceAt === undefined || serviceAt === undefined) {
    return spans;
  }
  // Where nothing was held, or nothing follows, lines may be missing since that answer, up to the first of that time.
  const from = before.serviceAt;
  const to = serviceAt + nanosPerSecond;
  const isBounded = [...nextOf.values()].some(({line: {at}}) => at >= from && at <= to);
  return isBounded ? spans : [...spans, {from: from - latenessOf(input), to}];
};

const spanOf = (input: LossesInput, of: SourceName | undefined, newest: Instant, nextAt: Instant | undefined): Span => {
  const lateness = latenessOf(input);
  const passed = passedSince(input, of);
  const last = input.before?.newest.get(of);
  if (last === undefined) {
    // Lines of a source that was in no answer before may be missing since that answer.
    return {from: (nextAt ?? newest) - passed, to: nextAt === undefined ? newest + passed : nextAt + lateness};
  }
  if (nextAt === undefined) {
    // The sources of a pod share its clock, which may have been set back.
    const beside = earliestBeside(input, of, 0);
    const first = beside === undefined ? last : earliestOf([last, beside - elapsedIn(input)]);
    return {from: (first ?? last) - lateness, to: newest + passed};
  }
  // A clock that was set back: the line before is later than the one after, and the missing ones are of either time.
  return nextAt < last ? {from: nextAt - passed, to: last + passed} : {from: last - lateness, to: nextAt + lateness};
};

/** Returns how far from a source's last line the next one may be, either way: time has passed, and lines are late. */
export const passedSince = (input: LossesInput, of: SourceName | undefined): Instant =>
  elapsedSince(input, of) + latenessOf(input);

/** Returns at most how much time passed since a source wrote its last line, by the service's clock if that tells. */
const elapsedSince = (input: LossesInput, of: SourceName | undefined): Instant => {
  const since = input.before?.seenAfter.get(of);
  return since === undefined || input.serviceAt === undefined
    ? elapsedIn(input)
    : laterOf(elapsedIn(input), input.serviceAt - since + nanosPerSecond);
};

/**
 * Returns at most how much time passed between two answers, by the service's clock, which tells whole seconds, or else
 * by that of its lines.
 */
const elapsedIn = ({before, read, serviceAt}: LossesInput): Instant => {
  if (before?.serviceAt !== undefined && serviceAt !== undefined) {
    return serviceAt - before.serviceAt + nanosPerSecond;
  }
  const passed = read.lines.map(({line, source}) => line.at - (before?.newest.get(source) ?? line.at));
  return latestOf([...passed, 0n]) || hour;
};
