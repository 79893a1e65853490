import {expect, onTestFinished, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createLineSink, type LineSink, type LineSinkOptions} from '#service/window/line-sink.ts';
import type {StampedStream} from '#service/window/line-stamper.ts';
import {openStateStore, type StateBatch} from '#service/window/state-store.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const createSink = (windowLines: number) => {
  const folder = createTempFolder('sink');
  onTestFinished(() => folder.remove());
  const store = openStateStore(folder.path);
  onTestFinished(() => store.close());
  const branch = store.findOrAddBranch('s', 'b', '', 0);
  const {key: podKey} = store.findOrAddPod(branch.key, 'web', 0);
  const written: StateBatch[] = [];
  const sink = createLineSink({
    store: {
      ...store,
      write: batch => {
        written.push(batch);
        store.write(batch);
      },
    },
    branch,
    pods: new Map([[podKey, {}]]),
    windowLines,
    windowPerPod: false,
    now: () => instantFromMs(0),
    warn: () => undefined,
  });
  sink.window.endGathering();
  return {sink, written, stream: {podKey, stamps: emptyStreamStamps, held: {}}};
};

test('while more lines follow, the state is written when the window is shown, and then all at once', () => {
  const {sink, written, stream} = createSink(2);
  sink.take(stream, ['one', 'two'], {hasMore: true, changes: () => ({startedPodKeys: [stream.podKey]})});
  sink.take(stream, ['three'], {hasMore: true});
  expect(written).toEqual([]);
  sink.show();
  expect(written).toHaveLength(1);
  const [batch] = written;
  expect(batch?.changes.added.map(({line}) => line.slice(31))).toEqual(['two', 'three']);
  expect([batch?.changes.removed, batch?.startedPodKeys]).toEqual([[], [stream.podKey]]);
  sink.show();
  expect(written).toHaveLength(1);
  sink.take(stream, ['four']);
  expect(written[1]?.changes.removed).toHaveLength(1);
});

test('an unchanged window is shown as the same array', () => {
  const {sink, stream} = createSink(2);
  sink.take(stream, ['one']);
  const {lines} = sink.show();
  expect(sink.show().lines).toBe(lines);
  sink.take(stream, ['two']);
  expect(sink.show().lines).not.toBe(lines);
});

test('lines that are read together leave the same window as one by one, however many leave it at once', () => {
  const lines = Array.from({length: 7}, (_, index) => `2026-11-22T00:00:0${index}Z line ${index}`);
  const [together, single] = [createSink(3), createSink(3)];
  for (const {sink, stream} of [together, single]) {
    sink.take(stream, ['earlier']);
    sink.noteLoss(stream, 'lines were missing', 5);
  }
  together.sink.take(together.stream, lines);
  for (const line of lines) {
    single.sink.take(single.stream, [line]);
  }
  const describe = ({sink}: typeof together) => ({
    shown: sink.show().lines.map(line => line.slice(31)),
    losses: sink.window.losses(),
    dropped: sink.window.dropped(),
    last: sink.window.last(),
    left: sink.window.leftAfter(3),
    unseenLoss: sink.window.leftAfter(0)?.lines,
    bytes: sink.window.tally.totals().bytes,
  });
  expect(describe(together)).toEqual(describe(single));
  expect(describe(together).shown).toEqual(lines.slice(-3));
});

const open = (options: Partial<LineSinkOptions> = {}) => {
  const folder = createTempFolder('sink');
  onTestFinished(() => folder.remove());
  const store = openStateStore(folder.path);
  onTestFinished(() => store.close());
  const written: StateBatch[] = [];
  const warnings: string[] = [];
  let failing = false;
  const noon = instantFromMs(Date.UTC(2026, 10, 22, 12));
  const start = (more: Partial<LineSinkOptions> = {}) =>
    createLineSink({
      store: {
        ...store,
        write: batch => {
          if (failing) {
            throw new Error('database or disk is full');
          }
          written.push(batch);
          store.write(batch);
        },
      },
      branch: store.findOrAddBranch('s', 'b', '', 0),
      pods: new Map([[store.findOrAddPod(1, 'web', 0).key, {name: 'web'}]]),
      windowLines: 10,
      windowPerPod: false,
      now: () => noon,
      warn: message => warnings.push(message),
      ...options,
      ...more,
    });
  const stream: StampedStream = {podKey: 1, stamps: emptyStreamStamps, held: {}};
  const setFailing = (isFailing: boolean): void => {
    failing = isFailing;
  };
  return {store, written, warnings, start, stream, setFailing};
};

const shown = (sink: LineSink): readonly string[] =>
  sink.show().lines.map(line => `${line.slice(11, 29)} ${line.slice(31)}`);

const timed = (second: number, text: string): string => `2026-11-22T11:00:0${second}Z ${text}`;

test('a restart goes on with the lines, numbers and losses of the state', () => {
  const {start, stream, written} = open();
  const sink = start();
  sink.take(stream, [timed(1, 'one'), timed(2, 'two')]);
  sink.noteLoss(stream, 'it was away', 3);
  const {series} = sink.show().numbering;
  const writes = written.length;
  const again = start();
  expect([again.window.isGathering(), shown(again)]).toEqual([false, shown(sink)]);
  expect(again.show().numbering).toMatchObject({series, losses: [{why: 'it was away', lines: 3, number: 3}]});
  expect([again.window.last(), again.window.addedCount(), written.length]).toEqual([2, 0, writes]);
});

