import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createLogJoin} from '#service/containers/log/log-join.ts';
import {createSeenLines} from '#service/containers/log/seen-lines.ts';
import {createLogLines} from '#service/containers/log-lines.ts';
import {createOpenQueue} from '#service/containers/open-queue.ts';

const lineOf = (nanos: number, text = `${nanos}`) => ({stamp: BigInt(nanos), line: text});

/** Whether the first of so many lines of one second is still remembered. */
const keepsLine = (count: number): boolean => {
  const seen = createSeenLines();
  for (let nanos = 0; nanos < count; nanos += 1) {
    seen.add(lineOf(nanos));
  }
  return seen.has(lineOf(0));
};

/** Whether a read that holds so many characters unproven is to be joined after a hole. */
const isOverfull = (chars: number): boolean => {
  const seen = createSeenLines();
  seen.add(lineOf(1));
  const join = createLogJoin(seen, {isFirst: false});
  join.take([lineOf(2, 'x'.repeat(chars - 1)), lineOf(3, 'y')]);
  return join.isOverfull();
};

/** How many of so many logs are being opened at once. */
const openingOf = async (count: number): Promise<number> => {
  const queue = createOpenQueue();
  const ending = new AbortController();
  let opening = 0;
  const runs = Array.from({length: count}, () =>
    queue.run(async () => {
      opening += 1;
      await new Promise((_, reject) => ending.signal.addEventListener('abort', reject, {once: true}));
    }, ending.signal),
  );
  const all = Promise.allSettled(runs);
  await nextTurn();
  const atOnce = opening;
  ending.abort();
  await all;
  return atOnce;
};

const faultOf = (chars: number): number | undefined =>
  createLogLines({isCut: false, dropsFirst: false}).take(Buffer.from(`${'x'.repeat(chars)}\n`)).fault?.length;

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['lines of a container that are remembered', keepsLine, 5_000, true, false],
  ['text of a read that is held until it is proven', isOverfull, 1024 * 1024, false, true],
  ['logs that are opened at once', openingOf, 16, 16, 16],
  ['text of a fault', faultOf, 300, 300, 300],
])('%s', async (_, read, at, within, beyond) => {
  expect([await read(at), await read(at + 1)]).toEqual([within, beyond]);
});
