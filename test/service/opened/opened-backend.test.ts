import {execFileSync} from 'node:child_process';
import {appendFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {isProgram} from '../../../src/base/paths/is-program.ts';
import {instantFromMs, parseInstant} from '../../../src/log/line/instant.ts';
import type {ReadUpTo} from '../../../src/log/line/numbering.ts';
import {lastNumberOf} from '../../../src/log/numbered/numbered.ts';
import type {ServedWindow} from '../../../src/service/backend.ts';
import {findLastLines} from '../../../src/service/lines/last-lines.ts';
import {findOpened} from '../../../src/service/opened/find-opened.ts';
import {
  createOpenedBackend,
  type OpenedBackend,
  type OpenedBackendOptions,
  openedId,
} from '../../../src/service/opened/opened-backend.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
let backend: OpenedBackend | undefined;
const warnings: string[] = [];

beforeEach(() => {
  folder = createTempFolder('opened');
  warnings.length = 0;
});
afterEach(async () => {
  await backend?.close();
  backend = undefined;
  folder.remove();
});

const path = (name: string): string => join(folder.path, name);
const timed = (second: number, text: string): string =>
  `2026-11-21T14:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}Z ${text}\n`;

type Opening = Partial<
  Pick<OpenedBackendOptions, 'isAllAtOnce' | 'follows' | 'goal' | 'firstBytesMax' | 'firstLinesMax' | 'monotonicMs'>
> & {
  readonly tail?: number;
  readonly stdin?: Readable;
  readonly command?: readonly string[];
  readonly withRotated?: boolean;
};

const open = async (words: readonly string[], opening: Opening = {}): Promise<OpenedBackend> => {
  const {tail, stdin = Readable.from([]), command = [], withRotated = false, ...options} = opening;
  backend = createOpenedBackend({
    name: 'test',
    sources: await findOpened({words, command, withRotated, stdin}),
    beginsAt: async handle =>
      tail === undefined ? 0 : (await findLastLines(handle, (await handle.stat()).size, tail)).offset,
    firstBytesMax: 64 * 1024 * 1024,
    isAllAtOnce: false,
    follows: true,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    warn: message => warnings.push(message),
    ...options,
  });
  await backend.start();
  return backend;
};

const read = async (from: OpenedBackend, after?: ReadUpTo): Promise<ServedWindow> => {
  const window = await from.readWindow(openedId, openedId, after);
  if (!window) {
    throw new Error('there is no such branch');
  }
  return window;
};

const textsOf = ({lines}: ServedWindow): readonly string[] => lines.map(line => line.slice(line.indexOf(' ') + 1));

const placeAfter = ({numbering, lines}: ServedWindow): ReadUpTo => ({
  series: numbering?.series ?? '',
  last: numbering === undefined ? 0 : Math.max(numbering.first - 1, lastNumberOf(numbering, lines.length)),
});

/** Reads on until something holds of an answer. */
const readUntil = async (
  from: OpenedBackend,
  first: ServedWindow,
  isReached: (window: ServedWindow) => boolean,
): Promise<ServedWindow> => {
  for (let window = first; ; window = await read(from, placeAfter(window))) {
    if (isReached(window)) {
      return window;
    }
  }
};

test('several files are one log in order of time, each line with the file that it is from', async () => {
  writeFileSync(path('a.log'), timed(1, 'first') + timed(3, 'third'));
  writeFileSync(path('b.log'), timed(2, 'second') + timed(4, 'fourth'));
  const window = await read(await open([path('a.log'), path('b.log')]));
  expect(textsOf(window).map(text => text.slice(21))).toEqual(['first', 'second', 'third', 'fourth']);
  expect(window.numbering?.sources.map(({pod}) => pod)).toEqual(expect.arrayContaining(['a.log', 'b.log']));
  expect(window.heldFrom?.why).toBe('start');
});

test('times of lines that say none are told to be of their arrival, until a line says one', async () => {
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

const stampsOf = ({lines}: ServedWindow): readonly (bigint | undefined)[] =>
  lines.map(line => parseInstant(line.slice(0, line.indexOf(' '))));

test('of lines without times, those that were there are told from those that arrive, also where more are read back', async () => {
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
  const opened = await open(['-'], {stdin: Readable.from([Buffer.from('one\ntwo\n')])});
  const window = await readUntil(opened, await read(opened), ({lines}) => lines.length > 0);
  expect(window.heldFrom?.arrivalsFrom).toBe(0n);
});

test('what is appended comes next, over a rotation, and nothing twice', async () => {
  writeFileSync(path('app.log'), timed(1, 'one'));
  const opened = await open([path('app.log')]);
  const first = await read(opened);
  appendFileSync(path('app.log'), timed(2, 'two'));
  const second = await readUntil(opened, await read(opened, placeAfter(first)), ({lines}) => lines.length > 0);
  renameSync(path('app.log'), path('app.log.1'));
  appendFileSync(path('app.log.1'), timed(3, 'three'));
  writeFileSync(path('app.log'), timed(4, 'four'));
  const seen: string[] = [];
  await readUntil(opened, await read(opened, placeAfter(second)), window => {
    seen.push(...textsOf(window).map(text => text.slice(21)));
    return seen.includes('four');
  });
  expect([textsOf(second).map(text => text.slice(21)), seen]).toEqual([['two'], ['three', 'four']]);
});

test('a file that is removed and made anew right after it was opened leaves no gap', async () => {
  writeFileSync(path('app.log'), timed(1, 'one'));
  const opened = await open([path('app.log')]);
  rmSync(path('app.log'));
  writeFileSync(path('app.log'), timed(2, 'two'));
  const seen: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    seen.push(...textsOf(window).map(text => text.slice(21)));
    return seen.includes('two');
  });
  expect([seen, last.numbering?.losses, warnings]).toEqual([['one', 'two'], [], []]);
});

test('lines without a time keep their order and take the time of the line before', async () => {
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
  // Many lines of a second, so that a block ends within one.
  const all = Array.from({length: 60_000}, (_, index) => timed(Math.floor(index / 100), `line ${index}`).trimEnd());
  writeFileSync(path('long.log'), `${all.join('\n')}\n`);
  const opened = await open([path('long.log')], {tail: 10});
  let window = await read(opened);
  const [firstStamp] = window.lines[0]?.split(' ') ?? [];
  expect([textsOf(window), window.heldFrom?.why]).toEqual([all.slice(-10), 'unread']);
  expect(firstStamp).toBe('2026-11-21T14:09:59.000000000Z');
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
  const all = Array.from({length: 60_000}, (_, index) => timed(Math.floor(index / 100), `line ${index}`).trimEnd());
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
  const all = Array.from({length: 1_000}, (_, index) => timed(index, `line ${index}`));
  writeFileSync(path('app.log'), all.join(''));
  const opened = await open([path('app.log')], {tail: 10});
  const first = await read(opened);
  truncateSync(path('app.log'), 0);
  const window = await read(opened, {...placeAfter(first), wants: 'earlier'});
  expect([window.lines, window.heldFrom?.why]).toEqual([[], 'unread']);
});

test('a stream is read only as it is taken, to its last line, and its end is told', async () => {
  const count = 100_000;
  let given = 0;
  const stdin = new Readable({
    read() {
      given += 1;
      this.push(given > count ? null : Buffer.from(`line ${given}\n`));
    },
  });
  const opened = await open(['-'], {stdin});
  const first = await read(opened);
  expect(given).toBeLessThan(count);
  const texts: string[] = [...textsOf(first)];
  const last = await readUntil(opened, first, window => {
    texts.push(...(window === first ? [] : textsOf(window)));
    return window.pods.length === 0;
  });
  expect(texts.length).toBe(count);
  expect([texts[0], texts.at(-1), last.endings?.get('stdin')]).toEqual(['line 1', `line ${count}`, 'ended']);
  expect(last.numbering?.losses).toEqual([]);
});

test('letters that a manual prints twice are read once, other backspaces stay', async () => {
  const text = 'N\bNA\bAM\bME\bE\n_\bd_\bi_\br _\bX\bX\na\bb\n';
  const opened = await open(['-'], {stdin: Readable.from([Buffer.from(text)])});
  const whole = await readUntil(opened, await read(opened), ({lines}) => lines.length === 3);
  expect(textsOf(whole)).toEqual(['NAME', 'dir X', 'a\bb']);
});

test('a command has two streams, and its exit code is told', async () => {
  const opened = await open([], {command: ['sh', '-c', 'echo out; echo err >&2; exit 3']});
  const lines: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    const {numbering} = window;
    const sources = (numbering?.runs ?? []).flatMap(([source, count]) => Array(count).fill(numbering?.sources[source]));
    lines.push(...textsOf(window).map((text, index) => `${text} ${sources[index]?.stream ?? '-'}`));
    return window.pods.length === 0;
  });
  expect(new Set(lines)).toEqual(new Set(['out -', 'err stderr']));
  expect(last.endings?.get('sh')).toBe('ended with exit code 3');
});

