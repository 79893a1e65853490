import {appendFileSync, truncateSync, writeFileSync} from 'node:fs';
import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {createOpenedFolder, placeAfter, read, readUntil, stampsOf, textsOf, timed} from './opened/open-named-files.ts';

test('several files are one log in order of time, each line with the file that it is from', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('a.log'), timed(1, 'first') + timed(3, 'third'));
  writeFileSync(path('b.log'), timed(2, 'second') + timed(4, 'fourth'));
  const window = await read(await open([path('a.log'), path('b.log')]));
  expect(textsOf(window).map(text => text.slice(21))).toEqual(['first', 'second', 'third', 'fourth']);
  expect(window.numbering?.sources.map(({pod}) => pod)).toEqual(expect.arrayContaining(['a.log', 'b.log']));
  expect(window.heldFrom?.why).toBe('start');
});

test('times of lines that say none are told to be of their arrival, until a line says one', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), 'no time\n');
  const opened = await open([path('app.log')]);
  const first = await read(opened);
  expect(first.heldFrom?.arrivalsFrom).toBeDefined();
  appendFileSync(path('app.log'), `${new Date().toISOString()} now\n`);
  const second = await readUntil(opened, await read(opened, placeAfter(first)), ({lines}) => lines.length > 0);
  expect(second.heldFrom?.arrivalsFrom).toBeUndefined();
  writeFileSync(path('old.log'), timed(1, 'old'));
  await opened.close();
  expect((await read(await open([path('old.log')]))).heldFrom?.arrivalsFrom).toBeUndefined();
});

test('of lines without times, those that were there are told from those that arrive, also where more are read back', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), 'there\n'.repeat(2_000));
  const opened = await open([path('app.log')], {tail: 10, goal: {lines: 2_000}});
  const first = await read(opened);
  const from = first.heldFrom?.arrivalsFrom ?? 0n;
  const back = await readUntil(opened, first, ({heldFrom}) => heldFrom?.why === 'start');
  expect(back.heldFrom?.arrivalsFrom).toBe(from);
  expect([...stampsOf(first), ...stampsOf(back)].every(stamp => stamp !== undefined && stamp <= from)).toBe(true);
  appendFileSync(path('app.log'), 'arrives\n');
  const second = await readUntil(opened, await read(opened, placeAfter(back)), ({lines}) => lines.length > 0);
  expect(second.heldFrom?.arrivalsFrom).toBe(from);
  expect(stampsOf(second).every(stamp => stamp !== undefined && stamp > from)).toBe(true);
});

test('a last line without its end was there, too, although its end is waited for', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), 'one\ntwo');
  let aheadMs = 0;
  const opened = await open([path('app.log')], {monotonicMs: () => performance.now() + aheadMs});
  const first = await read(opened);
  expect(textsOf(first)).toEqual(['one']);
  aheadMs = 3_000;
  const second = await readUntil(opened, await read(opened, placeAfter(first)), ({lines}) => lines.length > 0);
  expect([textsOf(second), second.heldFrom?.arrivalsFrom]).toEqual([['two'], stampsOf(second)[0]]);
});

test('all lines of a pipe are seen to arrive', async () => {
  const {open} = createOpenedFolder();
  const opened = await open(['-'], {stdin: Readable.from([Buffer.from('one\ntwo\n')])});
  const window = await readUntil(opened, await read(opened), ({lines}) => lines.length > 0);
  expect(window.heldFrom?.arrivalsFrom).toBe(0n);
});

test('lines without a time keep their order and take the time of the line before', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), `${timed(1, 'failed')}  at one\n  at two\n${timed(5, 'done')}`);
  const {lines} = await read(await open([path('app.log')]));
  expect(lines).toEqual([
    '2026-11-21T14:00:01.000000000Z 2026-11-21T14:00:01Z failed',
    '2026-11-21T14:00:01.000000001Z   at one',
    '2026-11-21T14:00:01.000000002Z   at two',
    '2026-11-21T14:00:05.000000000Z 2026-11-21T14:00:05Z done',
  ]);
});

