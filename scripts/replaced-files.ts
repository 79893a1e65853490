/**
 * Replaces log files again and again while the built program follows them: `npx node scripts/replaced-files.ts [--trials N]
 * [--way WAY]`,
 * with the seed from SEED or a random one. Each trial is a log that is replaced in one of several ways, every 0.05 to 1 s,
 * and read by `open --follow` and by `serve`. Prints how many trials lost or doubled a line, and exits with 1 if one did.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {freePort} from '../bench/free-port.ts';
import {createReplacedLog, describeSeen, replacements} from '../test/service/files/follow/replaced-log.ts';
import {createSeededRandom} from '../test/support/kubernetes/truth/seeded-random.ts';

const {values} = parseArgs({options: {trials: {type: 'string'}, way: {type: 'string'}}});
const ways = replacements.filter(way => values.way === undefined || way === values.way);
const trialCount = Number(values.trials ?? 1_000);
/** Logs that are replaced at a time. */
const togetherMax = 40;
const roundsOfTrial = 8;
/** What was written last is read by then, also where reading waits to see whether a file grows. */
const settleMs = 4_000;
const seed = Number(process.env.SEED ?? Math.ceil(Math.random() * 2 ** 31));
console.log(`SEED=${seed}`);

const program = join(import.meta.dirname, '../bin/branchlog.js');

/** Starts the program, which says by its first output on a stream that it is ready. */
const start = async (cwd: string, words: readonly string[], readyOn: 'stdout' | 'stderr') => {
  const child = spawn(process.execPath, [program, ...words], {cwd, stdio: ['ignore', 'pipe', 'pipe']});
  const told = {stdout: '', stderr: ''};
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      told[stream] += text;
    });
  }
  await once(child[readyOn], 'data');
  return {
    told,
    end: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

const numbersOf = (text: string, name: string): readonly number[] =>
  [...text.matchAll(new RegExp(`\\b${name} line (\\d+)`, 'g'))].map(([, number]) => Number(number));

const runTogether = async (folder: string, count: number, random: ReturnType<typeof createSeededRandom>) => {
  const logs = Array.from({length: count}, (_, index) => {
    const name = `t${index}`;
    const below = (limit: number): number => random.between(0, limit - 1);
    return {
      name,
      log: createReplacedLog(join(folder, name), below, `${name} `),
      way: random.pick(ways) ?? 'append',
    };
  });
  const port = await freePort();
  const branches = logs.map(
    ({name}) =>
      `[[sites.branches]]\nid = "${name}"\nname = "${name}"\nstatus = "UP"\n[[sites.branches.pods]]\nname = "web"\nfiles = ["${name}/a.log"]\n`,
  );
  writeFileSync(
    join(folder, 'serve.toml'),
    `listen = "127.0.0.1:${port}"\ntenant = "acme"\nwindow_lines = 5000\n[[sites]]\nid = "s"\n${branches.join('')}`,
  );
  const server = await start(folder, ['serve', 'serve.toml'], 'stdout');
  const opened = await start(
    folder,
    ['open', '--follow', '--format', 'raw', ...logs.map(({name}) => `${name}/a.log`)],
    'stdout',
  );
  await sleep(500);
  await Promise.all(
    logs.map(async ({log, way}) => {
      for (let round = 0; round < roundsOfTrial; round += 1) {
        for (const step of log.ways[random.next() < 0.3 ? 'append' : way]()) {
          step();
          await sleep(random.between(0, 20));
        }
        await sleep(random.between(50, 1_000));
      }
    }),
  );
  await sleep(settleMs);
  const token = readFileSync(join(folder, 'token'), 'utf8').trim();
  const headers = {authorization: `Bearer ${token}`, tenant: 'acme', 'auth-mode': 'local'};
  let wrongCount = 0;
  for (const {name, log, way} of logs) {
    const answer = await fetch(`http://127.0.0.1:${port}/dev-v1/sites/s/branches/${name}/logs`, {headers});
    // It has each line twice: as data, and as events.
    const [served = ''] = (await answer.text()).split('"events"');
    const right = describeSeen(
      Array.from({length: log.count()}, (_, number) => number),
      log.count(),
    );
    for (const [reader, text] of Object.entries({open: opened.told.stdout, serve: served})) {
      const found = describeSeen(numbersOf(text, name), log.count());
      if (found !== right) {
        wrongCount += 1;
        console.error(`${way}, ${reader}: ${found}`);
      }
    }
  }
  await Promise.all([server.end(), opened.end()]);
  return wrongCount;
};

const random = createSeededRandom(seed);
let wrongCount = 0;
for (let done = 0; done < trialCount; done += togetherMax) {
  const folder = mkdtempSync(join(tmpdir(), 'branchlog-replaced-'));
  wrongCount += await runTogether(folder, Math.min(togetherMax, trialCount - done), random);
  rmSync(folder, {recursive: true});
}
console.log(`${trialCount} trials, each read by open and by serve: ${wrongCount} readings lost or doubled a line.`);
process.exitCode = wrongCount > 0 ? 1 : 0;
