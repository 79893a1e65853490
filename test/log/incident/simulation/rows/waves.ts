import {isOfMissing} from '#log/incident/incident-finding.ts';
import {type DrawnCase, type Fault, foundWords, type Row, spanWords, verdictWords} from '../drawn-case.ts';
import {formats} from '../formats.ts';
import {type Random, timesOf} from '../random.ts';
import {drawRollOut} from '../roll-out.ts';
import {answersAt, byTime, clockOf, instantOf, secondOf, takeAnswers} from '../take-lines.ts';
import {drawRequest, drawTraffic, newFaults, ordinaryLines, paths, requestAt, sayAt} from '../traffic.ts';

const waveCount = 8;
const slackSeconds = 5;

/** A day that was followed for 40 minutes and more: eight waves, and pods that a deployment replaced. */
const drawWaves = (random: Random, _index: number, linesMax: number): DrawnCase => {
  const seconds = 60 * random.between(44, 70);
  const apart = (60 * random.between(38, 42)) / (waveCount - 1);
  const lastAgo = random.between(60, 110);
  const waves = Array.from({length: waveCount}, (_, index) => {
    const from = seconds - lastAgo - (waveCount - 1 - index) * apart + random.between(-30, 20);
    return {from, to: from + random.between(20, 58)};
  });
  const rollOut = drawRollOut(random, {seconds, at: seconds - 60 * random.between(36, 40)});
  const format = random.pick(formats.filter(({takes}) => takes !== undefined));
  const traffic = drawTraffic(random, {
    ...{seconds, linesMax, format, writer: rollOut.writer},
    ...{rate: random.scaled(0.5, 15), errorShare: random.scaled(0.0003, 0.003)},
  });
  const path = random.pick(paths);
  const fault = random.pick(newFaults);
  const perMinute = Math.max(45, 60 * traffic.rate * random.between(0.2, 0.7));
  const wrong = waves.flatMap(({from, to}) =>
    timesOf(random, {from, to, perMinute}).map(second =>
      random.chance(0.6)
        ? requestAt(traffic, second, {
            ...drawRequest(random, traffic),
            ...{method: 'POST', path, status: 502},
          })
        : sayAt(traffic, second, 'ERROR', fault, {id: random.whole(0, 1e6)}),
    ),
  );
  const newest = waves.at(-1) ?? {from: 0, to: 0};
  const oldest = waves[0] ?? newest;
  const polls = Array.from({length: 12}, (_, index) => (seconds * (index + 1)) / 12);
  return {
    kind: 'waves',
    words: [
      `${spanWords(seconds)} of ${(60 * traffic.rate).toFixed(0)} lines/min`,
      `waves from ${waves.map(({from}) => clockOf(from)).join(', ')}, the last over for ${spanWords(seconds - newest.to)}`,
      `pods replaced at ${clockOf(rollOut.at)}`,
      format.name,
    ].join('; '),
    sources: [
      takeAnswers({
        answers: answersAt(
          byTime([...ordinaryLines(random, traffic), ...rollOut.lines(traffic), ...wrong]),
          [...new Set([...polls, ...rollOut.answers])].toSorted((a, b) => a - b),
          rollOut.podsAt,
        ),
        ...{isNumbered: true, changes: rollOut.changes},
      }),
    ],
    asked: {now: instantOf(seconds + 1)},
    judge: (report): readonly Fault[] => {
      const {findings} = report;
      const isOf = (wave: typeof newest, second: number): boolean =>
        second >= wave.from - slackSeconds && second <= wave.to + slackSeconds;
      const why = `${verdictWords(report)}; ${foundWords(report)}`;
      const [first] = findings;
      const subjects = findings.map(({of, subject}) => `${of} ${subject}`);
      const doubled = subjects.filter(
        (each, index) => subjects.slice(0, index).filter(earlier => earlier === each).length > 1,
      );
      const told = findings.slice(0, 3).find(({waves}) => waves !== undefined)?.waves;
      const isTold = told !== undefined && told.count === waveCount && isOf(oldest, secondOf(told.since));
      return [
        ...(first !== undefined && isOf(newest, secondOf(first.since)) && report.verdict.kind === 'found'
          ? []
          : [{measure: 'newest', why}]),
        ...(isTold && doubled.length === 0
          ? []
          : [
              {
                measure: 'one row',
                why: `${told === undefined ? 'no waves told' : `${told.count} waves since ${clockOf(secondOf(told.since))}`}; ${why}`,
              },
            ]),
        ...(findings.some(isOfMissing)
          ? [
              {
                measure: 'gone',
                why: findings
                  .filter(isOfMissing)
                  .map(({subject}) => subject)
                  .join(', '),
              },
            ]
          : []),
      ];
    },
  };
};

/** The newest wave is told first, and those before it in one row. */
export const waveRow: Row = {
  name: 'waves',
  count: 12,
  kindCount: 1,
  allowed: {newest: 0, 'one row': 0, gone: 0},
  draw: drawWaves,
};
