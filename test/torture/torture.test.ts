import {expect, test} from 'vitest';
import {createRandom} from '../fuzz/mutate.ts';
import {executable} from '../support/built-program.ts';
import {torture} from './torture.ts';

const seed = Number(process.env.SEED ?? 20_261_122);

/** What a run does without a failure, in calls; rounded down, so that a call fails in each run. */
const callsOf = {logs: 40, screens: 60} as const;

// The executable takes no options of Node's. `npm run soak` lets every call fail.
test.skipIf(executable !== undefined).each(['logs', 'screens'] as const)(
  `%s: a call to the file system or the network that fails ends in a sentence and damages nothing, SEED=${seed}`,
  async what => {
    const random = createRandom(seed);
    const numbers = Array.from({length: 4}, () => 1 + Math.floor(random() * callsOf[what]));
    const {wrongs} = await torture(what, {seed, numbers});
    expect(wrongs).toEqual([]);
  },
);
