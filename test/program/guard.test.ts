import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {compiledOnce, installProgram} from '../support/built-program.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const [, pageScript = '', command = ''] =
  /^## Be notified of every incident\n.*?```sh\n(.*?)```.*?```sh\n(.*?)```/ms.exec(
    readFileSync('docs/recipes.md', 'utf8'),
  ) ?? expect.fail('no recipe');

let service: FakeService;
let webhook: Server;
let posts: string[];
let folder: TempFolder;
let bin: string;
let running: ChildProcess | undefined;

beforeEach(async () => {
  [service, folder, posts] = [await startFakeService(), createTempFolder('guard-program'), []];
  webhook = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    posts.push(body);
    response.end();
  });
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  bin = installProgram(folder.path);
  writeFileSync(join(folder.path, 'page'), pageScript, {mode: 0o755});
});

afterEach(async () => {
  running?.kill('SIGKILL');
  webhook.close();
  await service.close();
  folder.remove();
});

/** Runs the command of the recipe until the given moment, ends it, and returns its exit code and what it printed. */
const guardUntil = async (moment: (stdout: string) => boolean) => {
  const child = spawn('bash', ['-c', `exec ${command.trim()} --requests-per-minute 600`], {
    cwd: folder.path,
    env: {
      ...{...service.env, ...compiledOnce, HOME: folder.path},
      PATH: `${bin}:${process.env.PATH}`,
      CHAT_WEBHOOK: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`,
    },
  });
  running = child;
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', chunk => {
    stdout += String(chunk);
  });
  child.stderr.on('data', chunk => {
    stderr += String(chunk);
  });
  const ended = once(child, 'exit');
  await waitFor(() => moment(stdout), {what: 'the guard', deadlineMs: 20_000});
  child.kill('SIGTERM');
  const [code] = await ended;
  return {code, stdout, stderr};
};

test('the recipe posts an incident once, also when the guard is ended and starts anew, and asks no more than it may', async () => {
  const nowMs = Date.now();
  service.setBranches('shop', [makeBuiltBranch('master', 'master')]);
  service.setLog('master', () => ({
    lines: Array.from({length: 600}, (_, index) => {
      const text = index > 540 ? 'level=error msg="tax service rejected quote"' : 'level=info msg="order stored"';
      return `${new Date(nowMs - (600 - index) * 1000).toISOString()} ${text} id=${index}`;
    }),
    pods: [{name: 'web-1'}],
    header: 'branch',
  }));
  const beganMs = Date.now();
  // Ended before it has written down that the page was taken, it would send it again.
  const states = () =>
    readdirSync(folder.path, {recursive: true, encoding: 'utf8'}).filter(name => /guard\/[^/]*\.json$/.test(name));
  const isNoted = () =>
    states()
      .map(name => readFileSync(join(folder.path, name), 'utf8'))
      .some(text => /"isSent":\s*true/.test(text) && /"outbox":\s*\[\]/.test(text));
  const first = await guardUntil(() => posts.length > 0 && isNoted());
  expect([first.code, first.stderr]).toEqual([143, '']);
  const [, told = ''] = /^\S+Z master: found: (incident since \S+)/.exec(first.stdout) ?? [];
  expect([told === '', posts]).toEqual([false, [expect.stringContaining(`"master found: ${told}`)]]);
  const asked = service.requests.length;
  expect(asked).toBeLessThanOrEqual(1 + (Date.now() - beganMs) / 100);
  // The service tells its time in seconds, and an absence within one is none.
  service.setDate(new Date(Date.now() + 5_000).toUTCString());
  const second = await guardUntil(stdout => service.requests.length > asked + 1 && stdout !== '');
  expect([second.code, second.stderr, second.stdout]).toEqual([
    143,
    '',
    expect.stringMatching(/^\S+Z shop: away: the guard did not run from \S+ to \S+\n$/),
  ]);
  expect(posts).toHaveLength(1);
});
