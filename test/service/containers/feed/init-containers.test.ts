import {expect, test} from 'vitest';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse, type ScriptedContainer} from '../../kubernetes/scripted-cluster.ts';

const init = {container: 'migrate', containerKind: 'init'} as const;
/** The place of an init container that has ended well. */
const finish = (container: ScriptedContainer) => ({
  ...container.place(),
  state: 'terminated' as const,
  isFinished: true,
});

test('the lines of an init container are those of a source of its own, read to their end, and then it costs nothing', async () => {
  const {addContainer, show, advance, readWindow, readStory} = openFeed({streamsMax: 2});
  const migrate = addContainer('web', init);
  const app = addContainer('web', {instanceId: undefined, state: 'waiting'});
  migrate.write('migrating');
  app.answers.push(refuse(400, 'container "app" in pod "web" is waiting to start: PodInitializing'));
  await show(migrate, app);
  expect((await readWindow()).numbering?.sources).toEqual([{pod: 'web', container: 'init:migrate'}]);
  migrate.write('migrated');
  migrate.end();
  app.write('ready');
  const running = {...app.place(), instanceId: 'containerd://app', state: 'running' as const};
  await show(finish(migrate), running);
  await advance(5_000);
  const count = migrate.requests.length;
  await advance(3_600_000);
  expect(migrate.requests).toHaveLength(count);
  expect(await readStory()).toEqual(['migrating', 'migrated', 'ready']);
  // Its stream is free for another container.
  const other = addContainer('other');
  other.write('other');
  await show(finish(migrate), running, other);
  expect(await readStory()).toEqual(['migrating', 'migrated', 'ready', 'other']);
});

test('an init container that runs again, as after its node restarted, is read again', async () => {
  const {addContainer, show, advance, readStory} = openFeed();
  const migrate = addContainer('web', init);
  migrate.write('first');
  migrate.end();
  await show(finish(migrate));
  await advance(5_000);
  migrate.start();
  migrate.write('second');
  await show(migrate);
  await advance(2_000);
  expect(await readStory()).toEqual(['first', 'second']);
});

test.each([
  ['400', () => refuse(400, 'unable to retrieve container logs')],
  ['404', () => refuse(404)],
  ['the sentence of the node as a body', () => 'unable to retrieve container logs for containerd://0123'],
])(
  'an init container that had finished and whose log is gone is asked for once, and is no fault: %s',
  async (_, makeAnswer) => {
    const {addContainer, show, advance, readWindow, readStory, warnings} = openFeed();
    const migrate = addContainer('web', init);
    const app = addContainer('web');
    app.write('ready');
    migrate.end();
    migrate.answers.push(...Array.from({length: 20}, () => makeAnswer()));
    await show(finish(migrate), app);
    await advance(60_000);
    expect(await readWindow()).toMatchObject({unreadablePods: undefined});
    expect([await readStory(), migrate.requests.length, warnings]).toEqual([['ready'], 1, []]);
  },
);

test('an init container whose last lines could not be read is a loss', async () => {
  const {addContainer, show, advance, readStory} = openFeed();
  const migrate = addContainer('web', init);
  migrate.write('migrating');
  await show(migrate);
  migrate.breakStreams('cut');
  migrate.answers.push(...Array.from({length: 40}, () => refuse(400, 'unable to retrieve container logs')));
  migrate.end();
  await show(finish(migrate));
  await advance(30_000);
  expect(await readStory()).toEqual([
    'migrating',
    '(web: the pod was gone before its log was known to have been read to the end)',
  ]);
});

test('with a time to begin at, what had finished before is not read', async () => {
  const {addContainer, show, readStory} = openFeed({
    firstRead: {since: BigInt(Date.UTC(2026, 10, 22, 11, 50)) * 1_000_000n},
  });
  const [migrate, warm] = [addContainer('web', init), addContainer('web', {...init, container: 'warm'})];
  migrate.write('old', BigInt(Date.UTC(2026, 10, 22, 11, 40)) * 1_000_000n);
  warm.write('new');
  const ended = (container: ScriptedContainer, minute: number) => ({
    ...finish(container),
    finishedAtMs: Date.UTC(2026, 10, 22, 11, minute),
  });
  await show(ended(migrate, 40), ended(warm, 55));
  expect(await readStory()).toEqual(['new']);
  expect(migrate.requests).toEqual([]);
});

test('containers that have finished take nothing of the share of those that go on', async () => {
  const {addContainer, show} = openFeed({windowLines: 100});
  const old = {isSeenFromStart: false, podCreatedAtMs: 0};
  const app = addContainer('web', old);
  const inits = ['a', 'b', 'c'].map(container => addContainer('web', {...old, ...init, container}));
  for (const each of inits) {
    each.end();
  }
  await show(...inits.map(finish), app);
  expect(app.requests.at(-1)?.tailLines).toBe(202);
});

test('an ephemeral container that is added to a pod is read from its first line, and that it came late is no loss', async () => {
  const {addContainer, show, readStory, warnings} = openFeed();
  const old = {isSeenFromStart: false};
  const app = addContainer('web', old);
  app.write('app');
  await show(app);
  const added = addContainer('web', {...old, container: 'debugger', containerKind: 'ephemeral'});
  added.write('1');
  await show(app, added);
  expect([await readStory(), warnings]).toEqual([['app', '1'], []]);
});
