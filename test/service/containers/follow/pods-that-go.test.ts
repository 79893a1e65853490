import {expect, test} from 'vitest';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse} from '../../kubernetes/scripted-cluster.ts';

test('the rest of a pod that goes is read, and its lines stay', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  await show(php);
  web.write('goodbye');
  await advance(500);
  expect(await readTexts()).toEqual(['1', 'goodbye']);
  await advance(15_000);
  expect(web.streamCount()).toBe(0);
  expect(await readTexts()).toEqual(['1', 'goodbye']);
  // A directory that was wrong for a while does no harm.
  web.write('still here');
  await show(web, php);
  await advance(2_000);
  expect(await readTexts()).toEqual(['1', 'goodbye', 'still here']);
});

test('a pod that goes and was read to its end stays in the answers until that is known, and takes no line with it', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  web.write('goodbye');
  web.end();
  await show(php);
  expect((await readWindow()).finishingPods).toEqual(new Set(['web']));
  await advance(2_000);
  expect(await readTexts()).toEqual(['1', 'goodbye']);
  expect(await readWindow()).toMatchObject({finishingPods: undefined, arrivals: {last: 2, dropped: 0}});
  expect((await readWindow()).arrivals?.unread).toBeUndefined();
});

test.each([
  ['its log is gone at once', 1_000],
  ['its stream stays open and says nothing', 5_000],
])('a pod that goes without a proof that it was read to its end takes a number: %s', async (how, settledMs) => {
  const {addContainer, show, advance, readTexts, readStory, readWindow} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  await readWindow();
  if (how.startsWith('its log')) {
    web.breakStreams('clean');
    web.isGone = true;
  } else {
    web.breakStreams('freeze');
  }
  web.write('lost');
  await show(php);
  await advance(settledMs);
  php.write('2');
  await advance(0);
  expect(await readTexts()).toEqual(['1', '2']);
  expect(await readWindow()).toMatchObject({finishingPods: undefined, arrivals: {last: 3, dropped: 2, unread: 2}});
  expect(await readStory()).toEqual([
    '1',
    '(web: the pod was gone before its log was known to have been read to the end)',
    '2',
  ]);
});

