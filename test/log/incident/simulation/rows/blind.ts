import type {IncidentReport} from '#log/incident/find-incident.ts';
import {isOfMissing, isTrouble} from '#log/incident/incident-finding.ts';
import type {Asked, IncidentSource, UncoveredReason} from '#log/incident/verdict.ts';
import {type DrawnCase, type Fault, foundWords, type Row, spanWords, verdictWords} from '../drawn-case.ts';
import type {Random} from '../random.ts';
import {
  byTime,
  type DrawnAnswer,
  type DrawnLine,
  instantOf,
  type LogWanted,
  podOf,
  takeAnswers,
} from '../take-lines.ts';
import {drawTraffic, ordinaryLines, type Traffic} from '../traffic.ts';

/** What keeps anybody from telling. */
type Blindness = {
  readonly sources: readonly IncidentSource[];
  /** In seconds. */
  readonly asked: {readonly from?: number; readonly to?: number; readonly now?: number};
  /** Each names it. */
  readonly reasons: readonly UncoveredReason[];
  /** Somebody writes no more while others do: who says that it stopped, names it too. */
  readonly maybeFound?: true;
};

const minute = 60;

/** A calm log of an hour or more: what is drawn for each kind. */
type Base = {
  readonly random: Random;
  readonly seconds: number;
  readonly traffic: Traffic;
  readonly lines: readonly DrawnLine[];
  /** The same lines, each of one of three pods, written in turn. */
  readonly ofPods: readonly DrawnLine[];
  /** A second in the last half hour, but not in the last two minutes. */
  readonly late: number;
  /** So many seconds are asked: what is late is among them. */
  readonly scope: number;
};

const podNames = ['web-0', 'web-1', 'web-2'] as const;
const pods = podNames.map(name => podOf(name, -3600));

const drawBase = (random: Random, linesMax: number): Base => {
  const seconds = random.between(60, 110) * minute;
  // Steady: what is silent, is silent for long by its own measure.
  const traffic = drawTraffic(random, {
    ...{seconds, linesMax, errorShare: 0, warnShare: 0.003},
    rate: random.scaled(0.4, 8),
    rhythm: {depth: random.between(0, 0.2), turns: 0.5, phase: 0},
  });
  const lines = byTime(ordinaryLines(random, traffic));
  const ago = random.scaled(2, 30) * minute;
  return {
    ...{random, seconds, traffic, lines, late: seconds - ago},
    ofPods: lines.map((line, index) => ({...line, source: {pod: podNames[index % 3] ?? 'web-0'}})),
    scope: Math.min(seconds * 0.8, ago * random.between(1.2, 2.5)),
  };
};

const one = (
  answers: readonly DrawnAnswer[],
  more: Partial<IncidentSource> = {},
  wanted: Partial<LogWanted> = {},
): readonly IncidentSource[] => [takeAnswers({answers, ...wanted}, more)];

const numbered = {isNumbered: true} as const;

const before = (lines: readonly DrawnLine[], second: number): readonly DrawnLine[] =>
  lines.filter(line => line.second <= second);
const after = (lines: readonly DrawnLine[], second: number): readonly DrawnLine[] =>
  lines.filter(line => line.second > second);
const without = (lines: readonly DrawnLine[], pod: string, since: number): readonly DrawnLine[] =>
  lines.filter(({source, second}) => source?.pod !== pod || second <= since);

/** The log fell silent so many minutes ago, and so many are asked. */
const silentFor =
  (silent: number, asked: number | undefined) =>
  ({lines, seconds}: Base): Blindness => ({
    sources: one([{lines}]),
    asked: {now: seconds + silent * minute, ...(asked && {from: seconds + (silent - asked) * minute})},
    reasons: ['silence'],
  });

/** Two answers between which something happened. */
const inTwo = (
  {lines, late, seconds, scope}: Base,
  {first, second, asked}: {first?: Partial<DrawnAnswer>; second?: Partial<DrawnAnswer>; asked?: Blindness['asked']},
  wanted: Partial<LogWanted>,
  reasons: readonly UncoveredReason[],
): Blindness => ({
  sources: one(
    [
      {lines: before(lines, late), second: late, pods, ...first},
      {lines: after(lines, late), second: seconds, pods, ...second},
    ],
    {},
    wanted,
  ),
  asked: asked ?? {now: seconds + 1, from: seconds - scope},
  reasons,
});

