import type {Allowed} from '../../log/simulation/arbitrary-scenario.ts';
import type {Random} from '../../log/simulation/random.ts';
import {latenessNanosMax} from '../../log/simulation/simulate.ts';
import {
  type Cut,
  createSimulatedService,
  type Emission,
  type Look,
  type ServiceOptions,
} from '../../log/simulation/simulated-service.ts';

/**
 * The service's time goes slower than the client's, so that lines are late, and windows span, by some intervals of the
 * pace.
 */
const nanosPerMs = 20;
/** What a wait may come to: several windows that are cut by time. */
const waitNanosMax = 600_000;
const eventsPerPollMax = 6;
const podsMax = 6;
/** After a line; a line with a timestamp must stay ahead of them where a window is to join the one before. */
const unreadableLinesMax = 3;
/** An older answer is at most so many events old. */
const lagEventsMax = 6;

/** A branch as the service has it: its lines come by chance as the time goes, within what a kind of scenario allows. */
export type SoakService = {
  readonly options: ServiceOptions;
  readonly arrived: ReturnType<typeof createSimulatedService>['arrived'];
  readonly newestAt: ReturnType<typeof createSimulatedService>['newestAt'];
  /** So much time goes by, milliseconds. */
  advance(elapsedMs: number): void;
  /** What it answers now; where it may lag, now and then what it would have answered some time ago. */
  answer(mayLag: boolean): {readonly look: Look; readonly isLagging: boolean};
  /** From now on a line comes at a time, and nothing else. */
  calmDown(): void;
};

export const createSoakService = (allowed: Allowed, random: Random, isLarge: boolean): SoakService => {
  const options: ServiceOptions = {
    cut: chooseCut(allowed, random, isLarge),
    order: allowed.byArrivalOnly || random.chance(0.5) ? 'byArrival' : 'byTime',
    tickNanos: random.pick([allowed.tickNanos[0] ?? 1n, ...allowed.tickNanos.slice(1)]),
    stamps: random.pick(['canonical', 'mixed']),
  };
  const service = createSimulatedService(options);
  const history: Look[] = [];
  let podCount = random.integer(options.cut.kind === 'pod' ? 3 : 1, 4);
  let sinceTrueLook = {lines: 0, nanos: 0};
  let isCalm = false;

  const emit = (emission: Emission): void => {
    const lines = sinceTrueLook.lines + emission.count * (1 + emission.unreadableCount);
    const nanos = sinceTrueLook.nanos + emission.count * emission.stepNanos;
    // A held log is asked seldom: in calm times, too, no more may come than the smallest part of a window holds.
    if (
      (allowed.keepsOverlap || isCalm) &&
      passesWindow(options.cut, lines + (allowed.unreadableLines ? unreadableLinesMax : 0), nanos)
    ) {
      return;
    }
    sinceTrueLook = {lines, nanos};
    service.emit(emission);
  };

  const act = (): void => {
    if (allowed.podChanges && random.chance(0.1)) {
      if (random.chance(0.5) && podCount < podsMax) {
        service.podComes();
        podCount += 1;
      } else if (podCount > 1) {
        service.podGoes(random.integer(0, podCount));
        podCount -= 1;
      }
      return;
    }
    emit(chooseEmission(allowed, random, isLarge));
  };

  for (let pod = 0; pod < podCount; pod++) {
    service.podComes();
    service.emit({...oneLine, pod});
    // As in `simulate`: the quiet pod's line is older than all that come, so that it shows the holes that others leave.
    service.wait(options.cut.kind === 'pod' ? Number(options.tickNanos) + latenessNanosMax : 0);
  }

  return {
    options,
    arrived: service.arrived,
    newestAt: service.newestAt,
    advance: elapsedMs => {
      if (isCalm) {
        emit({...oneLine, pod: random.integer(0, podCount)});
        return;
      }
      const eventCount = random.integer(0, Math.min(eventsPerPollMax, 2 + Math.floor(elapsedMs / 2000)));
      for (let event = 0; event < eventCount; event++) {
        act();
        if (allowed.lag) {
          history.push(service.look());
        }
      }
      history.splice(0, history.length - lagEventsMax);
      if (!allowed.keepsOverlap && random.chance(0.2)) {
        service.wait(Math.min(waitNanosMax, Math.round(elapsedMs * nanosPerMs)));
      }
    },
    answer: mayLag => {
      const older = mayLag && allowed.lag && !isCalm && random.chance(0.1) ? history[0] : undefined;
      if (older !== undefined) {
        return {look: older, isLagging: true};
      }
      sinceTrueLook = {lines: 0, nanos: 0};
      return {look: service.look(), isLagging: false};
    },
    calmDown: () => {
      isCalm = true;
    },
  };
};

const oneLine: Emission = {pod: 0, count: 1, stepNanos: 1001, texts: 'unique', lateNanos: 0, unreadableCount: 0};

/** Mostly small windows, since all that can go wrong goes wrong in them and many more of them can be looked at. */
const chooseCut = ({cuts}: Allowed, random: Random, isLarge: boolean): Cut => {
  const kind = random.pick([cuts[0] ?? 'count', ...cuts.slice(1)]);
  switch (kind) {
    case 'count':
      return {kind, lines: isLarge ? random.integer(500, 3000) : random.integer(5, 60)};
    case 'time':
      return {kind, spanNanos: BigInt(random.integer(20_000, 200_000) * (isLarge ? 20 : 1))};
    case 'pod':
      return {kind, lines: isLarge ? random.integer(100, 800) : random.integer(3, 20)};
    default:
      return kind satisfies never;
  }
};

const chooseEmission = (allowed: Allowed, random: Random, isLarge: boolean): Emission => {
  const countMax = random.chance(0.1) ? 80 : 6;
  return {
    pod: random.integer(0, 3),
    count: random.integer(1, isLarge ? countMax * 20 : countMax),
    stepNanos: random.chance(0.8) ? random.integer(1, 3000) : 1,
    texts: random.pick(['unique', 'unique', 'repeated', 'copies']),
    lateNanos: allowed.lateLines && random.chance(0.2) ? random.integer(1, latenessNanosMax) : 0,
    unreadableCount: allowed.unreadableLines && random.chance(0.2) ? random.integer(1, unreadableLinesMax) : 0,
  };
};

const passesWindow = (cut: Cut, lines: number, nanos: number): boolean =>
  cut.kind === 'time' ? BigInt(nanos) >= cut.spanNanos : lines >= cut.lines;
