import type {Entry, GapMarker, LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Trace} from './simulate.ts';
import type {ServiceLine} from './simulated-service.ts';
import {identityOf} from './subject.ts';

/** What is wrong with a log that was put together, in words; empty where nothing is. */
export type Faults = readonly string[];

/** Lines that came twice: held or handed out more often than the service has them. */
export const findDoubled = (trace: Trace): Faults => {
  const emitted = countBy(trace.arrived.map(({identity}) => identity));
  const tooMany = (lines: readonly Entry[], where: string): Faults =>
    [...countBy(lines.flatMap(entry => (entry.kind === 'line' ? [identityOf(entry)] : [])))]
      .filter(([identity, count]) => count > (emitted.get(identity) ?? 0))
      .map(([identity, count]) => `${where} ${count} times: ${identity}`);
  return [
    ...tooMany(trace.held, 'held'),
    ...tooMany(
      trace.looks.flatMap(({added}) => added),
      'handed out',
    ),
  ];
};

/** Lines out of order: not by time, or with ties in another order than the service's. */
export const findDisorder = (trace: Trace): Faults => {
  const backwards = trace.held.findIndex((line, index) => (trace.held[index - 1]?.at ?? line.at) > line.at);
  if (backwards !== -1) {
    return [`time decreases at ${trace.held[backwards]?.raw}`];
  }
  // Where a gap is filled by an older answer, or by older lines in the place of a pod that went, nobody can know how they stand
  // to lines of the same time that are not beside them.
  if (trace.looks.some(({isLagging, marks}) => isLagging || marks.some(({kind}) => kind === 'gone'))) {
    return [];
  }
  const expected = trace.arrived.toSorted(byTimeThenArrival);
  let index = 0;
  for (const line of trace.held) {
    const identity = identityOf(line);
    const found = expected.findIndex((candidate, at) => at >= index && candidate.identity === identity);
    if (found === -1) {
      return [`out of order: ${line.raw}`];
    }
    index = found + 1;
  }
  return [];
};

/** Lines that an answer showed and that are not held though the buffer has room for them. */
export const findForgotten = (trace: Trace, floor: Instant | undefined): Faults => {
  const shown = new Set(trace.looks.flatMap(look => look.shown));
  return missing([...shown], trace.held)
    .filter(line => floor === undefined || line.at > floor)
    .map(line => `shown and not held: ${line.raw}`);
};

/** Lines held at or below the floor: all of those times have left. */
export const findBelow = (trace: Trace, floor: Instant | undefined): Faults =>
  trace.held.filter(({at}) => floor !== undefined && at <= floor).map(({raw}) => `came back: ${raw}`);

/** Lines that an answer showed and that were never handed out. */
export const findUnprinted = (trace: Trace): Faults => {
  const shown = new Set(trace.looks.flatMap(look => look.shown));
  const printed = trace.looks.flatMap(({added}) => added.filter(entry => entry.kind === 'line'));
  return missing([...shown], printed).map(line => `shown and not printed: ${line.raw}`);
};

/** Lines that the service emitted since the first answer, or showed in it, and that are not held. */
export const findLost = (trace: Trace): Faults => {
  const first = trace.looks[0];
  const expected = trace.arrived.filter(line => first?.shown.includes(line) || line.seq >= (first?.arrivedCount ?? 0));
  return missing(expected, trace.held).map(line => `lost: ${line.raw}`);
};

/**
 * Markers of gaps, of which there are none where every window overlaps. Where all that two windows share are copies of each other, nobody can
 * know whether they are the same ones.
 */
export const findGaps = ({arrived, looks}: Trace): Faults => {
  const isUnique = createIsUnique(arrived);
  const seen = new Set<ServiceLine>();
  return looks.flatMap(({added, shown, isLagging}) => {
    // An older answer from before the log was opened can't be told from a window that moved on.
    const isUnknown = isLagging && !(shown[0] !== undefined && seen.has(shown[0]));
    const isTold = shown.some(line => seen.has(line) && isUnique(line));
    for (const line of shown) {
      seen.add(line);
    }
    return added.flatMap(entry =>
      entry.kind !== 'gap' || !isTold || (isUnknown && entry.after < entry.before) || isOfLateLines(entry)
        ? []
        : [`gap from ${entry.after} to ${entry.before}`],
    );
  });
};

/** Whether a line can be no other of those that came. One without a timestamp, whose identity is its text, proves nothing. */
export const createIsUnique = (arrived: readonly ServiceLine[]): ((line: ServiceLine) => boolean) => {
  const copies = countBy(arrived.map(({identity}) => identity));
  return ({identity, raw}) => copies.get(identity) === 1 && identity !== raw;
};

/** A window that spans less than lines were late may never show late ones, and says so. */
export const isOfLateLines = ({reason}: GapMarker): boolean => reason === 'short-window';

const missing = (lines: readonly ServiceLine[], held: readonly LineEntry[]): readonly ServiceLine[] => {
  const counts = countBy(held.map(identityOf));
  return lines.filter(({identity}) => {
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count - 1);
    return count <= 0;
  });
};

const countBy = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
};

const byTimeThenArrival = (a: ServiceLine, b: ServiceLine): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : a.seq - b.seq;
