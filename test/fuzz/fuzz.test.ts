import {afterEach, beforeEach, test} from 'vitest';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {runsOf} from '../support/thorough.ts';
import {fuzz} from './fuzz.ts';
import {fuzzHttpServer} from './fuzz-http-server.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('fuzz');
});
afterEach(() => folder.remove());

const seed = Number(process.env.SEED ?? 20_261_122);

test(`8,000 damaged bodies, lines, configs, recordings, headers, links and keys are read or refused, SEED=${seed}`, () =>
  fuzz({seed, cases: runsOf(8_000), folder: folder.path}));

test(`${runsOf(400)} random requests are answered in HTTP or closed, SEED=${seed}`, () =>
  fuzzHttpServer({seed, runs: runsOf(400)}));
