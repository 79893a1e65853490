import {describe, expect, test} from 'vitest';
import {type HeardEntry, turnMs} from '#app/reader/announce/line-queue.ts';
import {createAnnouncer, waitingSentencesMax} from '#app/reader/announcer.ts';
import type {Entry} from '#log/line/entry.ts';

const heard = (id: number, text = `line ${id}`): HeardEntry => ({
  entry: {kind: 'line', id, at: 0n, raw: text, textIndex: 0, late: false},
  whose: undefined,
});
const lines = (from: number, to: number): readonly HeardEntry[] =>
  Array.from({length: to - from + 1}, (_, index) => heard(from + index));
const gap: HeardEntry = {entry: {kind: 'gap', id: 900, at: 0n, after: 0n, before: 1_000_000_000n}, whose: undefined};

/** An announcer on a clock and a terminal of the test's own; `said` are the sentences written so far. */
const setUp = () => {
  let nowMs = 0;
  let isBusy = false;
  const timers: {readonly atMs: number; readonly run: () => void}[] = [];
  const said: string[] = [];
  const announcer = createAnnouncer({
    nowMs: () => nowMs,
    schedule: (delayMs, run) => timers.push({atMs: nowMs + delayMs, run}),
    isBusy: () => isBusy,
  });
  announcer.subscribe(() => {
    const batch = announcer.batch();
    said.push(...batch.sentences);
    announcer.written(batch);
  });
  return {
    announcer,
    said,
    setBusy: (busy: boolean): void => {
      isBusy = busy;
    },
    wait: (ms: number): void => {
      nowMs += ms;
      for (const timer of timers.splice(0)) {
        if (timer.atMs <= nowMs) {
          timer.run();
        } else {
          timers.push(timer);
        }
      }
    },
  };
};

describe('lines', () => {
  test('are read as they come, in their order', () => {
    const {announcer, said, wait} = setUp();
    announcer.hear(lines(1, 2));
    expect(said).toEqual(['line 1', 'line 2']);
    wait(1000);
    announcer.hear(lines(3, 3));
    expect(said).toEqual(['line 1', 'line 2', 'line 3']);
  });

  test('that come before the second is over wait for its end, and none is lost', () => {
    const {announcer, said, wait} = setUp();
    announcer.hear(lines(1, 1));
    wait(300);
    announcer.hear(lines(2, 5));
    wait(300);
    announcer.hear(lines(6, 6));
    expect(said).toEqual(['line 1']);
    wait(400);
    expect(said).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'line 6']);
  });

  test('a thousand a second come to twenty sentences a second, and the others are counted', () => {
    const {announcer, said, wait} = setUp();
    for (let second = 0; second < 10; second += 1) {
      for (let part = 0; part < 10; part += 1) {
        announcer.hear(lines(second * 1000 + part * 100 + 1, second * 1000 + part * 100 + 100));
        wait(100);
      }
    }
    expect(said.length).toBeLessThanOrEqual(20 * 11);
    expect(said.slice(0, 20)).toEqual([
      ...Array.from({length: 19}, (_, index) => `line ${index + 1}`),
      '81 more lines, newest: line 100',
    ]);
    expect(said.slice(20, 40)).toEqual([
      ...Array.from({length: 19}, (_, index) => `line ${index + 101}`),
      '881 more lines, newest: line 1000',
    ]);
    // Every line was either read or counted.
    const counted = said.map(words => Number(/^([\d,]+) more lines/.exec(words)?.[1]?.replaceAll(',', '') ?? 1));
    wait(1000);
    const rest = said
      .slice(counted.length)
      .map(words => Number(/^([\d,]+) more/.exec(words)?.[1]?.replaceAll(',', '') ?? 1));
    expect([...counted, ...rest].reduce((sum, count) => sum + count, 0)).toBe(10_000);
  });

  test('errors and gaps among those that are only counted are told', () => {
    const {announcer, said} = setUp();
    announcer.hear([...lines(1, 19), heard(20), heard(21, 'ERROR: no'), gap, heard(23)]);
    expect(said.at(-1)).toBe('3 more lines, 1 error among them, 1 possible gap, newest: line 23');
  });

  test('wait while they are held, and are forgotten where their log is left', () => {
    const {announcer, said, wait} = setUp();
    announcer.hold(true);
    announcer.hear(lines(1, 2));
    wait(5000);
    expect(said).toEqual([]);
    announcer.hold(false);
    expect(said).toEqual(['line 1', 'line 2']);
    announcer.hear(lines(3, 3));
    announcer.forget();
    wait(5000);
    expect(said).toEqual(['line 1', 'line 2']);
  });
});

describe('a terminal that takes nothing', () => {
  test('gets nothing more until it does', () => {
    const {announcer, said, wait, setBusy} = setUp();
    setBusy(true);
    announcer.say(['first']);
    announcer.hear(lines(1, 1));
    wait(60_000);
    expect(said).toEqual([]);
    setBusy(false);
    wait(1000);
    expect(said).toEqual(['first', 'line 1']);
  });

  test('leaves no more waiting than a bound, and that is said', () => {
    const {announcer, said, wait, setBusy} = setUp();
    setBusy(true);
    for (let index = 0; index < waitingSentencesMax + 7; index += 1) {
      announcer.say([`sentence ${index}`]);
    }
    setBusy(false);
    wait(1000);
    expect(said).toHaveLength(waitingSentencesMax + 1);
    expect(said.slice(0, 2)).toEqual(['7 earlier sentences were left out.', 'sentence 7']);
  });
});

