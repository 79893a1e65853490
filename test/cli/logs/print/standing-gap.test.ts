import {expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {createTail} from '#app/tail/tail.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import {createBranchPrinter} from '#cli/logs/print/branch-printer.ts';
import {createLogPrinter} from '#cli/logs/print/log-printer.ts';
import type {Entry} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import {createQuickClock} from '../../quick-clock.ts';

const stamp = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z`;
const at = (second: number) => parseInstant(stamp(second)) ?? 0n;
const line = (second: number): Entry => ({
  kind: 'line',
  id: second,
  at: at(second),
  raw: `${stamp(second)} line ${second}`,
  textIndex: stamp(second).length + 1,
  late: false,
});
const gap = (after: number, before: number, grows: boolean): Entry => ({
  kind: 'gap',
  id: after,
  at: at(before),
  after: at(after),
  before: at(before),
  reason: 'share',
  ...(grows ? {grows} : {}),
});

const tail = createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true});

const answer: Answer<LogAnswer> = {
  value: {pods: [], lines: [], sessionId: undefined},
  status: 200,
  durationMs: 1,
  bodyBytes: 1,
  serviceTimeMs: undefined,
  skipped: [],
};

/** Both outputs in the order in which they were written; what went to stderr begins with `! `. */
const print = async (
  format: LogsOptions['format'],
  branches: readonly string[],
  polls: readonly (readonly [number, ...Entry[]])[],
  unreadable: readonly LogAnswer['unreadable'][] = [],
) => {
  const written: string[] = [];
  const say = (sentence: string) => written.push(`! ${sentence}`);
  const labels = branches.map(name => ({name, prefix: ''}));
  const printer = createBranchPrinter({
    labels,
    printer: createLogPrinter({
      options: {
        follow: true,
        intervalMs: undefined,
        tail: undefined,
        since: undefined,
        grep: [],
        exclude: [],
        context: {before: 0, after: 0},
        levelMin: undefined,
        pods: {only: [], except: []},
        containers: {only: [], except: []},
        prefix: false,
        format,
        durationMs: undefined,
        until: undefined,
        timestamps: undefined,
        highlights: [],
        summary: false,
        failOnGap: false,
        requireProof: false,
        recordPath: undefined,
        replayPath: undefined,
        speed: 1,
      },
      output: {
        write: async text =>
          void written.push(
            ...String(text)
              .split('\n')
              .filter(row => row !== ''),
          ),
      },
      say,
      formatText: entry => entry.raw,
      labels,
      signal: new AbortController().signal,
    }),
    holdMs: 1000,
    printsFirstAtOnce: false,
    foldsGrowth: format !== 'json',
    sourceFilter: undefined,
    showsSources: false,
    part: 'pod',
    cutSaidBy: undefined,
    say,
    clock: createQuickClock(100),
  });
  for (const [index, [branch, ...entries]] of polls.entries()) {
    const told = {...answer, value: {...answer.value, unreadable: unreadable[index]}};
    const times = {beganMs: index * 100, cameMs: index * 100 + 1};
    await printer.polled(branch, {added: entries, tail, result: told, times});
  }
  await printer.finish();
  printer.tellGrowth();
  printer.tellGrowth();
  return written;
};

const began = `possible gap, ${stamp(1)} to ${stamp(3)}, lines may be missing: many lines came at once, as many as one pod or source may hold`;
const wentOn = (before: number): string =>
  `the possible gap went on, in all ${stamp(1)} to ${stamp(before)}, lines may be missing: many lines came at once, as many as one pod or source may hold`;

test.each<LogsOptions['format']>(['raw', 'text'])(
  'in %s a standing gap is told when it begins and when it has ended',
  async format => {
    const polls = [
      [0, line(1)],
      [0, gap(1, 3, false), line(3)],
      [0, gap(1, 5, true), line(5)],
      [0, gap(1, 6, true), line(6)],
      [0, line(7)],
      [0, line(8)],
    ] as const;
    const rows = (...seconds: readonly number[]) => seconds.map(second => `${stamp(second)} line ${second}`);
    expect(await print(format, [], polls)).toEqual([
      ...rows(1),
      `! ${began}`,
      ...rows(3, 5, 6),
      `! ${wentOn(6)}`,
      ...rows(7, 8),
    ]);
  },
);

test('one that stands to the end of the run is told then, once', async () => {
  const written = await print(
    'raw',
    [],
    [
      [0, line(1)],
      [0, gap(1, 3, false)],
      [0, gap(1, 5, true)],
      [0, gap(1, 6, true), line(6)],
    ],
  );
  expect(written.slice(1)).toEqual([`! ${began}`, `${stamp(6)} line 6`, `! ${wentOn(6)}`]);
});

test('in json each step is a record with all of the range, and stderr stays empty', async () => {
  const written = await print(
    'json',
    [],
    [
      [0, line(1)],
      [0, gap(1, 3, false)],
      [0, gap(1, 5, true)],
      [0, gap(1, 6, true)],
      [0, line(7)],
    ],
  );
  expect(written.slice(1, -1)).toEqual([
    `{"kind":"gap","after":"${stamp(1)}","before":"${stamp(3)}","reason":"share"}`,
    `{"kind":"gap","after":"${stamp(1)}","before":"${stamp(5)}","reason":"share","grows":true}`,
    `{"kind":"gap","after":"${stamp(1)}","before":"${stamp(6)}","reason":"share","grows":true}`,
  ]);
});

test('of several branches each has its own, and is named', async () => {
  const written = await print(
    'raw',
    ['main', 'staging'],
    [
      [0, line(1)],
      [1, line(2)],
      [0, gap(1, 3, false), line(3)],
      [1, gap(1, 3, false), line(3)],
      [0, gap(1, 5, true), line(5)],
      [1, gap(1, 6, true), line(6)],
      [0, line(7)],
      [1, line(8)],
      [0, gap(7, 9, false), line(9)],
      [1, gap(8, 9, false), line(9)],
    ],
  );
  expect(written.filter(row => row.startsWith('! main') || row.startsWith('! staging'))).toEqual([
    `! main: ${began}`,
    `! staging: ${began}`,
    `! main: ${wentOn(5)}`,
    `! staging: ${wentOn(6)}`,
    `! main: possible gap, ${stamp(7)} to ${stamp(9)}, lines may be missing: many lines came at once, as many as one pod or source may hold`,
    `! staging: possible gap, ${stamp(8)} to ${stamp(9)}, lines may be missing: many lines came at once, as many as one pod or source may hold`,
  ]);
});

test('pods that cannot be read are told when that begins, and when it begins again', async () => {
  const polls = [[0], [0], [0], [0]] as const;
  const blind = {pods: 2, of: 4, why: 'No right to get pods/log.'};
  const words = '! 2 of 4 pods unreadable: No right to get pods/log.';
  expect(await print('raw', [], polls, [blind, blind, undefined, blind])).toEqual([words, words]);
});
