import {expect, test} from 'vitest';
import {findSince, type SinceReport} from '#log/incident/since-change.ts';
import {finishWork} from '#log/work.ts';
import {runsOf} from '../../support/thorough.ts';
import {type Random, randomOf} from './simulation/random.ts';
import {drawRollOut} from './simulation/roll-out.ts';
import {answersAt, byTime, type DrawnLine, instantOf, secondOf, takeAnswers} from './simulation/take-lines.ts';
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
} from './simulation/traffic.ts';

const seed = Number(process.env.SEED ?? 42);

/** What a deployment changed: by what it is told, and of what. */
type Planted = {readonly whats: readonly string[]; readonly subject: string};

const kinds = ['new', 'more', 'fewer', 'gone', 'slower', 'token', 'setting'] as const;
type Kind = (typeof kinds)[number];

const minutes = 60;

/** Half an hour and more of a log with a roll-out in it, and with a change that it made, or none. */
const drawDeployment = (random: Random, kind: Kind | undefined, linesMax: number) => {
  const at = minutes * random.between(20, 50);
  const seconds = at + minutes * random.between(10, 40);
  const rollOut = drawRollOut(random, {seconds, at});
  const traffic = drawTraffic(random, {seconds, linesMax, rate: random.scaled(2, 20), writer: rollOut.writer});
  const [fault, known, saying] = [random.pick(newFaults), random.pick(faults), random.pick(sayings)];
  const path = random.pick(['/cart', '/checkout', '/search'] as const);
  const share = random.scaled(0.02, 0.2);
  const {takes} = traffic.format;
  const made = kind === 'slower' && takes === undefined ? 'new' : kind;
  const isNew = (second: number): boolean => second >= rollOut.at && rollOut.instances.some(({from}) => second >= from);
  const [size, later] = [random.whole(20, 80), random.whole(2, 10)];
  const lines = secondsOf(random, traffic).flatMap((second): readonly DrawnLine[] => {
    const line = lineAt(random, traffic, second);
    if (!isNew(second) || second < rollOut.until) {
      return made === 'token' && random.chance(0.05)
        ? [
            line,
            sayAt(
              traffic,
              second,
              'INFO',
              `worker pool ${second < rollOut.at ? size : random.pick([size, later])} ready`,
            ),
          ]
        : [line];
    }
    switch (made) {
      case 'new':
        return random.chance(share) ? [sayAt(traffic, second, 'ERROR', fault, {id: random.whole(0, 1e6)})] : [line];
      case 'more':
        return random.chance(Math.max(share, 5 * traffic.errorShare))
          ? [sayAt(traffic, second, 'ERROR', known, {id: random.whole(0, 1e6)})]
          : [line];
      case 'fewer':
        return line.text.includes(saying) && random.chance(0.85) ? [] : [line];
      case 'gone':
        return line.text.includes(path) ? [] : [line];
      case 'slower': {
        const asked = drawRequest(random, traffic);
        return random.chance(share)
          ? [
              requestAt(traffic, second, {
                ...asked,
                method: 'GET',
                path,
                ms: Math.round(asked.ms * random.between(4, 20)),
              }),
            ]
          : line.text.includes(path)
            ? []
            : [line];
      }
      case 'token':
        return random.chance(0.05) ? [line, sayAt(traffic, second, 'INFO', `worker pool ${later} ready`)] : [line];
      default:
        return [line];
    }
  });
  const started = rollOut.instances.flatMap(({isNew: isOfNew, from}) => {
    const second = isOfNew ? from + 1 : random.between(10, 600);
    return made === 'setting'
      ? [sayAt(traffic, second, 'INFO', 'connection pool configured', {pool_size: isOfNew ? later : size})]
      : [];
  });
  const all = byTime([...lines, ...started, ...rollOut.lines(traffic)]).filter(
    ({second}) => second >= 0 && second <= seconds,
  );
  const planted: Planted | undefined =
    made === undefined
      ? undefined
      : {
          new: {whats: ['new', 'rise'], subject: fault},
          more: {whats: ['rise', 'new'], subject: known},
          fewer: {whats: ['fewer', 'stopped'], subject: saying},
          gone: {whats: ['stopped', 'fewer'], subject: path},
          slower: {whats: ['slower'], subject: path},
          token: {whats: ['changed'], subject: 'pool'},
          setting: {whats: ['changed'], subject: 'pool'},
        }[made];
  const source = takeAnswers({
    answers: answersAt(all, rollOut.answers, rollOut.podsAt),
    isNumbered: true,
    changes: rollOut.changes,
  });
  return {
    planted,
    source,
    made,
    at: rollOut.at,
    words: `${made} ${path} ${saying}, share ${share.toFixed(3)}, ${traffic.format.name}, ${(60 * traffic.rate).toFixed(0)} lines/min, rolled out at ${at.toFixed(0)} of ${seconds.toFixed(0)} s`,
    now: instantOf(seconds + 1),
  };
};

const told = (report: SinceReport | undefined): string =>
  report === undefined
    ? 'no deployment'
    : `${report.verdict.kind} since ${secondOf(report.change.since).toFixed(0)}: ${report.findings
        .map(
          ({what, of, subject, confidence, before, now}) => `${what} ${of} ${subject} ${before} ${now} ${confidence}`,
        )
        .slice(0, 6)
        .join('; ')}`;

test(`what a deployment changed is found (SEED=${seed})`, () => {
  const runs = runsOf(28);
  const missed = Array.from({length: runs}, (_, index) => index).flatMap(index => {
    const {planted, source, words, now} = drawDeployment(
      randomOf(seed * 1000 + index),
      kinds[index % kinds.length],
      6000,
    );
    const report = finishWork(findSince([source], {now}));
    const place =
      report?.findings.findIndex(
        ({what, subject, confidence}) =>
          planted?.whats.includes(what) && subject.includes(planted.subject) && confidence !== 'weak',
      ) ?? -1;
    return place >= 0 && place < 4 && report?.verdict.kind === 'found' ? [] : [`${index} ${words}: ${told(report)}`];
  });
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Math.ceil(runs / 10));
});

test(`of deployments that changed nothing, nothing is found (SEED=${seed})`, () => {
  const runs = runsOf(28);
  const found = Array.from({length: runs}, (_, index) => index).flatMap(index => {
    const {source, words, now} = drawDeployment(randomOf(seed * 1000 + 500 + index), undefined, 6000);
    const report = finishWork(findSince([source], {now}));
    return report?.verdict.kind === 'calm'
      ? []
      : [
          `${index} ${words}: ${told(report)} ${JSON.stringify(report?.verdict, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}`,
        ];
  });
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(Math.ceil(runs / 20));
});
