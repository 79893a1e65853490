/**
 * Follows containers of the test double of a cluster whose streams, containers, watches and tokens fail by a seed, and
 * compares what a reader sees with what was written: `npx node scripts/soak-kubernetes.ts [--minutes N] [--pods N]
 * [--containers N] [--lines-per-second N]`, with the seed from SEED or a random one. Runs in rounds of a new cluster
 * each. Exits with 1 if a line was lost without a hole, doubled or changed.
 */
import {parseArgs} from 'node:util';
import {runTruth} from '../test/service/kubernetes/run-truth.ts';
import {countLost, formatVerdict} from '../test/support/kubernetes/truth/judge-lines.ts';
import {faultKinds} from '../test/support/kubernetes/truth/start-faults.ts';

/** The truth and what was seen are held in memory: this bounds them. */
const roundMinutesMax = 5;
/** Half-open streams are found after 15 to 18 s of silence, and take another read or two. */
const settleMs = 25_000;

const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '10'},
    pods: {type: 'string', default: '4'},
    containers: {type: 'string', default: '2'},
    'lines-per-second': {type: 'string', default: '100'},
  },
});
const seed = Number(process.env.SEED ?? Math.ceil(Math.random() * 2 ** 31));
const minutes = Number(values.minutes);
// The double gets no relay here, without which its connections cannot be frozen.
const faults = faultKinds.filter(kind => kind !== 'freeze connections');

console.log(`SEED=${seed}`);
let left = minutes;
for (let round = 0; left > 0; round += 1) {
  const roundMinutes = Math.min(left, roundMinutesMax);
  left -= roundMinutes;
  const {verdict, warnings} = await runTruth({
    seed: seed + round,
    durationMs: roundMinutes * 60_000,
    settleMs,
    lastLinesMsMax: 0,
    pods: Number(values.pods),
    containers: Number(values.containers),
    linesPerSecond: Number(values['lines-per-second']),
    ...(round % 2 === 0 ? {} : {stderrLateMs: 4}),
    faults,
  });
  console.log(`round ${round + 1}: ${formatVerdict(verdict)}`);
  const lost = [...verdict.lost, ...verdict.lostAtStart, ...verdict.lostAtEnd];
  if (countLost(lost) + verdict.doubled + verdict.changed.length + verdict.foreign.length > 0) {
    console.error(JSON.stringify(lost), warnings, verdict.changed.slice(0, 5), verdict.foreign.slice(0, 5));
    process.exitCode = 1;
  }
}
