import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compilePattern} from '#cli/arguments/logs-options.ts';
import {createRecordFilter} from '#cli/logs/print/record-filter.ts';
import {createBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {createLineFilter as createScreenFilter} from '#log/view/line-filter.ts';
import {sampleLines} from '../../../log/log-samples.ts';
import {runsOf} from '../../../support/thorough.ts';

const noContext = {before: 0, after: 0};

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
type LevelMin = (typeof levels)[number];

const makeLine = (text: string, id: number, at = id): LineEntry => ({
  kind: 'line',
  id,
  at: BigInt(at),
  raw: text,
  textIndex: 0,
  late: false,
});

const onCommandLine = (texts: readonly string[], levelMin: LevelMin): readonly string[] => {
  const filter = createRecordFilter({grep: [], exclude: [], levelMin, context: noContext});
  return texts.filter((text, index) => filter.take(makeLine(text, index)).length > 0);
};

const onScreen = (texts: readonly string[], levelMin: LevelMin): readonly string[] => {
  const edit = editBuffer(createBuffer(1e9));
  for (const text of texts) {
    const id = edit.takeId();
    edit.insert(makeLine(text, id));
  }
  const filter = createScreenFilter({
    includes: [],
    excludes: [],
    levelMin: levelRank(levelMin),
    contextLines: 0,
    chunksMax: 1_000_000,
  });
  const {list} = filter.apply(edit.finish());
  return list.slice(0, list.entryCount).map(entry => (entry.kind === 'line' ? entry.raw : ''));
};

test('of several sources that interleave, each trace has the level of its own error, over chunks too', () => {
  const [a, b] = [{pod: 'a'}, {pod: 'b'}];
  const lines = Array.from({length: 1400}, (_, id): LineEntry => {
    const source = id % 2 === 0 ? a : b;
    const text = id === 0 ? 'ERROR it failed' : id === 1 ? 'INFO ready' : `\tat com.example.A.b(A.java:${id})`;
    return {...makeLine(text, id), source};
  });
  const filter = createRecordFilter({grep: [], exclude: [], levelMin: 'error', context: noContext});
  expect(lines.filter(line => filter.take(line).length > 0).map(({source}) => source)).toEqual(Array(700).fill(a));
  const edit = editBuffer(createBuffer(1e9));
  for (const line of lines) {
    edit.insert({...line, id: edit.takeId()});
  }
  const screen = createScreenFilter({includes: [], excludes: [], levelMin: levelRank('error'), contextLines: 0});
  const {list} = screen.apply(edit.finish());
  const shown = list.slice(0, list.entryCount).map(entry => entry.kind === 'line' && entry.source);
  expect(shown).toEqual(Array(700).fill(a));
});

test.each([
  ['PHP', ['PHP Fatal error:  Uncaught Error: no', 'PHP Stack trace:', 'PHP   1. {main}() /srv/index.php:0']],
  ['PHP in a message', ['PHP Fatal error:  Uncaught Error: no', 'Stack trace:', '#0 /srv/a.php(3): f()', '#1 {main}']],
  ['Java', ['ERROR it failed', 'java.io.IOException: no', '\tat a.B.c(B.java:1)', 'Suppressed: x', 'Caused by: y']],
  ['Java, shortened', ['ERROR it failed', '\tat a.B.c(B.java:1)', '... 23 more', '\t... 9 common frames omitted']],
  ['JavaScript', ['TypeError: x is not a function', '    at f (/srv/a.js:1:1)', '  code: 1,', '}', ');']],
])('--level error keeps a trace of %s whole', (_, trace) => {
  const texts = ['INFO before', ...trace, 'INFO after'];
  expect(onCommandLine(texts, 'error')).toEqual(trace);
  expect(onScreen(texts, 'error')).toEqual(trace);
});

const traces = [
  ...['PHP Fatal error:  Uncaught Error: no', 'PHP Stack trace:', 'PHP   1. {main}() /srv/index.php:0'],
  ...['Stack trace:', '#0 /srv/a.php(3): f()', '#1 ERROR', '#12: x', '  thrown in /srv/a.php on line 3', 'thrown in x'],
  ...['java.io.IOException: no', '\tat a.B.c(B.java:1)', 'Suppressed: x', '\tSuppressed: x', 'Caused by: a.bError: y'],
  ...['... 23 more', '\t... 9 common frames omitted', 'at f (/srv/a.js:1:1)', '  code: 1,', '}', ']', '),', '};;'],
  ...['Traceback (most recent call last):', 'Traceback x', '  File "/srv/a.py", line 3, in <module>', '    f()'],
  ...[
    '  ERROR indented',
    '   level=warn indented',
    '\t[info] indented',
    '   ',
    '',
    'plain',
    'INFO fine',
    'DEBUG x',
    'WARN',
  ],
  ...[
    '\x1b[31m    at f (a.js:1:1)\x1b[0m',
    '\x1b[31mCaused by: x',
    '  \x1b[31mat ERROR',
    '\x1b[1m\x1b[33mWARN\x1b[0m x',
  ],
  ...[
    '{"level":"error","msg":"x"}',
    '{',
    '  "level": "error"',
    '<3>it failed',
    '#hash',
    '#',
    '.',
    'at',
    'C',
    't',
    'S',
    'P',
  ],
];

/** Lines of a chunk of the screen's. */
const chunkLines = 512;

/**
 * Ends each chunk with a line that nothing belongs to: what the first line of a chunk says without looking like it, such
 * as a traceback's exception, the screen takes for a line of its own.
 */
const endingChunks = (texts: readonly string[]): readonly string[] =>
  texts.map((text, index) => (index % chunkLines === chunkLines - 1 ? 'INFO fine' : text));

test('the command line keeps the lines that the screen keeps, whatever lines follow each other', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...traces), fc.constantFrom(...sampleLines(4)), fc.string({maxLength: 12})), {
        minLength: 1,
        maxLength: 1_500,
        size: 'max',
      }),
      fc.constantFrom(...levels),
      (given, levelMin) => {
        const texts = endingChunks(given);
        expect(onCommandLine(texts, levelMin)).toEqual(onScreen(texts, levelMin));
      },
    ),
    // To shrink 1,500 lines would take minutes.
    {numRuns: runsOf(120), endOnFailure: true},
  );
});

