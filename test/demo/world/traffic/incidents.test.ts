import {expect, test} from 'vitest';
import {createSampleWorld} from '#demo/world/sample-backend.ts';
import {incidentAt} from '#demo/world/traffic/incident-events.ts';
import {usualErrorsOf} from '#log/overview/strip.ts';
import {findPeaks} from '#log/overview/strip-marks.ts';
import {isContinuation, isErrorText} from '../../../log/line-alone.ts';
import {startMs, textOf} from '../../open-sample.ts';

const seeds = [1, 2, 3, 7, 20261121];

/** The master of a site of the day: the shop's, or another one's. */
const masterOf = (seed: number, siteIndex = 0) => {
  const branch = createSampleWorld({scenario: 'day', seed, startMs})[siteIndex]?.branches[0];
  if (!branch) {
    throw new Error('no branch');
  }
  return branch;
};

const firstWindow = (seed: number, siteIndex = 0) => masterOf(seed, siteIndex).log.readWindow(startMs).lines;

/** The traces of a list of texts: each with its head. */
const tracesOf = (texts: readonly string[]): readonly (readonly string[])[] => {
  const events: string[][] = [];
  for (const text of texts) {
    const last = events.at(-1);
    if (last && isContinuation(text)) {
      last.push(text);
    } else {
      events.push([text]);
    }
  }
  return events.filter(event => event.length > 1);
};

test.each(seeds)(
  'seed %i: the first window of master has a handful of traces, each below an error of its own',
  seed => {
    const traces = tracesOf(firstWindow(seed).map(textOf));
    expect(traces.length).toBeGreaterThanOrEqual(5);
    expect(traces.length).toBeLessThanOrEqual(9);
    expect(traces.filter(([head = '']) => !isErrorText(head))).toEqual([]);
    const heads = traces.map(([head]) => head).join('\n');
    expect(heads).toMatch(/^NOTICE: PHP message: PHP Fatal error: {2}Uncaught /m);
    expect(heads).toMatch(/^TypeError: /m);
    expect(heads).toMatch(/^example\.till\.payments\.AuthorisationException: /m);
  },
);

