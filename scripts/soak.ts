/**
 * Runs the engine and the screens against random services, errors and keys, in simulated time, and by turns feeds damaged input to every
 * parser, sends random requests to the server, and lets another call to the file system and the network fail in the built program: `node
 * scripts/soak.ts [--polls N] [--scenario N] [--clusters SHARE]`, with the seed from SEED or that of the day. SHARE, from 0 to 1, is how many of
 * the branches are served by random clusters. `--scenario` runs that one alone. Exits with 0 if everything held, otherwise with 1 and a report.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {SoakError, type Soaked, soak} from '../test/app/simulation/soak.ts';
import {fuzz} from '../test/fuzz/fuzz.ts';
import {fuzzHttpServer} from '../test/fuzz/fuzz-http-server.ts';
import {torture} from '../test/torture/torture.ts';

/** What a turn does: about a quarter of a minute of polls, and as long for all else together. */
const turn = {polls: 20_000, damagedInputs: 2000, requests: 100};
const progressEveryMs = 10_000;

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
const pollsWanted = readCount('--polls', values.polls) ?? 10_000_000;
/** Year, month and day: each day another one, and the same for all who run it then. */
const seedOfDay = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const seed = readCount('SEED', process.env.SEED) ?? seedOfDay;

const format = (count: number): string => count.toLocaleString('en-US');

console.log(`SEED=${seed}`);

const sum = {polls: 0, scenarios: 0, pollMs: 0};
let toldMs = performance.now();
const tell = (): string =>
  `${format(sum.polls)} polls in ${format(sum.scenarios)} scenarios, ${format(Math.round((sum.polls / sum.pollMs) * 1000))} polls a second`;

/** So many polls, and at least one. */
const poll = (polls: number, firstScenarioNumber: number): void => {
  const startMs = performance.now();
  const before = {...sum};
  const count = ({polls: done, scenarioCount}: Soaked): void => {
    sum.polls = before.polls + done;
    sum.scenarios = before.scenarios + scenarioCount;
    sum.pollMs = before.pollMs + performance.now() - startMs;
  };
  soak({
    seed,
    polls,
    firstScenarioNumber,
    clusterShare,
    progress: soaked => {
      count(soaked);
      if (performance.now() - toldMs >= progressEveryMs) {
        toldMs = performance.now();
        console.log(tell());
      }
    },
  });
};

const damage = async (turnNumber: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'branchlog-fuzz-'));
  await fuzz({seed: seed + turnNumber, cases: turn.damagedInputs, folder}).finally(() =>
    rmSync(folder, {recursive: true}),
  );
  await fuzzHttpServer({seed: seed + turnNumber, runs: turn.requests});
};

/** What the built program does in which a call may yet fail. */
const tortured = new Set(['logs', 'screens'] as const);
const tortureNext = async (turnNumber: number): Promise<void> => {
  for (const what of tortured) {
    const {wrongs, didFail} = await torture(what, {seed, numbers: [turnNumber]});
    if (wrongs.length > 0) {
      throw new SoakError(wrongs.join('\n'));
    }
    if (!didFail) {
      tortured.delete(what);
      console.log(`${what}: each of ${format(turnNumber - 1)} calls failed once, and everything held.`);
    }
  }
};

try {
  if (scenarioNumber !== undefined) {
    poll(1, scenarioNumber);
  }
  for (let turnNumber = 1; scenarioNumber === undefined && sum.polls < pollsWanted; turnNumber++) {
    poll(Math.min(turn.polls, pollsWanted - sum.polls), sum.scenarios + 1);
    await damage(turnNumber);
    await tortureNext(turnNumber);
  }
  console.log(`${tell()}: everything held.`);
} catch (error) {
  if (!(error instanceof SoakError)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}
