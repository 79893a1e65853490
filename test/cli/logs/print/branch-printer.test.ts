import {expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {createTail} from '#app/tail/tail.ts';
import {compilePattern} from '#cli/arguments/logs-options.ts';
import {type BranchPrinterOptions, createBranchPrinter} from '#cli/logs/print/branch-printer.ts';
import type {LogPrinter} from '#cli/logs/print/log-printer.ts';
import type {Entry} from '#log/line/entry.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {createQuickClock} from '../../quick-clock.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const line = (ms: number, text = `line ${ms}`): Entry => ({
  kind: 'line',
  id: ms,
  at: instantFromMs(startMs + ms),
  raw: `0 ${text}`,
  textIndex: 2,
  late: false,
});

const tail = createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true});

type Told = Partial<LogAnswer> & {readonly skipped?: readonly string[]; readonly serviceTimeMs?: number};

const open = (options: Partial<BranchPrinterOptions> = {}, verdicts: readonly ('goOn' | 'stop')[] = []) => {
  const said: string[] = [];
  const printed: (readonly string[])[] = [];
  const clocks: (number | undefined)[] = [];
  const helds: unknown[] = [];
  const left = [...verdicts];
  let need: 'goOn' | 'stop' = 'goOn';
  const printer = createBranchPrinter({
    labels: [],
    printer: {
      print: async ({entries, serviceTimeMs}: Parameters<LogPrinter['print']>[0]) => {
        printed.push(entries.map(({entry}) => (entry.kind === 'line' ? entry.raw.slice(2) : entry.kind)));
        clocks.push(serviceTimeMs);
        return left.shift() ?? 'goOn';
      },
      noteProof: () => need,
      noteHeld: (held: unknown) => helds.push(held),
    } as never,
    holdMs: 1_000,
    printsFirstAtOnce: false,
    foldsGrowth: false,
    part: 'pod',
    sourceFilter: undefined,
    showsSources: false,
    cutSaidBy: undefined,
    say: sentence => said.push(sentence),
    clock: createQuickClock(100),
    ...options,
  });
  const polled = (branch: number, ms: number, entries: readonly Entry[], told: Told | ApiError = {}) => {
    const {skipped = [], serviceTimeMs, ...value} = told instanceof ApiError ? {} : told;
    const result: Answer<LogAnswer> = {
      value: {pods: [], lines: [], sessionId: undefined, ...value},
      status: 200,
      durationMs: 1,
      bodyBytes: 1,
      serviceTimeMs,
      skipped,
    };
    return printer.polled(branch, {
      added: entries,
      tail,
      result: told instanceof ApiError ? told : result,
      times: {beganMs: ms, cameMs: ms + 1},
    });
  };
  return {
    ...printer,
    polled,
    said,
    printed,
    clocks,
    helds,
    needMore: (): void => {
      need = 'stop';
    },
  };
};

const labels = ['a', 'b'].map(name => ({name, prefix: ''}));
const fault = new ApiError('network', 'It is away.');

test('a service that says not how far back it reaches shows that by its first line, and by what it numbered', async () => {
  const firstHeld = async (told: Partial<LogAnswer>) => {
    const {polled, helds} = open({showsWindows: true});
    await polled(0, 0, [line(3)], told);
    return helds[0];
  };
  const arrivals = (dropped: number) => ({arrivals: {series: 's', last: 9, dropped}});
  expect(await firstHeld({})).toMatchObject({why: 'window'});
  expect(await firstHeld(arrivals(4))).toMatchObject({why: 'window'});
  // Whether there were any before the first number, it cannot tell.
  expect(await firstHeld(arrivals(0))).toMatchObject({why: 'numbered'});
});

test('what came of one branch is printed at once, with how far back it reaches and what the clock of its service says', async () => {
  const {polled, printed, clocks, helds, hasAnswer} = open();
  expect(hasAnswer()).toBe(false);
  const heldFrom = {at: 1n, why: 'file'} as const;
  expect(await polled(0, 0, [line(1)], {serviceTimeMs: 7, heldFrom})).toBe('goOn');
  expect(await polled(0, 100, [line(2)])).toBe('goOn');
  expect([printed, clocks, helds, hasAnswer()]).toEqual([
    [['line 1'], ['line 2']],
    [7, 7],
    [heldFrom, undefined],
    true,
  ]);
});

test('what fails is told when it begins and ends, with the name of its branch', async () => {
  const {polled, said} = open({labels});
  await polled(1, 0, [], fault);
  await polled(1, 100, [], fault);
  await polled(1, 200, []);
  expect(said).toEqual([
    expect.stringMatching(/^b: \d\d:\d\d:\d\d.* It is away\., retrying$/),
    expect.stringMatching(/^b: .* recovered after /),
  ]);
});

test('once the printer stops, nothing more is printed', async () => {
  const {polled, printed} = open({}, ['stop']);
  expect(await polled(0, 0, [line(1)])).toBe('stop');
  expect(await polled(0, 100, [line(2)])).toBe('stop');
  expect(await polled(0, 200, [], fault)).toBe('stop');
  expect(printed).toEqual([['line 1']]);
});

