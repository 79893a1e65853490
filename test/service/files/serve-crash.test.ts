import {once} from 'node:events';
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createTempFolder} from '../../support/temp-folder.ts';
import {runsOf} from '../../support/thorough.ts';
import {waitFor} from '../../support/wait-for.ts';
import {fetchAnswer, startService} from '../start-service.ts';
import {orderlyWays} from './rotate.ts';

const prepare = () => {
  const folder = createTempFolder('serve');
  onTestFinished(() => folder.remove());
  mkdirSync(join(folder.path, 'log'));
  writeFileSync(
    join(folder.path, 'serve.toml'),
    `listen = "127.0.0.1:0"
tenant = "acme"
window_lines = 50000
[[sites]]
id = "shop"
[[sites.branches]]
id = "m1"
name = "master"
status = "DEPLOY_APPLICATION_SUCCESS"
[[sites.branches.pods]]
name = "web-0"
files = ["log/a.log*"]
`,
  );
  return folder.path;
};

const fetchLines = async (folder: string, baseUrl: string): Promise<readonly string[]> =>
  (await fetchAnswer(folder, baseUrl)).lines;

test('loses and doubles no line when it is killed in the middle again and again, rotations included', async () => {
  const folder = prepare();
  const path = join(folder, 'log/a.log');
  const rotations = ['create', 'create, compress', 'copytruncate, compress', 'create, delaycompress'].map(
    way => orderlyWays[way],
  );
  let written = 0;
  const write = (count: number): void => {
    const numbers = Array.from({length: count}, (_, index) => written + index);
    appendFileSync(path, numbers.map(number => `line ${number} ${'.'.repeat(60)}\n`).join(''));
    written += count;
  };
  const shown = new Set<string>();
  const series = new Set<string>();
  write(10);
  for (let round = 0; round < 4; round += 1) {
    const {child, baseUrl} = await startService(folder);
    for (let burst = 0; burst < runsOf(8); burst += 1) {
      write(700);
      const {lines, header} = await fetchAnswer(folder, baseUrl);
      for (const line of lines) {
        shown.add(line);
      }
      // Every line has one number, whatever was killed: none is missing, and none was given twice.
      expect(header).toMatch(new RegExp(`^branch; series=[0-9a-f]{16}; last=${lines.length}; dropped=0$`));
      series.add(header.split('; ')[1] ?? '');
    }
    write(3_000);
    // Killed while it reads: the answer never comes.
    const unanswered = fetchLines(folder, baseUrl).catch(() => []);
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), unanswered]);
    write(100);
    rotations[round]?.(path, round);
    write(100);
  }
  const {child, baseUrl} = await startService(folder);
  const texts = await waitFor(
    async () => {
      const lines = await fetchLines(folder, baseUrl);
      for (const line of lines) {
        shown.add(line);
      }
      return lines.length >= written && lines.map(line => Number(line.split(' ')[2]));
    },
    {what: `${written} lines`},
  );
  expect(texts).toEqual(Array.from({length: written}, (_, index) => index));
  // A line that came back under another stamp would be here twice.
  expect(shown.size).toBe(written);
  expect(series.size).toBe(1);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(143);
});

test('says where it listens, logs requests as JSON lines, and refuses a second process on its state', async () => {
  const folder = prepare();
  const {child, baseUrl, stdout, stderr} = await startService(folder);
  await fetchLines(folder, baseUrl);
  expect(stdout()).toBe(
    `Created a token in ${folder}/token.\nListening on ${baseUrl}. Open it with: branchlog shop --base-url ${baseUrl} --tenant acme --auth-mode local --token-file ${folder}/token\n`,
  );
  const entries = stderr()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(entries[0]).toMatchObject({
    level: 'warning',
    message: `${folder}/log/a.log* is missing: pod web-0 is served without it until it appears.`,
  });
  const second = await startService(folder);
  expect(second.child.exitCode).toBe(1);
  expect(second.stderr()).toBe(
    `branchlog: The state folder ${folder}/state is in use by another process: stop that process, or choose another state folder.\n`,
  );
  child.kill('SIGINT');
  expect((await once(child, 'exit'))[0]).toBe(130);
});

test('ends with 2 and a sentence where the configuration is wrong', async () => {
  const folder = prepare();
  writeFileSync(join(folder, 'serve.toml'), 'listen = "127.0.0.1:0"\n');
  const {child, stderr} = await startService(folder);
  expect(child.exitCode).toBe(2);
  expect(stderr()).toMatch(/^branchlog: .*tenant.*\n$/);
});
