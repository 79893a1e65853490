import {expect, test} from 'vitest';
import {createEffectRunner, type EffectRunnerOptions} from '#app/effect-runner.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Event} from '#app/state/event.ts';

/** A runner that notes what it calls, and what it dispatches. */
const start = (change: Partial<EffectRunnerOptions> = {}) => {
  const calls: unknown[] = [];
  const timers: {readonly delayMs: number; readonly callback: () => void; isCancelled: boolean}[] = [];
  const events: Event[] = [];
  const note =
    (name: string) =>
    (...given: readonly unknown[]): void => {
      calls.push([name, ...given]);
    };
  const run = createEffectRunner({
    openClient: () => {
      calls.push(['openClient']);
      return Promise.reject(new Error('no client'));
    },
    prepareWindow: async () => undefined,
    setTimer: (callback, delayMs) => {
      const timer = {callback, delayMs, isCancelled: false};
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
    nowMs: () => 0,
    rememberSite: async siteId => (siteId === 'bad' ? 'not remembered' : undefined),
    keepFilters: async name => (name === 'bad' ? 'not kept' : undefined),
    logMemories: {
      recall: async ({siteId}: {readonly siteId: string}) => ({
        memory: undefined,
        notice: siteId === 'bad' ? 'not read' : undefined,
      }),
      remember: note('remember'),
    } as never,
    switchContext: note('switchContext'),
    copy: async (text, what, advice) => `copied ${String(text)}, ${what}, ${advice}`,
    runExport: effect => note('runExport')(effect.kind),
    openSearch: () => Promise.reject(new Error('no thread')),
    setMouse: note('setMouse'),
    callUser: note('callUser'),
    nextTheme: () => 'theme dark',
    repaint: note('repaint'),
    suspend: note('suspend'),
    exit: note('exit'),
    ...change,
  });
  const give = async (...effects: readonly Effect[]): Promise<void> => {
    for (const effect of effects) {
      run(effect, event => events.push(event));
    }
    await new Promise(resolve => setImmediate(resolve));
  };
  return {calls, timers, events, give};
};

const key = (siteId: string) => ({siteId, branchIds: ['b']}) as never;

test('what only the terminal can do is passed on', async () => {
  const {calls, events, give} = start();
  const call = {kind: 'callUser', words: 'x'} as never;
  await give(
    {kind: 'repaint'},
    {kind: 'suspend'},
    {kind: 'exit'},
    {kind: 'setMouse', isOn: true},
    call,
    {kind: 'cancelSave'},
    {kind: 'saveFile', request: {} as never},
    {kind: 'pipe', request: {} as never},
    {kind: 'rememberLog', key: key('s'), memory: {} as never},
    {kind: 'switchContext', name: 'other'},
  );
  expect(calls).toEqual([
    ['repaint'],
    ['suspend'],
    ['exit'],
    ['setMouse', true],
    ['callUser', call],
    ['runExport', 'cancelSave'],
    ['runExport', 'saveFile'],
    ['runExport', 'pipe'],
    ['remember', key('s'), {}],
    ['switchContext', 'other'],
  ]);
  expect(events).toEqual([]);
});

test('what there is to say of it is a notice', async () => {
  const {events, give} = start();
  await give(
    {kind: 'nextTheme'},
    {kind: 'copy', text: 'a', what: 'the line', advice: 'try again'},
    {kind: 'rememberSite', siteId: 'good'},
    {kind: 'rememberSite', siteId: 'bad'},
    {kind: 'keepFilters', name: 'mine', filters: ['+a']},
    {kind: 'keepFilters', name: 'mine', filters: []},
    {kind: 'keepFilters', name: 'bad', filters: []},
  );
  expect(events).toEqual(
    [
      'theme dark',
      'copied a, the line, try again',
      'not remembered',
      'filters saved as mine',
      'mine forgotten',
      'not kept',
    ].map(notice => ({kind: 'noticed', notice})),
  );
});

test('the settings of a log are recalled, with what went wrong before', async () => {
  const {events, give} = start();
  await give({kind: 'recallLog', key: key('good'), generation: 3}, {kind: 'recallLog', key: key('bad'), generation: 4});
  expect(events).toEqual([
    {kind: 'logRecalled', generation: 3, memory: undefined},
    {kind: 'noticed', notice: 'not read'},
    {kind: 'logRecalled', generation: 4, memory: undefined},
  ]);
});

test('a secret is hidden after the time of the last one that was shown', async () => {
  const {timers, events, give} = start();
  await give({kind: 'hideSecretAfter', delayMs: 5}, {kind: 'hideSecretAfter', delayMs: 7});
  expect(timers.map(({delayMs, isCancelled}) => [delayMs, isCancelled])).toEqual([
    [5, true],
    [7, false],
  ]);
  timers[1]?.callback();
  expect(events).toEqual([{kind: 'secretDue'}]);
});

test('filters go on once a turn, for the state of the last request', async () => {
  const {timers, events, give} = start();
  await give({kind: 'filterSoon', generation: 1}, {kind: 'filterSoon', generation: 2});
  expect(timers.map(({delayMs}) => delayMs)).toEqual([0]);
  timers[0]?.callback();
  expect(events).toEqual([{kind: 'filterDue', generation: 2}]);
  await give({kind: 'filterSoon', generation: 3});
  expect(timers).toHaveLength(2);
});

test('a recording is polled at once, and a service when it is due', async () => {
  const poll = {kind: 'pollAfter', branchId: 'b', delayMs: 250, generation: 1} as const;
  const [played, asked] = [start({isReplay: true}), start()];
  await played.give(poll);
  await asked.give(poll);
  expect([played.timers[0]?.delayMs, asked.timers[0]?.delayMs]).toEqual([0, 250]);
});

test('a search that cannot start fails its pattern, and a client that cannot open fails its request', async () => {
  const {calls, events, give} = start();
  await give(
    {kind: 'prepareSearch'},
    {kind: 'cancelPattern', patternId: 1},
    {kind: 'match', patternId: 1, pattern: {} as never, chunks: []},
    {kind: 'findSpans', patternId: 2, pattern: {} as never, texts: []},
    {kind: 'cancelPattern', patternId: 1},
    {kind: 'findUnread', branchId: 'b', wish: {} as never, generation: 1},
    {kind: 'fetchBranches', siteId: 's', generation: 5},
  );
  expect(events).toMatchObject([
    {kind: 'patternFailed', patternId: 1, sentence: 'no thread'},
    {kind: 'patternFailed', patternId: 2, sentence: 'no thread'},
    {
      kind: 'branchesFailed',
      generation: 5,
      error: {kind: 'network', message: 'the request failed in an unexpected way: no client'},
    },
  ]);
  // Another context has another client.
  await give({kind: 'fetchBranches', siteId: 's', generation: 6});
  expect(calls).toEqual([['openClient']]);
  await give({kind: 'switchContext', name: 'other'}, {kind: 'fetchBranches', siteId: 's', generation: 7});
  expect(calls).toEqual([['openClient'], ['switchContext', 'other'], ['openClient']]);
});