test('where only the last lines are wanted, no more are held of all files, and later ones come all', async () => {
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
  const old = gzipSync(timed(1, 'oldest'));
  writeFileSync(path('app.log.2.gz'), old);
  writeFileSync(path('app.log.1'), timed(2, 'older'));
  writeFileSync(path('app.log'), timed(3, 'new'));
  const all = {isAllAtOnce: true, follows: false, withRotated: true};
  const window = await read(await open([path('app.log')], all));
  expect(textsOf(window).map(text => text.slice(21))).toEqual(['oldest', 'older', 'new']);
  await backend?.close();
  writeFileSync(path('app.log.2.gz'), old.subarray(0, -10));
  const {numbering} = await read(await open([path('app.log')], all));
  expect(numbering?.losses.map(({why}) => why)).toEqual(['the file cannot be read any further (it is cut off)']);
});

test('of a compressed file with something else behind it, each line is read, and then a gap', async () => {
  const count = 10_000;
  const texts = Array.from({length: count}, (_, index) => timed(Math.floor(index / 100), `line ${index}`));
  writeFileSync(path('app.log.gz'), Buffer.concat([gzipSync(texts.join('')), Buffer.from('something else\n')]));
  const opened = await open([path('app.log.gz')]);
  const first = await read(opened);
  let lineCount = first.lines.length;
  const last = await readUntil(opened, first, window => {
    lineCount += window === first ? 0 : window.lines.length;
    return (window.numbering?.losses.length ?? 0) > 0;
  });
  expect([lineCount, last.numbering?.losses.map(({why}) => why)]).toEqual([
    count,
    ['the file cannot be read any further (it goes on with bytes that are not gzip)'],
  ]);
});