test('what is said before a batch is written goes into the same one, so that none overtakes it', () => {
  const announcer = createAnnouncer({nowMs: () => 0, schedule: () => {}, isBusy: () => false});
  announcer.say(['one']);
  const first = announcer.batch();
  announcer.say(['two']);
  expect(announcer.batch()).toEqual({number: first.number, sentences: ['one', 'two']});
  // What was drawn is the shorter one: the rest is still to come, under the same number.
  announcer.written(first);
  announcer.say(['three']);
  expect(announcer.batch()).toEqual({number: first.number, sentences: ['one', 'two', 'three']});
  announcer.written(announcer.batch());
  announcer.say(['four']);
  expect(announcer.batch()).toEqual({number: first.number + 1, sentences: ['four']});
});

test('an entry of every kind is a sentence without a glyph', () => {
  const {announcer, said} = setUp();
  const second = 1_000_000_000n;
  const entries: readonly Entry[] = [
    {kind: 'line', id: 1, at: 0n, raw: 'late one', textIndex: 0, late: true},
    {kind: 'gap', id: 2, at: 0n, after: second, before: 2n * second},
    {kind: 'pod', id: 3, at: 0n, change: 'appeared', name: 'web-1', since: undefined},
    {kind: 'pod', id: 4, at: 0n, change: 'gone', name: 'web-0', since: second},
    {kind: 'quiet', id: 5, at: 0n, since: second},
    {kind: 'horizon', id: 6, at: second},
    {
      kind: 'change',
      id: 7,
      at: 0n,
      happenedAt: undefined,
      change: {kind: 'status', before: null, now: 'BUILD_RUNNING'},
    },
    {
      kind: 'change',
      id: 8,
      at: 0n,
      happenedAt: second,
      change: {kind: 'activity', action: 'DEPLOY', status: 'SUCCESS', createdBy: 'ann'},
    },
  ];
  announcer.hear(entries.map(entry => ({entry, whose: 'master'})));
  expect(said).toEqual([
    'master: late, late one',
    'master: Possible gap from 00:00:01.000 to 00:00:02.000, lines may be missing: the window moved on.',
    'master: Pod web-1 came.',
    'master: Pod web-0 went; lines since 00:00:01 may be missing.',
    'master: Quiet since 00:00:01: what came and went in between is not known.',
    'master: The service held nothing older than 00:00:01.',
    'master: Status changed from not built out to build running.',
    'master: Activity at 00:00:01: DEPLOY, success, by ann.',
  ]);
});

describe('a gap that grows with each poll', () => {
  const second = 1_000_000_000n;
  const gapTo = (before: bigint, grows: boolean, whose?: string): HeardEntry => ({
    entry: {
      kind: 'gap',
      id: 1,
      at: before * second,
      after: second,
      before: before * second,
      grows,
      reason: 'share',
    },
    whose,
  });

  test('is read once while it waits, with all of its range', () => {
    const {announcer, said, wait} = setUp();
    announcer.hear([heard(1)]);
    announcer.hear([gapTo(2n, false), heard(2)]);
    announcer.hear([gapTo(3n, true), heard(3)]);
    announcer.hear([gapTo(4n, true)]);
    wait(turnMs);
    expect(said).toEqual([
      'line 1',
      'Possible gap from 00:00:01.000 to 00:00:04.000, lines may be missing: many lines came at once, as many as one pod or source may hold.',
      'line 2',
      'line 3',
    ]);
  });

  test('goes on, once it was read, and counts as no further one', () => {
    const {announcer, said, wait} = setUp();
    announcer.hear([gapTo(2n, false, 'main')]);
    announcer.hear([...lines(1, 30), gapTo(3n, true, 'main'), gapTo(4n, true, 'main')]);
    wait(turnMs);
    expect(said[0]).toMatch(/^main: Possible gap from 00:00:01\.000 to 00:00:02\.000, /);
    expect(said.at(-1)).toBe(
      '11 more lines, newest: main: The possible gap from 00:00:01.000 goes on to 00:00:04.000: many lines came at once, as many as one pod or source may hold.',
    );
    announcer.hear([gapTo(5n, true, 'main'), gapTo(6n, true, 'main')]);
    wait(turnMs);
    expect(said.at(-1)).toMatch(/^main: The possible gap from 00:00:01\.000 goes on to 00:00:06\.000: /);
  });

  test('of one branch is not that of another', () => {
    const {announcer, said, wait} = setUp();
    announcer.hear([heard(1)]);
    announcer.hear([gapTo(2n, false, 'main'), gapTo(3n, true, 'staging')]);
    wait(turnMs);
    expect(said.slice(1).map(sentence => sentence.slice(0, 45))).toEqual([
      'main: Possible gap from 00:00:01.000 to 00:00',
      'staging: The possible gap from 00:00:01.000 g',
    ]);
  });
});
