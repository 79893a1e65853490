import {once} from 'node:events';
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';
import {fetchAnswer, startService} from '../start-service.ts';

const document = readFileSync(join(import.meta.dirname, '../../../docs/serve.md'), 'utf8');

/** Prints the last ten lines of a file and then what it gains, as `tail -f` does. Has a child, and notes both. */
const journal = `import {spawn} from 'node:child_process';
import {appendFileSync, readFileSync} from 'node:fs';
process.stdout.on('error', () => process.exit(1));
const child = spawn('sleep', ['1000'], {stdio: ['ignore', 'inherit', 'inherit']});
appendFileSync('pids', process.pid + ' ' + child.pid + '\\n');
const read = () => readFileSync('journal', 'utf8').split(/(?<=\\n)/);
let shown = read();
process.stdout.write(shown.slice(-10).join(''));
setInterval(() => {
  const lines = read();
  process.stdout.write(lines.slice(shown.length).join(''));
  shown = lines;
}, 5);
`;

/** The document's configuration, with a command that is there on every machine. */
const prepare = (): string => {
  const folder = createTempFolder('serve-command');
  onTestFinished(() => folder.remove());
  const config = /## Lines from a command.*?```toml\n(.*?)```/s.exec(document)?.[1] ?? '';
  const command = `command = ["${process.execPath}", "journal.mjs"]`;
  writeFileSync(
    join(folder.path, 'serve.toml'),
    config.replace('127.0.0.1:8787', '127.0.0.1:0').replace(/^command = .*$/m, command),
  );
  writeFileSync(join(folder.path, 'journal.mjs'), journal);
  writeFileSync(join(folder.path, 'journal'), '');
  return folder.path;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const readHeader = (header: string) => ({
  last: Number(/last=(\d+)/.exec(header)?.[1]),
  dropped: Number(/dropped=(\d+)/.exec(header)?.[1]),
});

test('serves a command as the document says: followed, started again, ended, and nothing doubled', async () => {
  const folder = prepare();
  let written = 0;
  const write = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const seconds = String(written % 60).padStart(2, '0');
      const minutes = String(Math.floor(written / 60)).padStart(2, '0');
      appendFileSync(
        join(folder, 'journal'),
        `2026-01-02T03:${minutes}:${seconds}.123456+0000 host php-fpm[7]: line ${written}\n`,
      );
      written += 1;
    }
  };
  const readPids = () => {
    const runs = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n');
    return {runs: runs.length, pids: runs.at(-1)?.split(' ').map(Number) ?? []};
  };
  const waitForRun = (run: number) =>
    waitFor(() => readPids().runs >= run && readPids().pids, {what: `run ${run}`, deadlineMs: 20_000});
  const waitForLast = (baseUrl: string) =>
    waitFor(
      async () => {
        const {lines, header} = await fetchAnswer(folder, baseUrl);
        const numbers = lines.map(line => Number(line.split(' ').at(-1)));
        return numbers.at(-1) === written - 1 && {numbers, ...readHeader(header)};
      },
      {what: `line ${written - 1}`, deadlineMs: 20_000},
    );
  const range = (from: number) => Array.from({length: written - from}, (_, index) => from + index);

  // Followed.
  write(8);
  const first = await startService(folder);
  await waitForLast(first.baseUrl);
  write(3);
  expect(await waitForLast(first.baseUrl)).toEqual({numbers: range(0), last: 11, dropped: 0});

  // Its end, with fewer lines meanwhile than it repeats: nothing is missing.
  process.kill((await waitForRun(1))[0] ?? 0, 'SIGKILL');
  write(4);
  await waitForRun(2);
  expect(await waitForLast(first.baseUrl)).toEqual({numbers: range(0), last: 15, dropped: 0});

  const known = () => [...Array.from({length: 15}, (_, number) => number), ...range(17)];
  // Its end, with more: the loss has a number of the header.
  process.kill((await waitForRun(2))[0] ?? 0, 'SIGKILL');
  write(12);
  await waitForRun(3);
  expect(await waitForLast(first.baseUrl)).toEqual({numbers: known(), last: 26, dropped: 16});
  expect(first.stderr()).toContain('The command of pod php-0 (node) was ended by SIGKILL: it restarts after a pause');

  // The service stops, and the command and its child with it.
  const pids = await waitForRun(3);
  expect(pids.map(isAlive)).toEqual([true, true]);
  first.child.kill('SIGTERM');
  expect((await once(first.child, 'exit'))[0]).toBe(143);
  await waitFor(() => !pids.some(isAlive), {what: 'the command to be gone'});

  // It starts again, is killed, and starts again: nothing is doubled or missing.
  write(2);
  const second = await startService(folder);
  expect(await waitForLast(second.baseUrl)).toEqual({numbers: known(), last: 28, dropped: 16});
  const [orphan = 0, orphanChild = 0] = await waitForRun(4);
  onTestFinished(() => void (isAlive(orphanChild) && process.kill(orphanChild, 'SIGKILL')));
  second.child.kill('SIGKILL');
  await once(second.child, 'exit');
  write(2);
  await waitFor(() => !isAlive(orphan), {what: 'the command that nobody reads to end'});
  const third = await startService(folder);
  expect(await waitForLast(third.baseUrl)).toEqual({numbers: known(), last: 30, dropped: 16});
  third.child.kill('SIGTERM');
  expect((await once(third.child, 'exit'))[0]).toBe(143);
});
