import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterEach, expect, test} from 'vitest';
import {createSearchHost, type SearchHost} from '#app/search/search-host.ts';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import {type Pattern, parsePattern} from '#log/pattern/parse-pattern.ts';
import {createHeldClock} from './search-thread/held-clock.ts';

const patternOf = (query: string): Pattern => {
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    throw new Error(pattern.error);
  }
  return pattern;
};

const bufferOf = (count: number, textAt: (index: number) => string): LineBuffer => {
  const edit = editBuffer(createBuffer(1e9));
  for (let index = 0; index < count; index++) {
    edit.insert({kind: 'line', id: edit.takeId(), at: BigInt(index), raw: textAt(index), textIndex: 0, late: false});
  }
  return edit.finish();
};

/** What a host told, in order, and a way to wait for it. Its clock stands still until the test moves it. */
const listen = () => {
  const told: string[] = [];
  const found = new Map<number, Map<Chunk, Uint16Array>>();
  const foundOf = (patternId: number): ReadonlyMap<Chunk, Uint16Array> => found.get(patternId) ?? new Map();
  let answeredChunks = 0;
  let check: () => void = () => {};
  const tell = (what: string): void => {
    told.push(what);
    check();
  };
  const clock = createHeldClock();
  const host = createSearchHost({
    clock,
    onMatched: (patternId, results) => {
      found.set(patternId, new Map([...foundOf(patternId), ...results]));
      answeredChunks += results.length;
      tell(`matched ${patternId}`);
    },
    onFoundSpans: (patternId, texts, spansOfTexts) => {
      tell(`spans ${patternId} ${texts.length} ${JSON.stringify(spansOfTexts)}`);
    },
    onSlow: patternId => tell(`slow ${patternId}`),
    onFailed: (patternId, sentence) => tell(`failed ${patternId}: ${sentence}`),
  });
  hosts.push(host);
  const until = (holds: () => boolean): Promise<void> =>
    new Promise(resolve => {
      check = () => {
        if (holds()) {
          resolve();
        }
      };
      check();
    });
  return {host, clock, told, foundOf, until, countAnswered: () => answeredChunks};
};

const hosts: SearchHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) {
    host.close();
  }
});

const newestFirst = ({chunks}: LineBuffer): readonly Chunk[] => chunks.toReversed();

/** Where a text has a needle, told by the lines themselves. */
const placesIn = (chunk: Chunk, holds: (text: string) => boolean): readonly number[] =>
  textsOf(chunk).flatMap((text, offset) => (text !== undefined && holds(text) ? [offset] : []));

const catastrophe = 're:(\\w+\\s?)*!$';
const wordsOf = (index: number): string =>
  `${'many words of a sentence '.repeat(4)}${index % 10 === 0 ? 'end!' : 'end'}`;

test('every chunk is answered, newest first, packed and open ones', async () => {
  const buffer = bufferOf(12_000, index => `line ${index} ${index % 3 === 0 ? 'Überlauf' : 'ok'}`);
  expect(new Set(buffer.chunks.map(({kind}) => kind))).toEqual(new Set(['packed', 'open']));
  const {host, foundOf, until} = listen();
  host.match(1, patternOf('überlauf'), newestFirst(buffer));
  await until(() => foundOf(1).size === buffer.chunks.length);
  expect([...foundOf(1).keys()]).toEqual(newestFirst(buffer));
  for (const [chunk, offsets] of foundOf(1)) {
    expect([...offsets]).toEqual(placesIn(chunk, text => text.includes('Überlauf')));
  }
});

test('chunks that are no longer wanted are dropped, and those asked for already are not asked for again', async () => {
  const buffer = bufferOf(20_000, index => `line ${index}`);
  const {host, told, foundOf, until, countAnswered} = listen();
  const wanted = newestFirst(buffer);
  host.match(1, patternOf('line'), wanted);
  // Two requests of one chunk each are on their way.
  host.match(1, patternOf('line'), wanted.slice(0, 4));
  await until(() => foundOf(1).size === 4);
  host.match(2, patternOf('7'), wanted.slice(0, 1));
  await until(() => foundOf(2).size === 1);
  expect([...foundOf(1).keys()]).toEqual(wanted.slice(0, 4));
  expect(countAnswered()).toBe(4 + 1);
  expect(told.at(-1)).toBe('matched 2');
});

