import {expect, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {compilePattern, readLogsOptions} from '#cli/arguments/logs-options.ts';
import {readGivenRange, readRecordingOptions, resolveRange} from '#cli/arguments/time-range.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {parseInstant} from '#log/line/instant.ts';

const read = (words: readonly string[], alwaysFollow?: boolean) => {
  const said: string[] = [];
  const options = readLogsOptions(
    parseArguments(['logs', 'site', 'branch', ...words]),
    sentence => said.push(sentence),
    alwaysFollow,
  );
  return {options, said};
};

test('without flags, one window is printed as text', () => {
  expect(read([])).toEqual({
    options: {
      follow: false,
      intervalMs: undefined,
      since: undefined,
      to: undefined,
      tail: undefined,
      grep: [],
      exclude: [],
      context: {before: 0, after: 0},
      levelMin: undefined,
      pods: {only: [], except: []},
      containers: {only: [], except: []},
      prefix: false,
      format: 'text',
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
    said: [],
  });
});

test('each flag is read into what it asks for', () => {
  const {options, said} = read([
    ...['--follow', '--interval', '3s', '--duration', '500ms', '--level', 'WARN', '--timestamps', 'short', '--prefix'],
    ...['--grep', 'a', '--grep', 'b', '--exclude', 'c', '--around', '2', '--after', '5', '--highlight', 'h'],
    ...['--pod', 'p', '--exclude-pod', 'q', '--container', 'x', '--exclude-container', 'y', '--until', 'u'],
    ...['--fail-on-gap', '--require-proof', '--tail', '7'],
  ]);
  expect(options).toMatchObject({
    follow: true,
    intervalMs: 3_000,
    durationMs: 500,
    levelMin: 'warn',
    timestamps: 'short',
    prefix: true,
    context: {before: 2, after: 5},
    failOnGap: true,
    requireProof: true,
    tail: 7,
  });
  const matches = (patterns: readonly {test(text: string): boolean}[], text: string) =>
    patterns.map(each => each.test(text));
  expect([matches(options.grep, 'b'), matches(options.exclude, 'c'), matches(options.highlights, 'h')]).toEqual([
    [false, true],
    [true],
    [true],
  ]);
  expect([matches(options.pods.only, 'p'), matches(options.pods.except, 'q')]).toEqual([[true], [true]]);
  expect([matches(options.containers.only, 'x'), matches(options.containers.except, 'y')]).toEqual([[true], [true]]);
  expect([options.until?.test('u'), options.until?.test('v'), said]).toEqual([true, false, []]);
});

test.each([
  [['--interval', '5s'], '--interval has no effect without --follow'],
  [['--interval', '5s', '--duration', '5s'], '--interval and --duration have no effect without --follow'],
  [['--fail-on-gap'], '--fail-on-gap has no effect without --follow'],
  [['--summary'], '--summary has no effect without --format json'],
  [['--before', '1'], '--before has no effect without --grep'],
  [['-B', '1', '-A', '2', '-C', '3'], '--before, --after and --around have no effect without --grep'],
  [['--format', 'raw', '--prefix'], '--prefix has no effect without --format text'],
  [
    ['--format', 'json', '--highlight', 'x', '--timestamps', 'utc'],
    '--timestamps and --highlight have no effect without --format text',
  ],
  [['--speed', '2'], '--speed has no effect without --replay'],
  [
    ['--replay', 'r', '--interval', '1s', '--follow'],
    '--interval has no effect with --replay: the recording sets the pace',
  ],
])('a flag without effect is told: %j', (words, sentence) => {
  expect(read(words).said).toEqual([sentence]);
});

test('the same flags with what they need are not', () => {
  expect(read(['--follow', '--interval', '1s', '--duration', '1s', '--fail-on-gap']).said).toEqual([]);
  expect(read(['--format', 'json', '--summary', '--grep', 'x', '--before', '1']).said).toEqual([]);
  expect(read(['--replay', 'r', '--speed', '2']).said).toEqual([]);
});

test.each([
  [
    ['--kube', '--follow', '--previous'],
    '--previous cannot be combined with --follow: an instance that has ended writes no more lines',
  ],
  [['--follow', '--to', '5m'], '--to cannot be combined with --follow: new lines come after it'],
  [
    ['--until-gone', 'x', '--follow'],
    '--until-gone REGEX needs --for TIME and --follow, and cannot be combined with --until',
  ],
  [['--for', '5m', '--follow'], '--for needs --until-gone: add it, or leave --for out'],
  [
    ['--until-gone', 'x', '--for', '5m'],
    '--until-gone REGEX needs --for TIME and --follow, and cannot be combined with --until',
  ],
  [
    ['--until-gone', 'x', '--for', '5m', '--follow', '--until', 'y'],
    '--until-gone REGEX needs --for TIME and --follow, and cannot be combined with --until',
  ],
  [['--interval', '0s'], '--interval: expected a time above zero such as 500ms, 15s, 5m or 2h, got "0s"'],
  [['--duration', 'soon'], '--duration: expected a time above zero such as 500ms, 15s, 5m or 2h, got "soon"'],
  [['--before', '10001'], '--before: expected a number of lines from 0 to 10000, got "10001"'],
  [['--tail', '100000001'], '--tail: expected a number of lines from 0 to 100000000, got "100000001"'],
  [['--tail', '-1'], '--tail: expected a number of lines from 0 to 100000000, got "-1"'],
  [
    ['--since', 'lately'],
    '--since: expected a time such as 15m, 20:20, yesterday, 2026-11-21 14:02 or 2026-11-21T14:02:11Z, got "lately"',
  ],
  [
    ['--since', '0s'],
    '--since: expected a time such as 15m, 20:20, yesterday, 2026-11-21 14:02 or 2026-11-21T14:02:11Z, got "0s"',
  ],
  [['--record', 'a', '--replay', 'b'], '--record and --replay cannot be combined: remove one of them'],
])('%j is refused', (words, sentence) => {
  expect(() => read(words)).toThrow(new UsageError(sentence));
});

test('bounds are kept: that many lines may be asked for', () => {
  expect(read(['--grep', 'x', '--before', '10000', '--after', '0']).options.context).toEqual({
    before: 10_000,
    after: 0,
  });
  expect(read(['--tail', '100000000']).options.tail).toBe(100_000_000);
});

test('what always follows says how a range is printed', () => {
  expect(read([], true).options.follow).toBe(true);
  expect(() => read(['--to', '5m'], true)).toThrow('--to is for printing: add --format text, or leave it out');
});

test('what is waited for to be gone has a time', () => {
  const {untilGone} = read(['--until-gone', 'x', '--for', '5m', '--follow']).options;
  expect([untilGone?.forMs, untilGone?.pattern.test('x')]).toEqual([300_000, true]);
});

const speedOf = (speed: string) =>
  readRecordingOptions(parseArguments(['logs', 's', 'b', '--replay', 'r', '--speed', speed]), () => undefined).speed;

test.each([
  ['0.01', 0.01],
  ['1.5', 1.5],
  ['10000', 10_000],
  ['max', Number.POSITIVE_INFINITY],
])('a recording is played at the speed %s', (text, speed) => {
  expect(speedOf(text)).toBe(speed);
});

test.each(['0.009', '10001', '0', '-1', '1e3', 'fast', '1.0000000001'])(
  'a recording is not played at the speed %s',
  text => {
    expect(() => speedOf(text)).toThrow(`--speed: expected a factor from 0.01 to 10000, or max, got "${text}"`);
  },
);

const range = (...words: readonly string[]) => readGivenRange(parseArguments(['logs', 's', 'b', ...words]));
const at = (text: string): bigint => parseInstant(text) ?? 0n;

test('an end to the millisecond includes all of it, and one that is finer only itself', () => {
  expect(range('--to', '2026-11-21T14:00:00.001Z').to).toEqual({
    kind: 'instant',
    at: at('2026-11-21T14:00:00.001999999Z'),
  });
  expect(range('--to', '2026-11-21T14:00:00.000000001Z').to).toEqual({
    kind: 'instant',
    at: at('2026-11-21T14:00:00.000000001Z'),
  });
  expect(range('--since', '2026-11-21T14:00:00Z', '--to', '5m')).toEqual({
    since: {kind: 'instant', at: at('2026-11-21T14:00:00Z')},
    to: {kind: 'age', ms: 300_000},
    tail: undefined,
  });
});

test('a time is read in everyday words, and said where its day or its zone is not written', () => {
  const told: string[] = [];
  const since = (value: string) =>
    readGivenRange(parseArguments(['logs', 's', 'b', `--since=${value}`]), {
      nowAt: at('2026-11-21T14:02:11Z'),
      offsetMinutesAt: () => 60,
      say: sentence => told.push(sentence),
    }).since;
  expect(since('yesterday')).toEqual({kind: 'instant', at: at('2026-11-19T23:00:00Z')});
  expect(since('14:20')).toEqual({kind: 'instant', at: at('2026-11-21T13:20:00Z')});
  expect(since('2026-11-20 20:20')).toEqual({kind: 'instant', at: at('2026-11-20T19:20:00Z')});
  expect(since('2026-11-20T11:30:15')).toEqual({kind: 'instant', at: at('2026-11-20T10:30:15Z')});
  expect(told).toEqual([
    '--since yesterday is 2026-11-20 00:00:00+01:00',
    '--since 14:20 is 2026-11-21 14:20:00+01:00',
    '--since 2026-11-20 20:20 is 2026-11-20 20:20:00+01:00',
    '--since 2026-11-20T11:30:15 is 2026-11-20 11:30:15+01:00',
  ]);
  expect(since('@1763733731')).toEqual({kind: 'instant', at: at('2025-11-21T14:02:11Z')});
  expect(since('2026-11-20T11:30:15+01:00')).toEqual({kind: 'instant', at: at('2026-11-20T10:30:15Z')});
  expect(since('1h30m')).toEqual({kind: 'age', ms: 5_400_000});
  expect(since('15 min ago')).toEqual({kind: 'age', ms: 900_000});
  expect(since('-1w')).toEqual({kind: 'age', ms: 604_800_000});
  expect(told).toHaveLength(4);
});

test('--level takes the names that loggers and syslog use, and of a flag given twice the last value counts', () => {
  const level = (...words: readonly string[]) => read(words).options.levelMin;
  expect(level('--level', 'warning')).toBe('warn');
  expect(level('--level', 'CRITICAL')).toBe('fatal');
  expect(level('--level', 'err')).toBe('error');
  expect(level('--level', 'info', '--level', 'error')).toBe('error');
  expect(read(['--tail', '1', '--tail', '2']).options.tail).toBe(2);
  expect(read(['--grep', 'a', '--grep', 'b']).options.grep).toHaveLength(2);
});

test('a range must not end before it begins', () => {
  const words = '--to is before --since: swap them, or leave one of them out';
  expect(() => range('--since', '5m', '--to', '10m')).toThrow(words);
  expect(() => range('--since', '2026-11-21T14:00:00Z', '--to', '2026-11-21T13:00:00Z')).toThrow(words);
  expect(range('--since', '5m', '--to', '5m')).toMatchObject({since: {ms: 300_000}});
  // Which comes first depends on the clock of the service.
  const mixed = range('--since', '2026-11-21T14:00:00Z', '--to', '5m');
  expect(resolveRange(mixed, at('2026-11-21T14:05:00Z'))).toEqual({
    from: at('2026-11-21T14:00:00Z'),
    to: at('2026-11-21T14:00:00Z'),
  });
  expect(() => resolveRange(mixed, at('2026-11-21T14:04:59Z'))).toThrow(words);
  expect(resolveRange({}, 5n)).toEqual({from: undefined, to: undefined});
});

test('a number that may be a namespace says how that is given', () => {
  expect(() => readGivenRange(parseArguments(['logs', '--kube', 's', 'b', '--tail', 'prod']))).toThrow(
    'got "prod"; the namespace is --namespace',
  );
});

test('a pattern finds its matches, none of them empty, two hundred at most', () => {
  const pattern = compilePattern('--grep', 'a*');
  expect(pattern.spans('baab')).toEqual([[1, 3]]);
  expect(compilePattern('--grep', 'x').spans('x'.repeat(201))).toHaveLength(200);
  expect(compilePattern('--grep', 'x').spans('x'.repeat(200)).at(-1)).toEqual([199, 200]);
  expect([pattern.test(''), compilePattern('--grep', '^a').test('ba')]).toEqual([true, false]);
});

test('a pattern that is none, or too long, is refused with its flag', () => {
  expect(() => compilePattern('--grep', '(')).toThrow(
    new UsageError(
      `--grep: "(" can't be used: missing closing ): \`(\`; patterns use RE2 syntax, which has no look-around and no backreferences`,
    ),
  );
  expect(() => compilePattern('--until', '(?=a)')).toThrow('--until: "(?=a)" can\'t be used');
  expect(compilePattern('--grep', 'x'.repeat(10_000)).test('x'.repeat(10_000))).toBe(true);
  expect(() => compilePattern('--grep', 'x'.repeat(10_001))).toThrow(
    '--grep: the pattern has 10001 characters, at most 10000 are allowed',
  );
});
