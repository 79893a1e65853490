/**
 * Runs the log engine against random services and judges what it says by what the services know: `node
 * scripts/false-gaps.ts [--family numbered|counted|said|inferred] [--first N] [--scenarios N] [--scenario N] [--show N]`, with the
 * seed from SEED or a random one. Prints for each family how many services of 10,000 had which fault, which traits the faulty ones
 * had, and apart from that how many had gaps that lost nothing. Of the first few faults, or of one `--scenario`, as little as still has the fault is
 * shown. Several processes can share the work: each takes the scenarios from `--first` on. Exits with 0 if nothing was wrong, otherwise with 1.
 */
import {parseArgs} from 'node:util';
import {formatInstant} from '#log/line/instant.ts';
import {judgeScenario} from '../test/log/simulation/judge-scenario.ts';
import {
  type ClusterFamily,
  clusterFamilies,
  type DrawnCluster,
  drawCluster,
} from '../test/log/simulation/random-cluster.ts';
import {shrinkCluster} from '../test/log/simulation/shrink-cluster.ts';
import type {Cluster} from '../test/log/simulation/simulated-cluster.ts';
import {createSubject} from '../test/log/simulation/subject.ts';
import {watchLooks} from '../test/log/simulation/watch-looks.ts';

const faultsOfOneMax = 6;
const traitsShown = 12;
const linesShownMax = 16;

const {values} = parseArgs({
  options: {
    family: {type: 'string'},
    first: {type: 'string'},
    scenarios: {type: 'string'},
    scenario: {type: 'string'},
    show: {type: 'string'},
  },
});
const isAlone = values.scenario !== undefined;
const seed = Number(process.env.SEED ?? Math.ceil(Math.random() * 2 ** 31));
const first = Number(values.scenario ?? values.first ?? 1);
const last = isAlone ? first : first + Number(values.scenarios ?? 100_000) - 1;
/** The first few are enough to start with. */
const faultsShown = Number(values.show ?? 5);
const families = clusterFamilies.filter(family => values.family === undefined || values.family === family);
if (families.length === 0 || !(first >= 1 && last >= first && faultsShown >= 0)) {
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
  {name: 'a time that is no clock’s', pattern: /^misdated/},
  {name: 'doubled or invented', pattern: /^(?:held|handed out)/},
  {name: 'dropped or out of order', pattern: /^(?:shown|its beginning|out of order|time decreases)/},
  {name: 'a series that lies is believed', pattern: /^believed/},
  {name: 'holes of a kind that are not folded', pattern: /^unfolded/},
] as const;
const kindOf = (fault: string): string => kinds.find(({pattern}) => pattern.test(fault))?.name ?? 'something else';

const watch = ({cluster}: DrawnCluster) => watchLooks(cluster, createSubject({bufferBytesMax: 1e9}));
const judge = (drawn: DrawnCluster) => judgeScenario(watch(drawn));

const describe = ({options: {cut, show, tickNanos, banner, podList, says, sources, heedsAfter}}: Cluster): string => {
  const size = [
    cut.lines === undefined ? [] : [`${cut.lines} lines`],
    cut.bytes === undefined ? [] : [`${cut.bytes} characters`],
    cut.spanNanos === undefined ? [] : [`${cut.spanNanos} ns`],
    cut.isShared ? ['shared'] : [],
  ].flat();
  return `${cut.per} by ${cut.by}, ${size.join(', ')}, shown by ${show}, says ${says}, sources ${sources}, tick ${tickNanos}, ${banner ?? 'no'} banner, pods ${podList}${heedsAfter ? ', heeds after' : ''}`;
};

const shorten = (lines: readonly string[]): string =>
  (lines.length > linesShownMax
    ? [...lines.slice(0, linesShownMax / 2), `… ${lines.length - linesShownMax} …`, ...lines.slice(-linesShownMax / 2)]
    : lines
  )
    .map(line => line.replace(/^2026-11-21T/, ''))
    .map(line => JSON.stringify(line))
    .join(' ');

