import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createLineBackend} from '#service/served/line-backend.ts';
import type {LineSource, LineSourceContext, LineSourceSetup} from '#service/served/line-source.ts';
import type {ServedBranch, ServedContent} from '#service/served/served-records.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const startMs = Date.UTC(2026, 10, 21, 14);

/** Sources that pass on what the test writes, by the name of their pod, and what was done with them. */
const createSources = () => {
  const waiting = new Map<string, string[]>();
  const log: string[] = [];
  const contexts = new Map<string, LineSourceContext>();
  let stuck: Promise<void> | undefined;
  const sourceOf = (name: string, changes: Partial<LineSource> = {}): LineSourceSetup =>
    ({
      kind: 'test',
      open: (context: LineSourceContext): LineSource => {
        const stream = {podKey: context.podKey, stamps: emptyStreamStamps, held: {}};
        contexts.set(name, context);
        return {
          start: async () => {
            log.push(`start ${name}`);
          },
          turn: async () => {
            await stuck;
            context.sink.take(stream, waiting.get(name) ?? []);
            waiting.delete(name);
            context.sink.store({startedPodKeys: [context.podKey]});
            return false;
          },
          close: async () => {
            log.push(`close ${name}`);
          },
          ...changes,
        };
      },
      name,
    }) as LineSourceSetup;
  return {
    log,
    contexts,
    sourceOf,
    write: (name: string, ...lines: readonly string[]): void => {
      waiting.set(name, [...(waiting.get(name) ?? []), ...lines]);
      contexts.get(name)?.wake();
    },
    stick: (until: Promise<void>): void => {
      stuck = until;
    },
  };
};

const branchOf = (id: string, pods: ServedBranch['pods'], status: string | null = 'UP'): ServedBranch => ({
  id,
  name: `branch ${id}`,
  status,
  fields: {},
  pods,
});

const contentOf = (branches: readonly ServedBranch[], changes: Partial<ServedContent> = {}): ServedContent => ({
  sites: [{id: 's', branches}],
  windowLines: 10,
  windowPerPod: false,
  ...changes,
});

const open = (content: ServedContent, stateFolder?: string) => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
  onTestFinished(() => void vi.useRealTimers());
  const folder = createTempFolder('served');
  onTestFinished(() => folder.remove());
  let nowMs = 0;
  const warnings: string[] = [];
  const backend = createLineBackend({
    ...content,
    stateFolder: stateFolder ?? join(folder.path, 'state'),
    now: () => instantFromMs(startMs + nowMs),
    monotonicMs: () => nowMs,
    warn: message => warnings.push(message),
  });
  onTestFinished(() => backend.close());
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const textsOf = async (branchId: string): Promise<readonly string[] | undefined> => {
    const read = backend.readWindow('s', branchId);
    await advance(250);
    return (await read)?.lines.map(line => line.slice(line.indexOf(' ') + 1));
  };
  return {...backend, advance, textsOf, warnings, folder};
};

