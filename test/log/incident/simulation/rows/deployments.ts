import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {SinceReport} from '#log/incident/since-change.ts';
import {type DrawnCase, type Fault, type Row, spanWords, toldOf, verdictWords} from '../drawn-case.ts';
import {formats} from '../formats.ts';
import type {Random} from '../random.ts';
import {drawRollOut, type RollOut} from '../roll-out.ts';
import {answersAt, byTime, clockOf, type DrawnLine, instantOf, secondOf, takeAnswers} from '../take-lines.ts';
import {
  drawRequest,
  drawTraffic,
  faults,
  lineAt,
  newFaults,
  requestAt,
  sayAt,
  sayings,
  secondsOf,
  type Traffic,
} from '../traffic.ts';

/** What the new version does, and how it is told of. */
type ChangeMade = {
  readonly kind: string;
  /** Makes the line of a second another one, or none. */
  readonly lineOf: (line: DrawnLine, isNew: boolean) => readonly DrawnLine[];
  /** What each pod says when it starts. */
  readonly start?: (isNew: boolean) => string;
  readonly isIt: (finding: IncidentFinding) => boolean;
};

/** `density`: the least share of the lines that is enough of them, on either side, for anybody to tell. */
type Made = (random: Random, traffic: Traffic, density: number) => ChangeMade;

const victims = ['/checkout', '/cart', '/search'] as const;
const isGet = ({text}: DrawnLine, path: string): boolean => text.includes('GET') && text.includes(path);
const tells = (finding: IncidentFinding, whats: readonly IncidentFinding['what'][], ...words: readonly string[]) =>
  whats.includes(finding.what) &&
  words.every(word => `${finding.subject} ${finding.before} ${finding.now}`.includes(word));

const changes: readonly Made[] = [
  (random, traffic, density) => {
    const fault = random.pick(newFaults);
    const share = Math.max(density, random.scaled(0.01, 0.2));
    return {
      kind: 'a new kind of error',
      lineOf: (line, isNew) => [
        isNew && random.chance(share)
          ? sayAt({...traffic, writer: () => ({source: line.source})}, line.second, 'ERROR', fault, {
              id: random.whole(0, 1e6),
            })
          : line,
      ],
      isIt: finding => tells(finding, ['new'], fault),
    };
  },
  (random, traffic, density) => {
    const fault = random.pick(faults);
    const share = Math.max(density, random.scaled(0.005, 0.03));
    const times = random.between(4, 10);
    return {
      kind: 'more of a usual error',
      lineOf: (line, isNew) => [
        random.chance(isNew ? share * times : share)
          ? sayAt({...traffic, writer: () => ({source: line.source})}, line.second, 'ERROR', fault, {
              id: random.whole(0, 1e6),
            })
          : line,
      ],
      isIt: finding => tells(finding, ['rise'], fault),
    };
  },
  (random, traffic, density) => {
    const saying = random.pick(sayings);
    const share = Math.max(3 * density, 0.05);
    const kept = random.between(0.05, 0.25);
    return {
      kind: 'fewer of usual lines',
      lineOf: (line, isNew) => {
        const steady = random.chance(share)
          ? [
              sayAt({...traffic, writer: () => ({source: line.source})}, line.second, 'INFO', saying, {
                id: random.whole(0, 1e6),
              }),
            ]
          : [];
        return [...(line.text.includes(saying) ? [] : [line]), ...(isNew && !random.chance(kept) ? [] : steady)];
      },
      isIt: finding => tells(finding, ['fewer'], saying),
    };
  },
  (random, traffic) => {
    const saying = 'stock of warehouse synced';
    return {
      kind: 'lines that came steadily are gone',
      lineOf: (line, isNew) => [
        line,
        ...(!isNew && random.chance(0.03)
          ? [
              sayAt({...traffic, writer: () => ({source: line.source})}, line.second, 'INFO', saying, {
                count: random.whole(1, 99),
              }),
            ]
          : []),
      ],
      isIt: finding => tells(finding, ['stopped', 'gone'], saying),
    };
  },
  (random, traffic) => {
    const path = random.pick(victims);
    const times = random.between(2.5, 10);
    return {
      kind: 'slower requests',
      lineOf: (line, isNew) => {
        if (!isNew || !isGet(line, path)) {
          return [line];
        }
        const request = drawRequest(random, traffic);
        const writer = () => ({source: line.source});
        return [
          requestAt({...traffic, writer}, line.second, {
            ...request,
            ...{method: 'GET', path, ms: Math.round(request.ms * times)},
          }),
        ];
      },
      isIt: finding => tells(finding, ['slower'], path),
    };
  },
  (random, traffic) => {
    const [old, now] = [random.whole(20, 90), random.whole(2, 9)];
    const share = random.scaled(0.004, 0.05);
    return {
      kind: 'another token in lines that come steadily',
      lineOf: (line, isNew) => [
        random.chance(share)
          ? sayAt(
              {...traffic, writer: () => ({source: line.source})},
              line.second,
              'INFO',
              `connections idle in pool ${isNew ? now : old}`,
            )
          : line,
      ],
      isIt: finding => tells(finding, ['changed'], String(old), String(now)),
    };
  },
  random => {
    const [old, now] = [random.whole(20, 90), random.whole(2, 9)];
    return {
      kind: 'another token in what each pod says when it starts',
      lineOf: line => [line],
      start: isNew => `workers: pool ${isNew ? now : old}`,
      isIt: finding => tells(finding, ['changed'], String(old), String(now)),
    };
  },
];

