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
