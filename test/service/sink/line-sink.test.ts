import {expect, onTestFinished, test} from 'vitest';
import {instantFromMs} from '../../../src/log/line/instant.ts';
import {emptyStreamStamps} from '../../../src/service/lines/stream-stamps.ts';
import {createLineSink} from '../../../src/service/sink/line-sink.ts';
import {openStateStore, type StateBatch} from '../../../src/service/state/state-store.ts';
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
