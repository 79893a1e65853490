import {expect, test} from 'vitest';
import {parseInstant} from '../../../../src/log/line/instant.ts';
import {KubeError} from '../../../../src/service/kubernetes/client/kube-client.ts';
import {openFeed} from './open-feed.ts';
import {refuse} from './scripted-cluster.ts';

const stampOf = (line = ''): bigint | undefined => parseInstant(line.slice(0, line.indexOf(' ')));

test('shows the lines of a container as they are written', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const web = addContainer('web');
  web.write('one');
  await show(web);
  web.write('two');
  await advance(0);
  expect(await readTexts()).toEqual(['one', 'two']);
  const [first, second] = [await readWindow(), await readWindow()];
  expect(second.lines).toBe(first.lines);
});

test('after a cut, reads from two whole seconds before, and shows nothing twice', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.write('one');
  web.write('two');
  await advance(100);
  await readTexts();
  web.breakStreams('cut');
  web.write('three');
  await advance(1_000);
  expect(await readTexts()).toEqual(['one', 'two', 'three']);
  expect(web.requests.at(-1)?.sinceTime).toBe('2026-11-22T11:59:58Z');
  expect((await readWindow()).arrivals).toMatchObject({last: 3, dropped: 0});
});

test('keeps true copies: the second of two equal lines in one nanosecond is a line of its own', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('tick', stamp);
  await show(web);
  web.breakStreams('cut');
  web.write('tick', stamp);
  await advance(1_000);
  expect(await readTexts()).toEqual(['tick', 'tick']);
});

test('shows late stamps, of a container whose two streams are stamped apart', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('out 1', stamp);
  web.write('out 2', stamp + 4_000_000n);
  await show(web);
  web.breakStreams('cut');
  web.write('err 1', stamp + 2_000_000n);
  await advance(1_000);
  web.write('err 2', stamp + 3_000_000n);
  await advance(0);
  expect(await readTexts()).toEqual(['out 1', 'err 1', 'err 2', 'out 2']);
});

test('a line that a stream skipped comes with the next read', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.breakStreams('freeze');
  web.write('skipped');
  web.write('3');
  // The next read brings the skipped line after the last one seen.
  await advance(25_000);
  expect(await readTexts()).toEqual(['1', 'skipped', '3']);
});

test('a lost line is a loss of its container, in its place, and all other lines stay', async () => {
  const {addContainer, show, advance, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  await show(web, php);
  web.write('web 1');
  php.write('php 1');
  await advance(0);
  const before = await readWindow();
  php.write('php 2');
  web.breakStreams('cut');
  web.write('lost');
  web.rotate();
  web.write('web 3');
  await advance(2_000);
  expect(await readStory()).toEqual([
    'web 1',
    'php 1',
    'php 2',
    '(web: the last line read did not come again)',
    'web 3',
  ]);
  const after = await readWindow();
  expect(after.numbering?.losses.map(loss => [loss.after, loss.before])).toEqual([
    [stampOf(after.lines[0]), stampOf(after.lines[3])],
  ]);
  // Readers that know no numbers of lines mark a gap.
  expect(after.arrivals?.series).toBe(before.arrivals?.series);
  expect(after.arrivals?.dropped).toBeGreaterThan(before.arrivals?.last ?? Number.POSITIVE_INFINITY);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The log of pod web, container app, may lack lines after 2026-11-22T12:00:00\.\d{9}Z: the last line read did not come again\. Readers see a gap\.$/,
    ),
  ]);
});

test('lines behind a clock that was set back while the stream was cut are found within 15 seconds', async () => {
  const {addContainer, show, advance, readStory} = openFeed();
  const web = addContainer('web');
  web.write('before');
  await show(web);
  const hourAgo = (BigInt(Date.now()) - 3_600_000n) * 1_000_000n;
  // Long quiet, so that audits have become rare.
  await advance(600_000);
  web.breakStreams('cut');
  web.write('behind 1', hourAgo);
  await advance(5_000);
  web.write('behind 2', hourAgo + 5_000_000_000n);
  await advance(10_000);
  const story = await readStory();
  expect([story.length, ...story.toSorted()]).toEqual([3, 'before', 'behind 1', 'behind 2']);
  web.breakStreams('cut');
  web.write('behind 3', hourAgo + 20_000_000_000n);
  await advance(2_000);
  expect((await readStory()).toSorted()).toEqual(['before', 'behind 1', 'behind 2', 'behind 3']);
});

