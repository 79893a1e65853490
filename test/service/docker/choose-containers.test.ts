import {expect, test} from 'vitest';
import {findEngine} from '#service/docker/engine-client.ts';
import {chooseContainers, decodeContainer, type EngineContainer} from '#service/docker/engine-container.ts';

const container = (name: string, parts: Partial<EngineContainer> = {}): EngineContainer => ({
  id: `${name}-id`,
  name,
  project: undefined,
  service: undefined,
  createdAtMs: 0,
  state: 'running',
  startedAt: '',
  startedAtMs: 0,
  exitCode: 0,
  isOomKilled: false,
  finishedAtMs: undefined,
  isUnhealthy: false,
  restartCount: 0,
  hasTerminal: false,
  ...parts,
});

const all = [
  container('shop-web-1', {project: 'shop', service: 'web', id: 'abcd01'}),
  container('shop-web-2', {project: 'shop', service: 'web', id: 'abcd02'}),
  container('shop-db-1', {project: 'shop', service: 'db', id: 'beef01'}),
  container('blog-web-1', {project: 'blog', service: 'web', id: 'beef02'}),
  container('web', {id: 'cafe01'}),
  container('db', {id: 'cafe02', state: 'exited'}),
  container('abcd', {id: 'dddd01'}),
];

const choose = (words: readonly string[]) => {
  const {isChosen, unknown} = chooseContainers(words, all);
  return {names: all.filter(isChosen).map(({name}) => name), unknown};
};

test.each<readonly [word: string, names: readonly string[]]>([
  ['shop-db-1', ['shop-db-1']],
  ['beef02', ['blog-web-1']],
  // A name before a service of the same name.
  ['web', ['web']],
  ['shop/web', ['shop-web-1', 'shop-web-2']],
  ['shop', ['shop-web-1', 'shop-web-2', 'shop-db-1']],
  ['beef', ['shop-db-1', 'blog-web-1']],
  // A name before the beginning of an id.
  ['abcd', ['abcd']],
  ['abcd0', ['shop-web-1', 'shop-web-2']],
  ['shop-*-1', ['shop-web-1', 'shop-db-1']],
  ['d?', ['db']],
])('%s means %j', (word, names) => {
  expect(choose([word])).toEqual({names, unknown: []});
});

test('a service has its containers where no container has its name', () => {
  const {isChosen} = chooseContainers(
    ['web'],
    all.filter(({name}) => name !== 'web'),
  );
  expect(all.filter(isChosen).map(({name}) => name)).toEqual(['shop-web-1', 'shop-web-2', 'blog-web-1']);
});

test('several words mean all of theirs, and those that find none are told', () => {
  expect(choose(['shop/db', 'gone', 'abc', 'blog', 'xyz*'])).toEqual({
    names: ['shop-db-1', 'blog-web-1'],
    unknown: ['gone', 'abc', 'xyz*'],
  });
});

test('what replaces a container has its name, and what joins a service is of it', () => {
  const {isChosen} = chooseContainers(['abcd01', 'db'], all);
  expect(isChosen(container('shop-web-1', {id: 'ffff01'}))).toBe(true);
  expect(isChosen(container('shop-web-3', {id: 'abcd03'}))).toBe(false);
  expect(isChosen(container('shop-web-3', {id: 'abcd01'}))).toBe(true);
  expect(isChosen(container('db', {id: 'ffff02'}))).toBe(true);
});

test('without words, those that run are meant, or ran since', () => {
  const {isChosen, unknown} = chooseContainers([], all);
  const [web, exited] = [container('web'), container('db', {state: 'exited'})];
  expect([isChosen(web), isChosen(exited), unknown]).toEqual([true, false, []]);
  expect(isChosen({...web, state: 'exited'})).toBe(true);
  expect(isChosen({...exited, state: 'running'})).toBe(true);
  expect(isChosen(exited)).toBe(true);
});

