import fc from 'fast-check';
import {latenessNanosMax, type Scenario, type SimulatedEvent} from './simulate.ts';
import type {Cut} from './simulated-service.ts';

/** What may happen in a scenario. */
export type Allowed = {
  readonly cuts: readonly Cut['kind'][];
  readonly tickNanos: readonly bigint[];
  readonly lateLines: boolean;
  /** Late lines only where each arrives at the end of the window, so that none can miss it. */
  readonly byArrivalOnly?: boolean;
  readonly unreadableLines: boolean;
  readonly podChanges: boolean;
  readonly lag: boolean;
  readonly keepsOverlap: boolean;
  readonly saysCut: boolean;
  readonly bufferBytesMax?: number;
  readonly eventCountMax?: number;
};

export const everyClock = [1n, 1n, 1_000n, 20_000n, 1_000_000n] as const;

const cutOf = (kind: Cut['kind']): fc.Arbitrary<Cut> => {
  switch (kind) {
    case 'count':
      return fc.integer({min: 8, max: 60}).map(lines => ({kind, lines}));
    case 'time':
      return fc.bigInt({min: 20_000n, max: 200_000n}).map(spanNanos => ({kind, spanNanos}));
    case 'pod':
      return fc.integer({min: 3, max: 20}).map(lines => ({kind, lines}));
    default:
      return kind satisfies never;
  }
};

const emission = (allowed: Allowed): fc.Arbitrary<SimulatedEvent> =>
  fc.record({
    kind: fc.constant('emit' as const),
    pod: fc.nat(3),
    // Steady trickles, and bursts that pass the window.
    count: fc.oneof(
      {arbitrary: fc.integer({min: 1, max: 6}), weight: 6},
      {arbitrary: fc.integer({min: 1, max: 80}), weight: 1},
    ),
    stepNanos: fc.oneof(
      {arbitrary: fc.integer({min: 1, max: 3000}), weight: 5},
      {arbitrary: fc.constant(1), weight: 1},
    ),
    texts: fc.constantFrom('unique' as const, 'unique' as const, 'repeated' as const, 'copies' as const),
    lateNanos: allowed.lateLines
      ? fc.oneof(
          {arbitrary: fc.constant(0), weight: 4},
          {arbitrary: fc.integer({min: 1, max: latenessNanosMax}), weight: 1},
        )
      : fc.constant(0),
    unreadableCount: allowed.unreadableLines
      ? fc.oneof({arbitrary: fc.constant(0), weight: 4}, {arbitrary: fc.integer({min: 1, max: 3}), weight: 1})
      : fc.constant(0),
  });

const events = (allowed: Allowed): fc.Arbitrary<SimulatedEvent[]> =>
  fc.array(
    fc.oneof(
      {arbitrary: emission(allowed), weight: 10},
      {arbitrary: fc.constant<SimulatedEvent>({kind: 'poll'}), weight: 6},
      {arbitrary: fc.constant<SimulatedEvent>({kind: 'fail'}), weight: 1},
      {
        arbitrary: fc.integer({min: 1, max: 60_000}).map((nanos): SimulatedEvent => ({kind: 'wait', nanos})),
        weight: allowed.keepsOverlap ? 0 : 1,
      },
      {
        arbitrary: fc.integer({min: 1, max: 6}).map((back): SimulatedEvent => ({kind: 'lag', back})),
        weight: allowed.lag ? 1 : 0,
      },
      {arbitrary: fc.constant<SimulatedEvent>({kind: 'podComes'}), weight: allowed.podChanges ? 1 : 0},
      {arbitrary: fc.nat(3).map((pod): SimulatedEvent => ({kind: 'podGoes', pod})), weight: allowed.podChanges ? 1 : 0},
    ),
    {minLength: 40, maxLength: allowed.eventCountMax ?? 240, size: 'max'},
  );

/** Scenarios of a service; large ones, since small ones let false properties pass. */
export const arbitraryScenario = (allowed: Allowed): fc.Arbitrary<Scenario> =>
  fc.record({
    service: fc.record({
      cut: fc.constantFrom(...allowed.cuts).chain(cutOf),
      order: allowed.byArrivalOnly
        ? fc.constant('byArrival' as const)
        : fc.constantFrom('byTime' as const, 'byArrival' as const),
      tickNanos: fc.constantFrom(...allowed.tickNanos),
      stamps: fc.constantFrom('canonical' as const, 'mixed' as const),
    }),
    podCount: fc.integer({min: allowed.cuts.includes('pod') ? 3 : 1, max: 4}),
    events: events(allowed),
    bufferBytesMax: fc.constant(allowed.bufferBytesMax ?? 1e9),
    saysCut: fc.constant(allowed.saysCut),
    keepsOverlap: fc.constant(allowed.keepsOverlap),
  });
