import {expect, onTestFinished, test, vi} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {Pulse} from '#log/overview/pulse.ts';
import {createPulseCounter} from '#service/backend/pulse-counter.ts';
import {createLineWindow} from '#service/window/line-window.ts';
import {createLineNumbers} from '#service/window/numbered-lines.ts';

const startMs = Date.parse('2026-11-21T14:00:00Z');
const web = {pod: 'web-1'};

/** A branch whose window is in memory, a clock in seconds since 14:00:00, and what was read of the branch. */
const open = (linesMax = 1000) => {
  const window = createLineWindow({linesMax, bytesMax: 1e9, isPerPod: false});
  const numbers = createLineNumbers(window);
  const reads: number[] = [];
  let nowMs = startMs;
  let isPartial = false;
  const counter = createPulseCounter(() => nowMs);
  const branch = {
    id: 'b',
    read: async (after?: {readonly series: string; readonly last: number}) => {
      const shown = numbers.show('s', after);
      reads.push(shown.lines.length);
      return {...shown, isPartial};
    },
    readToMs: () => nowMs,
  };
  return {
    reads,
    at: (seconds: number) => {
      nowMs = startMs + seconds * 1000;
    },
    write: (seconds: number, text: string, source: {readonly pod: string} = web) => {
      const stamp = instantFromMs(startMs + seconds * 1000);
      const line = `${new Date(startMs + seconds * 1000).toISOString().replace('Z', '000000Z')} ${text}`;
      window.add({sequence: window.last() + 1, podKey: 1, source, stamp, line});
    },
    lose: () => window.noteLoss({source: web, podKey: 1, why: 'the file was emptied'}),
    hide: (isHidden: boolean) => {
      isPartial = isHidden;
    },
    count: async (): Promise<Pulse | undefined> => (await counter.count('site', [branch])).get('b'),
  };
};

test('counts what came since the last time, as if the whole log had been counted at once', async () => {
  const log = open();
  log.write(0, 'started');
  log.write(30, 'ERROR first');
  log.at(40);
  expect(await log.count()).toMatchObject({spanMs: 40_000, lines: 2, errors: 1});
  log.write(70, 'fine');
  log.write(95, 'java.lang.IllegalStateException: no stock');
  log.write(95, 'GET /cart', {pod: 'web-2'});
  log.at(100);
  expect(await log.count()).toMatchObject({spanMs: 60_000, lines: 3, errors: 1});
  // The trace goes on in the next part.
  log.write(101, '\tat shop.Stock.take(Stock.java:41)');
  log.at(110);
  expect(await log.count()).toEqual({
    toMs: startMs + 110_000,
    spanMs: 60_000,
    lines: 4,
    errors: 1,
    minutes: [
      {minute: startMs / 60_000, seenMs: 60_000, lines: 2, errors: 1},
      {minute: startMs / 60_000 + 1, seenMs: 50_000, lines: 4, errors: 1},
    ],
    lastError: {atMs: startMs + 95_000, text: 'java.lang.IllegalStateException: no stock'},
    lastLineMs: startMs + 101_000,
  });
  expect(log.reads).toEqual([2, 3, 1]);
});

test('a quiet log is calm since its last line, which is told', async () => {
  const log = open();
  log.write(0, 'ERROR once');
  log.at(1);
  await log.count();
  log.at(3600);
  expect(await log.count()).toMatchObject({
    spanMs: 60_000,
    lines: 0,
    errors: 0,
    lastLineMs: startMs,
    lastError: {atMs: startMs, text: 'ERROR once'},
  });
});

test('says less of a log from which lines left uncounted, or are missing', async () => {
  const log = open(10);
  log.write(0, 'started');
  log.at(100);
  expect(await log.count()).toMatchObject({spanMs: 60_000});
  for (let second = 101; second <= 120; second += 1) {
    log.write(second, 'ERROR x');
  }
  log.at(120);
  expect(await log.count()).toMatchObject({spanMs: 9000, errors: 10});
  log.lose();
  log.write(150, 'fine again');
  log.at(160);
  expect(await log.count()).toMatchObject({spanMs: 10_000, lines: 1, errors: 0});
});

test('of what nobody asked for within five minutes nothing is counted but the end', async () => {
  const log = open();
  log.write(0, 'started');
  await log.count();
  for (let second = 1; second <= 900; second += 1) {
    log.write(second, 'ERROR x');
  }
  log.at(900);
  expect(await log.count()).toMatchObject({lines: 61, errors: 61, lastLineMs: startMs + 900_000});
  expect((await log.count())?.minutes.map(({errors}) => errors)).toEqual([60, 60, 60, 60, 1]);
  expect(log.reads).toEqual([1, 901]);
});

test('one count is good for all who ask within a second; what cannot all be read is left out', async () => {
  const log = open();
  log.write(0, 'started');
  await Promise.all([log.count(), log.count()]);
  log.at(0.9);
  await log.count();
  expect(log.reads).toEqual([1]);
  log.hide(true);
  log.at(1);
  expect(await log.count()).toBeUndefined();
  log.hide(false);
  log.at(2);
  expect(await log.count()).toMatchObject({lines: 1});
});

test('an answer waits a quarter of a second; branches whose turn has not come by then are as they were', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  let nowMs = startMs;
  const counter = createPulseCounter(() => nowMs);
  const waiting: (() => void)[] = [];
  const branches = ['a', 'b'].map(id => ({
    id,
    read: async () => {
      await new Promise<void>(resolve => waiting.push(resolve));
      return {lines: [], numbering: {series: 's', first: 1, runs: [], sources: [], losses: []}};
    },
    readToMs: () => nowMs,
  }));
  const ask = async () => {
    const answer = counter.count('site', branches);
    await vi.advanceTimersByTimeAsync(0);
    return {answer, next: async () => waiting.shift()?.()};
  };
  const first = await ask();
  await first.next();
  await vi.advanceTimersByTimeAsync(250);
  expect([...(await first.answer).keys()]).toEqual(['a']);
  // Counting goes on, however late it gets, and whoever asks meanwhile shares it.
  nowMs = startMs + 60_000;
  const second = await ask();
  await second.next();
  expect([...(await second.answer)].map(([id, {toMs}]) => [id, toMs])).toEqual([
    ['a', startMs],
    ['b', startMs],
  ]);
});

test('of more than fifty thousand lines in five minutes the last are counted, and the time before is not known', async () => {
  const firstMinuteOf = async (lines: number): Promise<number | undefined> => {
    const log = open(lines);
    log.write(10, 'first');
    for (let written = 1; written < lines; written += 1) {
      log.write(70, 'line');
    }
    log.at(130);
    const minute = (await log.count())?.minutes[0]?.minute;
    return minute && minute - startMs / 60_000;
  };
  expect([await firstMinuteOf(50_000), await firstMinuteOf(50_001)]).toEqual([0, 1]);
});
