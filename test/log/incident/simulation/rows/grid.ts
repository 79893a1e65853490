import type {Asked} from '#log/incident/verdict.ts';
import {type DrawnCase, foundWords, type Row, spanWords, verdictWords} from '../drawn-case.ts';
import {type Random, timesOf} from '../random.ts';
import {byTime, clockOf, type DrawnLine, instantOf, takeAnswers} from '../take-lines.ts';
import {clientOf, drawTraffic, faults, newFaults, ordinaryLines, paths, requestAt, sayAt} from '../traffic.ts';

type Scope = 'all' | 'less' | 'equal' | 'more';

/** All times are seconds. */
export type GridPoint = {
  readonly calm: number;
  readonly incident: number;
  /** How long it has been over; 0 if it goes on. */
  readonly overFor: number;
  readonly errorsPerMinute: number;
  /** Of the lines of the incident. */
  readonly share: number;
  /** How many errors a minute are usual. */
  readonly usualPerMinute: number;
  readonly errors: 'usual' | 'new' | 'requests';
  readonly isEven: boolean;
  readonly scope: Scope;
  /** From which second on it is asked; undefined for all. */
  readonly from: number | undefined;
};

const drawPoint = (random: Random, index: number, linesMax: number): GridPoint => {
  for (;;) {
    const calm = index % 5 === 0 ? 0 : 60 * random.scaled(1, 90);
    const incident = 60 * random.scaled(2, 60);
    const overFor = random.chance(0.35) ? 60 * random.scaled(2, 25) : 0;
    const errorsPerMinute = random.scaled(1, 300);
    const share = random.scaled(0.005, 0.6);
    const scope = random.pick<Scope>(['all', 'less', 'equal', 'more']);
    const total = ((calm + incident + overFor) / 60) * (errorsPerMinute / share);
    if (total > linesMax) {
      continue;
    }
    return {
      ...{calm, incident, overFor, errorsPerMinute, share, scope},
      usualPerMinute: random.chance(0.4) ? 0 : errorsPerMinute / random.scaled(4, 60),
      errors: random.pick(['usual', 'new', 'requests'] as const),
      isEven: random.chance(0.5),
      from: {
        all: undefined,
        less: calm + incident * random.between(0.1, 0.9),
        equal: calm,
        more: calm - Math.max(300, calm) * random.between(0.1, 1.2),
      }[scope],
    };
  }
};

/** Returns how badly chance explains that of so many events at least so many fell into a share of the time. */
const chanceOf = (total: number, within: number, share: number): number => {
  let sum = 0;
  let logChoose = 0;
  for (let count = 0; count <= total; count++) {
    if (count >= within) {
      sum += Math.exp(logChoose + count * Math.log(share) + (total - count) * Math.log(1 - share));
    }
    logChoose += Math.log((total - count) / (count + 1));
  }
  return Math.min(1, sum);
};

/** A rise that the log does not show is not told from calm by anybody, unless so many of the lines are errors. */
const chanceMax = 1e-5;
const plain = {errors: 10, share: 0.05} as const;
/** Less calm than would have so many errors at the incident's rate is nothing to compare with. */
const expectedMin = 3;
/** The table calls logs calm that have one harmless error a minute from their first line on. */
const harmless = {perMinute: 2, share: 0.02, seconds: 1200} as const;

/** Whether errors rose, are held, and are of the time asked. */
const hasRisen = (point: GridPoint, incident: readonly DrawnLine[], calm: readonly DrawnLine[]): boolean => {
  const {calm: calmSeconds, incident: seconds, overFor, from = 0, errorsPerMinute, share} = point;
  const within = incident.filter(({second}) => second >= from).length;
  if (within < (overFor > 0 ? 5 : 1)) {
    return false;
  }
  if ((incident.length / seconds) * calmSeconds < expectedMin) {
    return !(
      errorsPerMinute <= harmless.perMinute &&
      share <= harmless.share &&
      seconds + calmSeconds > harmless.seconds
    );
  }
  const chance = chanceOf(incident.length + calm.length, incident.length, seconds / (seconds + calmSeconds));
  return chance < chanceMax || (incident.length >= plain.errors && share >= plain.share);
};

export const buildGrid = (random: Random, point: GridPoint): DrawnCase => {
  const {calm, incident, overFor, errorsPerMinute, share, usualPerMinute, errors, isEven, scope, from} = point;
  const seconds = calm + incident + overFor;
  const traffic = drawTraffic(random, {
    seconds,
    ...{linesMax: Number.POSITIVE_INFINITY, rate: (errorsPerMinute / 60 / share) * (1 - share)},
    ...{errorShare: 0, warnShare: 0.002},
    rhythm: {
      depth: random.chance(0.5) ? 0 : random.between(0, 0.4),
      turns: random.between(0.3, 0.9),
      phase: random.between(0, 6),
    },
  });
  const usualFault = random.pick(faults);
  const newFault = random.pick(newFaults);
  const path = random.pick(paths);
  const failed = (second: number, isUsual: boolean): DrawnLine =>
    errors === 'requests' && traffic.format.takes !== undefined
      ? requestAt(traffic, second, {
          ...{method: 'POST', path, status: isUsual ? 500 : 502},
          ...{ms: random.whole(300, 400), client: clientOf(random)},
        })
      : sayAt(traffic, second, 'ERROR', errors === 'new' && !isUsual ? newFault : usualFault, {
          id: random.whole(0, 1e6),
        });
  const usual = usualPerMinute === 0 ? [] : timesOf(random, {from: 0, to: seconds, perMinute: usualPerMinute});
  const risen = timesOf(random, {from: calm, to: calm + incident, perMinute: errorsPerMinute, isEven});
  const usualLines = usual.map(second => failed(second, true));
  const risenLines = risen.map(second => failed(second, false));
  const source = takeAnswers({
    answers: [{lines: byTime([...ordinaryLines(random, traffic), ...usualLines, ...risenLines])}],
  });
  const asked: Asked = {now: instantOf(seconds), from: from === undefined ? undefined : instantOf(from)};
  const isRisen = hasRisen(
    point,
    risenLines,
    usualLines.filter(({second}) => second < calm),
  );
  return {
    kind: `${calm === 0 ? 'nothing before it' : 'calm before it'}, ${overFor > 0 ? 'over' : 'going on'}, ${scope === 'all' ? 'all asked' : `${scope} asked`}`,
    words: [
      `${spanWords(calm)} calm, ${spanWords(incident)} incident from ${clockOf(calm)}`,
      overFor > 0 ? `over for ${spanWords(overFor)}` : 'going on',
      `${errorsPerMinute.toFixed(1)} errors/min (${errors}), ${(100 * share).toFixed(1)} % of the lines`,
      `usual ${usualPerMinute.toFixed(2)}/min`,
      from === undefined ? 'all asked' : `asked from ${clockOf(from)} (${spanWords(seconds - from)})`,
      traffic.format.name,
    ].join('; '),
    sources: [source],
    asked,
    judge: report =>
      isRisen && report.verdict.kind === 'calm'
        ? [{measure: 'calm', why: `${verdictWords(report)}; ${foundWords(report)}`}]
        : [],
  };
};

/** Calm of any length, then errors, of which not even their level may pass for usual. */
export const gridRow: Row = {
  name: 'grid',
  count: 200,
  kindCount: 16,
  allowed: {calm: 0},
  draw: (random, index, linesMax) => buildGrid(random, drawPoint(random, index, linesMax)),
};
