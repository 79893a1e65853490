import {afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {startReflector} from '#service/kubernetes/watch/reflector.ts';
import {createScriptedClient, down, gone, refused} from '../scripted-client.ts';

const path = '/api/v1/namespaces/shop/pods';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const makeThing = (name: string, version = '1') => ({metadata: {uid: `uid-${name}`, resourceVersion: version, name}});

const decode = (object: unknown) => {
  const {metadata} = object as {metadata?: {uid?: string; resourceVersion: string; name: string}};
  return metadata?.uid === undefined ? undefined : {...metadata, uid: metadata.uid};
};

const start = async (scripted = createScriptedClient()) => {
  const warnings: string[] = [];
  let changes = 0;
  const reflector = startReflector({
    client: scripted.client,
    path,
    name: 'pods of namespace shop',
    decode,
    onChange: () => {
      changes += 1;
    },
    monotonicMs: () => Date.now(),
    random: () => 0,
    warn: message => warnings.push(message),
  });
  onTestFinished(() => reflector.close());
  await vi.advanceTimersByTimeAsync(0);
  return {
    ...scripted,
    reflector,
    warnings,
    changes: () => changes,
    names: () => [...reflector.items().values()].map(({name}) => name),
    watch: () => scripted.watchOf(path),
    listCount: () => scripted.calls.filter(({kind}) => kind === 'get').length,
    watchVersions: () => scripted.calls.filter(({kind}) => kind === 'watch').map(({query}) => query.resourceVersion),
  };
};

test.each([
  ['empty pages', 0, 20],
  ['pages of one', 1, 1_000],
])(
  'a list that never ends is given up, with a sentence, and not asked for again at once: %s',
  async (_, count, pages) => {
    const scripted = createScriptedClient();
    let calls = 0;
    scripted.client.get = async () => {
      calls += 1;
      return {metadata: {resourceVersion: '1', continue: 'more'}, items: Array(count).fill(makeThing('pod'))};
    };
    const {reflector} = await start(scripted);
    expect([calls, reflector.failure()?.message]).toEqual([
      pages,
      `The list of ${path} of the cluster at https://cluster.example.com does not end: ${pages} pages.`,
    ]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(calls).toBeLessThan(pages * 8);
  },
);

test.each([
  ['went back: all is listed again, and nobody knows what came meanwhile', '41', ['new'], 1],
  ['stayed: the watch goes on', '42', ['old'], 0],
])(
  'a watch that is silent is checked against the version of the cluster, which %s',
  async (_, version, names, lost) => {
    const scripted = createScriptedClient();
    scripted.setList(path, [makeThing('old')], '42');
    const {reflector, watch, names: namesNow} = await start(scripted);
    scripted.setList(path, [makeThing('new')], version);
    await vi.advanceTimersByTimeAsync(12_000);
    watch()?.end();
    await vi.advanceTimersByTimeAsync(100);
    expect([namesNow(), reflector.watchOutages()]).toEqual([names, lost]);
  },
);

test('lists page by page, then watches from the version of the list', async () => {
  const scripted = createScriptedClient();
  scripted.setList(
    path,
    Array.from({length: 1_100}, (_, index) => makeThing(`pod-${index}`)),
    '42',
  );
  const {names, calls} = await start(scripted);
  expect(names()).toHaveLength(1_100);
  expect(calls.map(({kind, query}) => [kind, query.limit, query.continue])).toEqual([
    ['get', 500, undefined],
    ['get', 500, '500'],
    ['get', 500, '1000'],
    ['watch', undefined, undefined],
  ]);
  expect(calls.at(-1)?.query).toEqual({
    watch: true,
    resourceVersion: '42',
    allowWatchBookmarks: true,
    timeoutSeconds: 40,
  });
});

test('takes changes from a body that is cut anywhere, inside a character too', async () => {
  const {watch, names, changes} = await start();
  const before = changes();
  const body = Buffer.from(
    `${JSON.stringify({type: 'ADDED', object: makeThing('grüße')})}\n${JSON.stringify({type: 'ADDED', object: makeThing('b')})}\n`,
  );
  for (const byte of body) {
    watch().write(Buffer.from([byte]));
  }
  expect(names()).toEqual(['grüße', 'b']);
  watch().send('DELETED', makeThing('b', '3'));
  expect(names()).toEqual(['grüße']);
  expect(changes()).toBeGreaterThan(before);
});

test('goes on at once from the last version, a bookmark’s too, when the server ends a watch', async () => {
  const {watch, watchVersions, listCount} = await start();
  watch().send('ADDED', makeThing('a', '7'));
  watch().send('BOOKMARK', {metadata: {resourceVersion: '19'}});
  await vi.advanceTimersByTimeAsync(40_000);
  watch().end();
  await vi.advanceTimersByTimeAsync(0);
  expect(watchVersions()).toEqual(['1', '19']);
  expect(listCount()).toBe(1);
});

test.each([
  ['as a status', (scripted: ReturnType<typeof createScriptedClient>) => scripted.fail('watch', path, gone())],
  ['as an event', undefined],
])('lists anew after 410 %s, and notices what vanished meanwhile', async (_, failWatch) => {
  const scripted = createScriptedClient();
  scripted.setList(path, [makeThing('a'), makeThing('b')]);
  const {names, watch, watchVersions, reflector} = await start(scripted);
  const [kept] = reflector.items().values();
  await vi.advanceTimersByTimeAsync(5_000);
  scripted.setList(path, [makeThing('a'), makeThing('c')], '90');
  if (failWatch) {
    failWatch(scripted);
    watch().end();
  } else {
    watch().send('ERROR', {kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version'});
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(['a', 'c']);
  expect(watchVersions().at(-1)).toBe('90');
  expect(reflector.items().get('uid-a')).toBe(kept);
});

test('does not ask in a circle while every version is too old', async () => {
  const scripted = createScriptedClient();
  scripted.fail('watch', path, ...Array.from({length: 1_000}, gone));
  const {listCount} = await start(scripted);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listCount()).toBeLessThan(15);
});

test('does not ask in a circle either while each watch begins and is too old at once', async () => {
  const {watch, listCount, warnings} = await start();
  for (let second = 0; second < 240; second += 1) {
    if (!watch().isClosed()) {
      watch().send('ERROR', {kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version'});
    }
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(listCount()).toBeLessThan(15);
  expect(warnings).toEqual(['The pods of namespace shop cannot be watched. The watch ended at once.']);
});

test('asks more and more rarely, and warns, while the cluster lets each request run into its time limit', async () => {
  const slow = createScriptedClient();
  let asked = 0;
  const client = {
    ...slow.client,
    open: async () => {
      asked += 1;
      await new Promise(resolve => setTimeout(resolve, 10_000));
      throw down();
    },
  };
  const {warnings} = await start({...slow, client});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(warnings).toEqual(['The pods of namespace shop cannot be watched. The cluster does not answer.']);
  const before = asked;
  await vi.advanceTimersByTimeAsync(120_000);
  // 10 s for the request, and 7.5 s for the pause.
  expect(asked - before).toBeLessThanOrEqual(7);
});

test('notices a watch that does not end in its time: the connection is half-open', async () => {
  const {watch, watchVersions, names} = await start();
  const first = watch();
  await vi.advanceTimersByTimeAsync(42_000);
  expect(watchVersions()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watchVersions()).toHaveLength(2);
  expect(first.isClosed()).toBe(true);
  first.send('ADDED', makeThing('late'));
  expect(names()).toEqual([]);
});

test('tells apart what begins while it is watched and what may be older', async () => {
  const scripted = createScriptedClient();
  scripted.setList(path, [makeThing('listed')]);
  const {watch, reflector} = await start(scripted);
  watch().send('ADDED', makeThing('live'));
  watch().send('MODIFIED', makeThing('unknown'));
  watch().send('ADDED', makeThing('listed', '2'));
  await vi.advanceTimersByTimeAsync(30_000);
  watch().end();
  await vi.advanceTimersByTimeAsync(0);
  watch().send('ADDED', makeThing('after a short pause'));
  await vi.advanceTimersByTimeAsync(30_000);
  scripted.fail('watch', path, down(), down(), down());
  watch().end(down());
  // The tries end after 0.5, 1.5, 3.5 and 7.5 seconds.
  await vi.advanceTimersByTimeAsync(7_500);
  watch().send('ADDED', makeThing('added during a long pause'));
  await vi.advanceTimersByTimeAsync(3_000);
  watch().send('ADDED', makeThing('live again'));
  const fromStart = [...reflector.items().values()].filter(({uid}) => reflector.isSeenFromStart(uid));
  expect(fromStart.map(({name}) => name)).toEqual(['live', 'after a short pause', 'live again']);
});

test('keeps what it knows while the cluster cannot be reached, and says so once if that lasts', async () => {
  const scripted = createScriptedClient();
  scripted.setList(path, [makeThing('a')]);
  const {watch, names, warnings, reflector} = await start(scripted);
  await vi.advanceTimersByTimeAsync(5_000);
  scripted.fail('watch', path, ...Array.from({length: 8}, down));
  watch().end(down());
  await vi.advanceTimersByTimeAsync(600);
  expect(warnings).toEqual([]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(warnings).toEqual(['The pods of namespace shop cannot be watched. The cluster does not answer.']);
  expect(names()).toEqual(['a']);
  expect(reflector.failure()).toBeUndefined();
});

test('says a refusal at once and once, asks again twice a minute, and goes on when it is lifted', async () => {
  const scripted = createScriptedClient();
  scripted.fail('get', path, refused(), refused(), refused());
  scripted.setList(path, [makeThing('a')]);
  const {warnings, reflector, listCount, names} = await start(scripted);
  expect(warnings).toEqual(['The pods of namespace shop cannot be listed. The cluster refuses to list pods (403).']);
  expect(reflector.isListed()).toBe(false);
  expect(reflector.failure()?.status).toBe(403);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listCount()).toBe(3);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(names()).toEqual(['a']);
  expect(reflector.failure()).toBeUndefined();
  expect(warnings).toHaveLength(1);
});

test('lists twice a minute if it may list but not watch', async () => {
  const scripted = createScriptedClient();
  scripted.fail('watch', path, ...Array.from({length: 100}, () => refused()));
  const {listCount, warnings} = await start(scripted);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(listCount()).toBe(5);
  expect(warnings).toHaveLength(1);
});

test('says at once that its credentials are refused, though it could list before', async () => {
  const {watch, reflector, fail} = await start();
  await vi.advanceTimersByTimeAsync(5_000);
  const unauthorised = new KubeError('status', 'The cluster does not accept the token (401).', {status: 401});
  fail('watch', path, unauthorised);
  fail('get', path, unauthorised);
  watch().end();
  await vi.advanceTimersByTimeAsync(0);
  expect(reflector.failure()).toBe(unauthorised);
  await vi.advanceTimersByTimeAsync(70_000);
  expect(reflector.failure()).toBeUndefined();
});

test('looks at once whether it may still list when it may not watch any more', async () => {
  const {watch, reflector, fail} = await start();
  await vi.advanceTimersByTimeAsync(30_000);
  fail('watch', path, refused());
  fail('get', path, refused());
  watch().end();
  await vi.advanceTimersByTimeAsync(0);
  expect(reflector.failure()?.status).toBe(403);
});

test('shows what was deleted once more, as it was last: it may have come and gone in one burst', async () => {
  const {watch, reflector, names} = await start();
  watch().send('ADDED', makeThing('short', '2'));
  watch().send('DELETED', makeThing('short', '3'));
  expect(names()).toEqual([]);
  expect([...reflector.leaving()]).toEqual([{uid: 'uid-short', resourceVersion: '3', name: 'short'}]);
  expect(reflector.isSeenFromStart('uid-short')).toBe(true);
  expect([reflector.noteShown(), reflector.noteShown()]).toEqual([true, false]);
  expect([...reflector.leaving()]).toEqual([]);
  expect(reflector.isSeenFromStart('uid-short')).toBe(false);
});

test.each([
  // The tries end after 0.5, 1.5, 3.5 and 7.5 seconds.
  ['after a pause', 8_000, 1],
  ['at once', 1_000, 0],
])('counts an outage of which nobody knows the changes: a list anew %s', async (_, pauseMs, outages) => {
  const {watch, reflector, fail} = await start();
  watch().send('BOOKMARK', {metadata: {resourceVersion: '19'}});
  fail('watch', path, ...(outages > 0 ? [down(), down(), down()] : []));
  watch().end(outages > 0 ? down() : undefined);
  await vi.advanceTimersByTimeAsync(pauseMs);
  watch().send('ERROR', {kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version'});
  await vi.advanceTimersByTimeAsync(0);
  expect(reflector.watchOutages()).toBe(outages);
});

test('the first list has not come while the server asks to wait', async () => {
  const scripted = createScriptedClient();
  scripted.fail('get', path, new KubeError('status', 'Too many requests (429).', {status: 429, retryAfterMs: 3_000}));
  const {reflector} = await start(scripted);
  let isSettled = false;
  void reflector.settled.then(() => {
    isSettled = true;
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isSettled).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isSettled).toBe(true);
});

test('waits as long as a busy server asks for, and no longer for the next fault', async () => {
  const busy = () => new KubeError('status', 'Too many requests (429).', {status: 429, retryAfterMs: 3_000});
  const scripted = createScriptedClient();
  scripted.fail('get', path, busy(), busy(), busy(), busy(), down());
  const {listCount} = await start(scripted);
  await vi.advanceTimersByTimeAsync(11_999);
  expect(listCount()).toBe(4);
  await vi.advanceTimersByTimeAsync(1);
  expect(listCount()).toBe(5);
  // The first fault of another kind: half a second.
  await vi.advanceTimersByTimeAsync(500);
  expect(listCount()).toBe(6);
});

test('skips what it cannot read with a warning, and goes on after it', async () => {
  const scripted = createScriptedClient();
  scripted.setList(path, [{metadata: {name: 'no uid'}}, 7, makeThing('a')]);
  const {watch, names, warnings, watchVersions} = await start(scripted);
  watch().send('MODIFIED', {metadata: {resourceVersion: '8'}});
  watch().write('{"type":"ADDED","object":{"metadata"\n');
  watch().write('\n');
  watch().send('ADDED', makeThing('b', '9'));
  expect(names()).toEqual(['a', 'b']);
  expect(new Set(warnings)).toEqual(
    new Set([
      'One of the pods of namespace shop could not be read and was left out.',
      'A change of the pods of namespace shop could not be read and was skipped.',
    ]),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  watch().end();
  await vi.advanceTimersByTimeAsync(0);
  expect(watchVersions().at(-1)).toBe('9');
});

test('knows ten thousand objects at most, and says that there are more', async () => {
  const scripted = createScriptedClient();
  scripted.setList(
    path,
    Array.from({length: 10_600}, (_, index) => makeThing(`pod-${index}`)),
  );
  const {names, watch, warnings} = await start(scripted);
  watch().send('ADDED', makeThing('one more', '2'));
  watch().send('MODIFIED', makeThing('pod-1', '3'));
  expect(names()).toHaveLength(10_000);
  expect(new Set(warnings)).toEqual(
    new Set(['There are more than 10000 pods of namespace shop: the others are left out.']),
  );
  watch().send('DELETED', makeThing('pod-1', '4'));
  watch().send('ADDED', makeThing('room', '5'));
  expect(names().at(-1)).toBe('room');
});

test('drops a change that is too large to be one, and goes on after it', async () => {
  const {names, watch, warnings} = await start();
  for (let count = 0; count < 9; count += 1) {
    watch().write('x'.repeat(1024 * 1024));
  }
  watch().write('\n');
  watch().send('ADDED', makeThing('b', '9'));
  expect(names()).toEqual(['b']);
  expect(warnings).toEqual([
    'A change of the pods of namespace shop was skipped: it is larger than any object that the cluster stores.',
  ]);
});

test('stops for good when closed, also while it waits', async () => {
  const scripted = createScriptedClient();
  scripted.fail('get', path, down());
  const {reflector, calls} = await start(scripted);
  reflector.close();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
