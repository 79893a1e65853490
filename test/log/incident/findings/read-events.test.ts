import {describe, expect, test} from 'vitest';
import {seriesKeyOf} from '#log/incident/findings/read-chunk.ts';
import {
  allBounds,
  anchorAt,
  type LogEvents,
  linesBetween,
  quickBounds,
  readEvents,
  sourceOfPlace,
} from '#log/incident/findings/read-events.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, eventsOf, linesEvery, type TimedLine, timedLog} from '../events-of.ts';

const startMs = Date.UTC(2026, 10, 21, 14);

/** What a quick look reads of a log of lines a millisecond apart. */
const read = (texts: readonly string[], bounds = quickBounds) => {
  const lines = texts.map(
    (text, index) => `${new Date(startMs + index).toISOString().slice(0, -1)}000000Z level=info msg="${text}"`,
  );
  const {buffer} = takeWindow(createBranchLog(1e9), {lines, pods: [], cut: 'branch'}).log;
  return finishWork(readEvents([buffer], [], bounds));
};

/** A name in letters, which no other number has: digits would be one shape. */
const nameOf = (index: number): string =>
  [...String(index)].map(digit => String.fromCharCode(97 + Number(digit))).join('');

test('three thousand different things are kept apart', () => {
  const kept = (count: number): number =>
    read(
      Array.from({length: count}, (_, index) => nameOf(index)),
      allBounds,
    ).series.length;
  expect([kept(3_000), kept(3_001)]).toEqual([3_000, 3_000]);
});

test('a quick look reads three thousand lines, or of more every second one', () => {
  const {series, weight} = read(Array<string>(6_000).fill('order stored'));
  expect([series[0]?.seconds.length, weight]).toEqual([3_000, 2]);
});

const access = (second: number, path: string, status: number): TimedLine => [
  second,
  JSON.stringify({level: status >= 500 ? 'error' : 'info', method: 'GET', path, status, duration_ms: 80}),
];

const keysOf = ({series}: LogEvents): readonly string[] =>
  series.map(({kind, key, seconds}) => `${kind} ${key}: ${seconds.join(' ')}`);

describe('lines are counted', () => {
  test('by what they say, and errors by that alone', () => {
    const events = eventsOf([
      [0, 'INFO job 1 done'],
      [1, 'WARN disk is full'],
      [2, 'ERROR db is down'],
      [3, '    at a (a.js:1:1)'],
      [4, 'INFO job 2 done'],
    ]);
    expect(keysOf(events)).toEqual([
      'message INFO job ‹n› done: 0 4',
      'message WARN disk is full: 1',
      'kind ERROR db is down: 2',
    ]);
    expect(events.series.map(({isWarning}) => isWarning)).toEqual([false, true, false]);
    expect([events.clock, events.errors, events.requests]).toEqual([[0, 1, 2, 4], [2], []]);
    expect([events.origin, events.newest, events.held]).toEqual([atSecond(0), atSecond(4), {from: 0, to: 4}]);
  });

  test('as requests, with status and duration', () => {
    const events = eventsOf([access(0, '/cart', 200), [1, 'INFO a'], access(2, '/cart', 503), access(3, '/pay', 200)]);
    expect(keysOf(events)).toEqual([
      'status 200: 0 3',
      'request GET /cart: 0 2',
      'message INFO a: 1',
      'failed GET /cart 503: 2',
      'status 503: 2',
      'request GET /pay: 3',
    ]);
    expect(events.series.map(({durationsMs}) => durationsMs)).toEqual([
      [],
      // How long a failure took is of no interest.
      [80, Number.NaN],
      [],
      [],
      [],
      [80],
    ]);
    expect(events.requests).toEqual([0, 2, 3]);
  });

  test('that tell of an end are found wherever they are among thousands, packed or not', () => {
    const events = eventsOf([
      ...linesEvery(0.1, 0, 2000, index => `INFO job ${index} has some memory and signals`),
      [100.05, 'Killed'],
      [1300.05, 'kernel: Out of memory: Killed process 17 (php)'],
      [1300.06, 'INFO skilled workers fill the space'],
      [1999.95, 'ENOSPC: no space left on device, write'],
    ]);
    expect(events.fatals.map(({at, text}) => [at, text])).toEqual([
      [100.05, 'Killed'],
      [1300.05, 'kernel: Out of memory: Killed process 17 (php)'],
      [1999.95, 'ENOSPC: no space left on device, write'],
    ]);
  });

  test('by who wrote them, as the service says, or else by the pods that errors name', () => {
    const [web, db] = [{pod: 'web'}, {pod: 'db'}];
    const sourced = eventsOf([
      [0, 'INFO a', web],
      [1, 'ERROR web-2 is down', db],
      [2, 'INFO b', web],
    ]);
    expect(keysOf(sourced).filter(key => /^(?:source|pod)/.test(key))).toEqual([
      'source web: 0 2',
      'pod db: 1',
      'source db: 1',
    ]);
    expect(sourced.sourceCount).toBe(2);
    const unsaid = eventsOf(
      [
        [0, 'INFO web-2 is up'],
        [1, 'ERROR web-2 is down'],
        [2, 'ERROR x'],
      ],
      ['web-1', 'web-2'],
    );
    expect(keysOf(unsaid).filter(key => /^(?:source|pod)/.test(key))).toEqual(['pod web-2: 1']);
    expect(unsaid.sourceCount).toBe(0);
  });

  test('with their fields', () => {
    const lines = [...linesEvery(1, 0, 10, 'mode=a x'), ...linesEvery(1, 10, 15, 'mode=b x')];
    const [flip] = eventsOf(lines).fields.flips();
    expect(flip).toMatchObject({name: 'mode', at: 10, count: 5});
  });

  test('of several logs together, in the order of time', () => {
    const logs = [
      timedLog([
        [1, 'ERROR a'],
        [5, 'INFO x'],
      ]),
      timedLog([
        [0, 'INFO y'],
        [3, 'ERROR b'],
      ]),
    ];
    const events = finishWork(readEvents(logs, [], allBounds));
    expect([events.origin, events.held.to, events.errors]).toEqual([atSecond(0), 5, [1, 3]]);
    const error = events.series.find(({key}) => key === 'ERROR a');
    expect(error && anchorAt(events, error.places[0] ?? 0)).toEqual({source: 0, id: 1, at: atSecond(1)});
    expect(finishWork(readEvents([], [], allBounds))).toMatchObject({origin: 0n, newest: 0n, clock: []});
  });
});