test('of a long file the last lines come first, and those before them when they are asked for, block by block', async () => {
  const {path, open} = createOpenedFolder();
  // Many lines of a second, so that a block ends within one.
  const all = Array.from({length: 6_000}, (_, index) =>
    timed(Math.floor(index / 100), `line ${index} ${'.'.repeat(400)}`).trimEnd(),
  );
  writeFileSync(path('long.log'), `${all.join('\n')}\n`);
  const opened = await open([path('long.log')], {tail: 10});
  let window = await read(opened);
  const [firstStamp] = window.lines[0]?.split(' ') ?? [];
  expect([textsOf(window), window.heldFrom?.why]).toEqual([all.slice(-10), 'unread']);
  expect(firstStamp).toBe('2026-11-21T14:00:59.000000000Z');
  const stamped = [...window.lines];
  while (window.heldFrom?.why === 'unread') {
    window = await read(opened, {...placeAfter(window), wants: 'earlier'});
    expect(window.areEarlier).toBe(true);
    stamped.unshift(...window.lines);
  }
  expect(stamped.map(line => line.slice(31))).toEqual(all);
  // Each is earlier than the next, so that sorting keeps the order.
  expect(stamped.toSorted()).toEqual(stamped);
  expect(window.heldFrom?.why).toBe('start');
});

test('lines are read back after the first answer as far as was asked, and no further', async () => {
  const {path, open} = createOpenedFolder();
  const all = Array.from({length: 6_000}, (_, index) =>
    timed(Math.floor(index / 100), `line ${index} ${'.'.repeat(400)}`).trimEnd(),
  );
  writeFileSync(path('long.log'), `${all.join('\n')}\n`);
  const opened = await open([path('long.log')], {tail: 10, goal: {lines: 1_000}});
  const back = await readUntil(opened, await read(opened), ({areEarlier = false}) => areEarlier);
  appendFileSync(path('long.log'), timed(700, 'new'));
  const next = await readUntil(opened, await read(opened, placeAfter(back)), ({lines}) => lines.length > 0);
  expect(back.lines.length).toBeGreaterThan(1_000);
  expect([next.areEarlier, textsOf(next).map(text => text.slice(21)), next.heldFrom?.why]).toEqual([
    false,
    ['new'],
    'unread',
  ]);
});

test('a file that was emptied is not read back as if it were the same', async () => {
  const {path, open} = createOpenedFolder();
  const all = Array.from({length: 1_000}, (_, index) => timed(index, `line ${index}`));
  writeFileSync(path('app.log'), all.join(''));
  const opened = await open([path('app.log')], {tail: 10});
  const first = await read(opened);
  truncateSync(path('app.log'), 0);
  const window = await read(opened, {...placeAfter(first), wants: 'earlier'});
  expect([window.lines, window.heldFrom?.why]).toEqual([[], 'unread']);
});

test('letters that a manual prints twice are read once, other backspaces stay', async () => {
  const {open} = createOpenedFolder();
  const text = 'N\bNA\bAM\bME\bE\n_\bd_\bi_\br _\bX\bX\na\bb\n';
  const opened = await open(['-'], {stdin: Readable.from([Buffer.from(text)])});
  const whole = await readUntil(opened, await read(opened), ({lines}) => lines.length === 3);
  expect(textsOf(whole)).toEqual(['NAME', 'dir X', 'a\bb']);
});