/** Of fewer lines, chance might be told of. */
const enoughLines = 40;

/** The log of a deployment. Without a change, the new version does as the old one did. */
const drawLog = (random: Random, made: Made | undefined, linesMax: number) => {
  // A log is rather shorter than so quiet that nothing could be told from chance.
  const scale = Math.min(1, linesMax / (1.5 * 3600));
  const at = 60 * Math.max(7, scale * random.between(18, 50));
  const seconds = at + 60 * Math.max(8, scale * random.between(9, 40));
  const rollOut = drawRollOut(random, {seconds, at});
  const format = random.pick(formats.filter(({takes}) => takes !== undefined));
  const traffic = drawTraffic(random, {seconds, linesMax, format, rate: random.scaled(2, 20), writer: rollOut.writer});
  const density = enoughLines / (traffic.rate * Math.min(at, seconds - at));
  const change = made?.(random, traffic, density);
  const isNewOf = newnessOf(rollOut);
  const lines = secondsOf(random, traffic).flatMap(second => {
    const line = lineAt(random, traffic, second);
    return change === undefined ? [line] : change.lineOf(line, isNewOf(line));
  });
  // The old ones started within what is held, as the new ones do.
  const starts = rollOut.instances.flatMap(({source, isNew, from}, index): readonly DrawnLine[] =>
    change?.start === undefined
      ? []
      : [sayAt({...traffic, writer: () => ({source})}, isNew ? from + 0.3 : 20 + index, 'INFO', change.start(isNew))],
  );
  return {
    ...{at, seconds, rollOut, traffic, change},
    source: takeAnswers({
      answers: answersAt(byTime([...lines, ...starts, ...rollOut.lines(traffic)]), rollOut.answers, rollOut.podsAt),
      ...{isNumbered: true, changes: rollOut.changes},
    }),
  };
};

const newnessOf =
  ({instances}: RollOut) =>
  ({source, second}: DrawnLine): boolean =>
    instances.some(each => each.isNew && each.source.pod === source?.pod && second >= each.from);

const wordsOf = ({at, seconds, rollOut, traffic}: ReturnType<typeof drawLog>): string =>
  [
    `${spanWords(seconds)} of ${(60 * traffic.rate).toFixed(0)} lines/min`,
    `deployed at ${clockOf(at)}, ${spanWords(seconds - rollOut.until)} since`,
    rollOut.answers.length > 1 ? 'seen' : 'over before the log was opened',
    rollOut.changes.length > 0 ? 'with an activity' : 'without an activity',
    traffic.format.name,
  ].join('; ');

const told = ({verdict, findings}: SinceReport): string =>
  `${verdictWords({verdict})}; ${findings.slice(0, 4).map(toldOf).join('; ')}`;

/** The deployment is found where it was. */
const slackSeconds = 60;

const drawChanged = (random: Random, index: number, linesMax: number): DrawnCase => {
  const log = drawLog(random, changes[index % changes.length], linesMax);
  const {change, at, seconds, source} = log;
  return {
    ...{kind: change?.kind ?? '', words: wordsOf(log), sources: [source], asked: {now: instantOf(seconds + 1)}},
    judgeSince: (report): readonly Fault[] => {
      if (report === undefined) {
        return [{measure: 'missed', why: 'no deployment is known'}];
      }
      const off = secondOf(report.change.since) - at;
      const isFound = report.findings.some(finding => finding.confidence !== 'weak' && change?.isIt(finding));
      return Math.abs(off) > slackSeconds
        ? [{measure: 'missed', why: `deployed ${off.toFixed(0)} s off: ${toldOf(report.change)}`}]
        : isFound
          ? []
          : [{measure: 'missed', why: told(report)}];
    },
  };
};

const drawUnchanged = (random: Random, _index: number, linesMax: number): DrawnCase => {
  const log = drawLog(random, undefined, linesMax);
  return {
    ...{kind: 'unchanged', words: wordsOf(log), sources: [log.source], asked: {now: instantOf(log.seconds + 1)}},
    judgeSince: (report): readonly Fault[] => {
      // That the version is another is true.
      const wrong = report?.findings.filter(
        ({confidence, what, subject}) => confidence !== 'weak' && !(what === 'changed' && subject.includes('version')),
      );
      return report === undefined
        ? [{measure: 'false', why: 'no deployment is known'}]
        : wrong?.length === 0
          ? []
          : [{measure: 'false', why: told(report)}];
    },
  };
};

/** What is other since a deployment is found. */
export const changedRow: Row = {
  ...{name: 'deployments', count: 40, kindCount: changes.length, allowed: {missed: 4}},
  draw: drawChanged,
};

/** What is as before is not told to be other. */
export const unchangedRow: Row = {
  ...{name: 'unchanged', count: 40, kindCount: 1, allowed: {false: 2}},
  draw: drawUnchanged,
};