test('a loss comes after the lines of its container that no answer has shown', async () => {
  const {addContainer, show, advance, readTexts, readStory} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  await show(web, php);
  web.write('web 1');
  php.write('php 1');
  await readTexts();
  web.write('web 2');
  await advance(0);
  web.breakStreams('cut');
  web.write('lost');
  web.rotate();
  web.write('web 4');
  await advance(2_000);
  web.write('web 5');
  await advance(0);
  const lost = '(web: the last line read did not come again)';
  expect(await readStory()).toEqual(['web 1', 'php 1', 'web 2', lost, 'web 4', 'web 5']);
});

test('losses before any answer stay as many: each is between the lines that it is between', async () => {
  const {addContainer, show, advance, readTexts, readStory} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.write('web 1');
  await readTexts();
  for (const number of [2, 4, 6]) {
    web.write(`web ${number}`);
    await advance(2_000);
    web.breakStreams('cut');
    web.write('lost');
    web.rotate();
  }
  web.write('web 8');
  await advance(2_000);
  const lost = '(web: the last line read did not come again)';
  expect(await readStory()).toEqual(['web 1', 'web 2', lost, 'web 4', lost, 'web 6', lost, 'web 8']);
});

test('reads the rest of an instance that ended while the stream was broken', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await readTexts();
  web.breakStreams('cut');
  web.write('last words');
  web.start();
  web.write('born again');
  await advance(2_000);
  expect(await readTexts()).toEqual(['1', 'last words', 'born again']);
  expect((await readWindow()).arrivals?.dropped).toBe(0);
});

test('a clean end of the previous instance proves nothing: it is read until a read brings nothing more', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.breakStreams('cut');
  web.write('2');
  web.write('3');
  web.start();
  await advance(150);
  // The main read comes first, then the previous instance, whose answer breaks after its second line.
  const [one, two] = (await readTexts()).length === 1 ? ['1', '2'] : [];
  expect([one, two]).toEqual(['1', '2']);
  const stamped = (text: string, nanos: number) => `2026-11-22T12:00:00.${String(nanos).padStart(9, '0')}Z ${text}\n`;
  web.answers.push(stamped('4', 900_000_000), stamped('1', 1) + stamped('2', 300_000_002));
  await advance(3_000);
  expect(await readTexts()).toEqual(['1', '2', '3', '4']);
});

test('two restarts while the stream was broken are a loss, and what is left is shown', async () => {
  const {addContainer, show, advance, readTexts, readStory, warnings} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await readTexts();
  web.breakStreams('cut');
  web.write('lost');
  web.start();
  web.write('second');
  web.start();
  web.write('third');
  await advance(2_000);
  expect(await readStory()).toEqual(['1', '(web: the last line read did not come again)', 'second', 'third']);
  expect(warnings).toHaveLength(1);
});

test('a crash loop gives the last log again and again, and shows it once', async () => {
  const {addContainer, show, advance, readTexts, warnings} = openFeed();
  const web = addContainer('web');
  web.write('starting');
  await show(web);
  web.write('crashed');
  web.end();
  const waiting = {...web.place(), state: 'waiting', instanceId: undefined} as const;
  await show(waiting);
  await advance(60_000);
  expect(await readTexts()).toEqual(['starting', 'crashed']);
  const requestsBefore = web.requests.length;
  await advance(60_000);
  expect(web.requests.length).toBe(requestsBefore);
  web.start();
  web.write('starting again');
  await show(web);
  await advance(2_000);
  expect(await readTexts()).toEqual(['starting', 'crashed', 'starting again']);
  expect(warnings).toEqual([]);
});

