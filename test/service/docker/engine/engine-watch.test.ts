import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test, vi} from 'vitest';
import {CallError} from '#service/backend/errors.ts';
import {createEngineWatch} from '#service/docker/engine/engine-watch.ts';
import type {EngineClient} from '#service/docker/engine-client.ts';
import type {LinkAnswer, LinkQuery} from '#service/link/link.ts';

const startMs = Date.UTC(2026, 10, 22, 12);
const second = startMs / 1_000;

type Shown = {readonly id: string; readonly created?: string; readonly state?: object};

/** Watches an engine that the test plays. Its events come from `send`, and `shown` is what it has. */
const openWatch = () => {
  vi.useFakeTimers({now: startMs});
  onTestFinished(() => void vi.useRealTimers());
  const shown = new Map<string, Shown>();
  const asked: string[] = [];
  const opened: LinkQuery[] = [];
  let events = new PassThrough();
  let isWhole = true;
  let refusal: Error | undefined;
  const client = {
    title: 'Docker at /docker.sock',
    get: async (path: string) => {
      asked.push(path);
      if (refusal) {
        throw refusal;
      }
      if (path === '/containers/json') {
        return shown.size === 0 && isBroken ? {} : [...shown.keys()].map(id => ({Id: id}));
      }
      const one = shown.get(decodeURIComponent(path.split('/')[2] ?? ''));
      if (!one) {
        throw new CallError('status', 'Not found.', {status: 404});
      }
      return {
        Id: one.id,
        Name: `/${one.id}`,
        Created: one.created ?? '2026-11-22T11:00:00Z',
        State: one.state ?? {Status: 'running'},
      };
    },
    open: async (_path: string, query: LinkQuery): Promise<LinkAnswer> => {
      opened.push(query);
      if (refusal) {
        throw refusal;
      }
      events = new PassThrough();
      isWhole = true;
      const body = events;
      return {status: 200, headers: {}, body, isWhole: () => isWhole, cancel: () => void body.destroy()};
    },
  };
  let isBroken = false;
  let changes = 0;
  const warnings: string[] = [];
  const watch = createEngineWatch({
    client: client as unknown as EngineClient,
    nowMs: () => Date.now(),
    monotonicMs: () => Date.now() - startMs,
    warn: message => warnings.push(message),
    onChange: () => {
      changes += 1;
    },
  });
  onTestFinished(() => watch.close());
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return {
    ...watch,
    advance,
    asked,
    opened,
    warnings,
    changes: () => changes,
    names: () => watch.containers().map(({name}) => name),
    show: (...containers: readonly Shown[]): void => {
      shown.clear();
      for (const each of containers) {
        shown.set(each.id, each);
      }
    },
    refuse: (error: Error | undefined): void => {
      refusal = error;
    },
    breakList: (): void => {
      isBroken = true;
    },
    send: async (...messages: readonly (object | string)[]): Promise<void> => {
      events.write(messages.map(each => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join(''));
      await advance(60);
    },
    sendRaw: async (text: string): Promise<void> => {
      events.write(text);
      await advance(60);
    },
    end: async (whole = true): Promise<void> => {
      isWhole = whole;
      events.destroy();
      await advance(0);
    },
  };
};

const event = (action: string, id: string, attributes: object = {}, time = second) => ({
  Action: action,
  Actor: {ID: id, Attributes: {name: id, ...attributes}},
  time,
  timeNano: time * 1_000_000_000,
});

const started = async (watch: ReturnType<typeof openWatch>): Promise<void> => {
  const start = watch.start();
  await watch.advance(60);
  await start;
};

test('an engine has its containers, the newest first, as of a moment before', async () => {
  const watch = openWatch();
  watch.show({id: 'old', created: '2026-11-22T10:00:00Z'}, {id: 'new', created: '2026-11-22T11:00:00Z'});
  await started(watch);
  expect([watch.names(), watch.opened, watch.outage(), watch.watchOutages()]).toEqual([
    ['new', 'old'],
    [{filters: '{"type":["container"]}', since: `${second - 1}`}],
    undefined,
    0,
  ]);
  expect([watch.find('old')?.id, watch.find('none')]).toEqual(['old', undefined]);
  expect(watch.containers()).toBe(watch.containers());
});

test('a burst of events is one change, and what says nothing of a state is none', async () => {
  const watch = openWatch();
  watch.show({id: 'a'});
  await started(watch);
  const before = [watch.changes(), watch.asked.length] as const;
  watch.show({id: 'a'}, {id: 'b'});
  await watch.send(event('create', 'b'), event('start', 'b'));
  expect([watch.names(), watch.changes()]).toEqual([['a', 'b'], before[0] + 1]);
  const asked = watch.asked.length;
  for (const idle of ['exec_create: sh', 'attach', 'top', 'health_status: running', 'commit']) {
    await watch.send(event(idle, 'a'));
  }
  await watch.send('no JSON', '[1]', {Action: 'start'});
  expect(watch.asked).toHaveLength(asked);
  await watch.send({status: 'pause', id: 'a', time: second});
  expect(watch.asked.slice(asked)).toEqual(['/containers/a/json']);
});

test('an event in pieces is one', async () => {
  const watch = openWatch();
  await started(watch);
  watch.show({id: 'a'});
  const text = `${JSON.stringify(event('start', 'a', {label: 'ä'}))}\n`;
  await watch.sendRaw(text.slice(0, 30));
  expect(watch.names()).toEqual([]);
  await watch.sendRaw(text.slice(30));
  expect(watch.names()).toEqual(['a']);
});

test('a container that is destroyed is gone, and one that cannot be found is, too', async () => {
  const watch = openWatch();
  watch.show({id: 'a'}, {id: 'b'}, {id: 'c'});
  await started(watch);
  await watch.send(event('destroy', 'a'));
  expect(watch.names()).toEqual(['b', 'c']);
  await watch.send(event('remove', 'b'));
  watch.show();
  await watch.send(event('die', 'c'));
  expect(watch.names()).toEqual([]);
});

test.each<readonly [what: string, events: readonly (readonly [action: string, attributes?: object])[], words: string]>([
  ['its code', [['die', {exitCode: '3'}]], 'exited with code 3'],
  ['its code, as Podman says it', [['died', {containerExitCode: '4'}]], 'exited with code 4'],
  ['no code', [['die', {exitCode: 'odd'}]], 'exited'],
  ['its memory', [['oom'], ['die', {exitCode: '137'}]], 'exited with code 137 (OOMKilled)'],
  ['its memory in an earlier run', [['oom'], ['start'], ['die', {exitCode: '1'}]], 'exited with code 1'],
])('how a container ended is remembered: %s', async (_what, events, words) => {
  const watch = openWatch();
  watch.show({id: 'a'});
  await started(watch);
  await watch.send(...events.map(([action, attributes]) => event(action, 'a', attributes)));
  expect([...watch.endings()]).toEqual([['a', words]]);
});

test.each<readonly [what: string, state: object, words: string | undefined]>([
  ['exited', {Status: 'exited', ExitCode: 2}, 'exited with code 2'],
  ['dead', {Status: 'dead', ExitCode: 137, OOMKilled: true}, 'exited with code 137 (OOMKilled)'],
  ['running', {Status: 'running', ExitCode: 2}, undefined],
])('an inspection tells how one ended: %s', async (_what, state, words) => {
  const watch = openWatch();
  watch.show({id: 'a', state});
  await started(watch);
  expect(watch.endings().get('a')).toBe(words);
});

test('events that end are asked for again from the last one, which proves that none was missed', async () => {
  const watch = openWatch();
  watch.show({id: 'a'});
  await started(watch);
  const last = event('start', 'a', {}, second + 30);
  await watch.send(last);
  await watch.end();
  expect(watch.outage()).toBeUndefined();
  await watch.advance(200);
  expect(watch.opened.at(-1)?.since).toBe(`${second + 29}`);
  await watch.send(last);
  await watch.advance(3_000);
  expect(watch.watchOutages()).toBe(0);
  await watch.end();
  await watch.advance(200);
  const changes = watch.changes();
  await watch.advance(2_900);
  expect(watch.watchOutages()).toBe(0);
  await watch.advance(200);
  expect([watch.watchOutages(), watch.changes() > changes]).toEqual([1, true]);
});

test('what went meanwhile is gone, and how it ended is not known', async () => {
  const watch = openWatch();
  watch.show({id: 'a'}, {id: 'b'});
  await started(watch);
  await watch.send(event('die', 'a', {exitCode: '1'}));
  watch.show({id: 'b'});
  await watch.end();
  await watch.advance(300);
  expect([watch.names(), [...watch.endings()]]).toEqual([['b'], []]);
});

test('an engine that is away is said to be after five seconds, and is tried again and again', async () => {
  const watch = openWatch();
  watch.show({id: 'a'});
  await started(watch);
  watch.refuse(new CallError('connection', 'Docker is away.'));
  await watch.end(false);
  await watch.advance(4_900);
  expect([watch.outage(), watch.names()]).toEqual([undefined, ['a']]);
  await watch.advance(100);
  expect([watch.outage(), watch.opened.length]).toEqual(['Docker is away.', 5]);
  await watch.advance(60_000);
  expect(watch.opened.length).toBe(17);
  watch.refuse(undefined);
  await watch.advance(2_000);
  expect([watch.outage(), watch.watchOutages()]).toEqual([undefined, 0]);
  await watch.advance(3_000);
  expect(watch.watchOutages()).toBe(1);
});

test.each<readonly [how: string, prepare: (watch: ReturnType<typeof openWatch>) => void, message: string]>([
  ['it cannot be asked', watch => watch.refuse(new CallError('connection', 'Docker is away.')), 'Docker is away.'],
  ['its list is none', watch => watch.breakList(), 'Docker at /docker.sock sent no list of containers.'],
])('a watch does not start if %s', async (_how, prepare, message) => {
  const watch = openWatch();
  prepare(watch);
  const start = watch.start().then(
    () => 'started',
    (error: Error) => error.message,
  );
  await watch.advance(400);
  expect(await start).toBe(message);
});

test('an event of more than a megabyte breaks the stream', async () => {
  const watch = openWatch();
  await started(watch);
  await watch.sendRaw('x'.repeat(1024 * 1024));
  await watch.advance(1_000);
  expect(watch.opened).toHaveLength(1);
  await watch.sendRaw('x');
  await watch.advance(1_000);
  expect(watch.opened).toHaveLength(2);
});

test('after its close nothing is asked any more', async () => {
  const watch = openWatch();
  watch.show({id: 'a'});
  await started(watch);
  await watch.send(event('start', 'a'));
  const asked = watch.asked.length;
  watch.close();
  await watch.end();
  await watch.advance(60_000);
  expect([watch.asked.length, watch.opened.length]).toEqual([asked, 1]);
});

test('of more than 1,000 containers the oldest is left out, and a warning says so', async () => {
  const watch = openWatch();
  const created = (index: number): string => new Date(startMs - index * 60_000).toISOString();
  const containers = Array.from({length: 1_001}, (_, index) => ({id: `c${index}`, created: created(index)}));
  watch.show(...containers.slice(1));
  await started(watch);
  expect([watch.names().length, watch.names().at(-1), watch.warnings]).toEqual([1_000, 'c1000', []]);
  watch.show(...containers);
  await watch.send(event('start', 'c0'));
  expect([watch.names().length, watch.names()[0], watch.names().at(-1), watch.warnings]).toEqual([
    ...[1_000, 'c0', 'c999'],
    ['Docker at /docker.sock has more than 1000 containers: the oldest are left out.'],
  ]);
});