test('a log that does not prove enough stops, and what came with it is printed', async () => {
  const {polled, printed, needMore} = open();
  needMore();
  expect(await polled(0, 0, [line(1)])).toBe('stop');
  expect(printed).toEqual([['line 1']]);
});

test('branches are one log by their times, from the first windows of all on', async () => {
  const {polled, printed, finish, branchEnded, nextExpiryMs, expire} = open({labels});
  await polled(0, 0, [line(1), line(30)]);
  expect(printed).toEqual([]);
  await polled(1, 10, [line(2), line(20)]);
  await polled(0, 60, [line(40)]);
  expect(printed.flat()).toEqual(['line 1', 'line 2', 'line 20', 'line 30']);
  expect(nextExpiryMs()).toBe(1_061);
  expect(await expire(1_000)).toBe('goOn');
  expect(printed.flat()).toHaveLength(4);
  await expire(1_061);
  expect(printed.flat().at(-1)).toBe('line 40');
  await polled(1, 2_000, [line(50)]);
  await finish();
  expect(printed.flat().at(-1)).toBe('line 50');
  branchEnded(0);
  await polled(1, 2_100, [line(60)]);
  expect(printed.flat().at(-1)).toBe('line 60');
});

test('first windows are printed together where lines of all of them count', async () => {
  const {polled, printed, finish} = open({labels, printsFirstAtOnce: true});
  await polled(0, 0, [line(1), line(30)]);
  await polled(1, 0, [line(2)]);
  expect(printed).toEqual([]);
  await polled(1, 70, []);
  expect(printed).toEqual([['line 1', 'line 2', 'line 30']]);
  await finish();
  const early = open({labels, printsFirstAtOnce: true});
  await early.polled(0, 0, [line(1)]);
  await early.finish();
  expect(early.printed).toEqual([['line 1']]);
});

test('a failure lets go of what was held for its branch', async () => {
  const {polled, printed} = open({labels});
  await polled(0, 0, [line(1)]);
  await polled(1, 10, []);
  await polled(0, 20, [line(21)]);
  expect(printed.flat()).toEqual(['line 1']);
  await polled(1, 30, [], fault);
  expect(printed.flat()).toEqual(['line 1', 'line 21']);
});

test('parts of answers that are no lines are told when that begins, and when it begins again', async () => {
  const {polled, said, hasNotLines} = open();
  await polled(0, 0, []);
  expect(hasNotLines()).toBe(false);
  await polled(0, 100, [], {notLines: [3]});
  await polled(0, 200, [], {notLines: [4]});
  expect([said.length, hasNotLines(), said[0]]).toEqual([1, true, expect.stringContaining('data[3]')]);
  await polled(0, 300, []);
  await polled(0, 400, [], {notLines: [5]});
  expect(said[1]).toContain('data[5]');
});

test('what was left out of the first answer is told, and that nobody says who wrote a line if that is to be shown', async () => {
  const {polled, said} = open({showsSources: true, labels: labels.slice(0, 1)});
  await polled(0, 0, [], {skipped: ['pods[0]']});
  await polled(0, 100, [], {skipped: ['pods[0]']});
  expect(said).toEqual([
    'a: the service does not report sources: --prefix has no effect',
    expect.stringMatching(/^a: ignored 1 part .*pods\[0\]$/),
  ]);
  const known = open({showsSources: true});
  await known.polled(0, 0, [], {
    numbering: {series: 's', first: 1, runs: [], sources: [], losses: []} as never,
  });
  expect(known.said).toEqual([]);
});

test('pods that cannot be read are told when that begins, and when it changes, unless it is told otherwise', async () => {
  const unreadable = {pods: 1, of: 2, why: 'No right.'};
  const {polled, said} = open();
  await polled(0, 0, [], {unreadable});
  await polled(0, 100, [], {unreadable});
  await polled(0, 200, [], {unreadable: {...unreadable, isBlind: true}});
  await polled(0, 300, []);
  await polled(0, 400, [], {unreadable});
  expect(said).toEqual([
    '1 of 2 pods unreadable: No right.',
    expect.stringContaining('new pods unseen'),
    '1 of 2 pods unreadable: No right.',
  ]);
  const other = open({part: undefined});
  await other.polled(0, 0, [], {unreadable});
  expect(other.said).toEqual([]);
});

test('it ends once no line matches any more, for as long as asked, in all branches', async () => {
  const untilGone = {pattern: compilePattern('until-gone', 'error'), forMs: 1_000};
  const {polled, goneWatches} = open({labels, untilGone});
  expect(goneWatches()).toHaveLength(2);
  const verdicts: string[] = [];
  for (let ms = 0; ms <= 2_400; ms += 400) {
    verdicts.push(await polled(0, ms, [line(ms)]));
    verdicts.push(await polled(1, ms, [line(ms, ms === 800 ? 'an error' : 'well')]));
  }
  expect([verdicts.indexOf('stop'), verdicts.length]).toEqual([11, 14]);
  expect(open().goneWatches()).toEqual([]);
});