test('a pattern that backtracks without end goes on in the linear engine, and holds up nothing else', async () => {
  const buffer = bufferOf(700, wordsOf);
  const {host, clock, told, foundOf, until} = listen();
  host.match(1, patternOf(catastrophe), newestFirst(buffer));
  host.match(2, patternOf('sentence'), newestFirst(buffer));
  // While the thread is stuck, this one goes on.
  await clock.untilScheduled();
  clock.pass(249);
  expect(told).toEqual([]);
  clock.pass(1);
  expect(told).toEqual(['slow 1']);
  await until(() => foundOf(1).size === buffer.chunks.length && foundOf(2).size === buffer.chunks.length);
  expect(told.filter(each => each.startsWith('slow'))).toEqual(['slow 1']);
  expect(told.indexOf('slow 1')).toBeLessThan(told.indexOf('matched 1'));
  for (const chunk of buffer.chunks) {
    expect([...(foundOf(1).get(chunk) ?? [])]).toEqual(placesIn(chunk, text => text.endsWith('!')));
    expect(foundOf(2).get(chunk)).toHaveLength(chunk.entryCount);
  }
});

test('a pattern that only the fast engine can express is cancelled with the reason, and others go on', async () => {
  const buffer = bufferOf(100, wordsOf);
  const {host, clock, told, until} = listen();
  host.match(7, patternOf('re:(\\w+\\s?)*\\1!$'), newestFirst(buffer));
  host.match(8, patternOf('words'), newestFirst(buffer));
  await clock.untilScheduled();
  clock.pass(250);
  await until(() => told.includes('matched 8') && told.some(each => each.startsWith('failed 7')));
  const failure = told.find(each => each.startsWith('failed')) ?? '';
  expect(failure).toMatch(/^failed 7: The search for "re:.*" was cancelled: it takes longer than 250 ms .* \(.+\)\.$/);
  expect(told).not.toContain('matched 7');
});

test('what the fast engine breaks off goes on in the linear one', async () => {
  const {host, told, until} = listen();
  // Twenty groups for every letter are more than its stack holds.
  host.findSpans(1, patternOf(`re:^(?:a${'(b)?'.repeat(20)})*c`), ['a'.repeat(800_000), 'ac']);
  await until(() => told.length > 1);
  expect(told).toEqual(['slow 1', 'spans 1 2 [[],[{"start":0,"end":2}]]']);
});

test('spans are found for texts, also in the linear engine', async () => {
  const {host, clock, told, until} = listen();
  host.findSpans(1, patternOf('re:\\d+'), ['a 12 345', 'none', '']);
  await until(() => told.length === 1);
  expect(told).toEqual(['spans 1 3 [[{"start":2,"end":4},{"start":5,"end":8}],[],[]]']);
  host.findSpans(2, patternOf(catastrophe), [wordsOf(1), 'end!']);
  await clock.untilScheduled();
  clock.pass(250);
  await until(() => told.length === 3);
  expect(told.slice(1)).toEqual(['slow 2', 'spans 2 2 [[],[{"start":0,"end":4}]]']);
});

test('the deadline is that of one request: each answer starts it again', async () => {
  const buffer = bufferOf(20_000, index => `line ${index}`);
  const {host, clock, told, foundOf, until} = listen();
  host.match(1, patternOf('line'), newestFirst(buffer));
  await until(() => {
    // Nine ticks: the tenth would be the last.
    clock.pass(225);
    return foundOf(1).size === buffer.chunks.length;
  });
  expect(told.length).toBeGreaterThan(3);
  expect(told.filter(each => each !== 'matched 1')).toEqual([]);
});

test('a pattern that the linear engine takes too long for is cancelled after five seconds', async () => {
  const {host, clock, told} = listen();
  host.findSpans(1, patternOf(catastrophe), [wordsOf(1)]);
  await clock.untilScheduled();
  clock.pass(250);
  await clock.untilScheduled();
  clock.pass(4999);
  expect(told).toEqual(['slow 1']);
  clock.pass(1);
  expect(told.slice(1)).toEqual([
    `failed 1: The search for "${catastrophe}" was cancelled: it takes longer than 5000 ms for a few lines.`,
  ]);
});

test('of a pattern that was cancelled nothing more is told', async () => {
  const buffer = bufferOf(20_000, index => `line ${index}`);
  const {host, told, until} = listen();
  host.match(1, patternOf('re:line'), newestFirst(buffer));
  host.cancel(1);
  host.match(2, patternOf('line 77'), newestFirst(buffer).slice(0, 1));
  await until(() => told.includes('matched 2'));
  expect(told).toEqual(['matched 2']);
});

test('a search that runs keeps no process alive', async () => {
  const from = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../../src', path));
  const program = `
    import {createSearchHost} from ${from('app/search/search-host.ts')};
    import {parsePattern} from ${from('log/pattern/parse-pattern.ts')};
    const host = createSearchHost({onFoundSpans: () => {}, onMatched: () => {}, onFailed: () => {}});
    host.findSpans(1, parsePattern(${JSON.stringify(catastrophe)}), [${JSON.stringify(wordsOf(1))}]);
    setTimeout(() => console.log('last'), 100);
  `;
  const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 30_000,
  });
  expect(stdout).toBe('last\n');
});