/** Kinds of what nobody can tell, by what was seen of them. */
const blindKinds: Readonly<Record<string, (base: Base) => Blindness>> = {
  'the log fell silent 8 minutes ago': silentFor(8, undefined),
  'the log fell silent 15 minutes ago, 10 are asked': silentFor(15, 10),
  'the log fell silent 30 minutes ago, an hour is asked': silentFor(30, 60),
  'the log fell silent 9 minutes ago, 10 are asked': silentFor(9, 10),
  'a loud log fell silent a minute ago': ({random, seconds}) => {
    const traffic = drawTraffic(random, {...{seconds: 900, linesMax: 5000, rate: 5, errorShare: 0}});
    const lines = ordinaryLines(random, traffic).map(line => ({...line, second: line.second + seconds - 900}));
    return {sources: one([{lines: byTime(lines)}]), asked: {now: seconds + 60}, reasons: ['silence']};
  },
  'a log of one line a minute fell silent 20 minutes ago': ({random, seconds, lines}) => ({
    sources: one([{lines: lines.filter((_, index) => index % Math.ceil(lines.length / (seconds / 60)) === 0)}]),
    asked: {now: seconds + 20 * minute, from: seconds - random.between(5, 20) * minute},
    reasons: ['silence'],
  }),
  'a job that wrote each five minutes has not for half an hour, alone': ({random, seconds, lines}) => ({
    sources: one([{lines: lines.filter(({second}) => second % 300 < 20)}]),
    asked: {now: seconds + 30 * minute, from: seconds - random.between(5, 20) * minute},
    reasons: ['silence'],
  }),
  'a line of every five minutes stays away for twelve': ({random, seconds}) => ({
    sources: one([
      {
        lines: Array.from({length: Math.floor(seconds / 300)}, (_, index) => ({
          ...{second: index * 300 + random.between(0, 20), text: `INFO job ${index} done`},
        })),
      },
    ]),
    asked: {now: Math.floor(seconds / 300) * 300 + 450, from: seconds - random.between(15, 30) * minute},
    reasons: ['silence'],
  }),
  'a heartbeat of every 20 seconds stopped two minutes ago, others write': ({random, lines, seconds}) => ({
    sources: one(
      [
        {
          lines: byTime([
            ...lines.map(line => ({...line, source: {pod: 'web-0'}})),
            ...Array.from({length: Math.floor(seconds / 20) - 6}, (_, index) => ({
              second: index * 20 + random.between(0, 2),
              ...{text: `level=info msg=heartbeat n=${index}`, source: {pod: 'worker-0'}},
            })),
          ]),
          pods: [podOf('web-0', -3600), podOf('worker-0', -3600)],
          second: seconds,
        },
      ],
      {},
      numbered,
    ),
    asked: {now: seconds + 1, from: seconds - 600},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'one of three pods is silent, and still listed': ({ofPods, late, seconds}) => ({
    sources: one([{lines: without(ofPods, 'web-1', late), pods, second: seconds}], {}, numbered),
    asked: {now: seconds + 1},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'one of three pods is silent since before what is asked, and still listed': ({ofPods, seconds}) => ({
    sources: one([{lines: without(ofPods, 'web-2', seconds - 900), pods, second: seconds}], {}, numbered),
    asked: {now: seconds + 1, from: seconds - 300},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'two of three pods are silent': ({ofPods, late, seconds}) => ({
    sources: one(
      [{lines: without(without(ofPods, 'web-1', late), 'web-2', late - 9), pods, second: seconds}],
      {},
      numbered,
    ),
    asked: {now: seconds + 1},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'a container is silent, the other one of its pod writes': ({lines, late, seconds}) => ({
    sources: one(
      [
        {
          lines: lines
            .map((line, index) => ({...line, source: {pod: 'web-0', container: index % 2 === 0 ? 'php' : 'nginx'}}))
            .filter(({source, second}) => source.container === 'nginx' || second <= late),
          pods: [podOf('web-0', -3600)],
          second: seconds,
        },
      ],
      {},
      numbered,
    ),
    asked: {now: seconds + 1},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'only health checks of another source go on': ({ofPods, late, seconds}) => ({
    sources: one(
      [
        {
          lines: byTime([
            ...before(ofPods, late),
            ...Array.from({length: Math.floor(seconds / 10)}, (_, index) => ({
              ...{second: index * 10, text: 'INFO probe ok', source: {pod: 'probe-0'}},
            })),
          ]),
          pods: [...pods, podOf('probe-0', -3600)],
          second: seconds,
        },
      ],
      {},
      numbered,
    ),
    asked: {now: seconds + 1, from: late - 60},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'no line is within what is asked': ({lines, seconds}) => ({
    sources: one([{lines}]),
    asked: {now: seconds + 12 * minute, from: seconds + 2 * minute},
    reasons: ['silence', 'noLines'],
  }),
  'no line is within a range that was filtered, before the newest': ({lines, late, seconds, scope}) => {
    const length = Math.min(scope, late / 2);
    return {
      sources: one([{lines: [...before(lines, late - length), ...after(lines, late)]}]),
      asked: {now: seconds + 1, from: late - length * 0.9, to: late - length * 0.1},
      reasons: ['silence', 'noLines', 'quiet'],
    };
  },
  'no line is held': ({seconds}) => ({
    sources: one([{lines: [], second: seconds}]),
    asked: {now: seconds, from: seconds - 600},
    reasons: ['noLines'],
  }),
  'no line is held, and all is asked': ({seconds}) => ({
    sources: one([{lines: [], second: seconds}], {}, numbered),
    asked: {now: seconds},
    reasons: ['noLines'],
  }),
  'only markers are held': ({seconds}) => ({
    sources: one(
      [
        {lines: [], second: seconds - 900, pods: pods.slice(1)},
        {lines: [], second: seconds, pods},
      ],
      {},
      {
        ...numbered,
        changes: [
          {
            change: {kind: 'activity', action: 'DEPLOY_APPLICATION', status: 'SUCCESS', createdBy: 'user-9'},
            happenedAt: instantOf(seconds - 600),
          },
        ],
      },
    ),
    asked: {now: seconds, from: seconds - 1200},
    reasons: ['noLines'],
  }),
  'no line is held, since no pod can be read': ({seconds}) => ({
    sources: one([{lines: [], second: seconds, pods}], {unreadable: {why: 'forbidden'}}),
    asked: {now: seconds, from: seconds - 600},
    reasons: ['noLines', 'unreadable'],
  }),
  'the window has 29 seconds, 10 minutes are asked': ({lines, seconds}) => ({
    sources: one([{lines: after(lines, seconds - 29)}]),
    asked: {now: seconds + 1, from: seconds - 600},
    reasons: ['older', 'unread'],
  }),
  'the window has 29 seconds, older ones could be read': ({lines, seconds}) => ({
    sources: one([{lines: after(lines, seconds - 29)}], {hasOlder: true}),
    asked: {now: seconds + 1, from: seconds - 600},
    reasons: ['unread'],
  }),
  'an hour is asked, a part of it is held': ({random, lines, seconds}) => ({
    sources: one([{lines: after(lines, seconds - 60 * random.between(10, 58))}]),
    asked: {now: seconds + 1, from: seconds - 3600},
    reasons: ['older'],
  }),
  'older ones are not read yet': ({random, lines, seconds}) => ({
    sources: one([{lines: after(lines, seconds - 60 * random.between(10, 55))}], {hasOlder: true}),
    asked: {now: seconds + 1, from: seconds - 3600},
    reasons: ['unread'],
  }),
  'the buffer let go of older ones': ({random, seconds}) => {
    const traffic = drawTraffic(random, {seconds, linesMax: 6000, rate: 4, errorShare: 0});
    const lines = byTime(ordinaryLines(random, traffic));
    const answers = Array.from({length: 12}, (_, index) => ({
      lines: lines.filter(({second}) => Math.floor((second / seconds) * 12) === index),
    }));
    return {
      sources: one(answers, {}, {isNumbered: true, bufferBytesMax: 128 * 1024}),
      asked: {now: seconds + 1, from: 30},
      reasons: ['older'],
    };
  },
  'a range is asked that is older than what is held': ({lines, late, seconds, scope}) => ({
    sources: one([{lines: after(lines, late)}]),
    asked: {now: seconds + 1, from: late - scope, to: late - scope / 3},
    reasons: ['older', 'noLines'],
  }),
  'of some sources it is whole only since later': ({lines, late, seconds, scope}) => ({
    sources: one([{lines}], {wholeSince: instantOf(late), proof: 'said'}),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['older'],
  }),
  'the window moved on, and lines are missing': base =>
    inTwo(base, {second: {lines: after(base.lines, base.late + 40)}}, {}, ['gap']),
  'numbers are missing': base =>
    inTwo(base, {second: {lines: after(base.lines, base.late + 40), dropped: 77}}, numbered, ['gap']),
  'one number is missing': base => inTwo(base, {second: {dropped: 1}}, numbered, ['gap']),
  'numbers are missing in the last answer': ({lines, seconds}) => ({
    sources: one([{lines: before(lines, seconds - 20)}, {lines: after(lines, seconds - 5), dropped: 9}], {}, numbered),
    asked: {now: seconds + 1, from: seconds - 600},
    reasons: ['gap'],
  }),
  'a gap reaches over the beginning of what is asked': base =>
    inTwo(
      base,
      {
        second: {lines: after(base.lines, base.late + 60), dropped: 50},
        asked: {now: base.seconds + 1, from: base.late + 30},
      },
      numbered,
      ['gap'],
    ),
  'the service tells of a loss': base =>
    inTwo(
      base,
      {
        second: {
          lines: after(base.lines, base.late + 30),
          losses: [{after: instantOf(base.late), before: instantOf(base.late + 30), why: 'the file was cut off'}],
        },
      },
      numbered,
      ['loss'],
    ),
  'the service tells of a loss of one source': ({ofPods, late, seconds, scope}) => ({
    sources: one(
      [
        {lines: before(ofPods, late), pods, second: late},
        {
          lines: after(ofPods, late).filter(({source, second}) => source?.pod !== 'web-1' || second > late + 30),
          ...{pods, second: seconds},
          losses: [{source: {pod: 'web-1'}, after: instantOf(late), before: instantOf(late + 30), why: 'rotated away'}],
        },
      ],
      {},
      numbered,
    ),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['loss'],
  }),
  'the service tells of a loss in the last answer, whose end is not known': ({ofPods, seconds}) => ({
    sources: one(
      [
        {lines: before(ofPods, seconds - 20), pods, second: seconds - 20},
        {
          lines: after(ofPods, seconds - 20).filter(({source}) => source?.pod !== 'web-1'),
          ...{pods, second: seconds - 1},
        },
        {
          lines: [],
          ...{pods, second: seconds},
          losses: [{source: {pod: 'web-1'}, after: instantOf(seconds - 20), why: 'the file was emptied'}],
        },
      ],
      {},
      numbered,
    ),
    asked: {now: seconds + 1, from: seconds - 600},
    reasons: ['loss'],
  }),
  'the service numbers its lines anew': base =>
    inTwo(base, {second: {series: 'b', lines: after(base.lines, base.late + 10)}}, numbered, ['gap']),
  'the windows were empty in between': ({lines, late, seconds, scope}) => ({
    sources: one([
      {lines: before(lines, late), second: late},
      {lines: [], second: late + 20},
      {lines: after(lines, late + 40), second: seconds},
    ]),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['quiet', 'gap'],
  }),
  'each pod is cut on its own, and too many lines came at once': ({ofPods, late, seconds, scope}) => ({
    sources: one([
      {lines: before(ofPods, late), pods, second: late, claims: {cut: 'pod'}},
      {lines: after(ofPods, late + 15), pods, second: seconds, claims: {cut: 'pod'}},
    ]),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['gap'],
  }),
  'items in between are no lines': base =>
    inTwo(base, {second: {claims: {notLines: [base.lines.length - 3]}, lines: base.lines}}, {}, ['notLines']),
  'the last answers have items that are no lines': ({lines, late, seconds, scope}) => ({
    sources: one([{lines}], {notLinesFrom: instantOf(late)}),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['notLines'],
  }),
  'in place of lines came what is no line, as the service says': base =>
    inTwo(
      base,
      {
        second: {
          // An item has a number of its own, which no line has.
          dropped: 1,
          losses: [
            {
              ...{after: instantOf(base.late - 1), before: instantOf(base.late + 1)},
              ...{why: 'an item was no line', lines: 1, isNoLine: true},
            },
          ],
        },
      },
      numbered,
      ['notLines', 'loss'],
    ),
  'a pod can not be read since some minutes': ({ofPods, late, seconds, scope}) => ({
    sources: one(
      [{lines: without(ofPods, 'web-2', late), pods, second: seconds}],
      {unreadable: {why: 'web-2: 403', since: instantOf(late)}},
      numbered,
    ),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['unreadable', 'silence'],
    maybeFound: true,
  }),
  'a pod could not be read from the beginning': ({ofPods, seconds, scope}) => ({
    sources: one(
      [{lines: without(ofPods, 'web-2', -1), pods, second: seconds}],
      {unreadable: {why: 'web-2: container is creating'}},
      numbered,
    ),
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['unreadable'],
  }),
  'the service does not answer since some minutes': ({lines, late, seconds, scope}) => ({
    sources: one([{lines: before(lines, late)}], {failingSince: instantOf(late)}),
    asked: {now: seconds, from: seconds - scope},
    reasons: ['outage', 'silence'],
  }),
  'the service does not answer since 20 seconds': ({lines, seconds, scope}) => ({
    sources: one([{lines}], {failingSince: instantOf(seconds)}),
    asked: {now: seconds + 20, from: seconds - scope},
    reasons: ['outage'],
  }),
  'the clock of a pod is some minutes behind what is asked': ({random, ofPods, seconds}) => {
    const behind = random.between(2, 12) * minute;
    const lines = ofPods.map(line => (line.source?.pod === 'web-1' ? {...line, second: line.second - behind} : line));
    return {
      sources: one([{lines, pods, second: seconds}], {}, numbered),
      asked: {now: seconds + 1, from: seconds - behind / 2},
      reasons: ['silence'],
      maybeFound: true,
    };
  },
  'the clock of a pod is ahead, and all others fell silent': ({random, ofPods, seconds}) => {
    const ahead = random.between(4, 25) * minute;
    const since = seconds - random.between(8, 20) * minute;
    const lines = ofPods
      .filter(({source, second}) => source?.pod === 'web-1' || second <= since)
      .map(line => (line.source?.pod === 'web-1' ? {...line, second: line.second + ahead} : line));
    return {
      sources: one([{lines, pods, second: seconds}], {}, numbered),
      asked: {now: seconds + 1, from: since - 60},
      reasons: ['silence'],
      maybeFound: true,
    };
  },
  'one of two branches is calm and whole, the other has no line': ({lines, seconds, scope}) => ({
    sources: [...one([{lines}]), ...one([{lines: [], second: seconds}])],
    asked: {now: seconds + 1, from: seconds - scope},
    reasons: ['noLines'],
  }),
  'one of two branches is calm and whole, the other fell silent': ({lines, ofPods, late, seconds}) => ({
    sources: [...one([{lines}]), ...one([{lines: before(ofPods, late), pods, second: seconds}], {}, numbered)],
    asked: {now: seconds + 1, from: late - 60},
    reasons: ['silence'],
    maybeFound: true,
  }),
  'one of two branches is calm and whole, the other has a gap': base => {
    const {sources, asked, reasons} = inTwo(
      base,
      {second: {lines: after(base.lines, base.late + 40), dropped: 7}},
      numbered,
      ['gap'],
    );
    return {sources: [...one([{lines: base.lines}]), ...sources], asked, reasons};
  },
};

const kinds = Object.keys(blindKinds);

const drawBlind = (random: Random, index: number, linesMax: number): DrawnCase => {
  const kind = kinds[index % kinds.length] ?? '';
  const base = drawBase(random, linesMax);
  const blindness = blindKinds[kind]?.(base);
  if (blindness === undefined) {
    throw new Error(`no kind ${kind}`);
  }
  const {sources, asked, reasons, maybeFound = false} = blindness;
  const {from, to, now} = asked;
  const instantMaybe = (second: number | undefined) => (second === undefined ? undefined : instantOf(second));
  const wanted: Asked = {from: instantMaybe(from), to: instantMaybe(to), now: instantMaybe(now)};
  return {
    kind,
    words: `${spanWords(base.seconds)} of ${(60 * base.traffic.rate).toFixed(0)} lines/min; ${from === undefined ? 'all asked' : `asked from ${spanWords(base.seconds - from)} before the end`}; ${base.traffic.format.name}`,
    sources,
    asked: wanted,
    judge: report => judgeBlind(report, reasons, maybeFound),
  };
};

const judgeBlind = (
  report: IncidentReport,
  reasons: readonly UncoveredReason[],
  maybeFound: boolean,
): readonly Fault[] => {
  const {verdict, basis, findings} = report;
  const why = `${verdictWords(report)}; ${foundWords(report)}`;
  switch (verdict.kind) {
    case 'calm':
      return [{measure: 'calm', why}];
    case 'found':
      return maybeFound &&
        findings.filter(isTrouble).every(isOfMissing) &&
        basis.uncovered.some(each => reasons.includes(each.why))
        ? []
        : [{measure: 'reason', why}];
    case 'unknown':
      return reasons.some(reason => reason === verdict.why.why)
        ? []
        : [{measure: 'reason', why: `${why}; instead of ${reasons.join(' or ')}`}];
    default:
      return verdict satisfies never;
  }
};

/** What is silent, uncovered, unreadable or lost: nobody can tell, and the reason is named. */
export const blindRow: Row = {
  name: 'blind',
  count: kinds.length,
  kindCount: kinds.length,
  allowed: {calm: 0, reason: 0},
  draw: drawBlind,
};