test.each([
  ['read to its end', 1, []],
  ['two restarts behind', 2, ['(web: the last line read did not come again)']],
])(
  'a crash in a moment, looked at once it is over, is no gap where the instance before was %s',
  async (_, starts, gaps) => {
    const {addContainer, show, advance, readStory} = openFeed();
    const web = addContainer('web');
    web.write('starting');
    await show(web);
    web.write('crash 1');
    web.end();
    web.isBackingOff = true;
    await show(web);
    await advance(6_000);
    for (let start = 0; start < starts; start += 1) {
      web.start();
    }
    web.write('starting again');
    web.write('crash 2');
    web.end();
    await show(web);
    await advance(8_000);
    expect(await readStory()).toEqual(['starting', 'crash 1', ...gaps, 'starting again', 'crash 2']);
  },
);

test('a container that restarted before it was first read shows its previous instance first', async () => {
  const {addContainer, show, advance, readTexts, warnings} = openFeed();
  const web = addContainer('web');
  web.write('first life');
  web.start();
  web.write('second life');
  await show(web);
  await advance(1_000);
  expect(await readTexts()).toEqual(['first life', 'second life']);
  expect(warnings).toEqual([]);
});

test('a container that restarted twice before it was first read has a loss before its lines', async () => {
  const {addContainer, show, advance, readTexts, readStory, readWindow, warnings} = openFeed();
  const [php, web] = [addContainer('php'), addContainer('web')];
  php.write('shown');
  await show(php);
  await readTexts();
  web.start();
  web.write('second life');
  web.start();
  web.write('third life');
  await show(php, web);
  await advance(1_000);
  expect(await readStory()).toEqual([
    'shown',
    '(web: the container restarted 2 times before it was first read)',
    'second life',
    'third life',
  ]);
  expect((await readWindow()).arrivals?.dropped).toBeGreaterThan(1);
  expect(warnings).toEqual([
    'The log of pod web, container app, may lack lines: the container restarted 2 times before it was first read. Readers see a gap.',
  ]);
});

test('an instance that ended without having been read is found, whatever the watch says', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.breakStreams('cut');
  web.write('a short life');
  const stale = web.place();
  web.start();
  web.write('the next one');
  await show(stale);
  await advance(2_000);
  expect(await readTexts()).toEqual(['a short life', 'the next one']);
});

test('reads a young pod from its first line, and of an old one its share, without the first line of the tail', async () => {
  const {addContainer, show, readTexts} = openFeed({windowLines: 100});
  const young = addContainer('young');
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (let number = 1; number <= 400; number += 1) {
    young.write(`young ${number} ${'x'.repeat(300)}`);
    old.write(`old ${number} ${'x'.repeat(300)}`);
  }
  await show(young, old);
  expect(young.requests.some(query => query.tailLines !== undefined)).toBe(false);
  expect(old.requests.map(({limitBytes, tailLines}) => limitBytes ?? tailLines)).toEqual([102]);
  const words = (await readTexts()).map(text => text.slice(0, text.indexOf(' x')));
  expect(words).toHaveLength(100);
  expect(words.at(-1)).toBe('old 400');
});

test('containers that reach back unevenly count as cut each on its own, until those lines have left', async () => {
  const {addContainer, show, readWindow} = openFeed({windowLines: 10});
  const loud = addContainer('loud', {isSeenFromStart: false, podCreatedAtMs: 0});
  const quiet = addContainer('quiet', {isSeenFromStart: false, podCreatedAtMs: 0});
  const write = (count: number): void => {
    for (let number = 1; number <= count; number += 1) {
      loud.write(`request ${number} ${'x'.repeat(300)}`);
    }
  };
  write(100);
  quiet.write('once an hour');
  await show(loud, quiet);
  expect((await readWindow()).cut).toBe('source');
  write(5);
  await show(loud, quiet);
  expect((await readWindow()).cut).toBe('source');
  write(10);
  await show(loud, quiet);
  expect((await readWindow()).cut).toBe('branch');
});

