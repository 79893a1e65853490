import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compilePattern} from '#cli/arguments/logs-options.ts';
import {createRecordFilter} from '#cli/logs/print/record-filter.ts';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {chunkTextOf} from '#log/buffer/chunk-text.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {createMatcher} from '#log/pattern/matcher.ts';
import {createMatches, type Matches} from '#log/pattern/matches.ts';
import {parsePattern} from '#log/pattern/parse-pattern.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {continuationsOf} from '#log/traits/line-traits.ts';
import {applyWhole, createLineFilter as createScreenFilter} from '#log/view/line-filter.ts';
import {isContinuation} from '../../../log/line-alone.ts';
import {sampleLines} from '../../../log/log-samples.ts';
import {runsOf} from '../../../support/thorough.ts';

/** One pattern, as it is typed on the screen and as it is given to `--grep`. */
type Query = readonly [screen: string, commandLine: string];

/** Without an upper-case letter the screen ignores case, and the command line is told to. */
const queries: readonly Query[] = [
  ['error', '(?i)error'],
  ['ERROR', 'ERROR'],
  ['a.B.c(B.java:1)', 'a\\.B\\.c\\(B\\.java:1\\)'],
  ['[error]', '(?i)\\[error\\]'],
  ['  at f', '(?i)  at f'],
  ['\x1b[31m', '(?i)\x1b\\[31m'],
  ['ü', '(?i)ü'],
  ['re:^\\s+at ', '(?i)^\\s+at '],
  ['re:^Caused by: [a-z]+', '^Caused by: [a-z]+'],
  ['re:(?i)Timed? ?out', '(?i)Timed? ?out'],
  ['re:\\d+$', '(?i)\\d+$'],
  ['re:^$', '^$'],
  ['re:status=(200|503)\\b', '(?i)status=(200|503)\\b'],
  ['re:"(GET|POST) [^"]*" 5\\d\\d', '"(GET|POST) [^"]*" 5\\d\\d'],
  ['re:x*', '(?i)x*'],
  ['re:[^ -~]', '[^ -~]'],
];

type Filters = {
  readonly includes: readonly Query[];
  readonly excludes: readonly Query[];
  readonly levelMin: 'trace' | 'info' | 'warn' | 'error' | undefined;
};

/** The lines that `logs` prints, which decides when a line arrives, by their ids. */
const passOnCommandLine = (arrivals: readonly LineEntry[], filters: Filters): ReadonlySet<number> => {
  const filter = createRecordFilter({
    grep: filters.includes.map(([, source]) => compilePattern('grep', source)),
    exclude: filters.excludes.map(([, source]) => compilePattern('exclude', source)),
    levelMin: filters.levelMin,
    context: {before: 0, after: 0},
  });
  return new Set(arrivals.filter(line => filter.take(line).some(({why}) => why === 'match')).map(({id}) => id));
};

const matchAll = (buffer: LineBuffer, [typed]: Query): Matches => {
  const pattern = parsePattern(typed);
  if ('error' in pattern) {
    return expect.fail(pattern.error);
  }
  const matcher = createMatcher(pattern);
  const matches = createMatches();
  for (const chunk of buffer.chunks) {
    matches.take(chunk, matcher.matchChunk(chunkTextOf(chunk)));
  }
  return matches;
};

/** The lines that the screen shows of its buffer, in order. */
const showOnScreen = (buffer: LineBuffer, filters: Filters, isFolding: boolean): readonly LineEntry[] => {
  const filter = createScreenFilter({
    includes: filters.includes.map(query => matchAll(buffer, query)),
    excludes: filters.excludes.map(query => matchAll(buffer, query)),
    levelMin: filters.levelMin === undefined ? 0 : levelRank(filters.levelMin),
    contextLines: 0,
    foldsOf: isFolding ? continuationsOf : undefined,
  });
  const {list} = applyWhole(filter, buffer);
  return list.slice(0, list.entryCount).flatMap(entry => (entry.kind === 'line' ? [entry] : []));
};

const makeBuffer = (arrivals: readonly LineEntry[]): LineBuffer => {
  const edit = editBuffer(createBuffer(1e9));
  for (const line of arrivals) {
    edit.insert(line);
  }
  return edit.finish();
};