/** The answers, and what came of each. */
const tell = (drawn: DrawnCluster): string => {
  const {looks, arrived} = watch(drawn);
  let cameTo = 0;
  return looks
    .flatMap(({window, added, wholeSince, arrivedCount, proof, isLagging, isBlank}, index) => {
      const {lines, pods, numbering, arrivals, serviceAt, notLines = []} = window;
      const came = arrived.slice(cameTo, arrivedCount);
      cameTo = Math.max(cameTo, arrivedCount);
      const unshown = came.filter(line => !looks.some(({shown}) => shown.includes(line)));
      const losses = numbering?.losses.map(({after, before, ...loss}) => ({
        ...loss,
        after: after && formatInstant(after),
        before: before && formatInstant(before),
      }));
      return [
        `answer ${index}${isLagging ? ' (older)' : ''}${isBlank ? ' (blank)' : ''}: ${serviceAt === undefined ? '' : `at ${formatInstant(serviceAt)} `}${pods.map(({name}) => name)}, ${lines.length} lines ${shorten(lines)}${notLines.length > 0 ? `, no lines at ${notLines}` : ''}`,
        ...(numbering === undefined
          ? arrivals === undefined
            ? []
            : [`  header ${JSON.stringify(arrivals)}`]
          : [
              `  series ${numbering.series}, first ${numbering.first}, numbers ${(numbering.numbers ?? [])
                .map(([from]) => from)
                .join(' ')
                .slice(0, 120)}, losses ${JSON.stringify(losses)}`,
            ]),
        ...(unshown.length === 0
          ? []
          : [
              `  arrived and never shown: ${unshown.length}, ${shorten([unshown[0], unshown.at(-1)].flatMap(line => (line === undefined ? [] : [`${line.raw} (${line.source})`])))}`,
            ]),
        ...added.flatMap(entry =>
          entry.kind === 'gap'
            ? [
                `  → gap ${formatInstant(entry.after)} to ${formatInstant(entry.before)}, ${entry.reason}${entry.grows ? ', grows' : ''}`,
              ]
            : entry.kind === 'line'
              ? []
              : [`  → ${entry.kind} ${entry.kind === 'pod' ? `${entry.name} ${entry.change}` : ''}`],
        ),
        `  → ${shorten(added.flatMap(entry => (entry.kind === 'line' ? [entry.raw] : [])))}; ${proof}, whole since ${wholeSince === undefined ? 'no time' : formatInstant(wholeSince)}`,
      ];
    })
    .join('\n      ');
};

const show = (family: ClusterFamily, scenario: number, faults: readonly string[]): void => {
  const kind = kindOf(faults[0] ?? '');
  const small = shrinkCluster({seed, family, scenario}, drawn =>
    judge(drawn).faults.some(fault => kindOf(fault) === kind),
  );
  const left = judge(small).faults;
  console.error(
    [
      `${family} ${scenario}: ${[...small.traits].join(' ')}; ${describe(small.cluster)}`,
      ...left.slice(0, isAlone ? faultsOfOneMax : 2),
      ...(isAlone ? [`  ${tell(small)}`] : []),
    ].join('\n    '),
  );
};

console.log(`SEED=${seed}`);
let isWrong = false;
for (const family of families) {
  const startMs = performance.now();
  const sum = {polls: 0, gaps: 0, needless: 0, lost: 0, faulty: 0, falsely: 0};
  const counts = new Map<string, number>();
  const traitCounts = new Map<string, number>();
  for (let scenario = first; scenario <= last; scenario++) {
    const drawn = drawCluster(seed, family, scenario);
    const judged = judge(drawn);
    sum.polls += judged.pollCount;
    sum.gaps += judged.gapCount;
    sum.needless += judged.needlessGapCount;
    sum.lost += judged.lostCount;
    sum.falsely += judged.falseGaps.length > 0 ? 1 : 0;
    if (isAlone && judged.falseGaps.length > 0) {
      console.error(judged.falseGaps.join('\n'));
    }
    if (judged.faults.length === 0) {
      continue;
    }
    sum.faulty += 1;
    for (const kind of new Set(judged.faults.map(kindOf))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    for (const trait of drawn.traits) {
      traitCounts.set(trait, (traitCounts.get(trait) ?? 0) + 1);
    }
    if (sum.faulty <= faultsShown || isAlone) {
      show(family, scenario, judged.faults);
    }
  }
  isWrong ||= sum.faulty > 0;
  const count = last - first + 1;
  const per10k = (many: number): string => ((many / count) * 10_000).toFixed(2);
  const seconds = (performance.now() - startMs) / 1000;
  console.log(
    `${said[family]}: ${count} services, ${sum.faulty} of them with faults, ${sum.polls} polls, ${sum.lost} lines lost, ${sum.gaps} gaps; ${Math.round(count / seconds)} services a second`,
  );
  for (const [kind, faulty] of [...counts].sort(([, a], [, b]) => b - a)) {
    console.log(`    ${per10k(faulty)} in 10,000: ${kind}`);
  }
  const most = [...traitCounts].sort(([, a], [, b]) => b - a).slice(0, traitsShown);
  console.log(`    traits of the faulty: ${most.map(([trait, faulty]) => `${trait} ${faulty}`).join(', ')}`);
  console.log(
    `    apart from that, in 10,000: ${per10k(sum.falsely)} with a gap that is known to be false, ${per10k(sum.needless)} gaps that lost nothing`,
  );
}
process.exitCode = isWrong ? 1 : 0;