test('a smaller window removes from the state what it does not hold, and says that it left', () => {
  const {start, stream, written} = open();
  start().take(stream, [timed(1, 'one'), timed(2, 'two'), timed(3, 'three')]);
  const smaller = start({windowLines: 2});
  expect(smaller.window.dropped()).toBe(1);
  expect(written.at(-1)?.changes.removed).toEqual([1]);
  const without = start({pods: new Map()});
  expect([without.window.dropped(), without.window.last(), shown(without)]).toEqual([3, 3, []]);
});

test('a state that cannot be written is told, and written whole when it can be, in another series', () => {
  const {start, stream, written, warnings, setFailing} = open();
  const sink = start();
  sink.take(stream, [timed(1, 'one')]);
  const {series} = sink.show().numbering;
  setFailing(true);
  sink.take(stream, [timed(2, 'two')], {
    changes: () => ({startedPodKeys: [1], cursors: [{podKey: 1, cursor: 'c'}], forgottenFileKeys: [4]}),
  });
  expect(warnings).toEqual([
    'The state cannot be written (database or disk is full): lines are still served, but a restart may show some again under another timestamp.',
  ]);
  const other = sink.show().numbering.series;
  expect([other === series, shown(sink).length, warnings.length]).toEqual([false, 2, 1]);
  sink.take(stream, [timed(3, 'three')]);
  expect([sink.show().numbering.series, warnings.length]).toEqual([other, 2]);
  setFailing(false);
  sink.take(stream, [timed(4, 'four')]);
  expect(written.at(-1)).toMatchObject({
    series: other,
    startedPodKeys: [1],
    cursors: [{podKey: 1, cursor: 'c'}],
    forgottenFileKeys: [4],
  });
  expect(written.at(-1)?.allLines).toHaveLength(4);
  sink.take(stream, [timed(5, 'five')]);
  expect(written.at(-1)).toMatchObject({allLines: undefined, startedPodKeys: [], cursors: [], forgottenFileKeys: []});
});

test('ten thousand lines may wait to be written, no more', () => {
  const {start, stream, written} = open({windowLines: 20_000});
  const sink = start();
  const take = (count: number) => sink.take(stream, Array(count).fill('x'), {hasMore: true});
  take(9_999);
  expect(written).toHaveLength(0);
  take(1);
  expect(written).toHaveLength(1);
});

test('what is noted is written with the next lines, or when it is asked for', () => {
  const {start, stream, written} = open();
  const sink = start();
  sink.flush();
  expect(written).toEqual([]);
  sink.note({startedPodKeys: [1]});
  expect(written).toEqual([]);
  sink.take(stream, ['one']);
  expect(written.map(({startedPodKeys}) => startedPodKeys)).toEqual([[1]]);
  sink.note({cursors: [{podKey: 1, cursor: 'a'}]});
  sink.note({cursors: [{podKey: 1, cursor: 'b'}]});
  sink.flush();
  expect(written.at(-1)?.cursors).toEqual([{podKey: 1, cursor: 'b'}]);
  sink.flush();
  expect(written).toHaveLength(2);
});

test('lines from before those that are held have times before them, and lines from after later ones', () => {
  const {start, stream} = open();
  const sink = start();
  sink.take(stream, [timed(5, 'held')]);
  const head = Buffer.alloc(0);
  const unread = (): StampedStream => ({...stream, stamps: emptyStreamStamps});
  const before = instantFromMs(Date.UTC(2026, 10, 22, 11, 0, 5));
  const first = sink.insertAround(unread(), [timed(1, 'a'), timed(9, 'b'), 'c'], {head, before});
  expect(shown(sink)).toEqual([
    `11:00:01.000000000 ${timed(1, 'a')}`,
    `11:00:04.999999998 ${timed(9, 'b')}`,
    '11:00:04.999999999 c',
    `11:00:05.000000000 ${timed(5, 'held')}`,
  ]);
  expect(first).toBe(instantFromMs(Date.UTC(2026, 10, 22, 11, 0, 1)));
  const last = sink.insertAround(unread(), [timed(6, 'd'), timed(2, 'e'), 'no time'], {head, after: before});
  expect(shown(sink).slice(4)).toEqual([
    `11:00:06.000000000 ${timed(6, 'd')}`,
    `11:00:06.000000001 ${timed(2, 'e')}`,
    '11:00:06.000000002 no time',
  ]);
  expect(last).toBe(instantFromMs(Date.UTC(2026, 10, 22, 11, 0, 6)) + 2n);
  expect([
    sink.insertAround(unread(), [], {head, before: 5n}),
    sink.insertAround(unread(), [], {head, after: 7n}),
  ]).toEqual([5n, 7n]);
});

test('how late lines come is counted only once the first window was gathered', () => {
  const {start, stream} = open();
  const sink = start();
  sink.take(stream, [timed(1, 'one')]);
  expect(sink.window.tally.totals().lagSeconds).toBe(0);
  sink.window.endGathering();
  sink.take(stream, [timed(2, 'two')]);
  expect(sink.window.tally.totals().lagSeconds).toBe(3_598);
});

test('a file is placed by its times only while the first window is gathered', () => {
  const {start} = open();
  const sink = start();
  const isPlaced = () => sink.isPlacedByTime(1, Buffer.alloc(0), [timed(1, 'one')]);
  expect([isPlaced(), sink.isPlacedByTime(1, Buffer.alloc(0), ['no time'])]).toEqual([true, false]);
  sink.window.endGathering();
  expect(isPlaced()).toBe(false);
});
