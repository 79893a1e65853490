import {expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {processIo} from '#cli/io/io.ts';
import {chosenEngine} from '#cli/open/chosen-engine.ts';
import {firstReadOf, openEngine} from '#cli/open/open-engine.ts';
import {startEngineDouble} from '../../support/docker/start-engine-double.ts';
import {waitFor} from '../../support/wait-for.ts';
import {runCommand} from '../run-command.ts';

const choose = (...words: readonly string[]) => chosenEngine(parseArguments(words));

test('containers are shown where an engine is asked for', () => {
  expect([choose('open', '--docker'), choose('open', '--podman', 'web'), choose('open', 'a.log')]).toEqual([
    'docker',
    'podman',
    undefined,
  ]);
});

test('an engine goes with no other one, no command and no files', () => {
  expect(() => choose('open', '--docker', '--podman')).toThrow('--docker and --podman: leave one of them out');
  expect(() => choose('open', '--docker', '--', 'echo')).toThrow('leave out the command: --docker is for containers');
  expect(() => choose('open', '--podman', '--rotated')).toThrow('leave out --rotated: --podman is for containers');
});

const now = 1_800_000_000_000;

test('logs are read to their beginning, unless less is wanted', () => {
  expect(firstReadOf({}, now)).toEqual({since: 0n, tailLines: undefined});
  expect(firstReadOf({tail: 5}, now)).toEqual({since: undefined, tailLines: 5});
  expect(firstReadOf({since: {kind: 'age', ms: 1_000}, tail: 5}, now)).toEqual({
    since: 1_799_999_999_000_000_000n,
    tailLines: 5,
  });
  // The last lines of a range that has ended are not those of the log.
  expect(firstReadOf({to: {kind: 'age', ms: 1_000}, tail: 5}, now)).toEqual({since: 0n, tailLines: undefined});
});

const shop = (service: string, project = 'shop') => ({
  labels: {'com.docker.compose.project': project, 'com.docker.compose.service': service},
});

const open = async (host: string, words: readonly string[] = [], isOneLog = false) => {
  const opened = await openEngine(
    'docker',
    words,
    {bufferMb: 8, firstRead: undefined, isOneLog},
    {io: {...processIo('/home/none'), env: {DOCKER_HOST: host}}, warn: () => undefined},
  );
  onTestFinished(opened.stop);
  return opened;
};

test('an engine is a service whose sites are its projects, containers by themselves last', async () => {
  const engine = await startEngineDouble();
  engine.create('alone');
  engine.create('shop-web-1', shop('web'));
  engine.create('blog-web-1', shop('web', 'blog'));
  const {sites, service, client, watchSites} = await open(engine.host);
  expect(sites).toEqual(['blog', 'shop', 'no project']);
  expect(service).toMatchObject({name: 'Docker', host: engine.host.replace('unix://', '')});
  expect((await client.listBranches('shop')).value.map(({name}) => name)).toEqual(['web']);
  const told: (readonly string[])[] = [];
  watchSites(ids => told.push(ids));
  expect(told).toEqual([['blog', 'shop', 'no project']]);
  engine.create('zoo-web-1', shop('web', 'zoo'));
  await waitFor(() => told.at(-1)?.includes('zoo'), {what: 'the new project'});
});

test('containers that were named are one log, called by the first of them', async () => {
  const engine = await startEngineDouble();
  engine.create('shop-web-1', shop('web'));
  engine.create('shop-web-2', shop('web'));
  engine.create('shop-db-1', shop('db'));
  const named = await open(engine.host, ['shop/web']);
  expect(named.sites).toEqual(['containers']);
  expect((await named.client.listBranches('containers')).value.map(({name}) => name)).toEqual([
    expect.stringMatching(/^shop-web-[12] and 1 more$/),
  ]);
  const told: unknown[] = [];
  named.watchSites(ids => told.push(ids));
  expect(told).toEqual([]);
  const only = await open(engine.host, ['shop-db-1']);
  expect((await only.client.listBranches('containers')).value.map(({name}) => name)).toEqual(['shop-db-1']);
});

test('without any container there is nothing to open but a log that may get some', async () => {
  const engine = await startEngineDouble();
  await expect(open(engine.host)).rejects.toThrow(
    `Docker at ${engine.host.replace('unix://', '')} has no containers: start one first`,
  );
  const {client} = await open(engine.host, [], true);
  expect((await client.listBranches('containers')).value.map(({name}) => name)).toEqual(['containers of Docker']);
});

test('what is not there is told with what is, up to twenty names', async () => {
  const engine = await startEngineDouble();
  await expect(open(engine.host, ['web', 'db'])).rejects.toThrow(
    'Docker has no container, service or project web or db. It has no containers.',
  );
  for (let index = 0; index < 20; index += 1) {
    engine.create(`c${String(index).padStart(2, '0')}`);
  }
  const all = Array.from({length: 20}, (_, index) => `c${String(index).padStart(2, '0')}`).join(', ');
  await expect(open(engine.host, ['web'])).rejects.toThrow(`project web. Its containers are ${all}`);
  engine.create('c20');
  await expect(open(engine.host, ['web'])).rejects.toThrow(`project web. Its containers are ${all} and 1 more`);
});

test('an engine that is not there is a failure as of a service', async () => {
  await expect(open('unix:///no/such.sock')).rejects.toMatchObject({name: 'ApiError', kind: 'network'});
  await expect(open('ssh://host')).rejects.toMatchObject({name: 'UsageError'});
});

test('prints the last line of a container that ended although no newline ends it', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('starting');
  web.write('panic: last words', {stream: 'stderr', isPiece: true});
  web.die(2);
  const run = await runCommand('open --docker web --timestamps none'.split(' '), {env: {DOCKER_HOST: engine.host}});
  expect(run).toMatchObject({code: 0, stdout: 'starting\npanic: last words\n'});
});