test('a short log of an old pod is read from its first line', async () => {
  const {addContainer, show, readTexts} = openFeed();
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  old.write('listening');
  await show(old);
  expect(await readTexts()).toEqual(['listening']);
});

test('a stream that died in silence is found by a read beside it, and the next one sooner', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.breakStreams('freeze');
  web.write('2');
  await advance(14_000);
  expect(await readTexts()).toEqual(['1']);
  await advance(8_000);
  expect(await readTexts()).toEqual(['1', '2']);
});

test('audits of a quiet container become rare, and none of them disturbs the stream', async () => {
  const {addContainer, show, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await advance(3_600_000);
  const audits = web.requests.filter(({tailLines}) => tailLines === 1).length;
  expect([audits > 10, audits < 20, web.requests.length - audits]).toEqual([true, true, 1]);
});

test('a piece of a long line, which the newest line may be, is no sign of a dead stream', async () => {
  const {addContainer, show, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  // Only this answer has the piece, as if tailLines had cut a line in two.
  web.answers.push('2026-11-22T12:00:00.000000999Z the rest of a long line\n');
  await advance(20_000);
  expect(web.requests.filter(({follow}) => follow)).toHaveLength(1);
});

test('an error of the kubelet amid the lines is told once, and never shown as a line', async () => {
  const {addContainer, show, advance, readTexts, warnings} = openFeed();
  const web = addContainer('web');
  web.answers.push('2026-11-22T12:00:00.000000001Z one\nfailed to create fsnotify watcher: too many open files');
  web.write('one', BigInt(Date.UTC(2026, 10, 22, 12)) * 1_000_000n + 1n);
  await show(web);
  web.write('two');
  await advance(3_000);
  expect(await readTexts()).toEqual(['one', 'two']);
  expect(warnings).toEqual([
    'The log of pod web, container app, ends with a message of its node: failed to create fsnotify watcher: too many open files',
  ]);
});

test('a pod that the API does not know yet is asked for slowly, and read once it is there', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.isGone = true;
  await show(web);
  await advance(10_000);
  expect(web.requests.length).toBeLessThan(6);
  web.isGone = false;
  web.write('here');
  await advance(11_000);
  expect(await readTexts()).toEqual(['here']);
});

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
  expect(await readStory()).toEqual(['1', '(web: the pod went before its log was known to be read to the end)', '2']);
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

test.each([
  ['running', 'stays open'],
  ['running', 'is cut'],
  ['waiting', 'stays open'],
] as const)(
  'an instance that ended before the first read, of which the watch tells later, is a loss: %s, its stream %s',
  async (state, how) => {
    const {addContainer, show, advance, readTexts, readStory, warnings} = openFeed();
    const [php, web] = [addContainer('php'), addContainer('web')];
    php.write('php 1');
    await show(php);
    expect(await readTexts()).toEqual(['php 1']);
    const early = {...web.place(), state, ...(state === 'waiting' && {instanceId: undefined})};
    web.write('lost');
    web.start();
    web.write('web 1');
    await show(php, early);
    if (how === 'is cut') {
      web.breakStreams('cut');
      await advance(1_000);
    }
    expect(await readTexts()).toEqual(['php 1', 'web 1']);
    await show(php, web);
    await advance(5_000);
    web.write('web 2');
    await advance(0);
    expect(await readStory()).toEqual([
      'php 1',
      'web 1',
      '(web: the container restarted before it was first read)',
      'web 2',
    ]);
    expect(warnings).toEqual([expect.stringContaining('may lack lines after 2026-11-22T12:00:0')]);
    expect(warnings[0]).toContain('the container restarted before it was first read');
  },
);

test.each([
  ['after the first answer takes a number', 7, {last: 16, unread: 1}],
  ['before the first answer is what the log begins with', 0, {last: 10, unread: undefined}],
])('an old log of which only the end is read %s', async (_, failures, expected) => {
  const {addContainer, show, advance, readWindow} = openFeed({windowLines: 10});
  const web = addContainer('web', {isSeenFromStart: false});
  web.write('x'.repeat(20_000));
  for (let number = 1; number <= 15; number += 1) {
    web.write(`${number}`);
  }
  web.answers.push(...Array.from({length: failures}, () => refuse(500)));
  await show(web);
  const first = readWindow();
  await advance(2_000);
  expect((await first).lines).toHaveLength(failures > 0 ? 0 : 10);
  await advance(60_000);
  const {lines, arrivals} = await readWindow();
  expect(lines).toHaveLength(10);
  expect({last: arrivals?.last, unread: arrivals?.unread}).toEqual(expected);
});

test('what came into an empty log while its stream was broken may not be all that came: its file may be a new one', async () => {
  const {addContainer, show, advance, readTexts, readStory, readWindow, warnings} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  php.write('php 1');
  await show(web, php);
  expect(await readTexts()).toEqual(['php 1']);
  web.breakStreams('cut');
  web.write('lost');
  web.rotate();
  web.write('1');
  await advance(2_000);
  expect(await readStory()).toEqual(['php 1', expect.stringMatching(/^\(web: it was empty when/), '1']);
  expect((await readWindow()).arrivals).toMatchObject({dropped: 2});
  expect(warnings).toEqual([expect.stringContaining('it was empty when its stream broke')]);
});

test('a pod beyond the bound of streams is followed when there is room, and takes a number if it goes before', async () => {
  const {addContainer, show, advance, readStory, readWindow} = openFeed({streamsMax: 1});
  const [web, php, job] = [addContainer('web'), addContainer('php'), addContainer('job')];
  web.write('web 1');
  php.write('php 1');
  await show(web, php, job);
  expect(await readWindow()).toMatchObject({
    unreadablePods: new Map(['php', 'job'].map(name => [name, 'Not more containers can be followed.'])),
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
    '(web: the pod went before its log was known to be read to the end)',
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

test.each([
  ['with lines', ['one']],
  ['without a line', []],
])(
  'a new pod of the same name that was read before the watch told of it is shown once: an old pod %s',
  async (_, old) => {
    const {addContainer, show, advance, readTexts} = openFeed();
    const before = addContainer('db-0');
    for (const text of old) {
      before.write(text);
    }
    await show(before);
    await readTexts();
    before.end();
    const after = addContainer('db-0', {podUid: 'uid-of-the-next'});
    after.write('two');
    await advance(4_000);
    expect(await readTexts()).toEqual([...old, 'two']);
    // What has come in the moment before waits to be read when the watch tells.
    after.write('three');
    await advance(0);
    await show(after);
    after.write('four');
    await advance(12_000);
    expect(await readTexts()).toEqual([...old, 'two', 'three', 'four']);
  },
);

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

test('the first answer is full: it waits for the first reads, but never longer than two seconds', async () => {
  const {addContainer, branch, advance} = openFeed();
  const web = addContainer('web');
  web.write('1', BigInt(Date.now() - 1_000) * 1_000_000n);
  branch.setPlaces([web.place()]);
  let lines: readonly string[] | undefined;
  const reading = branch.readWindow().then(window => {
    lines = window.lines;
  });
  await advance(0);
  expect(lines).toBeUndefined();
  await advance(300);
  await reading;
  expect(lines).toHaveLength(1);
});

test('where no container can be read, the answer says why; where some can, their pods are left out', async () => {
  const {addContainer, show, readWindow, advance, branch} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  for (let times = 0; times < 20; times += 1) {
    web.answers.push(refuse(403, 'pods "web" is forbidden.'));
  }
  php.write('1');
  await show(web, php);
  expect(await readWindow()).toMatchObject({
    unreadablePods: new Map([['web', expect.stringContaining('forbidden')]]),
    lines: [expect.stringContaining(' 1')],
  });
  branch.setPlaces([web.place()]);
  await advance(0);
  await expect(readWindow()).rejects.toThrow(
    'pods "web" is forbidden. The log of pod web, container app, cannot be read.',
  );
});

test.each([5, 8])('after an outage all streams are taken up when one is, and none is a loss: %d tries', async tries => {
  const {addContainer, show, advance, readWindow, readTexts} = openFeed();
  const pods = ['web', 'php', 'job'].map(name => addContainer(name));
  for (const pod of pods) {
    pod.write('before');
  }
  await show(...pods);
  for (const [index, pod] of pods.entries()) {
    // Each of the others would wait for longer than the one before.
    pod.answers.push(...Array.from({length: tries + index}, () => new KubeError('connection', 'No connection.')));
    pod.breakStreams('cut');
  }
  let isOut = true;
  for (let seconds = 0; seconds < 60 && isOut; seconds += 1) {
    await advance(1_000);
    isOut = pods.every(pod => pod.streamCount() === 0);
    if (isOut && seconds > 5) {
      await expect(readWindow()).rejects.toThrow('No connection.');
    }
  }
  for (const pod of pods) {
    pod.write('back');
  }
  for (let seconds = 0; seconds < 4; seconds += 1) {
    expect(await readWindow()).toMatchObject({unreadablePods: undefined, numbering: {losses: []}});
    await advance(1_000);
  }
  expect(await readTexts()).toEqual([...Array(3).fill('before'), ...Array(3).fill('back')]);
});

test.each([
  ['400', () => refuse(400, 'unable to retrieve container logs for containerd://0123.')],
  ['404', () => refuse(404, 'the server could not find the requested resource.')],
  ['the sentence of the node as a body', () => 'unable to retrieve container logs for containerd://0123'],
])('a log that cannot be read though its container runs is never quiet: %s', async (_, makeAnswer) => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const [web, php] = [addContainer('web'), addContainer('php')];
  const answers = Array.from({length: 60}, () => makeAnswer());
  web.answers.push(...answers);
  web.write('1');
  php.write('1');
  await show(web, php);
  for (let seconds = 0; seconds < 30; seconds += 1) {
    await advance(1_000);
    if (seconds >= 6) {
      const {unreadablePods} = await readWindow();
      expect([...(unreadablePods ?? [])]).toEqual([
        ['web', expect.stringMatching(/^(Its node says: )?(unable|the s)/)],
      ]);
    }
  }
  php.answers.push(...answers);
  php.breakStreams('clean');
  await advance(8_000);
  await expect(readWindow()).rejects.toThrow(/cannot be read\. Nor can 1 more of branch master\./);
  web.answers.length = 0;
  php.answers.length = 0;
  await advance(35_000);
  expect(await readWindow()).toMatchObject({unreadablePods: undefined});
});

test.each([204, 400, 404])(
  'a container that waits for its start has no log, and nothing is wrong: %d',
  async status => {
    const {addContainer, show, readWindow, advance} = openFeed();
    const web = addContainer('web', {state: 'waiting'});
    web.answers.push(...Array.from({length: 60}, () => refuse(status, 'Not yet.')));
    await show(web);
    await advance(30_000);
    expect(await readWindow()).toMatchObject({lines: [], unreadablePods: undefined});
  },
);

test.each([
  ['400', () => refuse(400, 'unable to retrieve container logs')],
  ['the sentence of the node as a body', () => 'unable to retrieve container logs'],
])('a silent stream beside a log that cannot be read is not quiet: %s', async (_, makeAnswer) => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.answers.push(...Array.from({length: 3}, () => makeAnswer()));
  await advance(26_000);
  await expect(readWindow()).rejects.toThrow('unable to retrieve container logs');
});

test('silence is quiet only while it can be proven: an audit that fails makes the log unreadable, until one succeeds', async () => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.answers.push(refuse(500, 'The node cannot be reached.'));
  await advance(18_000);
  expect(await readWindow()).toMatchObject({unreadablePods: undefined});
  await advance(5_000);
  await expect(readWindow()).rejects.toThrow('The node cannot be reached. The log of pod web, container app,');
  await advance(15_000);
  expect(await readWindow()).toMatchObject({lines: [expect.stringContaining(' 1')], unreadablePods: undefined});
});

test.each([
  ['no connection in time', () => new KubeError('timeout', 'No connection in time.')],
  ['503 with Retry-After', () => refuse(503, 'The cluster is busy.', 2_000)],
])('an answer says why nothing can be read, not that all is quiet: %s', async (_, makeError) => {
  const {addContainer, show, readWindow, advance} = openFeed();
  const [web, job, next] = [addContainer('web'), addContainer('job'), addContainer('next', {state: 'waiting'})];
  web.write('1');
  job.write('done');
  job.end();
  next.answers.push(refuse(400, 'is waiting to start'));
  await show(web, job, next);
  await advance(1_000);
  web.answers.push(...Array.from({length: 20}, makeError));
  web.breakStreams('cut');
  await advance(3_000);
  expect(await readWindow()).toMatchObject({unreadablePods: undefined});
  await advance(5_000);
  await expect(readWindow()).rejects.toThrow('The log of pod web, container app, cannot be read.');
});

test('says that nothing can be read while it still looks for the proof of what was read before', async () => {
  const {addContainer, client, show, readWindow, advance} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  client.open = async () => {
    await new Promise(resolve => setTimeout(resolve, 14_000));
    throw new KubeError('connection', 'The connection was dead.');
  };
  web.breakStreams('clean');
  await advance(20_000);
  await expect(readWindow()).rejects.toThrow('The connection was dead. The log of pod web, container app,');
});

test('a Retry-After is honoured and does not lengthen other pauses', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.answers.push(refuse(429, 'too many', 3_000), refuse(429, 'too many', 3_000), refuse(429, 'too many', 3_000));
  web.write('1');
  await show(web);
  await advance(9_000);
  expect(web.requests).toHaveLength(3);
  await advance(1_500);
  expect(await readTexts()).toEqual(['1']);
  web.breakStreams('cut');
  web.write('2');
  await advance(400);
  expect(await readTexts()).toEqual(['1', '2']);
});

test('the windows of all branches together are bounded, and the largest gives first', async () => {
  const {addContainer, supply, advance} = openFeed({heldBytesMax: 100_000, windowLines: 10_000});
  const [loud, quiet] = [addContainer('loud'), addContainer('quiet')];
  const [one, two] = [supply.open('loud'), supply.open('quiet')];
  one.setPlaces([loud.place()]);
  two.setPlaces([quiet.place()]);
  await advance(300);
  quiet.write('a few words');
  for (let number = 0; number < 1_000; number += 1) {
    loud.write('x'.repeat(200));
  }
  await advance(1_000);
  expect([one.heldBytes() <= 100_000, one.heldBytes() > 90_000, two.heldBytes()]).toEqual([true, true, 42]);
});

test('containers beyond the bound of streams are left out, with a sentence', async () => {
  const {addContainer, show, readWindow, warnings} = openFeed({streamsMax: 1});
  const [web, php] = [addContainer('web'), addContainer('php')];
  await show(web, php);
  expect((await readWindow()).unreadablePods).toEqual(new Map([['php', 'Not more containers can be followed.']]));
  expect(warnings).toEqual([expect.stringMatching(/^More than 1 containers would be followed at once/)]);
});

test('the first line of a new instance is shown even if its stamp is older than every line read', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('first', stamp);
  await show(web);
  web.start();
  web.write('second', stamp - 1_000_000n);
  await advance(2_000);
  expect(await readTexts()).toEqual(['second', 'first']);
});

test('after a cut, lines from before the tail that was read first stay away', async () => {
  const {addContainer, show, advance, readTexts} = openFeed({windowLines: 3});
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (let number = 1; number <= 30; number += 1) {
    old.write(`${number} ${'x'.repeat(1_000)}`);
  }
  await show(old);
  await advance(40_000);
  old.breakStreams('cut');
  old.write('31');
  await advance(1_000);
  expect((await readTexts()).map(text => Number.parseInt(text, 10))).toEqual([29, 30, 31]);
  expect(old.requests.filter(({follow}) => follow)).toHaveLength(2);
});

test('the first line of a tail, which may be the rest of a long one, is left out', async () => {
  const {addContainer, show, readTexts} = openFeed({windowLines: 3});
  const old = addContainer('old', {isSeenFromStart: false, podCreatedAtMs: 0});
  for (let number = 1; number <= 30; number += 1) {
    old.write(`${number} ${'x'.repeat(1_000)}`);
  }
  old.write('31');
  await show(old);
  // The window has room for three lines: with the first one of the tail, the newest would be no other.
  expect(old.requests.at(-1)).toMatchObject({tailLines: 8, follow: true});
  expect((await readTexts()).map(text => Number.parseInt(text, 10))).toEqual([29, 30, 31]);
});

test('a container that ended is done when two reads in a row bring nothing more', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.breakStreams('cut');
  web.write('last words');
  web.end();
  // The first read that begins after the end breaks off in order.
  web.answers.push('');
  await show(web);
  await advance(3_000);
  expect(await readTexts()).toEqual(['last words']);
});