describe('of many lines', () => {
  const lines = [...linesEvery(1, 0, 20, 'INFO job done'), ...linesEvery(1, 0.5, 10, 'ERROR db is down')];
  const countsOf = (bounds: Partial<typeof allBounds>) => {
    const {series, weight, clock, errors} = eventsOf(lines, [], {...allBounds, ...bounds});
    return [...series.map(each => [each.kind, each.seconds.length, each.weight]), weight, clock.length, errors.length];
  };

  test('all are read up to the bound, and every second of more', () => {
    expect(countsOf({linesMax: 30})).toEqual([['message', 20, 1], ['kind', 10, 1], 1, 30, 10]);
    expect(countsOf({linesMax: 29})).toEqual([['message', 15, 2], ['kind', 10, 1], 2, 15, 10]);
  });

  test('of many more, so few that it does not change with each few lines, and that of two by turns both are read', () => {
    const weightOf = (count: number): number =>
      eventsOf(linesEvery(1, 0, count, 'INFO job done'), [], {...allBounds, linesMax: 10}).weight;
    expect([10, 20, 30, 31, 50, 51, 90, 91, 130, 131].map(weightOf)).toEqual([1, 2, 3, 5, 5, 9, 9, 13, 13, 19]);
  });

  test('all errors are read up to their bound, and every second of more', () => {
    expect(countsOf({errorsMax: 10})).toEqual([['message', 20, 1], ['kind', 10, 1], 1, 30, 10]);
    expect(countsOf({errorsMax: 9})).toEqual([['message', 20, 1], ['kind', 5, 2], 1, 30, 10]);
  });

  test('of so many chunks every second is read', () => {
    const many = linesEvery(1, 0, 4 * 512, 'INFO job done');
    const read = (chunksMax: number) => eventsOf(many, [], {...allBounds, chunksMax});
    expect([read(4).clock.length, read(4).weight]).toEqual([2048, 1]);
    expect([read(3).clock.length, read(3).weight, read(3).clock[512]]).toEqual([1024, 2, 1024]);
    expect(read(3).series[0]?.weight).toBe(2);
  });

  test('the fields of fifteen thousand are read', () => {
    const flip = (count: number) =>
      eventsOf([
        ...linesEvery(1e-3, 0, (count - 4) / 1000 - 1e-4, 'mode=a x'),
        ...linesEvery(1e-3, 900, 900.0039, 'mode=b x'),
      ]).fields.flips()[0]?.count;
    expect([flip(15_000), flip(15_001)]).toEqual([4, undefined]);
  });
});

test('whole and quick looks read so much', () => {
  expect(allBounds).toEqual({linesMax: 50_000, errorsMax: 20_000, chunksMax: Number.POSITIVE_INFINITY});
  expect(quickBounds).toEqual({linesMax: 3000, errorsMax: 3000, chunksMax: 64});
});

