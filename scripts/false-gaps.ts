/**
 * Runs the log engine against random services and judges what it says by what the services know: `node
 * scripts/false-gaps.ts [--family numbered|counted|said|inferred] [--first N] [--scenarios N] [--scenario N]`, with the seed
 * from SEED or a random one. Prints for each family how many services of 10,000 had which fault. Several processes can
 * share the work: each takes the scenarios from `--first` on. Exits with 0 if nothing was wrong, otherwise with 1.
 */
import {parseArgs} from 'node:util';
import {judgeScenario} from '../test/log/simulation/judge-scenario.ts';
import {clusterFamilies, drawCluster} from '../test/log/simulation/random-cluster.ts';
import type {Cluster} from '../test/log/simulation/simulated-cluster.ts';
import {createSubject} from '../test/log/simulation/subject.ts';
import {watchLooks} from '../test/log/simulation/watch-looks.ts';

/** The first few are enough to start with. */
const faultsShown = 5;
const faultsShownOfOne = 20;

const {values} = parseArgs({
  options: {
    family: {type: 'string'},
    first: {type: 'string'},
    scenarios: {type: 'string'},
    scenario: {type: 'string'},
  },
});
const isAlone = values.scenario !== undefined;
const seed = Number(process.env.SEED ?? Math.ceil(Math.random() * 2 ** 31));
const first = Number(values.scenario ?? values.first ?? 1);
const last = isAlone ? first : first + Number(values.scenarios ?? 100_000) - 1;
const families = clusterFamilies.filter(family => values.family === undefined || values.family === family);
if (families.length === 0 || !(first >= 1 && last >= first)) {
  console.error(`false-gaps: --family is one of ${clusterFamilies.join(', ')}, numbers are whole and from 1 on.`);
  process.exit(2);
}

const said = {
  numbered: 'services that give each line its number',
  counted: 'services that say how many lines arrived',
  said: 'services that say how they cut',
  inferred: 'services that say nothing, or not how many sources there are',
};

/** Kinds of faults, by the words that they begin with. */
const kinds = [
  {name: 'lost without a marker', pattern: /^(?:lost without a marker|no gap)/},
  {name: 'lost outside the range', pattern: /^(?:lost outside|whole since|a gap from)/},
  {name: 'a gap that lost nothing', pattern: /^a gap at/},
  {name: 'doubled or invented', pattern: /^(?:held|handed out)/},
  {name: 'dropped or out of order', pattern: /^(?:shown|its beginning|out of order|time decreases)/},
] as const;
const kindOf = (fault: string): string => kinds.find(({pattern}) => pattern.test(fault))?.name ?? 'something else';

const describe = ({options: {cut, show, tickNanos, banner, podList, says, sources}}: Cluster): string => {
  const size = [
    cut.lines === undefined ? [] : [`${cut.lines} lines`],
    cut.bytes === undefined ? [] : [`${cut.bytes} characters`],
    cut.spanNanos === undefined ? [] : [`${cut.spanNanos} ns`],
    cut.isShared ? ['shared'] : [],
  ].flat();
  return `${cut.per} by ${cut.by}, ${size.join(', ')}, shown by ${show}, says ${says}, sources ${sources}, tick ${tickNanos}, ${banner ?? 'no'} banner, pods ${podList}`;
};

console.log(`SEED=${seed}`);
let isWrong = false;
for (const family of families) {
  const startMs = performance.now();
  const sum = {polls: 0, gaps: 0, needless: 0, lost: 0, faulty: 0};
  const counts = new Map<string, number>();
  for (let scenario = first; scenario <= last; scenario++) {
    const cluster = drawCluster(seed, family, scenario);
    const judged = judgeScenario(watchLooks(cluster, createSubject({bufferBytesMax: 1e9})));
    sum.polls += judged.pollCount;
    sum.gaps += judged.gapCount;
    sum.needless += judged.needlessGapCount;
    sum.lost += judged.lostCount;
    if (judged.faults.length === 0) {
      continue;
    }
    sum.faulty += 1;
    for (const kind of new Set(judged.faults.map(kindOf))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    if (sum.faulty <= faultsShown || isAlone) {
      const shown = judged.faults.slice(0, isAlone ? faultsShownOfOne : 2);
      console.error([`${family} ${scenario}: ${describe(cluster)}`, ...shown].join('\n    '));
    }
  }
  isWrong ||= sum.faulty > 0;
  const count = last - first + 1;
  const seconds = (performance.now() - startMs) / 1000;
  console.log(
    `${said[family]}: ${count} services, ${sum.faulty} of them with faults, ${sum.polls} polls, ${sum.lost} lines lost, ${sum.gaps} gaps, ${sum.needless} of them lost nothing; ${Math.round(count / seconds)} services a second`,
  );
  for (const [kind, faulty] of [...counts].sort(([, a], [, b]) => b - a)) {
    console.log(`    ${((faulty / count) * 10_000).toFixed(2)} in 10,000: ${kind}`);
  }
}
process.exitCode = isWrong ? 1 : 0;