const traceLines = [
  ...['\tat a.B.c(B.java:1)', 'Caused by: java.io.IOException: timed out', '\t... 23 more', '    at f (/srv/a.js:1:1)'],
  ...['#0 /srv/a.php(3): ERROR', 'Stack trace:', '  thrown in /srv/a.php on line 3', '}', '  Überlauf', '  status=503'],
  ...['\x1b[31m    at f (a.js:1:1)\x1b[0m', '   ', ''],
];
const heads = [
  ...['INFO fine', 'ERROR timed out', 'error: ü', 'WARN status=503 x', '\x1b[31mERROR\x1b[0m', 'plain', '[error] x 12'],
  ...[
    'PHP Fatal error:  Uncaught Error: no',
    'Exception in thread "main" java.io.IOException: Timeout',
    'DEBUG xx',
    '"GET /a HTTP/1.1" 500',
  ],
  ...sampleLines(2),
]
  .filter(text => !isContinuation(text))
  // A line without a time or a level belongs to a line above that has a time, late ones too.
  .map(text => (levelOf(text) === 'none' ? `INFO ${text}` : text));

/** A line that continues no other and what continues it, all of one time: what comes late never comes between them. */
const record = fc
  .record({
    head: fc.oneof(
      fc.constantFrom(...heads),
      fc.string({maxLength: 12}).map(text => `INFO ${text}`),
    ),
    trace: fc.array(fc.constantFrom(...traceLines), {maxLength: 5}),
  })
  .map(({head, trace}): readonly string[] => [head, ...trace]);

/** Records in the order in which they arrive: `late` of them arrive after the next so many. */
const arrivalsOf = (records: readonly (readonly string[])[], late: readonly number[]): readonly LineEntry[] => {
  const order = records.map((_, index) => index).sort((a, b) => a + (late[a] ?? 0) - b - (late[b] ?? 0) || a - b);
  let id = 0;
  return order.flatMap(at =>
    (records[at] ?? []).map((raw): LineEntry => {
      id += 1;
      return {kind: 'line', id, at: BigInt(at), raw, textIndex: 0, late: (late[at] ?? 0) > 0};
    }),
  );
};

const someQueries = fc.array(fc.constantFrom(...queries), {maxLength: 2});

test('the screen and the command line show the same lines, whatever the filters are and whatever comes late', () => {
  fc.assert(
    fc.property(
      fc.array(record, {minLength: 1, maxLength: 600, size: 'max'}),
      fc.array(fc.nat({max: 30}), {maxLength: 600, size: 'max'}),
      fc.record({
        includes: someQueries,
        excludes: someQueries,
        levelMin: fc.constantFrom(undefined, 'trace', 'info', 'warn', 'error'),
      }),
      fc.boolean(),
      (records, late, filters, isFolding) => {
        const arrivals = arrivalsOf(records, late);
        const buffer = makeBuffer(arrivals);
        const passed = passOnCommandLine(arrivals, filters);
        // A folded line is shown below its head, unless a filter asks for the line itself.
        const isFolded = ({raw}: LineEntry): boolean =>
          isFolding && filters.includes.length === 0 && isContinuation(raw);
        const expected = arrivals
          .filter(line => passed.has(line.id) && !isFolded(line))
          .sort((a, b) => Number(a.at - b.at));
        const show = (lines: readonly LineEntry[]) => lines.map(({at, raw}) => `${at} ${raw}`);
        expect(show(showOnScreen(buffer, filters, isFolding))).toEqual(show(expected));
      },
    ),
    {numRuns: runsOf(120)},
  );
});

test.each(queries)('the screen finds "%s" where the command line finds "%s"', (...query) => {
  const filters: Filters = {includes: [query], excludes: [], levelMin: undefined};
  const arrivals = arrivalsOf(
    [...heads, ...traceLines].map(text => [text]),
    [],
  );
  const passed = passOnCommandLine(arrivals, filters);
  expect(passed.size).toBeGreaterThan(0);
  const shown = showOnScreen(makeBuffer(arrivals), filters, false);
  expect(shown.map(({raw}) => raw)).toEqual(arrivals.filter(({id}) => passed.has(id)).map(({raw}) => raw));
});
