import {expect, test} from 'vitest';
import {createWindowPreparer} from '#app/log/fetch-window.ts';
import {openEmptyLog, windowOf} from '../../support/play.ts';

const {signal} = new AbortController();

const open = () => {
  const play = openEmptyLog();
  play.windowArrives(windowOf(1, 2));
  const {generation} = play.state;
  return {play, place: {branchId: 'b-master', generation}, prepare: createWindowPreparer(() => play.state)};
};

test('a prepared window gives the log that it gives when it is taken at once', async () => {
  const [{play, place, prepare}, {play: other}] = [open(), open()];
  const answer = windowOf(2, 3, 4);
  const prepared = await prepare(place, answer, signal);
  expect(prepared?.taken.log.buffer.lineCount).toBe(4);
  play.send({kind: 'windowArrived', ...place, answer, prepared});
  other.send({kind: 'windowArrived', ...place, answer});
  expect(play.state.log?.sources[0].tail.log.buffer).toBe(prepared?.taken.log.buffer);
  expect(play.state.log?.sources[0].tail).toEqual(other.state.log?.sources[0].tail);
});

test('a window that was prepared for another log is taken anew', async () => {
  const {play, place, prepare} = open();
  const prepared = await prepare(place, windowOf(2, 3, 4), signal);
  play.windowArrives(windowOf(2, 3, 4, 5));
  play.send({kind: 'windowArrived', ...place, answer: windowOf(2, 3, 4), prepared});
  expect(play.state.log?.sources[0].tail.log.buffer.lineCount).toBe(5);
});

test('a window is prepared again if the log changes meanwhile, and not at all once the log is left', async () => {
  const {play, place} = open();
  const answer = windowOf(2, 3, 4, 5, 6);
  let asked = 0;
  const prepare = createWindowPreparer(() => {
    asked += 1;
    if (asked === 2) {
      play.windowArrives(windowOf(2, 3, 4));
    }
    return play.state;
  });
  const prepared = await prepare(place, answer, signal);
  expect(prepared?.source).toBe(play.state.log?.sources[0]);
  expect(prepared?.taken.log.buffer.lineCount).toBe(6);
  expect(await prepare({...place, generation: 0}, answer, signal)).toBeUndefined();
});