test.each(seeds)('seed %i: no line of an hour stands within a trace, whose lines are microseconds apart', seed => {
  const emitted = masterOf(seed).log.listEmitted(startMs - 1_800_000, startMs + 1_800_000);
  const texts = emitted.map(({line}) => textOf(line));
  let traces = 0;
  for (const [index, text] of texts.entries()) {
    if (text !== 'Stack trace:') {
      continue;
    }
    traces++;
    const end = texts.findIndex((other, place) => place > index && other.startsWith('  thrown in '));
    const frames = texts.slice(index + 1, end);
    expect(frames.map(frame => /^#(\d+) /.exec(frame)?.[1])).toEqual(frames.map((_, number) => String(number)));
    expect(texts[index - 1]).toContain('PHP Fatal error:  Uncaught ');
    expect((emitted[end]?.sinceStartNs ?? 0) - (emitted[index - 1]?.sinceStartNs ?? 0)).toBeLessThan(1_000_000);
  }
  expect(traces).toBeGreaterThan(20);
});

test.each(seeds)('seed %i: the incident is the one peak of the first window of master, and the rest is calm', seed => {
  const bucketMs = 8000;
  const buckets = Array.from({length: 200}, () => ({lines: 0, errors: 0}));
  for (const line of firstWindow(seed)) {
    const sinceStartMs = Date.parse(`${line.slice(0, 23)}Z`) - startMs;
    const bucket = buckets[buckets.length + Math.floor(sinceStartMs / bucketMs)];
    if (bucket) {
      bucket.lines++;
      bucket.errors += isErrorText(textOf(line)) ? 1 : 0;
    }
  }
  const peaks = findPeaks({buckets, usualErrors: usualErrorsOf(buckets.map(({errors}) => errors))});
  const highest = Math.max(...buckets.map(({errors}) => errors));
  expect(highest).toBeGreaterThanOrEqual(12);
  expect(peaks.map(column => buckets[column]?.errors)).toEqual([highest]);
  const [peak = 0] = peaks;
  const elsewhere = buckets.filter((_, column) => Math.abs(column - peak) > 1);
  expect(elsewhere.reduce((sum, {errors}) => sum + errors, 0)).toBeLessThanOrEqual(10);
});

test.each([
  [1, 'magazine'],
  [2, 'booking'],
])('the master of site %i, %s, has incidents of its own code', siteIndex => {
  const texts = firstWindow(7, siteIndex).map(textOf);
  expect(texts.filter(text => text.includes(' upstream timed out ')).length).toBeGreaterThan(5);
  expect(texts.filter(text => text.startsWith('{"message":"Search backend timed out"')).length).toBeGreaterThan(5);
  const heads = tracesOf(texts).map(([head]) => head);
  expect(heads).toContain('RangeError: Invalid time value');
  expect(heads).toContain('example.portal.search.IndexException: cannot refresh index "pages"');
});

test('an incident begins with warnings and ends in timeouts, failed requests and records with a stack', () => {
  const texts = firstWindow(7).map(textOf);
  const placesOf = (pattern: RegExp) => texts.flatMap((text, index) => (pattern.test(text) ? [index] : []));
  const slow = placesOf(/^\{"message":"Slow request".*"timeout_ms":5000/);
  const timedOut = placesOf(/^2026\/11\/21 14:\d\d:\d\d \[error\] .* upstream timed out \(110: Operation timed out\)/);
  const failed = placesOf(/HTTP\/1\.1" 5\d\d /);
  expect(slow.length).toBeGreaterThan(3);
  expect(timedOut.length).toBeGreaterThan(5);
  expect(failed.length).toBeGreaterThan(10);
  expect(slow.at(-1)).toBeLessThan(timedOut[0] ?? 0);
  const records = texts.filter(text => text.startsWith('{"message":"Payment gateway timed out","context":{"order_id"'));
  expect(records.length).toBeGreaterThanOrEqual(8);
  const {context, level_name} = JSON.parse(records[0] ?? '{}');
  expect(['ERROR', 'CRITICAL']).toContain(level_name);
  expect(context.upstream).toMatchObject({name: 'payments', timeout_ms: 5000});
  expect(context.exception.class).toBe('Till\\Http\\TimeoutException');
  expect(context.exception.stack).toMatch(/^#0 \/var\/www\/html\/\S+\(57\): .*\n#1 .*\n#2 .*\n#3 .*\n#4 \{main\}$/);
});

test('an incident comes in every five minutes: 30 s slow, then 10 s failing, none of it in the first 100 s', () => {
  for (const seed of seeds) {
    const {setting} = masterOf(seed);
    const at = (second: number) => incidentAt(setting, 300_000, second * 1000);
    for (let number = -5; number < 20; number++) {
      const seconds = Array.from({length: 300}, (_, second) => at(number * 300 - 180 + second));
      const first = seconds.findIndex(incident => incident !== undefined);
      expect(seconds.slice(first, first + 40)).toEqual([
        ...Array.from({length: 30}, () => ({kind: 'slow'})),
        ...Array.from({length: 10}, (_, second) => ({kind: 'failing', second})),
      ]);
      expect(seconds.filter(incident => incident !== undefined).length).toBe(40);
    }
    expect(Array.from({length: 100}, (_, second) => at(second)).filter(incident => incident !== undefined)).toEqual([]);
  }
});

test('a branch without incidents never has one', () => {
  const {setting} = masterOf(7);
  expect(Array.from({length: 600}, (_, second) => incidentAt(setting, 0, second * 1000 - 300_000))).toEqual(
    Array.from({length: 600}, () => undefined),
  );
});