test('an unterminated last line of a container that ended is shown, once', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('one', stamp);
  await show(web);
  web.end();
  const log = '2026-11-22T12:00:00.000000000Z one\n2026-11-22T12:00:00.000000001Z prompt> ';
  web.answers.push(log, log, log, log, log, log);
  await show(web);
  await advance(10_000);
  expect(await readTexts()).toEqual(['one', 'prompt> ']);
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

test('an empty log after lines that were read means a rotation, and a frozen stream may have missed some', async () => {
  const {addContainer, show, advance, readTexts, readStory, warnings} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await readTexts();
  web.breakStreams('freeze');
  web.write('lost');
  web.rotate();
  await advance(60_000);
  const lost = '(web: the last line read did not come again)';
  expect([await readStory(), warnings.length]).toEqual([['1', lost], 1]);
  web.write('3');
  await advance(0);
  expect(await readStory()).toEqual(['1', lost, '3']);
  await advance(3_600_000);
  expect([await readStory(), warnings.length]).toEqual([['1', lost, '3'], 1]);
});

test('a line that a stream skipped is found before the last one seen', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  const stamp = BigInt(Date.now()) * 1_000_000n;
  web.write('1', stamp);
  await show(web);
  // Only the stream lacks it: a reader that is too slow loses a file between two rotations.
  web.skipNext = true;
  web.write('skipped', stamp + 1n);
  web.write('3', stamp + 2n);
  web.breakStreams('cut');
  web.write('4', stamp + 3n);
  await advance(1_000);
  expect(await readTexts()).toEqual(['1', 'skipped', '3', '4']);
  web.breakStreams('cut');
  await advance(1_000);
  expect(await readTexts()).toEqual(['1', 'skipped', '3', '4']);
});

test('a container that restarts while its rest is looked for shows no line twice', async () => {
  const {addContainer, show, advance, readTexts, readStory} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  await readTexts();
  web.breakStreams('freeze');
  web.rotate();
  web.write('2');
  await advance(8_000);
  web.write('3');
  web.breakStreams('cut');
  await advance(250);
  // The main read has both lines by now, and soon the previous instance has them too.
  web.start();
  await advance(5_000);
  expect(await readStory()).toEqual(['1', '(web: the last line read did not come again)', '2', '3']);
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

test('a Retry-After leaves the pause after another failure short', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  for (let times = 0; times < 6; times += 1) {
    web.answers.push(refuse(429, 'too many', 100));
  }
  web.answers.push(refuse(500));
  web.write('1');
  await show(web);
  await advance(1_500);
  expect(await readTexts()).toEqual(['1']);
});

test('a stream that stays open after its container ended is given up', async () => {
  const {addContainer, show, advance, readTexts} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.breakStreams('freeze');
  web.start();
  web.write('2');
  await show(web);
  await advance(5_000);
  expect(await readTexts()).toEqual(['1', '2']);
});
