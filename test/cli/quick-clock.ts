import {subscribe} from 'node:diagnostics_channel';
import type {ClientRequest} from 'node:http';
import {setTimeout as delay, setImmediate as turn} from 'node:timers/promises';
import type {Clock} from '#cli/io/io.ts';

let requestsUnderWay = 0;
let requestsEnded = 0;
subscribe('http.client.request.created', message => {
  requestsUnderWay += 1;
  const {request} = message as {readonly request: ClientRequest};
  request.once('close', () => {
    requestsUnderWay -= 1;
    requestsEnded += 1;
  });
});

/** Whether this process waits for an answer, or for a file. */
const isBusy = (): boolean =>
  requestsUnderWay > 0 || process.getActiveResourcesInfo().some(name => name.startsWith('FSReq'));

/** What an answer leads to is done in so many turns of the event loop. */
const turnsToSettle = 5;

const settle = async (): Promise<void> => {
  for (let quietTurns = 0; quietTurns < turnsToSettle; quietTurns = isBusy() ? 0 : quietTurns + 1) {
    await turn();
  }
};

type Sleeper = {readonly dueMs: number; readonly wake: () => void};

/**
 * A clock that runs so many times faster than the machine's. It stands still while a request is under way, so that what
 * comes when does not depend on how busy the machine is; a request takes a millisecond.
 */
export const createQuickClock = (factor: number): Clock => {
  let nowMs = 0;
  let ended = requestsEnded;
  let isTicking = false;
  const sleepers = new Set<Sleeper>();
  const tick = async (): Promise<void> => {
    isTicking = true;
    while (sleepers.size > 0) {
      await delay(1);
      await settle();
      nowMs += requestsEnded - ended;
      ended = requestsEnded;
      const [next] = [...sleepers].toSorted((a, b) => a.dueMs - b.dueMs);
      nowMs = Math.max(nowMs, Math.min(nowMs + factor, next?.dueMs ?? 0));
      if (next && next.dueMs <= nowMs) {
        next.wake();
      }
    }
    isTicking = false;
  };
  return {
    nowMs: () => Date.UTC(2026, 10, 21, 14, 0, 0) + nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const end = (done: () => void) => (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
          done();
        };
        const sleeper = {dueMs: nowMs + ms, wake: end(resolve)};
        const abort = end(() => reject(signal?.reason));
        if (signal?.aborted) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort);
        sleepers.add(sleeper);
        if (!isTicking) {
          void tick();
        }
      }),
  };
};
