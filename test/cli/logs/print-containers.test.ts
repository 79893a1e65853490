import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {startEngineDouble} from '../../support/docker/start-engine-double.ts';
import {waitFor} from '../../support/wait-for.ts';
import {runCommand, startCommand} from '../run-command.ts';

const run = promisify(execFile);
const hasDocker = await run('docker', ['--version']).then(
  () => true,
  () => false,
);

/** An engine with two containers, one of which has ended. */
const startShop = async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  const db = engine.create('db');
  web.write('INFO begin', {nanos: 1_795_500_000_000_000_001n});
  db.write('ERROR broken', {nanos: 1_795_500_000_000_000_002n, stream: 'stderr'});
  web.write('INFO end', {nanos: 1_795_500_000_000_000_003n});
  return {engine, web, db};
};

const open = (host: string, ...args: readonly string[]) => runCommand(['open', ...args], {env: {DOCKER_HOST: host}});

test.skipIf(!hasDocker)('the command line of Docker takes the double as its engine', async () => {
  const {engine} = await startShop();
  const docker = (...args: readonly string[]) => run('docker', ['-H', engine.host, ...args]);
  expect((await docker('ps', '--format', '{{.Names}} {{.State}}')).stdout).toBe('db running\nweb running\n');
  const {stdout, stderr} = await docker('logs', '--timestamps', 'db');
  expect({stdout, stderr}).toEqual({stdout: '', stderr: '2026-11-24T06:00:00.000000002Z ERROR broken\n'});
});

test('containers are printed as one log, each line as it was written', async () => {
  const {engine} = await startShop();
  expect(await open(engine.host, '--docker')).toEqual({
    code: 0,
    stdout: 'INFO begin\nERROR broken\nINFO end\n',
    stderr: '',
  });
  expect((await open(engine.host, '--docker', 'web', '--timestamps', 'utc', '--prefix')).stdout).toBe(
    '[web] 2026-11-24T06:00:00.000Z INFO begin\n[web] 2026-11-24T06:00:00.000Z INFO end\n',
  );
  const {stdout} = await open(engine.host, '--docker', '--format', 'json', '--level', 'error');
  expect(JSON.parse(stdout)).toMatchObject({pod: 'db', stream: 'stderr', text: 'ERROR broken'});
});

test('how far back is asked of the engine', async () => {
  const {engine} = await startShop();
  expect((await open(engine.host, '--docker', '--tail', '1')).stdout).toBe('INFO end\n');
  expect(engine.requests.some(request => request.includes('tail=4'))).toBe(true);
  expect((await open(engine.host, '--docker', '--since', '2026-11-24T06:00:00.000000002Z')).stdout).toBe(
    'ERROR broken\nINFO end\n',
  );
  expect(engine.requests.some(request => request.includes('tail=20002'))).toBe(true);
  expect((await open(engine.host, '--docker', '--to', '2026-11-24T06:00:00.000000002Z', '--tail', '1')).stdout).toBe(
    'ERROR broken\n',
  );
});

test('a log is followed until a line comes, and the end of a container is told', async () => {
  const {engine, web} = await startShop();
  const command = startCommand(['open', '--docker', 'web', '--follow', '--until', 'ready', '--format', 'json'], {
    env: {DOCKER_HOST: engine.host},
  });
  await waitFor(() => command.stdout().includes('INFO end'), {what: 'the first lines'});
  web.write('a last word');
  web.die(137, {isOomKilled: true});
  await waitFor(() => command.stdout().includes('"change":"gone"'), {what: 'the end'});
  web.start();
  web.write('ready');
  expect(await command.code).toBe(0);
  const records = command
    .stdout()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(records.slice(2).map(({text, change, ending}) => text ?? `${change}: ${ending}`)).toEqual([
    'a last word',
    'gone: exited with code 137 (OOMKilled)',
    'appeared: undefined',
    'ready',
  ]);
});

test('what cannot be opened is told with what to do', async () => {
  const {engine} = await startShop();
  expect(await open(engine.host, '--docker', 'wbe')).toEqual({
    code: 4,
    stdout: '',
    stderr: 'branchlog: Docker has no container, service or project wbe. Its containers are db, web\n',
  });
  expect(await open('unix:///nowhere/docker.sock', '--docker')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('There is no socket /nowhere/docker.sock. Is Docker running?'),
  });
  expect(await open('tcp://user:secret@10.0.0.1:2375', '--docker')).toMatchObject({
    code: 2,
    stderr: expect.not.stringContaining('secret'),
  });
  expect(await open(engine.host, '--docker', '--podman')).toMatchObject({code: 2});
});