test('a series is known by three hundred characters', () => {
  const [series] = eventsOf([[0, `INFO ${'long words '.repeat(60)}`]]).series;
  expect(series?.key.length).toBeLessThanOrEqual(300);
  expect(seriesKeyOf('x'.repeat(300))).toHaveLength(300);
  expect(seriesKeyOf('x'.repeat(301))).toHaveLength(300);
});

describe('the newest time', () => {
  const ahead = (count: number, all: number) => {
    const {buffer} = takeWindow(createBranchLog(1e9), {
      lines: [
        ...Array.from({length: all - count}, (_, index) => `${stampAt(index / 10)} INFO a`),
        ...Array.from({length: count}, (_, index) => `${stampAt(90_000 + index)} INFO b`),
      ],
      pods: [],
      cut: 'branch',
    }).log;
    return finishWork(readEvents([buffer], [], allBounds));
  };
  const stampAt = (second: number): string =>
    `${new Date(startMs + Math.round(second * 1000)).toISOString().slice(0, -1)}000000Z`;

  test('is that of lines whose clock is believed, unless a hundredth of all have a later one, or four', () => {
    expect(ahead(3, 100).held.to).toBe(9.6);
    expect(ahead(4, 100).held.to).toBeGreaterThan(9.6);
    expect(ahead(9, 1000).held.to).toBeCloseTo(99, 6);
    expect(ahead(10, 1000).held.to).toBeGreaterThan(90_000);
  });

  test('leaves out what is later', () => {
    const events = ahead(3, 100);
    expect(keysOf(events)).toHaveLength(1);
    expect(events.clock).toHaveLength(97);
  });
});

describe('lines are read again', () => {
  const events = eventsOf([
    [0, 'INFO a', {pod: 'web'}],
    [1, 'ERROR b', {pod: 'db'}],
    [2, '    at c (c.js:1:1)', {pod: 'db'}],
    [3, 'INFO d', {pod: 'web'}],
    [4, 'INFO e'],
  ]);
  const textsBetween = (from: number, to: number, isWanted?: (text: string) => boolean) =>
    [...linesBetween(events, [from, to], isWanted)].map(line => line?.text);

  test('from a time to a later one, both included, and those left out that continue others', () => {
    expect(textsBetween(0, 9)).toEqual(['INFO a', 'ERROR b', 'INFO d', 'INFO e', undefined]);
    expect(textsBetween(1, 3)).toEqual(['ERROR b', 'INFO d', undefined]);
    expect(textsBetween(1.1, 2.9)).toEqual([undefined]);
    expect(textsBetween(4, 4)).toEqual(['INFO e', undefined]);
    expect(textsBetween(4.1, 9)).toEqual([]);
    expect(textsBetween(-5, -1)).toEqual([]);
    expect(textsBetween(0, 9, text => text.endsWith('d'))).toEqual(['INFO d', undefined]);
  });

  test('with their time, place and level', () => {
    const [line] = linesBetween(events, [1, 1]);
    expect(line).toMatchObject({at: 1, text: 'ERROR b', rank: 5});
    expect(line && anchorAt(events, line.place)).toEqual({source: 0, id: 2, at: atSecond(1)});
    expect(line && sourceOfPlace(events, line.place)).toBe('db');
    expect(sourceOfPlace(events, (line?.place ?? 0) + 3)).toBeUndefined();
    expect([anchorAt(events, 99 * 65_536), sourceOfPlace(events, 99 * 65_536)]).toEqual([undefined, undefined]);
    expect(anchorAt(events, 99)).toBeUndefined();
  });
});

describe('of several branches', () => {
  test('lines are read in the order of their times', () => {
    const events = finishWork(
      readEvents([timedLog(linesEvery(2, 0, 8, 'ERROR a')), timedLog(linesEvery(2, 1, 8, 'ERROR a'))], [], allBounds),
    );
    expect(events.series.map(({kind, seconds}) => [kind, seconds])).toEqual([['kind', [0, 1, 2, 3, 4, 5, 6, 7]]]);
    expect(events.clock).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

test('what is read anew of a longer log is what would have been read at once', () => {
  const lines = linesEvery(1, 0, 3000, index => `level=info msg="order stored" version=1.4${index > 2000 ? 2 : 1}.0`);
  const [some, all] = [timedLog(lines.slice(0, 2500)), timedLog(lines)];
  finishWork(readEvents([some], [], allBounds));
  const again = finishWork(readEvents([all], [], allBounds));
  expect(again.series.map(({key, seconds}) => [key, seconds.length])).toEqual([['order stored', 3000]]);
  expect(again.fields.flips()).toMatchObject([{name: 'version', at: 2001, count: 999}]);
  finishWork(readEvents([all], [], {...allBounds, linesMax: 1000}));
  expect(finishWork(readEvents([all], [], allBounds)).clock).toHaveLength(3000);
});
