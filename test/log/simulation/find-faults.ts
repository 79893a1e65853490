import type {Entry, LineEntry} from '../../../src/log/entry.ts';
import type {Instant} from '../../../src/log/instant.ts';
import {type AnsweredLook, latenessNanosMax, type Mark, type Trace} from './simulate.ts';
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

/** Lines that no answer showed, and no marker stands for. */
export const findUnmarked = (trace: Trace): Faults => {
  const shown = new Set(trace.looks.flatMap(look => look.shown));
  const {order, cut, tickNanos} = trace.scenario.service;
  const marks = trace.looks.flatMap(look => look.marks);
  const holds = (at: Instant): boolean =>
    marks.some(
      ({from, to}) => from <= at && at <= to + (order === 'byArrival' ? BigInt(latenessNanosMax) + tickNanos : 0n),
    );
  const faults: string[] = [];
  let before: AnsweredLook | undefined;
  let arrivedBefore = 0;
  let recentMarks: Mark[] = [];
  let newestSeen = -1n;
  for (const look of trace.looks) {
    const newestShown = look.shown.reduce((newest, {at}) => (at > newest ? at : newest), -1n);
    // An answer with nothing but late lines is like an older one: it tells nothing of what came since.
    const tellsNothing = newestShown < newestSeen && look.shown.length > 0;
    recentMarks.push(...look.marks);
    const unseen = trace.arrived.slice(arrivedBefore, look.arrivedCount).filter(line => !shown.has(line));
    // While nothing was shown yet there is nothing to stand behind: the log begins at its horizon.
    const hasBegun = newestSeen !== -1n;
    for (const line of before === undefined || tellsNothing || !hasBegun ? [] : unseen) {
      const isBorn = cut.kind === 'pod' && !before?.shown.some(({pod}) => pod === line.pod);
      const isExcused = isBorn || isUnknowable(line, before, look, order === 'byTime' || cut.kind === 'time');
      if (!isExcused && !(line.isLate ? recentMarks.length > 0 : holds(line.at))) {
        faults.push(`lost without a marker: ${line.raw} (${line.pod})`);
      }
    }
    if (look.arrivedCount >= arrivedBefore) {
      arrivedBefore = look.arrivedCount;
      recentMarks = look.marks.filter(({kind}) => kind === 'gone');
    }
    newestSeen = newestShown > newestSeen ? newestShown : newestSeen;
    before = look;
  }
  return faults;
};

/** Nobody can know of a late line that never reached the window, nor of a pod that came and went between two answers. */
const isUnknowable = (
  line: ServiceLine,
  before: AnsweredLook | undefined,
  look: AnsweredLook,
  dropsLate: boolean,
): boolean => {
  const isListed = (answer: AnsweredLook | undefined): boolean =>
    answer?.pods.some(({name}) => name === line.pod) === true;
  return !isListed(look) ? line.isLate || !isListed(before) : line.isLate && dropsLate;
};

/** Gaps though the window is cut as one and joins what was there before. */
export const findFalseGaps = (trace: Trace): Faults => {
  const seen = new Set<ServiceLine>();
  let newestSeen = -1n;
  let before: AnsweredLook | undefined;
  const faults: string[] = [];
  for (const look of trace.looks) {
    const joins = look.shown.some(line => (line.at === newestSeen && seen.has(line)) || before?.shown.includes(line));
    if (joins && look.marks.some(({kind}) => kind === 'gap')) {
      faults.push(`a gap, and yet the window joins: ${look.shown[0]?.raw} … ${look.shown.at(-1)?.raw}`);
    }
    for (const line of look.shown) {
      seen.add(line);
      newestSeen = line.at > newestSeen ? line.at : newestSeen;
    }
    before = look;
  }
  return faults;
};

/** Lines that the service emitted since the first answer, or showed in it, and that are not held. */
export const findLost = (trace: Trace): Faults => {
  const first = trace.looks[0];
  const expected = trace.arrived.filter(line => first?.shown.includes(line) || line.seq >= (first?.arrivedCount ?? 0));
  return missing(expected, trace.held).map(line => `lost: ${line.raw}`);
};

/** Markers of gaps, of which there are none where every window overlaps. */
export const findGaps = (trace: Trace): Faults =>
  trace.looks.flatMap(({marks}) =>
    marks.filter(({kind}) => kind === 'gap').map(({from, to}) => `gap from ${from} to ${to}`),
  );

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