const inspected = {
  Id: 'abc',
  Name: '/shop-web-1',
  Created: '2026-11-22T11:00:00Z',
  RestartCount: 2,
  Config: {Tty: true, Labels: {'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'web'}},
  State: {
    Status: 'exited',
    Running: false,
    OOMKilled: true,
    ExitCode: 137,
    StartedAt: '2026-11-22T12:00:00.5Z',
    FinishedAt: '2026-11-22T13:00:00Z',
    Health: {Status: 'unhealthy'},
  },
};

test('an inspection says what a container is and how it ended', () => {
  expect(decodeContainer(inspected)).toEqual({
    id: 'abc',
    name: 'shop-web-1',
    project: 'shop',
    service: 'web',
    createdAtMs: Date.UTC(2026, 10, 22, 11),
    state: 'exited',
    startedAt: '2026-11-22T12:00:00.5Z',
    startedAtMs: Date.UTC(2026, 10, 22, 12, 0, 0, 500),
    exitCode: 137,
    isOomKilled: true,
    finishedAtMs: Date.UTC(2026, 10, 22, 13),
    isUnhealthy: true,
    restartCount: 2,
    hasTerminal: true,
  });
  expect(decodeContainer({Id: 'abc', Name: 'web', Created: '2026-11-22T11:00:00Z'})).toEqual({
    ...container('web'),
    id: 'abc',
    createdAtMs: Date.UTC(2026, 10, 22, 11),
    startedAtMs: Date.UTC(2026, 10, 22, 11),
    state: 'exited',
  });
  expect(decodeContainer({Id: 'abc', Name: 'web', State: {Status: 'stopped'}})?.state).toBe('exited');
  expect(decodeContainer({Id: 'abc', Name: 'web', State: {Running: true}})).toMatchObject({
    state: 'running',
    createdAtMs: 0,
    isUnhealthy: false,
  });
  expect([decodeContainer({Id: 'abc'}), decodeContainer({Name: '/web'}), decodeContainer([])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  [{'com.docker.compose.project': 'a', 'com.docker.compose.service': 'b'}, 'a', 'b'],
  [{'io.podman.compose.project': 'a', 'io.podman.compose.service': 'b'}, 'a', 'b'],
  [{'com.docker.stack.namespace': 'a', 'com.docker.swarm.service.name': 'b'}, 'a', 'b'],
  [{'com.docker.compose.project': '', 'com.docker.stack.namespace': 'a'}, 'a', undefined],
  // Without a project, a service is none.
  [{'com.docker.compose.service': 'b'}, undefined, undefined],
])('of the labels %j the project is %s and the service %s', (labels, project, service) => {
  expect(decodeContainer({...inspected, Config: {Labels: labels}})).toMatchObject({project, service});
});

test.each([
  ['docker', {}, false, '/var/run/docker.sock', {path: '/var/run/docker.sock'}],
  ['podman', {}, true, '/run/podman/podman.sock', {path: '/run/podman/podman.sock'}],
  ['podman', {XDG_RUNTIME_DIR: '/run/user/1'}, true, '/run/podman/podman.sock', {path: '/run/podman/podman.sock'}],
  [
    'podman',
    {XDG_RUNTIME_DIR: '/run/user/1'},
    false,
    '/run/user/1/podman/podman.sock',
    {path: '/run/user/1/podman/podman.sock'},
  ],
  ['docker', {DOCKER_HOST: 'unix:///tmp/a%20b.sock'}, false, '/tmp/a b.sock', {path: '/tmp/a b.sock'}],
  ['podman', {CONTAINER_HOST: 'unix:///tmp/p.sock'}, false, '/tmp/p.sock', {path: '/tmp/p.sock'}],
  [
    'docker',
    {CONTAINER_HOST: 'unix:///tmp/p.sock', DOCKER_HOST: ''},
    false,
    '/var/run/docker.sock',
    {path: '/var/run/docker.sock'},
  ],
  ['docker', {DOCKER_HOST: 'tcp://localhost'}, false, 'localhost:2375', {host: 'localhost', port: 2375}],
  ['podman', {CONTAINER_HOST: 'tcp://127.0.0.1'}, false, '127.0.0.1:8080', {host: '127.0.0.1', port: 8080}],
  ['docker', {DOCKER_HOST: 'tcp://[::1]:99'}, false, '[::1]:99', {host: '::1', port: 99}],
] as const)('the engine of %s with %j, as root %s, is at %s', (kind, env, isRoot, place, target) => {
  expect(findEngine(kind, env, isRoot)).toEqual({kind, name: kind === 'docker' ? 'Docker' : 'Podman', place, target});
});

test.each([
  [{DOCKER_HOST: 'tcp://10.0.0.1:2375'}],
  [{DOCKER_HOST: 'tcp://localhost:2376', DOCKER_TLS_VERIFY: '1'}],
  [{DOCKER_HOST: 'ssh://user:secret@host'}],
  [{DOCKER_HOST: 'unix://'}],
  [{DOCKER_HOST: 'nonsense'}],
])('an engine elsewhere is refused without its address: %j', env => {
  expect(() => findEngine('docker', env, false)).toThrow(
    'DOCKER_HOST names an engine that branchlog does not open: it opens unix:///PATH, and tcp:// without TLS on this machine. For an engine elsewhere, forward its socket, as in ssh -L /tmp/docker.sock:/var/run/docker.sock HOST, and set DOCKER_HOST=unix:///tmp/docker.sock.',
  );
});
