import {indexAtOrAfter, timeAtIndex} from '#log/buffer/buffer.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {isTrouble} from '#log/incident/incident-finding.ts';
import type {Asked, IncidentSource} from '#log/incident/verdict.ts';
import {type DrawnCase, type Fault, type Row, spanWords, toldOf, verdictWords} from '../drawn-case.ts';
import {formats} from '../formats.ts';
import {type Random, timesOf} from '../random.ts';
import {drawRollOut} from '../roll-out.ts';
import {answersAt, byTime, type DrawnLine, instantOf, podOf, takeAnswers} from '../take-lines.ts';
import {drawRequest, drawTraffic, ordinaryLines, requestAt, sayAt, type Traffic} from '../traffic.ts';

type CalmLog = {
  readonly traffic: Traffic;
  readonly source: IncidentSource;
  /** How long ago it came to an end that is known. */
  readonly endedFor?: number;
};

const minute = 60;
const hour = 3600;

const taken = (lines: readonly DrawnLine[]): IncidentSource => takeAnswers({answers: [{lines: byTime(lines)}]});

/** Lines of a job that writes many at once, now and then. */
const burstsOf = (
  random: Random,
  traffic: Traffic,
  {every, most, level, message}: {every: number; most: number; level: 'INFO' | 'WARN' | 'ERROR'; message: string},
): readonly DrawnLine[] => {
  const count = random.whole(2, most);
  const lines: DrawnLine[] = [];
  for (let at = random.between(0, every); at < traffic.seconds; at += every * random.between(0.9, 1.1)) {
    for (let index = 0; index < count; index++) {
      const second = at + random.between(0, 4);
      lines.push(sayAt(traffic, Math.min(second, traffic.seconds), level, message, {record: index}));
    }
  }
  return lines;
};