test.each([
  ['xz', 0, /^the file cannot be read any further \(xz: Unexpected end of input\)$/],
  ['bzip2', 0, /^the file cannot be read any further \(bzip2: Compressed file ends unexpectedly\)$/],
  ['bzip2', 5, /^the file cannot be read any further \(bzip2: trailing garbage after EOF ignored\)$/],
])('what %s says of a damaged file is in the gap, and no line', async (program, garbageBytes, why) => {
  if (!(await isProgram(program, process.env.PATH))) {
    return;
  }
  const texts = Array.from({length: 1_000}, (_, index) => timed(index, `line ${index}`));
  const whole = execFileSync(program, ['-c'], {input: texts.join('')});
  const damaged = garbageBytes > 0 ? Buffer.concat([whole, Buffer.alloc(garbageBytes, 'x')]) : whole.subarray(0, -20);
  writeFileSync(path('app.log.1'), damaged);
  const opened = await open([path('app.log.1')]);
  const seen: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    seen.push(...textsOf(window));
    return (window.numbering?.losses.length ?? 0) > 0;
  });
  expect(seen.filter(text => !/^2026-11-21T14:\S+ line \d+$/.test(text))).toEqual([]);
  expect(last.numbering?.losses.map(loss => loss.why)).toEqual([expect.stringMatching(why)]);
});

test('of more than may be held at once, the newest lines are held, and that is said', async () => {
  writeFileSync(path('a.log'), Array.from({length: 2_000}, (_, index) => timed(index, 'of a')).join(''));
  writeFileSync(path('b.log'), Array.from({length: 2_000}, (_, index) => timed(index, 'of b')).join(''));
  const all = {isAllAtOnce: true, follows: false, firstBytesMax: 30_000};
  const {lines, heldFrom} = await read(await open([path('a.log'), path('b.log')], all));
  expect(heldFrom?.why).toBe('memory');
  expect(lines.length).toBeLessThan(1_000);
  expect(lines.slice(-2).map(line => line.slice(-4))).toEqual(['of a', 'of b']);
});

test('the files of a folder are sources of their own, also one that comes later', async () => {
  writeFileSync(path('a.log'), timed(1, 'of a'));
  const opened = await open([folder.path]);
  const first = await read(opened);
  writeFileSync(path('b.log'), timed(2, 'of b'));
  const next = await readUntil(opened, await read(opened, placeAfter(first)), ({lines}) => lines.length > 0);
  const sourceOf = ({numbering}: ServedWindow) => numbering?.sources[numbering.runs[0]?.[0] ?? -1]?.container;
  expect([sourceOf(first), sourceOf(next)]).toEqual(['a.log', 'b.log']);
});

test('what a compressed file holds is in its place in the first answer, while a stream is still open', async () => {
  writeFileSync(path('old.log.gz'), gzipSync(timed(1, 'old')));
  writeFileSync(path('app.log'), timed(2, 'new'));
  const stdin = new Readable({read: () => undefined});
  const first = await read(await open(['-', path('app.log'), path('old.log.gz')], {stdin}));
  expect(textsOf(first).map(text => text.slice(21))).toEqual(['old', 'new']);
});

test('where nothing follows, a last line without its end is read at once', async () => {
  writeFileSync(path('app.log'), 'one\ntwo');
  // By a clock that stands still, the time to wait for the end of a line never passes.
  const opened = await open([path('app.log')], {follows: false, monotonicMs: () => 0});
  const first = await read(opened);
  const last = await readUntil(opened, first, ({hasMore = false}) => !hasMore);
  expect([...new Set([...textsOf(first), ...textsOf(last)])]).toEqual(['one', 'two']);
});
