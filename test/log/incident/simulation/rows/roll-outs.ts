import {isOfMissing, isTrouble} from '#log/incident/incident-finding.ts';
import {type DrawnCase, foundWords, type Row, spanWords, toldOf, verdictWords} from '../drawn-case.ts';
import {type Random, timesOf} from '../random.ts';
import {drawRollOut} from '../roll-out.ts';
import {answersAt, byTime, clockOf, instantOf, takeAnswers} from '../take-lines.ts';
import {drawTraffic, newFaults, ordinaryLines, sayAt} from '../traffic.ts';

const drawRollOutCase = (random: Random, _index: number, linesMax: number): DrawnCase => {
  const seconds = 60 * random.between(20, 75);
  const rollOut = drawRollOut(random, {seconds, at: seconds * random.between(0.2, 0.8)});
  const traffic = drawTraffic(random, {seconds, linesMax, rate: random.scaled(1, 12), writer: rollOut.writer});
  const level = random.chance(0.7) ? 'ERROR' : 'WARN';
  const fault = random.pick(newFaults);
  // The new ones write it from the first minute on: so that there is something to find, a dozen times and more.
  const from = rollOut.at + random.between(3, 60);
  const perMinute = Math.max(random.scaled(1, 40), (12 * 60) / (seconds - from));
  const times = timesOf(random, {from, to: seconds, perMinute});
  const own = {...traffic, writer: rollOut.newWriter};
  const lines = byTime([
    ...ordinaryLines(random, traffic),
    ...rollOut.lines(traffic),
    ...times.map(second => sayAt(own, second, level, fault, {order_id: random.whole(0, 99_999)})),
  ]);
  const names = rollOut.instances.map(({pod}) => pod.name);
  const {answers, changes} = rollOut;
  return {
    kind: `${answers.length > 1 ? 'seen' : 'over before the log was opened'}, ${new Set(names).size < names.length ? 'the same names' : 'new names'}`,
    words: [
      `${spanWords(seconds)} of ${(60 * traffic.rate).toFixed(0)} lines/min`,
      `${names.length / 2} pods replaced ${clockOf(rollOut.at)} to ${clockOf(rollOut.until)}, ${spanWords(seconds - rollOut.until)} ago`,
      `${level} "${fault}" ${times.length} times since`,
      changes.length > 0 ? 'with an activity' : 'without an activity',
      traffic.format.name,
    ].join('; '),
    sources: [takeAnswers({answers: answersAt(lines, answers, rollOut.podsAt), isNumbered: true, changes})],
    asked: {now: instantOf(seconds + 1)},
    judge: report => {
      const {findings, verdict} = report;
      const gone = findings.filter(
        finding => isOfMissing(finding) && names.some(name => finding.subject.includes(name)),
      );
      const isFound =
        verdict.kind === 'found' && findings.some(finding => isTrouble(finding) && finding.subject.includes(fault));
      return [
        ...(gone.length > 0 ? [{measure: 'gone', why: gone.map(toldOf).join('; ')}] : []),
        ...(isFound ? [] : [{measure: 'missed', why: `${verdictWords(report)}; ${foundWords(report)}`}]),
      ];
    },
  };
};

/** Pods that are replaced are not gone, and what the new ones bring is found. */
export const rollOutRow: Row = {
  name: 'roll-outs',
  count: 50,
  kindCount: 1,
  allowed: {gone: 0, missed: 5},
  draw: drawRollOutCase,
};