/** Calm logs by what is usual in them. */
const calmKinds: Readonly<Record<string, (random: Random, linesMax: number) => CalmLog>> = {
  'an ordinary mixture': (random, linesMax) => {
    const traffic = drawTraffic(random, {seconds: random.between(20, 180) * minute, linesMax});
    const every = random.between(4, 19) * minute;
    const level = random.pick(['INFO', 'WARN'] as const);
    return {
      traffic,
      source: taken([
        ...ordinaryLines(random, traffic),
        ...burstsOf(random, traffic, {every, most: 60, level, message: 'nightly sync skipped record'}),
      ]),
    };
  },
  'a daily rhythm': (random, linesMax) => {
    const traffic = drawTraffic(random, {
      ...{seconds: random.between(2, 6) * hour, linesMax},
      rhythm: {depth: random.between(0.6, 0.92), turns: random.between(0.4, 1.3), phase: random.between(0, 6.28)},
    });
    return {traffic, source: taken(ordinaryLines(random, traffic))};
  },
  'a deployment that went well': (random, linesMax) => {
    const seconds = random.between(20, 120) * minute;
    const rollOut = drawRollOut(random, {seconds, at: seconds * random.between(0.15, 0.9)});
    const traffic = drawTraffic(random, {seconds, linesMax, writer: rollOut.writer});
    const lines = byTime([...ordinaryLines(random, traffic), ...rollOut.lines(traffic)]);
    const answers = answersAt(lines, rollOut.answers, rollOut.podsAt);
    return {traffic, source: takeAnswers({answers, isNumbered: true, changes: rollOut.changes})};
  },
  'bursts of a job': (random, linesMax) => {
    const traffic = drawTraffic(random, {seconds: random.between(40, 180) * minute, linesMax});
    const message = 'nightly sync skipped record';
    const every = random.between(3, 9) * minute;
    return {
      traffic,
      source: taken([
        ...ordinaryLines(random, traffic),
        ...burstsOf(random, traffic, {every, most: 120, level: 'INFO', message}),
      ]),
    };
  },
  'few lines': (random, linesMax) => {
    const seconds = random.between(1, 4) * hour;
    const traffic = drawTraffic(random, {seconds, linesMax, rate: random.between(12, 90) / seconds});
    return {traffic, source: taken(ordinaryLines(random, traffic))};
  },
  'one harmless error a minute': (random, linesMax) => {
    // Of a log with hardly any other line, it would not be harmless.
    const seconds = Math.min(random.between(45, 150) * minute, linesMax / 1.2);
    const traffic = drawTraffic(random, {seconds, linesMax, rate: random.scaled(1.2, 12), errorShare: 0});
    const isEven = random.chance(0.6);
    const errors = timesOf(random, {from: 0, to: seconds, perMinute: random.between(0.6, 1.4), isEven});
    return {
      traffic,
      source: taken([
        ...ordinaryLines(random, traffic),
        ...errors.map(second => sayAt(traffic, second, 'ERROR', 'metrics could not be pushed', {try: 1})),
      ]),
    };
  },
  'warnings in bursts': (random, linesMax) => {
    const traffic = drawTraffic(random, {seconds: random.between(50, 180) * minute, linesMax});
    const every = random.between(4, 11) * minute;
    return {
      traffic,
      source: taken([
        ...ordinaryLines(random, traffic),
        ...burstsOf(random, traffic, {every, most: 40, level: 'WARN', message: 'queue is long, waiting'}),
      ]),
    };
  },
  'errors of a job at each full hour': (random, linesMax) => {
    const traffic = drawTraffic(random, {seconds: random.between(3.1, 6) * hour, linesMax, errorShare: 0.0005});
    const count = random.whole(1, 8);
    const errors = Array.from({length: Math.floor(traffic.seconds / hour) + 1}, (_, index) => index * hour)
      .flatMap(at => Array.from({length: count}, () => at + random.between(0.5, 9)))
      .filter(second => second < traffic.seconds);
    return {
      traffic,
      source: taken([
        ...ordinaryLines(random, traffic),
        ...errors.map(second => sayAt(traffic, second, 'ERROR', 'report for tenant could not be built', {tenant: 7})),
      ]),
    };
  },
  'busy hours': (random, linesMax) => {
    const seconds = random.between(50, 200) * minute;
    const traffic = drawTraffic(random, {seconds, linesMax: linesMax / 3});
    const from = seconds * random.between(0.2, 0.8);
    const to = random.chance(0.5) ? seconds : from + (seconds - from) * random.between(0.3, 0.9);
    const times = random.between(1, 3);
    const busy = {...traffic, seconds: to - from, rate: traffic.rate * times};
    const more = ordinaryLines(random, busy).map(line => line.text);
    return {
      traffic,
      // What is more is of the same kinds; only its times are moved into the busy hours.
      source: taken([
        ...ordinaryLines(random, traffic),
        ...more.map(text => ({second: random.between(from, to), text})),
      ]),
    };
  },
  'pages that are not there': (random, linesMax) => {
    const traffic = drawTraffic(random, {
      ...{seconds: random.between(30, 150) * minute, linesMax, format: random.pick(formats)},
      notFoundShare: random.scaled(0.002, 0.04),
    });
    return {traffic, source: taken(ordinaryLines(random, traffic))};
  },
  'pods that come and go with the load': (random, linesMax) => {
    const seconds = random.between(40, 150) * minute;
    const names = Array.from({length: random.whole(3, 5)}, (_, index) => `api-6c9f7d5b8-${'xkqzv'[index]}${index}m2p`);
    const steady = names.slice(0, 2);
    const [from, to] = [seconds * random.between(0.2, 0.5), seconds * random.between(0.6, 0.92)];
    const listed = (second: number): readonly string[] => (second >= from && second < to ? names : steady);
    const writer = (second: number) => ({source: {pod: random.pick(listed(second))}});
    const traffic = drawTraffic(random, {seconds, linesMax, rate: random.scaled(1, 15), writer});
    const lines = byTime(ordinaryLines(random, traffic));
    const answers = answersAt(lines, [from / 2, from + 1, to + 1, seconds], second =>
      listed(second).map(name => podOf(name, steady.includes(name) ? -hour : from)),
    );
    return {traffic, source: takeAnswers({answers, isNumbered: true})};
  },
  'requests of which some are slow': (random, linesMax) => {
    const traffic = drawTraffic(random, {seconds: random.between(30, 150) * minute, linesMax, spread: 1.1});
    const lines = ordinaryLines(random, traffic);
    const slow = timesOf(random, {from: 0, to: traffic.seconds, perMinute: random.scaled(0.1, 2)});
    return {
      traffic,
      source: taken([
        ...lines,
        ...slow.map(second =>
          requestAt(traffic, second, {...drawRequest(random, traffic), path: '/report', ms: random.whole(2000, 9000)}),
        ),
      ]),
    };
  },
  'a command that has ended': (random, linesMax) => {
    const traffic = drawTraffic(random, {seconds: random.between(20, 60) * minute, linesMax});
    const source = {...taken(ordinaryLines(random, traffic)), hasEnded: () => true};
    return {traffic, source, endedFor: random.between(5, 60) * minute};
  },
  'health checks, and requests that fail now and then': (random, linesMax) => {
    const seconds = random.between(30, 180) * minute;
    const traffic = drawTraffic(random, {seconds, linesMax, errorShare: 0.001});
    const checks = timesOf(random, {from: 0, to: seconds, perMinute: 6, isEven: true});
    const failed = timesOf(random, {from: 0, to: seconds, perMinute: random.scaled(0.1, 0.6)});
    const asked = (second: number, path: string, status: number): DrawnLine =>
      requestAt(traffic, second, {...drawRequest(random, traffic), path, status});
    return {
      traffic,
      source: taken([
        ...ordinaryLines(random, traffic),
        ...checks.map(second => asked(second, '/healthz', 200)),
        ...failed.map(second => asked(second, '/search', 503)),
      ]),
    };
  },
};

