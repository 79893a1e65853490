import {expect, test} from 'vitest';
import {openFeed} from '../../kubernetes/open-feed.ts';

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
  expect(await readStory()).toEqual(['1', '(web: the last line that was read did not reappear)', 'second', 'third']);
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
  ['two restarts behind', 2, ['(web: the last line that was read did not reappear)']],
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

test.each([
  ['of the one that was read', 1, []],
  ['of another one', 2, ['(web: the last line that was read did not reappear)']],
])(
  'an instance that ended before it could be read is joined where its node says that the log is gone %s',
  async (_, starts, gaps) => {
    const {addContainer, show, advance, readStory} = openFeed();
    const web = addContainer('web');
    web.write('starting');
    await show(web);
    web.write('crash 1');
    for (let start = 0; start < starts; start += 1) {
      web.start();
    }
    web.write('starting again');
    web.write('crash 2');
    web.end();
    web.remove('previous');
    await advance(2_000);
    await show(web);
    await advance(8_000);
    expect(await readStory()).toEqual(['starting', 'crash 1', ...gaps, 'starting again', 'crash 2']);
  },
);

test('a last line without a newline is taken before the next instance, once its log is gone', async () => {
  const {addContainer, show, advance, readStory} = openFeed();
  const web = addContainer('web');
  web.write('starting');
  await show(web);
  await readStory();
  web.answers.push('2026-11-22T12:00:00.000000001Z starting\n2026-11-22T12:00:00.500000000Z panic: last words');
  web.breakStreams('clean');
  await advance(250);
  web.start();
  web.write('starting again');
  web.end();
  web.remove('previous');
  await advance(3_000);
  await show(web);
  await advance(8_000);
  expect(await readStory()).toEqual(['starting', 'panic: last words', 'starting again']);
});

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
  expect(await readStory()).toEqual(['1', '(web: the last line that was read did not reappear)', '2', '3']);
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

test('a stream of an instance before the one that the watch tells of is given up, though it was opened after an end', async () => {
  const {addContainer, show, advance, readStory} = openFeed();
  const web = addContainer('web');
  web.write('1');
  await show(web);
  web.end();
  web.freezeAfter = 0;
  await show(web);
  web.start();
  await advance(8_000);
  web.write('2');
  web.start();
  web.freezeAfter = undefined;
  await show(web);
  await advance(60_000);
  expect(await readStory()).toEqual(['1', '(web: the last line that was read did not reappear)', '2']);
});
