import {expect, onTestFinished, test, vi} from 'vitest';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {CallError} from '#service/backend/errors.ts';
import type {LogQuery} from '#service/containers/container-logs.ts';
import {createAuditor} from '#service/containers/follow/audit-log.ts';
import type {ReadStarter} from '#service/containers/follow/read-pause.ts';
import type {LogReadEnd} from '#service/containers/log/log-read.ts';
import {createSeenLines} from '#service/containers/log/seen-lines.ts';
import type {LogLine} from '#service/containers/log-lines.ts';

const startMs = Date.UTC(2026, 10, 22, 12);
const line = (second: number, text = 'line'): LogLine => {
  const stamp = instantFromMs(startMs + second * 1_000);
  return {stamp, line: `${formatInstant(stamp)} ${text}`};
};

const clean = (...rest: readonly LogLine[]): LogReadEnd => ({kind: 'clean', rest});
type Read = {readonly lines?: readonly LogLine[]; readonly end?: LogReadEnd};

/** Audits a stream that has brought lines, by reads of what the log has. */
const createAudit = (seenLines: readonly LogLine[], ...reads: readonly Read[]) => {
  vi.useFakeTimers({now: startMs});
  onTestFinished(() => void vi.useRealTimers());
  const seen = createSeenLines();
  for (const each of seenLines) {
    seen.add(each);
  }
  const asked: LogQuery[] = [];
  const left = [...reads];
  const startRead = ((query, _front, onLines) => {
    asked.push(query);
    const {lines = [], end = clean()} = left.shift() ?? {};
    let isClosed = false;
    const ended = Promise.resolve().then(async () => {
      for (const each of lines) {
        if (!isClosed) {
          onLines([each]);
        }
      }
      return end;
    });
    return {
      ended,
      close: () => {
        isClosed = true;
      },
    };
  }) as ReadStarter;
  const log: string[] = [];
  const finds = {count: 0};
  const pace = {
    noteLines: () => undefined,
    isDue: () => true,
    noteReopened: () => undefined,
    noteNothing: () => void log.push('nothing'),
    noteFailure: () => void log.push('failure'),
  };
  const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
  const auditor = createAuditor({seen, startRead, wait, pace, finds, monotonicMs: () => Date.now() - startMs});
  const run = async ({mayBeEmpty = false, isCurrent = true} = {}) => {
    const found = auditor.run(mayBeEmpty, () => isCurrent);
    expect(auditor.isRunning()).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(auditor.isRunning()).toBe(false);
    return found;
  };
  return {run, asked, log, finds, seen, auditor};
};

const sinceTenth = {sinceTime: '2026-11-22T12:00:08Z', limitBytes: expect.any(Number)};
const seenTen = [line(9), line(10)];

test('a log whose newest line was seen has nothing more', async () => {
  const {run, asked, log, finds, auditor} = createAudit(seenTen, {lines: [line(10)]});
  expect(auditor.auditedMs()).toBe(Number.NEGATIVE_INFINITY);
  expect([await run(), asked, log, finds.count, auditor.auditedMs()]).toEqual([
    'nothing',
    [{tailLines: 1}],
    ['nothing'],
    0,
    0,
  ]);
});

test('a newest line that was not seen is looked for by its time, and missed if it does not come within a second', async () => {
  const {run, asked, log, finds, auditor} = createAudit(seenTen, {lines: [line(11)]}, {lines: [line(10), line(11)]});
  expect([await run(), asked, log, finds.count, auditor.auditedMs()]).toEqual([
    'missed',
    [{tailLines: 1}, sinceTenth],
    [],
    1,
    1_000,
  ]);
});

test('a line may still be on its way', async () => {
  const {run, seen, finds} = createAudit(seenTen, {lines: [line(11)]}, {lines: [line(10), line(11)]});
  setTimeout(() => seen.add(line(11)), 900);
  expect([await run(), finds.count]).toEqual(['nothing', 0]);
});

test.each<readonly [what: string, look: Read, found: string]>([
  ['the piece of a long line that was seen', {lines: [line(10)]}, 'nothing'],
  ['one before the last seen, of a time that is remembered', {lines: [line(9.5), line(10)]}, 'missed'],
  ['one before it, of another time', {lines: [line(8.5), line(10)]}, 'nothing'],
  ['a last line without its end', {lines: [line(10)], end: clean(line(11))}, 'nothing'],
  ['one of a log that does not have the last one seen any more', {lines: [line(8.5)]}, 'missed'],
  ['none, for the log is empty now', {}, 'nothing'],
])('the second look finds %s', async (_what, look, found) => {
  expect(await createAudit(seenTen, {lines: [line(11, 'piece')]}, look).run()).toBe(found);
});

test.each<readonly [what: string, seenLines: readonly LogLine[], newest: Read, mayBeEmpty: boolean, found: string]>([
  ['of a log that was read', seenTen, {}, false, 'missed'],
  ['whose last line is known to be gone', seenTen, {}, true, 'nothing'],
  ['of which nothing was seen', [], {}, false, 'nothing'],
  ['with a line that has no end yet, and was seen', seenTen, {end: clean(line(10))}, false, 'nothing'],
  [
    'that says a fault of its node after lines',
    seenTen,
    {lines: [line(10)], end: {kind: 'fault', sentence: 'No.', hasLines: true}},
    false,
    'nothing',
  ],
  ['that was closed', seenTen, {end: {kind: 'closed'}}, false, 'nothing'],
  ['of which nothing was seen, with a line', [], {lines: [line(3)]}, false, 'missed'],
])('an empty log, or one %s', async (_what, seenLines, newest, mayBeEmpty, found) => {
  expect(await createAudit(seenLines, newest).run({mayBeEmpty})).toBe(found);
});

test('a newest line long before what was seen is of a clock that went back', async () => {
  const {run, seen, asked} = createAudit(seenTen, {lines: [line(7)]});
  expect([await run(), seen.since(), asked]).toEqual(['missed', undefined, [{tailLines: 1}]]);
  expect(await createAudit(seenTen, {lines: [line(8)]}, {lines: [line(10)]}).run()).toBe('nothing');
});

test.each<readonly [what: string, end: LogReadEnd]>([
  ['fails', {kind: 'failed', error: new CallError('status', 'No.', {status: 403})}],
  ['has a sentence of its node only', {kind: 'fault', sentence: 'No.', hasLines: false}],
])('a log that %s is not known', async (_what, end) => {
  const {run, log, finds} = createAudit(seenTen, {end});
  expect([await run(), log, finds.count]).toEqual(['failed', ['failure'], 0]);
});

test('what is found of a stream that has ended meanwhile counts for nothing', async () => {
  const {run, log, finds} = createAudit(seenTen, {});
  expect([await run({isCurrent: false}), log, finds.count]).toEqual([undefined, [], 0]);
});