const names = Object.keys(calmKinds);

/** Whether any line is of the time asked: of a time without one nobody can tell. */
const hasLine = ({buffer}: IncidentSource, {from = 0n, to}: Asked): boolean => {
  const at = timeAtIndex(buffer, indexAtOrAfter(buffer, from));
  return at !== undefined && (to === undefined || at <= to);
};

/** Draws a calm log, and from when on it is asked; what is asked is held, and more before it. */
export const drawCalm = (random: Random, index: number, linesMax: number): DrawnCase => {
  const kind = names[index % names.length] ?? '';
  const log = calmKinds[kind]?.(random, linesMax);
  if (log === undefined) {
    throw new Error(`no kind ${kind}`);
  }
  const {seconds, format, rate} = log.traffic;
  const from = random.chance(0.6) ? seconds * (1 - random.scaled(0.08, 0.5)) : undefined;
  // A range that was filtered ends before now does.
  const to = from !== undefined && random.chance(0.2) ? from + (seconds - from) * random.between(0.5, 0.9) : undefined;
  const asked: Asked = {
    // Of a file that nobody writes any more, there is no now.
    now: random.chance(0.1) ? undefined : instantOf(seconds + 1 + (log.endedFor ?? 0)),
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
  };
  return {
    kind,
    words: `${spanWords(seconds)} of ${(60 * rate).toFixed(1)} lines/min; ${from === undefined ? 'all asked' : `the last ${spanWords(seconds - from)} asked`}${to === undefined ? '' : ` but for ${spanWords(seconds - to)}`}; ${format.name}`,
    sources: [log.source],
    asked,
    judge: report => [...falselyFound(report), ...(hasLine(log.source, asked) ? falselyUnknown(report) : [])],
  };
};

const falselyFound = ({verdict, findings}: IncidentReport): readonly Fault[] =>
  verdict.kind === 'found' ? [{measure: 'found', why: findings.filter(isTrouble).map(toldOf).join('; ')}] : [];

/** These logs are whole and reach up to now: nothing in them keeps anybody from telling. */
const falselyUnknown = (report: IncidentReport): readonly Fault[] =>
  report.verdict.kind === 'unknown' ? [{measure: 'unknown', why: verdictWords(report)}] : [];

export const calmRow: Row = {
  name: 'calm',
  count: 100,
  kindCount: names.length,
  allowed: {found: 2, unknown: 0},
  draw: drawCalm,
};