test('where only the last lines are wanted, no more are held of all files, and later ones come all', async () => {
  const {path, open} = createOpenedFolder();
  const lines = (from: number, to: number) =>
    Array.from({length: to - from}, (_, index) => timed(from + index, 'line'));
  writeFileSync(path('app.log.gz'), gzipSync(lines(0, 3_000).join('')));
  writeFileSync(path('app.log'), lines(2_990, 3_005).join(''));
  const opened = await open([path('app.log.gz'), path('app.log')], {isAllAtOnce: true, firstLinesMax: 12});
  const first = await read(opened);
  const last = [...lines(2_990, 3_000), ...lines(2_990, 3_005)].toSorted().slice(-12);
  expect(textsOf(first).map(text => `${text}\n`)).toEqual(last);
  appendFileSync(path('app.log'), lines(3_005, 3_105).join(''));
  const next = await readUntil(opened, await read(opened, placeAfter(first)), window => window.lines.length > 0);
  expect(textsOf(next)).toHaveLength(100);
});

test('a compressed file is read with what rotation left beside a log, and a damaged one leaves a gap', async () => {
  const {path, open} = createOpenedFolder();
  const old = gzipSync(timed(1, 'oldest'));
  writeFileSync(path('app.log.2.gz'), old);
  writeFileSync(path('app.log.1'), timed(2, 'older'));
  writeFileSync(path('app.log'), timed(3, 'new'));
  const all = {isAllAtOnce: true, follows: false, withRotated: true};
  const window = await read(await open([path('app.log')], all));
  expect(textsOf(window).map(text => text.slice(21))).toEqual(['oldest', 'older', 'new']);
  writeFileSync(path('app.log.2.gz'), old.subarray(0, -10));
  const {numbering} = await read(await open([path('app.log')], all));
  expect(numbering?.losses.map(({why}) => why)).toEqual(['the file cannot be read any further (it is cut off)']);
});

test('of more than may be held at once, the newest lines are held, and that is said', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('a.log'), Array.from({length: 2_000}, (_, index) => timed(index, 'of a')).join(''));
  writeFileSync(path('b.log'), Array.from({length: 2_000}, (_, index) => timed(index, 'of b')).join(''));
  const all = {isAllAtOnce: true, follows: false, firstBytesMax: 30_000};
  const {lines, heldFrom} = await read(await open([path('a.log'), path('b.log')], all));
  expect(heldFrom?.why).toBe('memory');
  expect(lines.length).toBeLessThan(1_000);
  expect(lines.slice(-2).map(line => line.slice(-4))).toEqual(['of a', 'of b']);
});

test('what a compressed file holds is in its place in the first answer, while a stream is still open', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('old.log.gz'), gzipSync(timed(1, 'old')));
  writeFileSync(path('app.log'), timed(2, 'new'));
  const stdin = new Readable({read: () => undefined});
  const first = await read(await open(['-', path('app.log'), path('old.log.gz')], {stdin}));
  expect(textsOf(first).map(text => text.slice(21))).toEqual(['old', 'new']);
});

test('where nothing follows, a last line without its end is read at once', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), 'one\ntwo');
  // By a clock that stands still, the time to wait for the end of a line never passes.
  const opened = await open([path('app.log')], {follows: false, monotonicMs: () => 0});
  const first = await read(opened);
  const last = await readUntil(opened, first, ({next}) => next === undefined);
  expect([...new Set([...textsOf(first), ...textsOf(last)])]).toEqual(['one', 'two']);
});

test('what the files of a log have is there, what will be written into them is awaited', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), timed(1, 'x'.repeat(90)).repeat(60_000));
  for (const follows of [true, false]) {
    const opened = await open([path('app.log')], {follows, firstBytesMax: Number.POSITIVE_INFINITY});
    const nexts: (string | undefined)[] = [];
    let [window, lineCount] = [await read(opened), 0];
    for (lineCount = window.lines.length; lineCount < 60_000; lineCount += window.lines.length) {
      nexts.push(window.next);
      window = await read(opened, placeAfter(window));
    }
    expect([follows, new Set(nexts)]).toEqual([follows, new Set(['there'])]);
    const last = await readUntil(opened, window, ({next}) => next !== 'there');
    expect(last.next).toBe(follows ? 'awaited' : undefined);
  }
});