test('a pod whose node says that its container is removed was read to its end', async () => {
  const {addContainer, show, advance, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  await readWindow();
  web.write('goodbye');
  web.remove();
  await show(web, php);
  await advance(8_000);
  await show(php);
  web.isGone = true;
  await advance(1_000);
  expect(await readStory()).toEqual(['1', 'goodbye']);
  expect(await readWindow()).toMatchObject({finishingPods: undefined, arrivals: {last: 2, dropped: 0}});
  expect((await readWindow()).unreadablePods).toBeUndefined();
  expect(warnings).toEqual([]);
});

test.each([
  ['right after its stream ended in order was read to its end', 500, []],
  [
    'some time after that may have written more',
    20_000,
    ['(web: the pod was gone before its log was known to have been read to the end)'],
  ],
])('a pod whose container is removed %s', async (_, ms, told) => {
  const {addContainer, show, advance, readStory, readWindow} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  await readWindow();
  web.answers.push(...(ms > 1_000 ? Array.from({length: 9}, () => refuse(500)) : []));
  web.breakStreams('clean');
  if (ms > 1_000) {
    await advance(ms);
  }
  web.remove();
  await show(web, php);
  await advance(500);
  web.isGone = true;
  await show(php);
  await advance(30_000);
  expect(await readStory()).toEqual(['1', ...told]);
});

test('a pod whose log was gone before the branch was followed is no loss, though the watch says that it runs', async () => {
  const {addContainer, show, advance, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web', {isSeenFromStart: false, podCreatedAtMs: 0}), addContainer('php')];
  web.remove();
  php.write('1');
  await show({...web.place(), state: 'running'}, php);
  await show(web, php);
  await advance(2_000);
  web.isGone = true;
  await show(php);
  await advance(20_000);
  expect(await readStory()).toEqual(['1']);
  expect((await readWindow()).unreadablePods).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('an evicted pod, whose log is gone while the pod stays, takes a number, but not one that was dead from the start', async () => {
  const {addContainer, show, advance, readWindow} = openFeed();
  const [web, dead] = [addContainer('web'), addContainer('dead')];
  dead.end();
  dead.isGone = true;
  web.write('1');
  await show(web, dead);
  web.end();
  web.isGone = true;
  await show(web, dead);
  expect((await readWindow()).finishingPods).toEqual(new Set(['web']));
  await advance(20_000);
  expect(await readWindow()).toMatchObject({finishingPods: undefined, arrivals: {last: 2, unread: 2}});
  await show();
  await advance(20_000);
  expect((await readWindow()).arrivals).toMatchObject({last: 2, unread: 2});
});

test('a pod that is gone before any of its log was read is a loss', async () => {
  const {addContainer, show, advance, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web);
  await readWindow();
  php.isGone = true;
  await show(web, php);
  await show(web);
  await advance(1_000);
  web.write('2');
  await advance(0);
  expect(await readStory()).toEqual(['1', '(php: it was gone before it could be read)', '2']);
  expect(warnings).toEqual([
    'The log of pod php, container app, may lack lines: it was gone before it could be read. Readers see a gap.',
  ]);
});

test('a pod beyond the bound of streams is followed when there is room, and takes a number if it goes before', async () => {
  const {addContainer, show, advance, readStory, readWindow} = openFeed({streamsMax: 1});
  const [web, php, job] = [addContainer('web'), addContainer('php'), addContainer('job')];
  web.write('web 1');
  php.write('php 1');
  await show(web, php, job);
  expect(await readWindow()).toMatchObject({
    unreadablePods: new Map(['php', 'job'].map(name => [name, 'No more containers can be followed.'])),
    arrivals: {last: 3, dropped: 3, unread: 3},
  });
  await show(web, php);
  expect(await readWindow()).toMatchObject({
    unreadablePods: new Map([['php', expect.any(String)]]),
    arrivals: {unread: 3},
  });
  web.end();
  web.isGone = true;
  await show(php);
  await advance(3_000);
  expect(await readStory()).toEqual([
    'web 1',
    '(php: its log cannot be read)',
    '(job: its log cannot be read)',
    '(web: the pod was gone before its log was known to have been read to the end)',
    'php 1',
  ]);
});

test('an outage in which pods may have come and gone is a loss of any', async () => {
  const {addContainer, show, branch, readTexts, readStory} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  expect(await readTexts()).toEqual(['1']);
  web.write('2');
  branch.noteWatchOutage?.();
  web.write('3');
  const lost = '(any: pods may have come and gone while the cluster could not be watched)';
  expect(await readStory()).toEqual(['1', '2', lost, '3']);
});

test('a pod that never started is no loss', async () => {
  const {addContainer, show, advance, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php', {instanceId: undefined, state: 'waiting'})];
  await show(web);
  await readWindow();
  php.isGone = true;
  await show(web, php);
  await show(web);
  await advance(15_000);
  expect((await readWindow()).arrivals).toMatchObject({last: 0, dropped: 0});
  expect(warnings).toEqual([]);
});

test('a pod whose log cannot be read any more takes a number when it is left out', async () => {
  const {addContainer, show, advance, readWindow} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  await readWindow();
  php.answers.push(...Array.from({length: 20}, () => refuse(403)));
  php.breakStreams('cut');
  await advance(10_000);
  expect(await readWindow()).toMatchObject({
    unreadablePods: new Map([['php', expect.any(String)]]),
    arrivals: {last: 2, unread: 2},
  });
  expect((await readWindow()).arrivals?.last).toBe(2);
});

test('a pod of the same name takes the place of the one before without a gap, and the rest of that one comes', async () => {
  const {addContainer, show, advance, readTexts, warnings} = openFeed();
  const before = addContainer('db-0');
  before.write('one');
  await show(before);
  await readTexts();
  await advance(10_000);
  const after = addContainer('db-0', {podUid: 'uid-of-the-next'});
  after.write('first');
  await show(after);
  before.write('last');
  await advance(100);
  before.end();
  await advance(12_000);
  expect(await readTexts()).toEqual(['one', 'first', 'last']);
  expect(warnings).toEqual([]);
});

/** Lets the next pod of the name take the place of one, and write. */
const replace = async (
  {addContainer, show, advance}: ReturnType<typeof openFeed>,
  before: ReturnType<ReturnType<typeof openFeed>['addContainer']>,
): Promise<void> => {
  before.remove();
  await show(before);
  await advance(4_000);
  before.isGone = true;
  await show();
  const after = addContainer('db-0', {podUid: 'uid-of-the-next'});
  await show(after);
  await advance(3_000);
  after.write('first');
  await advance(2_000);
};

test('a pod of the same name follows one whose log was asked for before it was started, without a gap', async () => {
  const feed = openFeed();
  const {addContainer, show, advance, readStory, warnings} = feed;
  const before = addContainer('db-0');
  before.answers.push(refuse(400, 'container "app" in pod "db-0" is waiting to start: ContainerCreating'));
  await show({...before.place(), instanceId: undefined, state: 'waiting'});
  await show(before);
  await advance(3_000);
  before.write('one');
  await advance(100);
  await replace(feed, before);
  expect(await readStory()).toEqual(['one', 'first']);
  expect(warnings).toEqual([]);
});

test('a pod of the same name follows one that was restarted, without a gap', async () => {
  const feed = openFeed();
  const {addContainer, show, advance, readStory, warnings} = feed;
  const before = addContainer('db-0');
  before.write('one');
  await show(before);
  before.start();
  await show(before);
  before.write('two');
  await advance(30_000);
  await replace(feed, before);
  expect(await readStory()).toEqual(['one', 'two', 'first']);
  expect(warnings).toEqual([]);
});

test('a first read that was opened when the next pod of the name had the log already shows no line twice', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const before = addContainer('db-0');
  const after = addContainer('db-0', {podUid: 'uid-of-the-next'});
  after.write('first');
  await show(before);
  expect(await readTexts()).toEqual(['first']);
  await show(after);
  after.write('second');
  await advance(2_000);
  expect(await readTexts()).toEqual(['first', 'second']);
});

test('a pod that appears after the watch was interrupted has a loss before its lines', async () => {
  const {addContainer, show, readTexts, readStory, readWindow, warnings} = openFeed();
  const [php, web] = [addContainer('php'), addContainer('web', {isSeenFromStart: false})];
  php.write('shown');
  await show(php);
  await readTexts();
  web.write('first');
  await show(php, web);
  expect(await readStory()).toEqual(['shown', '(web: the pod started while the watch was interrupted)', 'first']);
  expect((await readWindow()).arrivals?.dropped).toBe(2);
  expect(warnings).toEqual([expect.stringContaining('the pod started while the watch was interrupted')]);
});

test('a pod that is gone for a moment is followed on', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('1');
  await show(web, php);
  await show(php);
  await show(web, php);
  web.write('2');
  await advance(20_000);
  expect(await readTexts()).toEqual(['1', '2']);
});

test('the window of a pod that is gone is let go after ten minutes, and those of the others stay', async () => {
  const {addContainer, show, advance, readTexts} = openFeed({windowPerPod: true});
  const [web, php] = [addContainer('web'), addContainer('php')];
  web.write('of web');
  php.write('of php');
  await show(web, php);
  web.end();
  await show(php);
  await advance(599_000);
  expect(await readTexts()).toEqual(['of web', 'of php']);
  await advance(3_000);
  expect(await readTexts()).toEqual(['of php']);
});
