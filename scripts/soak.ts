/**
 * Feeds damaged input to every parser, lets each call to the file system and the network fail once in the built
 * program, and runs the engine and the screens against random services, errors and keys, in simulated time:
 * `node scripts/soak.ts [--polls N] [--scenario N] [--clusters SHARE]`, with the seed from SEED or a random one. SHARE,
 * from 0 to 1, is how many of the branches are served by random clusters. Exits with 0 if everything held, otherwise
 * with 1 and a report.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {SoakError, soak} from '../test/app/simulation/soak.ts';
import {fuzz} from '../test/fuzz/fuzz.ts';
import {fuzzHttpServer} from '../test/fuzz/fuzz-http-server.ts';
import {torture} from '../test/torture/torture.ts';

const progressEveryMs = 10_000;
/** `npm run test:all` feeds 8,000. */
const fuzzCases = 1_000_000;
/** `npm run test:all` sends 400. Each is a connection of its own. */
const fuzzRequests = 50_000;

const readCount = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) {
    return undefined;
  }
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    console.error(`soak: ${name} must be a whole number from 1, not “${text}”.`);
    process.exit(2);
  }
  return Number(text);
};

const {values} = parseArgs({
  options: {polls: {type: 'string'}, scenario: {type: 'string'}, clusters: {type: 'string'}},
});
const clusterShare = Number(values.clusters ?? 0.2);
if (!(clusterShare >= 0 && clusterShare <= 1)) {
  console.error(`soak: --clusters must be a number from 0 to 1, not “${values.clusters}”.`);
  process.exit(2);
}
const scenarioNumber = readCount('--scenario', values.scenario);
// With a single scenario, run to its first poll and stop there.
const polls = scenarioNumber === undefined ? (readCount('--polls', values.polls) ?? 10_000_000) : 1;
const seed = readCount('SEED', process.env.SEED) ?? Math.ceil(Math.random() * 2 ** 31);

const format = (count: number): string => count.toLocaleString('en-US');

console.log(`SEED=${seed}`);
if (scenarioNumber === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'branchlog-fuzz-'));
  await fuzz({seed, cases: fuzzCases, folder}).finally(() => rmSync(folder, {recursive: true}));
  console.log(`${format(fuzzCases)} damaged inputs: all were read or refused.`);
  await fuzzHttpServer({seed, runs: fuzzRequests});
  console.log(`${format(fuzzRequests)} random requests: all were answered or closed.`);
  for (const what of ['logs', 'screens'] as const) {
    const {wrongs, runCount} = await torture(what, {seed});
    console.log(
      `${what}: ${format(runCount - 1)} calls failed, one in a run: ${wrongs.length} times something is wrong.`,
    );
    if (wrongs.length > 0) {
      console.error(wrongs.join('\n'));
      process.exit(1);
    }
  }
}
const startMs = performance.now();
let toldMs = startMs;
try {
  const soaked = soak({
    seed,
    polls,
    firstScenarioNumber: scenarioNumber ?? 1,
    clusterShare,
    progress: ({polls: done, scenarioCount}) => {
      const nowMs = performance.now();
      if (nowMs - toldMs >= progressEveryMs) {
        toldMs = nowMs;
        const perSecond = Math.round((done / (nowMs - startMs)) * 1000);
        console.log(`${format(done)} polls, ${format(scenarioCount)} scenarios, ${format(perSecond)} polls a second`);
      }
    },
  });
  console.log(`${format(soaked.polls)} polls in ${format(soaked.scenarioCount)} scenarios: everything held.`);
} catch (error) {
  if (!(error instanceof SoakError)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}
