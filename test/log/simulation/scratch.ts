import fc from 'fast-check';
import {arbitraryScenario, everyClock} from './arbitrary-scenario.ts';
import * as f from './find-faults.ts';
import {simulate} from './simulate.ts';
import {createSubject} from './subject.ts';

const which = process.argv[2] ?? '1';
const growing = {
  cuts: ['count'],
  tickNanos: everyClock,
  lateLines: false,
  unreadableLines: true,
  podChanges: false,
  lag: false,
  keepsOverlap: true,
} as const;
const defs: any = {
  '1': [growing, (t: any) => [...f.findLost(t), ...f.findDoubled(t), ...f.findDisorder(t), ...f.findGaps(t)]],
  '2': [
    {...growing, lateLines: true, byArrivalOnly: true, unreadableLines: false, lag: false},
    (t: any) => [...f.findLost(t), ...f.findDoubled(t), ...f.findDisorder(t), ...f.findGaps(t)],
  ],
  '3': [
    {
      cuts: ['count', 'time'],
      tickNanos: everyClock,
      lateLines: true,
      unreadableLines: false,
      podChanges: true,
      lag: true,
      keepsOverlap: false,
    },
    (t: any) => [
      ...f.findForgotten(t, undefined),
      ...f.findUnmarked(t),
      ...f.findDoubled(t),
      ...f.findDisorder(t),
      ...f.findFalseGaps(t),
    ],
  ],
  '4': [
    {
      cuts: ['pod'],
      tickNanos: everyClock,
      lateLines: true,
      unreadableLines: false,
      podChanges: true,
      lag: true,
      keepsOverlap: false,
    },
    (t: any) => [...f.findForgotten(t, undefined), ...f.findUnmarked(t), ...f.findDoubled(t), ...f.findDisorder(t)],
  ],
  '8': [{cuts: ['count', 'time'], tickNanos: everyClock, lateLines: true, unreadableLines: false, podChanges: true, lag: false, keepsOverlap: false},
   (t: any) => [...f.findForgotten(t, undefined), ...f.findUnmarked(t), ...f.findDoubled(t), ...f.findDisorder(t), ...f.findFalseGaps(t)]],
  '9': [{cuts: ['count', 'time'], tickNanos: everyClock, lateLines: false, unreadableLines: false, podChanges: true, lag: true, keepsOverlap: false},
   (t: any) => [...f.findForgotten(t, undefined), ...f.findUnmarked(t), ...f.findDoubled(t), ...f.findDisorder(t), ...f.findFalseGaps(t)]],
  '10': [{cuts: ['count', 'time'], tickNanos: everyClock, lateLines: true, unreadableLines: false, podChanges: true, lag: true, keepsOverlap: false},
   (t: any) => [...f.findForgotten(t, undefined), ...f.findUnmarked(t), ...f.findDoubled(t), ...f.findDisorder(t)]],
  '6': [
    {...growing, unreadableLines: false, lag: true},
    (t: any) => [...f.findLost(t), ...f.findDoubled(t), ...f.findDisorder(t), ...f.findGaps(t)],
  ],
  '7': [
    {
      cuts: ['count', 'time', 'pod'],
      tickNanos: everyClock,
      lateLines: true,
      unreadableLines: false,
      podChanges: true,
      lag: false,
      keepsOverlap: false,
      bufferBytesMax: 3000,
      keepsLateLines: true,
    },
    (t: any) => [...f.findDoubled(t), ...f.findDisorder(t)],
  ],
  '5': [
    {
      cuts: ['count', 'time', 'pod'],
      tickNanos: everyClock,
      lateLines: true,
      unreadableLines: false,
      podChanges: true,
      lag: true,
      keepsOverlap: false,
      bufferBytesMax: 3000,
    },
    (t: any) => [...f.findDoubled(t), ...f.findDisorder(t)],
  ],
};
const [allowed, faults] = defs[which];
const r = fc.check(
  fc.property(
    arbitraryScenario({...allowed, eventCountMax: 80}),
    s => faults(simulate(s, createSubject({...s, keepsLateLines: allowed.keepsLateLines}))).length === 0,
  ),
  {
    numRuns: Number(process.argv[3] ?? 300),
    interruptAfterTimeLimit: 60000,
    ...(process.argv[4] ? {seed: Number(process.argv[4])} : {}),
  },
);
console.log(r.failed, 'runs', r.numRuns, 'seed', r.seed);
if (r.counterexample) {
  const s: any = r.counterexample[0];
  const j = (x: any) => JSON.stringify(x, (_k, v) => (typeof v === 'bigint' ? `${v}` : v));
  console.log(j(s.service), 'pods', s.podCount);
  for (const e of s.events) if (e.kind !== 'fail') console.log('  ', j(e));
  const sub = createSubject({...s, keepsLateLines: allowed.keepsLateLines});
  const t = simulate(s, sub, (l: any) =>
    console.log(
      l.isLagging ? 'LAG' : 'look',
      l.pods.map((p: any) => p.name.slice(4)).join(),
      l.shown
        .map((x: any) => `${Number(x.at % 1000000000n)}${x.isLate ? 'L' : ''}#${x.seq}p${x.pod.slice(4)}`)
        .join(' '),
      '\n     ++',
      l.added
        .map((a: any) =>
          a.kind === 'line'
            ? Number(a.at % 1000000000n)
            : a.kind +
              (a.kind === 'gap'
                ? `[${a.after % 1000000000n}..${a.before % 1000000000n}]`
                : a.kind === 'pod'
                  ? a.change + a.name
                  : ''),
        )
        .join(' '),
    ),
  );
  console.log(faults(t));
}