test('a trace that comes late belongs to its own head, and what continues the newest line still does', () => {
  const filter = createRecordFilter({grep: [], exclude: [], levelMin: 'error', context: noContext});
  const pass = (at: number, text: string): boolean => filter.take(makeLine(text, 0, at)).length > 0;
  expect(pass(10, 'INFO fine')).toBe(false);
  expect(pass(20, 'ERROR it failed')).toBe(true);
  expect(pass(11, '  late, and below what is fine')).toBe(false);
  expect(pass(12, 'ERROR late')).toBe(true);
  expect(pass(13, '\tat a.B.c(B.java:1)')).toBe(true);
  expect(pass(14, 'WARN late')).toBe(false);
  expect(pass(15, '\tat a.B.c(B.java:1)')).toBe(false);
  expect(pass(21, '\tat a.B.c(B.java:1)')).toBe(true);
});

test('a trace keeps its level where its head is out of range', () => {
  const filter = createRecordFilter({grep: [], exclude: [], levelMin: 'error', context: noContext});
  filter.passBy(makeLine('ERROR it failed', 0, 10));
  expect(filter.take(makeLine('\tat a.B.c(B.java:1)', 1, 11)).length > 0).toBe(true);
});

test('after thousands of lines the heads of the last ones are still known', () => {
  const filter = createRecordFilter({grep: [], exclude: [], levelMin: 'error', context: noContext});
  for (let at = 0; at < 10_000; at += 1) {
    filter.take(makeLine(at % 2 === 0 ? 'ERROR it failed' : 'INFO fine', at)).length > 0;
  }
  expect(filter.take(makeLine('\tat a.B.c(B.java:1)', 0, 9_998)).length > 0).toBe(true);
  expect(filter.take(makeLine('\tat a.B.c(B.java:1)', 0, 9_999)).length > 0).toBe(false);
});

const take = (texts: readonly string[], grep: string, context = noContext): readonly string[] => {
  const filter = createRecordFilter({grep: [compilePattern('grep', grep)], exclude: [], levelMin: undefined, context});
  return texts.flatMap((text, index) =>
    filter.take(makeLine(text, index)).map(({line, why, isApart}) => `${isApart ? '-- ' : ''}${line.raw} ${why}`),
  );
};

const twoErrors = ['INFO a', 'ERROR b', '\tat c', '\tat d', 'INFO e', 'INFO f', 'INFO g', 'ERROR h', '\tat i'];

test.each([
  ['a head brings its trace', 'ERROR b', noContext, ['ERROR b match', '\tat c record', '\tat d record']],
  [
    'a line of a trace brings what is above it, too',
    '\tat d',
    noContext,
    ['ERROR b record', '\tat c record', '\tat d match'],
  ],
  ['lines before', 'INFO f', {before: 2, after: 0}, ['\tat d context', 'INFO e context', 'INFO f match']],
  ['lines after', 'INFO e', {before: 0, after: 1}, ['INFO e match', 'INFO f context']],
  ['of two groups the second stands apart', '[ae]$', {before: 0, after: 0}, ['INFO a match', '-- INFO e match']],
  [
    'what lies between two matches is printed once',
    '[eg]$',
    {before: 1, after: 1},
    ['\tat d context', 'INFO e match', 'INFO f context', 'INFO g match', 'ERROR h context'],
  ],
])('--grep: %s', (_, grep, context, expected) => {
  expect(take(twoErrors, grep, context)).toEqual(expected);
});

test('--grep looks no further back in a record than its bound', () => {
  const texts = ['ERROR b', ...Array.from({length: 1_000}, (_, frame) => `\tat frame ${frame}`)];
  const taken = take(texts, 'frame 999$');
  expect(taken.length).toBeGreaterThanOrEqual(200);
  expect(taken.length).toBeLessThanOrEqual(401);
  expect(taken.at(-1)).toBe('\tat frame 999 match');
});

test('a late line of a trace finds its error among the last thousand records or more, and is of none beyond two', () => {
  const printedAfter = (records: number): number => {
    const filter = createRecordFilter({grep: [], exclude: [], levelMin: 'error', context: noContext});
    filter.take(makeLine('ERROR it failed', 0));
    for (let id = 1; id <= records; id += 1) {
      filter.take(makeLine(`INFO request ${id}`, id));
    }
    return filter.take(makeLine('\tat com.example.A.b(A.java:1)', records + 1, 0)).length;
  };
  expect([printedAfter(1999), printedAfter(2000)]).toEqual([1, 0]);
});