test('branches are listed with their windows, and what is not built out has none', async () => {
  const {sourceOf, write} = createSources();
  const {start, textsOf, listBranches, readWindow} = open(
    contentOf([branchOf('a', [{name: 'web', source: sourceOf('web')}]), branchOf('b', [], null)]),
  );
  await start();
  write('web', 'one', 'two');
  expect(await textsOf('a')).toEqual(['one', 'two']);
  expect(await readWindow('s', 'b')).toEqual({pods: [], lines: []});
  expect([await readWindow('s', 'c'), await readWindow('t', 'a'), await listBranches('t')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect((await listBranches('s'))?.map(({_id: id, name, status}) => [id, name, status])).toEqual([
    ['a', 'branch a', 'UP'],
    ['b', 'branch b', null],
  ]);
  const window = await readWindow('s', 'a');
  expect([window?.pods.map(({name}) => name), window?.cut]).toEqual([['web'], 'branch']);
});

test('a window is shared by its pods, or is one of each', async () => {
  const {sourceOf, contexts} = createSources();
  const pods = ['one', 'two', 'three'].map(name => ({name, source: sourceOf(name)}));
  const shared = open(contentOf([branchOf('a', pods)]));
  await shared.start();
  expect(contexts.get('one')).toMatchObject({firstLines: 4, windowLines: 10, isNew: true, rotationGraceMs: 30_000});
  await shared.close();
  const each = open(contentOf([branchOf('a', pods)], {windowPerPod: true}));
  await each.start();
  expect(contexts.get('one')).toMatchObject({firstLines: 10, windowLines: 10});
  expect((await each.readWindow('s', 'a'))?.cut).toBe('pod');
});

test('a reload closes what is gone or was changed, and leaves the rest alone', async () => {
  const {sourceOf, log, write} = createSources();
  const [web, php, other] = ['web', 'php', 'other'].map(name => [{name, source: sourceOf(name)}]);
  const {start, reload, textsOf, listBranches} = open(contentOf([branchOf('a', web ?? []), branchOf('b', php ?? [])]));
  await start();
  write('web', 'one');
  expect(await textsOf('a')).toEqual(['one']);
  await reload(contentOf([branchOf('a', web ?? []), branchOf('c', other ?? [])]));
  expect(log).toEqual(['start web', 'start php', 'close php', 'start other']);
  expect((await listBranches('s'))?.map(({_id}) => _id)).toEqual(['a', 'c']);
  write('web', 'two');
  expect(await textsOf('a')).toEqual(['one', 'two']);
  await reload(contentOf([branchOf('a', web ?? [])], {windowLines: 5}));
  expect(log.slice(4)).toEqual(['close web', 'close other', 'start web']);
  // Its lines are known from the state.
  expect(await textsOf('a')).toEqual(['one', 'two']);
  await reload(contentOf([branchOf('a', web ?? [], null)], {windowLines: 5}));
  expect([log.at(-1), await textsOf('a')]).toEqual(['close web', []]);
});

test('a service without a branch needs no folder for its state, until a reload brings one', async () => {
  const {sourceOf, write} = createSources();
  const {start, reload, textsOf} = open({sites: [], windowLines: 10, windowPerPod: false});
  await start();
  await reload({sites: [], windowLines: 10, windowPerPod: false});
  await reload(contentOf([branchOf('a', [{name: 'web', source: sourceOf('web')}])]));
  write('web', 'one');
  expect(await textsOf('a')).toEqual(['one']);
});

test('a reading that does not end in thirty seconds is a fault, until it ends', async () => {
  const {sourceOf, write, stick} = createSources();
  const {start, advance, measure} = open(contentOf([branchOf('a', [{name: 'web', source: sourceOf('web')}])]));
  await start();
  const {promise, resolve} = Promise.withResolvers<void>();
  stick(promise);
  write('web', 'one');
  await advance(1_000);
  await advance(29_000);
  const [before] = measure?.() ?? [];
  expect(before).toMatchObject({siteId: 's', branchName: 'branch a', fault: undefined, isOpening: false});
  await advance(1_001);
  expect(measure?.()[0]?.fault).toBe('a disk or a network folder does not answer');
  resolve();
  await advance(10);
  expect(measure?.()[0]?.fault).toBeUndefined();
});

test('a log that takes long to open is not waited for, and says so', async () => {
  const {sourceOf} = createSources();
  const {promise, resolve} = Promise.withResolvers<void>();
  const slow = sourceOf('web', {start: () => promise});
  const {start, advance, readWindow, measure, countErrors, close} = open(
    contentOf([branchOf('a', [{name: 'web', source: slow}])]),
  );
  const started = start();
  await advance(700);
  await started;
  expect(measure?.()[0]?.isOpening).toBe(true);
  const read = readWindow('s', 'a').catch((error: Error) => error.message);
  await advance(2_000);
  expect(await read).toContain('The log is being opened');
  expect((await countErrors?.('s'))?.size).toBe(0);
  resolve();
  await advance(1_000);
  expect(measure?.()[0]?.isOpening).toBe(false);
  expect((await readWindow('s', 'a'))?.lines).toEqual([]);
  await close();
});

test('errors are counted of the branches of a site', async () => {
  const {sourceOf, write} = createSources();
  const {start, textsOf, countErrors, advance} = open(
    contentOf([branchOf('a', [{name: 'web', source: sourceOf('web')}]), branchOf('b', [], null)]),
  );
  await start();
  write('web', 'ERROR it failed');
  await textsOf('a');
  const counted = countErrors?.('s');
  await advance(250);
  expect([...((await counted)?.keys() ?? [])]).toEqual(['a']);
  expect(await countErrors?.('t')).toBeUndefined();
});

test('a source that fails to open ends the start, and closes what was opened', async () => {
  const {sourceOf, log} = createSources();
  const {start} = open(
    contentOf([
      branchOf('a', [{name: 'web', source: sourceOf('web')}]),
      branchOf('b', [
        {
          name: 'bad',
          source: {
            kind: 'test',
            open: () => {
              throw new Error('cannot be opened');
            },
          },
        },
      ]),
    ]),
  );
  await expect(start()).rejects.toThrow('cannot be opened');
  expect(log).toEqual([]);
});

test('after its close, what was served goes on where it was left', async () => {
  const {sourceOf, write, contexts} = createSources();
  const content = contentOf([branchOf('a', [{name: 'web', source: sourceOf('web')}])]);
  const first = open(content);
  await first.start();
  write('web', 'one');
  expect(await first.textsOf('a')).toEqual(['one']);
  await first.close();
  const second = open(content, join(first.folder.path, 'state'));
  await second.start();
  expect([await second.textsOf('a'), contexts.get('web')?.isNew, second.warnings]).toEqual([['one'], false, []]);
});
