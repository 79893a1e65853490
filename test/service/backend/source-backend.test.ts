import {afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import type {BranchRecord, DirectoryBranch, LinesWindow, PodRecord} from '#service/backend/backend.ts';
import {UnavailableError} from '#service/backend/errors.ts';
import {createLineTally} from '#service/backend/line-tally.ts';
import {createSourceBackend} from '#service/backend/source-backend.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;

const makePodRecords = (...names: readonly string[]): readonly PodRecord[] =>
  names.map(name => ({name, resourceVersion: '1', metadata: {}}));

const makeBranch = (
  name: string,
  given: {readonly status?: string | null; readonly pods?: readonly string[]; readonly places?: readonly string[]} = {},
): DirectoryBranch<string> => {
  const {status = 'DEPLOY_APPLICATION_SUCCESS', pods = [name], places = [`${name}/php`]} = given;
  const record: BranchRecord = {_id: name, name, status};
  return {record, pods: makePodRecords(...pods), places};
};

/** A backend over a directory and a supply of lines that the test sets by hand. */
const start = async (branches: readonly DirectoryBranch<string>[], limits = {}) => {
  const known = new Map(branches.map(branch => [branch.record._id, branch]));
  const events: string[] = [];
  const windows = new Map<string, LinesWindow | Error>();
  let listener = (): void => undefined;
  let problem: UnavailableError | undefined;
  const read = <Answer>(answer: Answer): Answer => {
    if (problem) {
      throw problem;
    }
    return answer;
  };
  const backend = createSourceBackend<string>({
    now: () => 0n,
    directory: {
      start: async () => undefined,
      listBranches: () => read([...known.values()].map(({record}) => record)),
      listDeployed: () => read([]),
      findBranch: (_, branchId) => read(known.get(branchId)),
      onChange: given => {
        listener = given;
        return () => events.push('directory not heard any more');
      },
      close: async () => {
        events.push('directory closed');
      },
    },
    lines: {
      open: name => {
        events.push(`open ${name}`);
        return {
          setPlaces: places => events.push(`${name} from ${places.join(' ')}`),
          noteWatchOutage: () => events.push(`${name} missed an outage`),
          readWindow: async () => {
            const window = windows.get(name) ?? {lines: [`line of ${name}`]};
            if (window instanceof Error) {
              throw window;
            }
            return window;
          },
          heldBytes: () => 7,
          totals: () => ({totals: createLineTally().totals(), losses: 2}),
          close: async () => {
            events.push(`close ${name}`);
          },
        };
      },
      close: async () => {
        events.push('lines closed');
      },
    },
    monotonicMs: () => Date.now(),
    warn: message => events.push(message),
    ...limits,
  });
  await backend.start();
  onTestFinished(() => backend.close());
  return {
    backend,
    windows,
    change: (branch: DirectoryBranch<string> | undefined, id = branch?.record._id ?? '') => {
      if (branch) {
        known.set(id, branch);
      } else {
        known.delete(id);
      }
      listener();
    },
    fail: (error: UnavailableError | undefined) => {
      problem = error;
      listener();
    },
    ask: (id: string) => backend.readWindow('shop', id),
    /** What happened since the last call. */
    events: () => events.splice(0),
  };
};

test('follows a branch from the first request on, and tells it where its lines come from', async () => {
  const {ask, events, change} = await start([makeBranch('master'), makeBranch('next')]);
  expect(await ask('master')).toEqual({pods: makePodRecords('master'), lines: ['line of master']});
  await ask('master');
  expect(events()).toEqual(['open master', 'master from master/php']);
  change(makeBranch('master', {places: ['a', 'b']}));
  change(makeBranch('next', {places: ['c']}));
  expect(events()).toEqual(['master from a b']);
  expect(await ask('nothing')).toBeUndefined();
});

test('gives the same pods again while they are the same, so that a body is made once', async () => {
  const {ask} = await start([makeBranch('master')]);
  expect((await ask('master'))?.pods).toBe((await ask('master'))?.pods);
});

test('gives an empty window of a branch that is not built out, and follows nothing', async () => {
  const {ask, events} = await start([makeBranch('master', {status: null})]);
  expect(await ask('master')).toEqual({pods: [], lines: []});
  expect(events()).toEqual([]);
});

test('keeps a pod that has ended in the answers while its lines are being read, and no longer', async () => {
  const {ask, windows, change} = await start([makeBranch('master', {pods: ['a', 'b']})]);
  await ask('master');
  change(makeBranch('master', {pods: ['a']}));
  const podsWhile = async (finishingPods: ReadonlySet<string> | undefined) => {
    windows.set('master', {lines: ['one'], cut: 'pod', finishingPods});
    return (await ask('master'))?.pods.map(({name}) => name);
  };
  expect(await podsWhile(new Set(['b', 'never in an answer']))).toEqual(['a', 'b']);
  expect(await podsWhile(undefined)).toEqual(['a']);
  expect(await podsWhile(new Set(['b']))).toEqual(['a']);
});

test('tells a branch that is followed of each outage of which nobody knows what happened', async () => {
  const {ask, change, events} = await start([{...makeBranch('master'), watchOutages: 3}]);
  await ask('master');
  change({...makeBranch('master'), watchOutages: 4});
  change(undefined, 'master');
  change({...makeBranch('master'), watchOutages: 4});
  expect(events().filter(event => event.endsWith('outage'))).toEqual(['master missed an outage']);
});

test('leaves out the pods whose lines cannot be read, and throws if none can', async () => {
  const {ask, windows} = await start([makeBranch('master', {pods: ['a', 'b', 'c']})]);
  windows.set('master', {lines: ['one'], cut: 'pod', unreadablePods: new Map([['b', 'No right.']])});
  expect(await ask('master')).toEqual({
    pods: makePodRecords('a', 'c'),
    lines: ['one'],
    cut: 'pod',
    unreadable: {pods: 1, of: 3, why: 'No right.'},
  });
  windows.set('master', new UnavailableError('No log of branch master can be read: forbidden (403).'));
  await expect(ask('master')).rejects.toThrow('No log of branch master can be read: forbidden (403).');
});

test('measures the branches that are open, and says why one could not be read while somebody asks for it', async () => {
  const {ask, backend, windows} = await start([makeBranch('master', {pods: ['a', 'b']}), makeBranch('next')]);
  expect(backend.measure?.()).toEqual([]);
  await ask('master');
  expect(backend.measure?.()).toMatchObject([
    {siteId: 'shop', branchName: 'master', losses: 2, windowBytes: 7, fault: undefined},
  ]);
  const fault = () => backend.measure?.()[0]?.fault;
  windows.set('master', {lines: ['one'], unreadablePods: new Map([['b', 'No right.']])});
  await ask('master');
  expect(fault()).toBe('No right.');
  windows.set('master', new UnavailableError('No log of branch master can be read: forbidden (403).'));
  await expect(ask('master')).rejects.toThrow();
  expect(fault()).toBe('No log of branch master can be read: forbidden (403).');
  await vi.advanceTimersByTimeAsync(minute);
  expect(fault()).toBeUndefined();
});

test('stops following a branch ten minutes after the last request', async () => {
  const {ask, events} = await start([makeBranch('master')]);
  await ask('master');
  await vi.advanceTimersByTimeAsync(9 * minute);
  await ask('master');
  events();
  await vi.advanceTimersByTimeAsync(9 * minute);
  expect(events()).toEqual([]);
  await vi.advanceTimersByTimeAsync(minute);
  expect(events()).toEqual(['close master']);
  await ask('master');
  expect(events()).toEqual(['open master', 'master from master/php']);
});

test('keeps the lines of a branch whose workload is made anew', async () => {
  const {ask, change, events} = await start([makeBranch('master')]);
  await ask('master');
  change(undefined, 'master');
  await vi.advanceTimersByTimeAsync(minute);
  expect(await ask('master')).toBeUndefined();
  change(makeBranch('master', {places: ['new']}));
  await ask('master');
  expect(events()).toEqual(['open master', 'master from master/php', 'master from ', 'master from new']);
});

test('gives the last lines of a branch that is gone to whoever reads it, for a quarter of a minute', async () => {
  const {ask, change, windows, events} = await start([makeBranch('job'), makeBranch('other')]);
  await ask('job');
  change(undefined, 'job');
  change(undefined, 'other');
  windows.set('job', {lines: ['done'], finishingPods: new Set(['job'])});
  const texts = async () => (await ask('job'))?.lines;
  expect((await ask('job'))?.pods.map(({name}) => name)).toEqual(['job']);
  windows.set('job', {lines: ['done', 'exit 0']});
  expect([await texts(), (await ask('job'))?.pods]).toEqual([['done', 'exit 0'], []]);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(await texts()).toEqual(['done', 'exit 0']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await texts()).toBeUndefined();
  expect(await ask('other')).toBeUndefined();
  expect(events()).toEqual(['open job', 'job from job/php', 'job from ']);
});

test('answers with the directory’s reason while that knows nothing, and goes on reading meanwhile', async () => {
  const {ask, backend, fail, events} = await start([makeBranch('master')]);
  await ask('master');
  events();
  fail(new UnavailableError('The cluster is away.'));
  await expect(ask('master')).rejects.toThrow('The cluster is away.');
  await expect(backend.listBranches('shop')).rejects.toThrow('The cluster is away.');
  expect(events()).toEqual([]);
  fail(undefined);
  expect((await ask('master'))?.lines).toEqual(['line of master']);
  expect(events()).toEqual([]);
});

test('makes room by closing a branch that has no reader, and refuses one more if all have', async () => {
  const {ask, events} = await start([makeBranch('a'), makeBranch('b'), makeBranch('c')], {openBranchesMax: 2});
  await ask('a');
  await ask('b');
  await expect(ask('c')).rejects.toThrow(
    'The service follows 2 branches and has no room for another: ask again in a minute.',
  );
  await vi.advanceTimersByTimeAsync(minute / 2);
  await ask('a');
  await vi.advanceTimersByTimeAsync(minute / 2);
  events();
  await ask('c');
  expect(events()).toEqual(['close b', 'open c', 'c from c/php']);
});

test('closes everything at the end', async () => {
  const {ask, backend, events} = await start([makeBranch('a'), makeBranch('b')]);
  await ask('a');
  await ask('b');
  events();
  await backend.close();
  expect(events()).toEqual(['directory not heard any more', 'directory closed', 'close a', 'close b', 'lines closed']);
  expect(vi.getTimerCount()).toBe(0);
});

test('counts the errors of branches that are read, and nothing is read for it', async () => {
  vi.useFakeTimers({toFake: ['Date', 'setInterval', 'clearInterval']});
  onTestFinished(() => void vi.useRealTimers());
  const {backend, ask, events, windows} = await start([makeBranch('master'), makeBranch('next'), makeBranch('last')]);
  const numbering = {series: 's', first: 1, runs: [[0, 1]], sources: [{}], losses: []} as const;
  for (const name of ['master', 'next']) {
    windows.set(name, {lines: ['1970-01-01T00:00:00.000000000Z ERROR x'], cut: 'pod', numbering});
    await ask(name);
  }
  const names = async () => [...((await backend.countErrors?.('shop'))?.keys() ?? [])];
  windows.set('next', {lines: [], cut: 'pod', numbering, unreadablePods: new Map([['a', 'No right.']])});
  expect(await names()).toEqual(['master']);
  events();
  for (let minute = 0; minute < 10; minute += 1) {
    vi.advanceTimersByTime(60_000);
    await names();
  }
  expect(events().toSorted()).toEqual(['close master', 'close next']);
  expect(await names()).toEqual([]);
});
