import {join} from 'node:path';
import {expect, test} from 'vitest';
import {followFiles} from '#service/files/file-source.ts';
import {createSeededRandom} from '../../../support/kubernetes/truth/seeded-random.ts';
import {runsOf} from '../../../support/thorough.ts';
import {createLogFolder, readOpened} from '../pod-backend.ts';
import {createReplacedLog, describeSeen, replacements, type Way} from './replaced-log.ts';

const seed = Number(process.env.SEED ?? 20_261_127);
/** Logs of one service: to open its state takes longer than all it reads. */
const logsPerRun = 8;

/** Each way alone, and all of them mixed. */
const plans: readonly (readonly Way[])[] = [...replacements.map(way => [way]), replacements];
const runs = Array.from({length: runsOf(4)}, (_, run) =>
  plans.map((ways, index) => ({ways, name: `${ways.join(', ')}, seed ${seed + run * plans.length + index}`})),
).flat();

test.each(runs.map((run, index) => ({...run, seed: seed + index})))(
  'reads each line once of logs that are replaced again and again: $name',
  async ({ways, seed}) => {
    const random = createSeededRandom(seed);
    const below = (limit: number): number => random.between(0, limit - 1);
    const folder = createLogFolder();
    const logs = Array.from({length: logsPerRun}, (_, index) => ({
      id: `b${index}`,
      log: createReplacedLog(join(folder.path, 'log', `${index}`), below),
      /** How likely a look is between two steps, of a hundred. */
      looks: below(70),
    }));
    const branches = logs.map(({id, log}) => ({
      ...{id, name: id, status: 'UP', fields: {}},
      pods: [{name: 'web', source: followFiles([log.path])}],
    }));
    let nowMs = 0;
    const backend = await folder.open(
      {},
      {sites: [{id: 's', branches}], windowLines: 10_000, monotonicMs: () => nowMs},
    );
    const outcomes: string[] = [];
    for (const {id, log, looks} of logs) {
      const look = async (): Promise<readonly string[]> => (await readOpened(backend, id))?.lines ?? [];
      for (let round = 0; round < 12; round += 1) {
        const way = random.pick([...ways, 'append'] as const) ?? 'append';
        for (const step of log.ways[way]()) {
          step();
          nowMs += random.between(10, 200);
          if (below(100) < looks) {
            await look();
          }
        }
      }
      let lines = await look();
      // Reading waits for a second to see whether a file grows, and on a busy machine comes later.
      for (let round = 0; round < 10 && lines.length < log.count(); round += 1) {
        nowMs += 1_500;
        lines = await look();
      }
      const numbers = lines.map(line => Number(/line (\d+)/.exec(line)?.[1]));
      outcomes.push(describeSeen(numbers, log.count()));
    }
    expect(outcomes).toEqual(logs.map(({log}) => `0 of ${log.count()} lost, 0 doubled`));
  },
);
