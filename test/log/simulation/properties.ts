import type {Instant} from '#log/line/instant.ts';
import {type Allowed, everyClock} from './arbitrary-scenario.ts';
import {
  type Faults,
  findBelow,
  findDisorder,
  findDoubled,
  findForgotten,
  findGaps,
  findLost,
  findUnprinted,
} from './find-faults.ts';
import type {ClusterFamily} from './random-cluster.ts';
import type {Trace} from './simulate.ts';

/** What must hold of every log that is put together in a kind of scenario. */
export type Property = {
  readonly sentence: string;
  readonly allowed: Allowed;
  readonly findFaults: (trace: Trace, floor: Instant | undefined) => Faults;
  /** Lines too late for the buffer are handed out, as a printer wants it. */
  readonly keepsLateLines: boolean;
  readonly runs: number;
};

const growing: Allowed = {
  cuts: ['count', 'time'],
  tickNanos: everyClock,
  lateLines: false,
  unreadableLines: false,
  podChanges: false,
  lag: false,
  keepsOverlap: true,
  saysCut: true,
};

/**
 * Windows that move on as they like, and all that can happen to them: pods that come and go, late lines, replicas that
 * lag.
 */
export const anything: Allowed = {
  cuts: ['count', 'time', 'pod'],
  tickNanos: everyClock,
  lateLines: true,
  unreadableLines: true,
  podChanges: true,
  lag: true,
  keepsOverlap: false,
  saysCut: false,
};

const findNone = (trace: Trace): Faults => [
  ...findLost(trace),
  ...findDoubled(trace),
  ...findDisorder(trace),
  ...findGaps(trace),
];

export const properties: readonly Property[] = [
  {
    sentence:
      'a log that only grows, seen in overlapping windows, is whole: no line lost, doubled or out of order, and no gap',
    allowed: {...growing, cuts: ['count'], unreadableLines: true},
    findFaults: findNone,
    keepsLateLines: false,
    runs: 25,
  },
  {
    sentence: 'late lines are held in their place where the window shows them after those that came before them',
    allowed: {...growing, cuts: ['count'], lateLines: true, byArrivalOnly: true},
    findFaults: findNone,
    keepsLateLines: false,
    runs: 25,
  },
  {
    sentence: 'an older answer now and then loses and doubles nothing',
    allowed: {...growing, lag: true},
    findFaults: findNone,
    keepsLateLines: false,
    runs: 25,
  },
  {
    sentence: 'whatever happens, all that an answer showed is held once and in order',
    allowed: {...anything, unreadableLines: false},
    findFaults: trace => [...findForgotten(trace, undefined), ...findDoubled(trace), ...findDisorder(trace)],
    keepsLateLines: false,
    runs: 40,
  },
  {
    sentence: 'lines that left the buffer never come back into it',
    allowed: {...anything, unreadableLines: false, bufferBytesMax: 1500},
    findFaults: (trace, floor) => [...findForgotten(trace, floor), ...findDoubled(trace), ...findBelow(trace, floor)],
    keepsLateLines: false,
    runs: 30,
  },
  {
    sentence: 'a printer with a small buffer prints no line twice, and all that it was shown',
    allowed: {...growing, cuts: ['count'], lateLines: true, byArrivalOnly: true, bufferBytesMax: 750},
    findFaults: trace => [...findDoubled(trace), ...findUnprinted(trace)],
    keepsLateLines: true,
    runs: 25,
  },
];

/**
 * How many services of each family are judged; the same ones each time, so that what is known to be left can be named.
 */
export const clusterScenarios = 1000;
export const clusterScenariosSeed = 1;

/**
 * What the engine makes of services that are drawn by chance. `known` are the ones, of these, in which something is
 * still found: what is left, as “What is left” in `docs/design.md` says. One that is no longer found has to go from the
 * list, and none may be added.
 */
export const clusterProperties: readonly {
  readonly sentence: string;
  readonly family: ClusterFamily;
  readonly known: readonly string[];
}[] = [
  {
    sentence: 'a service that gives each line its number: no line lost untold, none doubled, each gap in its place',
    family: 'numbered',
    known: [],
  },
  {
    sentence:
      'a service that counts what arrived: a gap stands in the answer that tells a loss, holds it, and stands nowhere else',
    family: 'counted',
    known: [
      '18: held 1 times, not',
      '319: lost outside the range',
      '815: held 1 times, not',
      '890: lost outside the range',
    ],
  },
  {
    sentence: 'a service that says how it cuts: no line is lost without a marker, and no gap lost nothing',
    family: 'said',
    known: [
      '21: a gap at answer',
      '108: handed out 2 times,',
      '259: a gap at answer',
      '467: lost without a marker',
      '576: lost without a marker',
      '618: no gap at answer',
      '638: a gap at answer',
      '670: a gap at answer',
      '768: held 1 times, not',
      '855: a gap at answer',
      '956: a gap at answer',
    ],
  },
  {
    sentence: 'a service that says nothing: no line is lost without a marker where anybody could know it',
    family: 'inferred',
    known: ['26: a gap at answer', '648: lost without a marker', '954: held 2 times, not'],
  },
];
