import type {Instant} from '../../../src/log/instant.ts';
import {type Allowed, everyClock, fineClock} from './arbitrary-scenario.ts';
import {
  type Faults,
  findBelow,
  findDisorder,
  findDoubled,
  findFalseGaps,
  findForgotten,
  findGaps,
  findLost,
  findUnmarked,
  findUnprinted,
} from './find-faults.ts';
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
};

/** One window for all pods, which the service moves on as it likes. */
const global: Allowed = {...growing, podChanges: true, keepsOverlap: false};

/** Each pod's log cut on its own, and all that can happen to it. */
export const perPod: Allowed = {...global, cuts: ['pod'], lateLines: true, lag: true};

const findNone = (trace: Trace): Faults => [
  ...findLost(trace),
  ...findDoubled(trace),
  ...findDisorder(trace),
  ...findGaps(trace),
];

const findUnsaid = (trace: Trace): Faults => [
  ...findForgotten(trace, undefined),
  ...findUnmarked(trace),
  ...findDoubled(trace),
  ...findDisorder(trace),
];

const findUnsaidOrFalse = (trace: Trace): Faults => [...findUnsaid(trace), ...findFalseGaps(trace)];

export const properties: readonly Property[] = [
  {
    sentence:
      'a log that only grows, seen in overlapping windows, is whole: no line lost, doubled or out of order, and no gap',
    allowed: {...growing, cuts: ['count'], unreadableLines: true},
    findFaults: findNone,
    keepsLateLines: false,
    runs: 60,
  },
  {
    sentence: 'late lines are held in their place where the window shows them behind those that came before them',
    allowed: {...growing, cuts: ['count'], lateLines: true, byArrivalOnly: true},
    findFaults: findNone,
    keepsLateLines: false,
    runs: 60,
  },
  {
    sentence: 'an older answer now and then loses and doubles nothing',
    allowed: {...growing, lag: true},
    findFaults: findNone,
    keepsLateLines: false,
    runs: 60,
  },
  {
    sentence:
      'one window for all: lost lines lie in a marker, and a gap means that nothing joins, late lines and pods that go or not',
    allowed: {...global, lateLines: true},
    findFaults: findUnsaidOrFalse,
    keepsLateLines: false,
    runs: 100,
  },
  {
    sentence:
      'one window for all, from replicas that lag: lost lines lie in a marker, and a gap means that nothing joins',
    allowed: {...global, lag: true, tickNanos: fineClock},
    findFaults: findUnsaidOrFalse,
    keepsLateLines: false,
    runs: 60,
  },
  {
    sentence: 'one window for all, whatever happens: lost lines lie in a marker',
    allowed: {...global, lag: true, lateLines: true},
    findFaults: findUnsaid,
    keepsLateLines: false,
    runs: 60,
  },
  {
    sentence: 'windows cut for each pod: lost lines lie in a marker, that of a gap or of a pod that went',
    allowed: perPod,
    findFaults: findUnsaid,
    keepsLateLines: false,
    runs: 120,
  },
  {
    sentence: 'lines that left the buffer never come back into it',
    allowed: {...perPod, cuts: ['count', 'time', 'pod'], bufferBytesMax: 1500},
    findFaults: (trace, floor) => [...findForgotten(trace, floor), ...findDoubled(trace), ...findBelow(trace, floor)],
    keepsLateLines: false,
    runs: 80,
  },
  {
    sentence: 'a printer with a small buffer prints no line twice, and all that it was shown',
    allowed: {...growing, cuts: ['count'], lateLines: true, byArrivalOnly: true, bufferBytesMax: 750},
    findFaults: trace => [...findDoubled(trace), ...findUnprinted(trace)],
    keepsLateLines: true,
    runs: 60,
  },
];
