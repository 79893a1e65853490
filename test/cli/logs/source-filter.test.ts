import {expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {createTail} from '#app/tail/tail.ts';
import {parseArguments} from '#cli/arguments/args.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {exitCodeOf} from '#cli/io/exit-codes.ts';
import {createBranchPrinter} from '#cli/logs/print/branch-printer.ts';
import {createLogPrinter} from '#cli/logs/print/log-printer.ts';
import {createSourceFilter} from '#cli/logs/source-filter.ts';
import type {Entry, SourceName} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import {createQuickClock} from '../quick-clock.ts';

const stamp = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z`;
const at = (second: number) => parseInstant(stamp(second)) ?? 0n;
const line = (second: number, source?: SourceName, text = `line ${second}`): Entry => ({
  kind: 'line',
  id: second,
  at: at(second),
  raw: `${stamp(second)} ${text}`,
  textIndex: stamp(second).length + 1,
  late: false,
  source,
});
const gap = (second: number, source?: SourceName, more: {readonly grows?: boolean} = {}): Entry => ({
  kind: 'gap',
  id: second,
  at: at(second),
  after: at(second - 1),
  before: at(second),
  reason: 'told',
  source,
  ...more,
});
const pod = (second: number, name: string): Entry => ({
  kind: 'pod',
  id: second,
  at: at(second),
  change: 'appeared',
  name,
  since: undefined,
});

const nginx = {pod: 'web-1', container: 'nginx'};
const php = {pod: 'web-1', container: 'php', stream: 'stderr'};
const other = {pod: 'web-2', container: 'php'};

const tail = createTail({intervalMs: 2000, bufferBytesMax: 1_000_000, keepsLateLines: true});
const numbered = {series: 'a', first: 1, runs: [], sources: [], losses: []};

const answer = (numbering: LogAnswer['numbering'] = numbered): Answer<LogAnswer> => ({
  value: {pods: [], lines: [], sessionId: undefined, numbering},
  status: 200,
  durationMs: 1,
  bodyBytes: 1,
  serviceTimeMs: undefined,
  skipped: [],
});

type Printed = {
  readonly out: readonly string[];
  readonly said: readonly string[];
  readonly verdict: 'goOn' | 'stop';
  readonly hasGap: boolean;
};

/** Prints one poll of a branch, or with labels the first of each of several, with the flags of a command line. */
const print = async (
  flags: readonly string[],
  polls: readonly (readonly Entry[])[],
  names: readonly string[] = [],
): Promise<Printed> => {
  const out: string[] = [];
  const said: string[] = [];
  const say = (sentence: string) => void said.push(sentence);
  const options = readLogsOptions(parseArguments(['logs', 'shop', 'main', '--follow', ...flags]), say);
  const labels = names.map(name => ({name, prefix: `${name} | `}));
  const logPrinter = createLogPrinter({
    options,
    output: {
      write: async text =>
        void out.push(
          ...String(text)
            .split('\n')
            .filter(row => row !== ''),
        ),
    },
    say,
    formatText: entry => entry.raw.slice(entry.textIndex),
    labels,
    signal: new AbortController().signal,
  });
  const printer = createBranchPrinter({
    labels,
    printer: logPrinter,
    holdMs: 2000,
    printsFirstAtOnce: false,
    foldsGrowth: options.format !== 'json',
    sourceFilter: createSourceFilter(options, say),
    showsSources: false,
    part: 'pod',
    cutSaidBy: undefined,
    say,
    clock: createQuickClock(100),
  });
  let verdict: 'goOn' | 'stop' = 'goOn';
  for (const [index, added] of polls.entries()) {
    const branchIndex = names.length > 0 ? index : 0;
    const times = {beganMs: index, cameMs: index};
    verdict = await printer.polled(branchIndex, {added, tail, result: answer(), times});
  }
  await printer.finish();
  printer.tellGrowth();
  return {out, said, verdict, hasGap: logPrinter.hasGap};
};

const lines = [line(1, nginx), line(2, php), line(3, other)];

test.each([
  [
    ['--pod', 'web-1'],
    ['line 1', 'line 2'],
  ],
  [['--pod', '^web-2$'], ['line 3']],
  [['--pod', 'web-2', '--pod', 'none'], ['line 3']],
  [['--exclude-pod', 'web-1'], ['line 3']],
  [
    ['-c', 'php'],
    ['line 2', 'line 3'],
  ],
  [
    ['--container', 'php', '--container', 'ng'],
    ['line 1', 'line 2', 'line 3'],
  ],
  [['--pod', 'web-1', '-c', 'php'], ['line 2']],
  [['--pod', 'web', '--exclude-pod', '1', '--exclude-container', 'nginx'], ['line 3']],
  [['--exclude-container', 'php', '--exclude-container', 'ng'], []],
])('%j prints %j', async (flags, expected) => {
  expect(await print(flags, [lines])).toMatchObject({out: expected, said: []});
});

test('holds in json and raw, and for each of several branches', async () => {
  const {out} = await print(['-c', 'nginx', '--format', 'json'], [lines]);
  expect(out).toEqual([`{"kind":"line","timestamp":"${stamp(1)}","text":"line 1","pod":"web-1","container":"nginx"}`]);
  expect((await print(['-c', 'nginx', '--format', 'raw'], [lines])).out).toEqual([`${stamp(1)} line 1`]);
  const several = await print(['-c', 'nginx'], [lines, [line(4, nginx), line(5, php)]], ['a', 'b']);
  expect(several.out).toEqual(['a | line 1', 'b | line 4']);
});

test('a line of unknown source: a wanted name leaves it out, an unwanted one keeps it, and stderr says so once', async () => {
  const some = [line(1, nginx), line(2, {pod: 'web-1'}), line(3), line(4, {})];
  expect(await print(['-c', 'nginx'], [some])).toMatchObject({
    out: ['line 1'],
    said: ['nothing says which container wrote some lines: --container leaves them out'],
  });
  expect(await print(['--exclude-container', 'nginx'], [some])).toMatchObject({
    out: ['line 2', 'line 3', 'line 4'],
    said: ['nothing says which container wrote some lines: --exclude-container keeps them'],
  });
  expect((await print(['--pod', 'web', '-c', 'nginx'], [some])).said).toEqual([
    'nothing says which container wrote some lines: --container leaves them out',
    'nothing says which pod wrote some lines: --pod leaves them out',
  ]);
});

test('a gap of another source is neither printed nor counted; one of unknown source is', async () => {
  const flags = ['--pod', 'web-2', '--fail-on-gap'];
  expect(await print(flags, [[gap(2, php), line(3, other)]])).toEqual({
    out: ['line 3'],
    said: [],
    verdict: 'goOn',
    hasGap: false,
  });
  for (const source of [other, undefined, {container: 'php'}]) {
    const {verdict, hasGap, said} = await print(flags, [[gap(2, source)]]);
    expect([verdict, hasGap, said.length]).toEqual(['stop', true, 1]);
  }
  expect((await print(['--exclude-container', 'php'], [[gap(2, php)]])).said).toEqual([]);
  expect((await print(['--exclude-container', 'php'], [[gap(2, {pod: 'web-1'})]])).said).toHaveLength(1);
});

test('a growing gap of another source is not reported at its end', async () => {
  const polls = [[gap(2, php)], [gap(3, php, {grows: true})]];
  expect((await print(['--pod', 'web-2'], polls)).said).toEqual([]);
  expect((await print(['--pod', 'web-1'], polls)).said).toHaveLength(2);
});

test('pods that came or went are reported if they are wanted', async () => {
  const said = async (...flags: readonly string[]) => (await print(flags, [[pod(1, 'web-1'), pod(2, 'web-2')]])).said;
  expect(await said('--pod', 'web-2')).toEqual(['pod web-2 appeared']);
  expect(await said('--exclude-pod', 'web-2')).toEqual(['pod web-1 appeared']);
  expect(await said('-c', 'php')).toEqual(['pod web-1 appeared', 'pod web-2 appeared']);
});

test('--tail, --level and --until look at the wanted lines only', async () => {
  const trace = [line(1, nginx, 'ERROR: one'), line(2, php, 'INFO: two'), line(3, php, '    at f (a.js:1:1)')];
  expect((await print(['-c', 'php', '--level', 'error'], [trace])).out).toEqual([]);
  expect((await print(['-c', 'nginx', '--tail', '1'], [trace])).out).toEqual(['ERROR: one']);
  const later = [[], [line(4, nginx, 'ready'), line(5, php)]];
  expect((await print(['-c', 'php', '--until', 'ready'], later)).verdict).toBe('goOn');
  expect((await print(['-c', 'nginx', '--until', 'ready'], later)).verdict).toBe('stop');
});

test('a container is meant by its own name, whatever its kind', async () => {
  const lines = [line(1, php), line(2, {pod: 'web-1', container: 'init:migrate'})];
  expect((await print(['-c', '^migrate$'], [lines])).out).toEqual(['line 2']);
  expect((await print(['-c', '^init:'], [lines])).out).toEqual(['line 2']);
  expect((await print(['--exclude-container', '^migrate$'], [lines])).out).toEqual(['line 1']);
});

test('an answer that does not say who wrote its lines ends the command with 6, and names the branch', () => {
  const {pods, containers} = readLogsOptions(
    parseArguments(['logs', 'shop', 'main', '--pod', 'a', '--exclude-container', 'b']),
    () => {},
  );
  const filter = createSourceFilter({pods, containers}, () => {});
  filter?.check(numbered, undefined);
  let error: unknown;
  try {
    filter?.check(undefined, 'main');
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    message: 'main: the service does not report sources: --pod and --exclude-container cannot be applied',
  });
  expect(exitCodeOf(error)).toBe(6);
});

test.each(['pod', 'container', 'exclude-pod', 'exclude-container'])('--%s takes RE2 only', flag => {
  const parsed = parseArguments(['logs', 'shop', 'main', `--${flag}`, '(?=x)']);
  expect(() => readLogsOptions(parsed, () => {})).toThrow(`--${flag}: "(?=x)" can't be used`);
});

test('a name that nothing has is told, with those that there are', () => {
  const said = (flags: readonly string[], sources: readonly SourceName[]): readonly string[] => {
    const sentences: string[] = [];
    const options = readLogsOptions(parseArguments(['logs', 'shop', 'web', ...flags]), () => undefined);
    const filter = createSourceFilter(options, sentence => void sentences.push(sentence));
    filter?.check({...numbered, sources}, undefined);
    filter?.sayUnmatched();
    return sentences;
  };
  expect(said(['--pod', 'nope'], [nginx, php, other])).toEqual([
    'no pod has a name that --pod asks for: lines are of web-1, web-2',
  ]);
  expect(said(['-c', 'nope'], [nginx, php])).toEqual([
    'no container has a name that --container asks for: lines are of nginx, php',
  ]);
  expect(said(['--pod', 'web-2'], [nginx, other])).toEqual([]);
  expect(said(['--exclude-pod', 'nope'], [nginx])).toEqual([]);
  expect(said(['--pod', 'nope'], [])).toEqual([]);
  const many = Array.from({length: 12}, (_, index) => ({pod: `web-${String(index).padStart(2, '0')}`}));
  expect(said(['--pod', 'nope'], many)[0]).toMatch(/web-09 and 2 more$/);
});
