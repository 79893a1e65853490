import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {createLogBodyReaders} from '#api/client/body/log-body-reader.ts';
import {finishWork} from '#log/work.ts';
import {withArray} from './with-array.ts';

const lines = (from: number, to: number): readonly string[] =>
  Array.from({length: to - from}, (_, index) => `2026-11-21T14:02:11.${String(from + index).padStart(9, '0')}Z text`);

const bodyOf = (data: readonly string[]): string =>
  JSON.stringify({data, events: data.map(message => ({message})), sessionId: 's'});

/** Events are passed over where the lines are known, so that only a reader that knows nothing finds what is wrong with these. */
const withBadEvents = (data: readonly string[]): Buffer => Buffer.from(bodyOf(data).replace('"},{"', '"}.{"'));

type Readers = ReturnType<typeof createLogBodyReaders>;

const readFirst = (readers: Readers, branch: string): void => {
  expect(withArray(finishWork(readers.of(branch).read(Buffer.from(bodyOf(lines(0, 50))))))).toMatchObject({
    data: lines(0, 50),
  });
};

const expectKnown = (readers: Readers, branch: string): void => {
  expect(withArray(finishWork(readers.of(branch).read(withBadEvents(lines(10, 60)))))).toMatchObject({
    data: lines(10, 60),
  });
};

const expectForgotten = (readers: Readers, branch: string): void => {
  const reader = readers.of(branch);
  expect(() => finishWork(reader.read(withBadEvents(lines(10, 60))))).toThrow(SyntaxError);
  expect(withArray(finishWork(reader.read(Buffer.from(bodyOf(lines(10, 60))))))).toMatchObject({data: lines(10, 60)});
};

const minuteMs = 60_000;

describe('the reader of a branch', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('knows its own last body for as long as it is asked for', () => {
    const readers = createLogBodyReaders(8);
    readFirst(readers, 'a');
    expectForgotten(readers, 'b');
    for (let minute = 0; minute < 15; minute++) {
      vi.advanceTimersByTime(minuteMs);
      readers.of('a');
    }
    expectKnown(readers, 'a');
  });

  test('forgets it when it is not asked for any more, and begins anew', () => {
    const readers = createLogBodyReaders(8);
    readFirst(readers, 'a');
    vi.advanceTimersByTime(10 * minuteMs);
    expectForgotten(readers, 'a');
    expectKnown(readers, 'a');
  });

  test('is one of as many as are watched', () => {
    const readers = createLogBodyReaders(8);
    for (const branch of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      readFirst(readers, branch);
    }
    expectKnown(readers, 'a');
    readFirst(readers, 'i');
    expectKnown(readers, 'a');
    expectForgotten(readers, 'b');
  });
});
