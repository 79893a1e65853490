/**
 * Runs the log engine against random services: `node scripts/false-gaps.ts [--scenarios N] [--scenario N]`, with the
 * seed from SEED or a random one. Reports how often a gap had lost nothing, by what the service declares about its
 * windows. Exits with 0 if no line was lost silently, otherwise with 1.
 */
import {parseArgs} from 'node:util';
import {judgeScenario} from '../test/log/simulation/judge-scenario.ts';
import {clusterFamilies, drawCluster} from '../test/log/simulation/random-cluster.ts';
import {createSubject} from '../test/log/simulation/subject.ts';
import {watchLooks} from '../test/log/simulation/watch-looks.ts';

/** The first few are enough to start with. */
const faultsShown = 5;

const {values} = parseArgs({options: {scenarios: {type: 'string'}, scenario: {type: 'string'}}});
const seed = Number(process.env.SEED ?? Math.ceil(Math.random() * 2 ** 31));
const first = Number(values.scenario ?? 1);
const last = values.scenario === undefined ? Number(values.scenarios ?? 100_000) : first;

const said = {
  cut: 'services that say how they cut',
  nothing: 'services that say nothing',
  arrivals: 'services that number their lines',
};
/** The error without its position. */
const kindOf = (fault: string): string => fault.replace(/ at (?:answer|\d).*|: .*| from \d.*| \d.*/, '');

console.log(`SEED=${seed}`);
const startMs = performance.now();
let isWrong = false;
for (const family of clusterFamilies) {
  const sum = {polls: 0, gaps: 0, needless: 0, lost: 0, faulty: 0};
  const kinds = new Map<string, number>();
  for (let scenario = first; scenario <= last; scenario++) {
    const cluster = drawCluster(seed, family, scenario);
    const judged = judgeScenario(watchLooks(cluster, createSubject({bufferBytesMax: 1e9})));
    sum.polls += judged.pollCount;
    sum.gaps += judged.gapCount;
    sum.needless += judged.needlessGapCount;
    sum.lost += judged.lostCount;
    if (judged.faults.length > 0) {
      sum.faulty += 1;
      for (const kind of new Set(judged.faults.map(kindOf))) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      if (sum.faulty <= faultsShown || values.scenario !== undefined) {
        const {cut, show, tickNanos, banner, podList} = cluster.options;
        const size = cut.lines === undefined ? `${cut.spanNanos} ns` : `${cut.lines} lines`;
        console.error(
          `${family} ${scenario}: ${cut.per} by ${cut.by}, ${size}, shown by ${show}, tick ${tickNanos}, ${banner ?? 'no'} banner, pods ${podList}`,
        );
        console.error(
          judged.faults
            .slice(0, values.scenario === undefined ? 2 : 20)
            .map(fault => `    ${fault}`)
            .join('\n'),
        );
      }
    }
  }
  isWrong ||= sum.faulty > 0;
  const rate = ((sum.needless / sum.polls) * 1000).toFixed(2);
  console.log(
    `${said[family]}: ${last - first + 1} scenarios, ${sum.polls} polls, ${sum.lost} lines lost, ${sum.gaps} gaps, ${sum.needless} of them had lost nothing (${rate} in 1,000 polls), ${sum.faulty} scenarios with faults`,
  );
  for (const [kind, count] of [...kinds].sort(([, a], [, b]) => b - a)) {
    console.log(`    ${count} with “${kind}”`);
  }
}
console.log(`${Math.round((performance.now() - startMs) / 1000)} s`);
process.exitCode = isWrong ? 1 : 0;
