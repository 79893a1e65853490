import {describe, expect, test} from 'vitest';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import {formatClock} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, linesEvery, type TimedLine, timedLog} from './events-of.ts';

type Asking = {readonly from?: number; readonly to?: number; readonly now?: number};

const judge = (
  lines: readonly TimedLine[],
  {from, to, now}: Asking = {},
  more: Partial<IncidentSource> = {},
  depth: 'quick' | 'whole' = 'whole',
): IncidentReport => {
  const maybe = (second: number | undefined) => (second === undefined ? undefined : atSecond(second));
  const source: IncidentSource = {
    ...{buffer: timedLog(lines), shapes: noShapes, podNames: [], wholeSince: undefined},
    ...{proof: 'counted', knownChanges: [], ...more},
  };
  return finishWork(findIncident([source], {depth, asked: {from: maybe(from), to: maybe(to), now: maybe(now)}}));
};

/** `found since 14:04:00`, `calm`, `unknown: silence`. */
const said = ({verdict, onset}: IncidentReport): string =>
  verdict.kind === 'unknown'
    ? `unknown: ${verdict.why.why}`
    : `${verdict.kind}${onset === undefined ? '' : ` since ${formatClock(onset)}`}`;

const minutes = (count: number): number => 60 * count;
const calm = (from: number, to: number): readonly TimedLine[] => linesEvery(1, from, to, 'INFO order stored');
/** Thirty a minute. */
const errors = (from: number, to: number): readonly TimedLine[] => linesEvery(2, from, to, 'ERROR payment refused');

describe('an incident that fills most of what is held is found', () => {
  test.each([
    [4, 60],
    [8, 60],
    [12, 60],
    [16, 60],
    [20, 60],
    [25, 60],
    [8, 20],
    [2, 10],
    [3, 8],
    [40, 60],
    [90, 60],
  ])('%d calm minutes, %d of it', (before, during) => {
    const end = minutes(before + during);
    const lines = [...calm(0, end), ...errors(minutes(before) + 0.5, end)];
    const onset = formatClock(atSecond(minutes(before) + 0.5));
    expect(said(judge(lines, {now: end}))).toBe(`found since ${onset}`);
    for (const asked of [2, during - 1, during, during + 1]) {
      expect(said(judge(lines, {now: end, from: end - minutes(asked)}))).toBe(`found since ${onset}`);
    }
  });

  test('though it is over', () => {
    const lines = [...calm(0, minutes(80)), ...errors(minutes(8), minutes(68))];
    expect(said(judge(lines, {now: minutes(80)}))).toBe('found since 14:08:00');
    expect(said(judge(lines, {now: minutes(80), from: minutes(60)}))).toBe('found since 14:08:00');
    // Of the time since, nothing is wrong.
    expect(said(judge(lines, {now: minutes(80), from: minutes(70)}))).toBe('calm');
  });

  test('and where six calm minutes are held before it, it is sure', () => {
    const report = judge([
      ...calm(0, minutes(10)),
      ...linesEvery(0.5, minutes(6), minutes(10), 'ERROR payment refused'),
    ]);
    expect(report.findings.map(({confidence, mayBeOlder, before}) => [confidence, mayBeOlder, before])).toEqual([
      ['sure', false, 0],
      ['sure', false, 0],
    ]);
    expect(report.basis.comparedWith).toEqual({from: atSecond(0), to: atSecond(minutes(6))});
  });
});

describe('with nothing before it', () => {
  test('nobody says calm', () => {
    const held = (seconds: number) => judge([...calm(0, seconds), ...errors(0.5, seconds)], {now: seconds});
    expect([10, 300, 3600].map(seconds => said(held(seconds)))).toEqual(
      Array.from({length: 3}, () => 'found since 14:00:00'),
    );
    expect(held(3600).findings[0]).toMatchObject({before: undefined, since: atSecond(0.5)});
    // One error in a log of minutes is no incident, but nobody knows what is usual there.
    expect(said(judge([...calm(0, 300), [100, 'ERROR payment refused']], {now: 299}))).toBe('unknown: noBaseline');
    expect(said(judge([...calm(0, 480), [100, 'ERROR no favicon']], {now: 480}))).toBe('calm');
    expect(said(judge(calm(0, 20), {now: 20}))).toBe('unknown: noBaseline');
  });

  test('one harmless error a minute is calm, and listed', () => {
    const report = judge([...calm(0, minutes(45)), ...linesEvery(60, 20, minutes(45), 'ERROR mail queue is full')], {
      now: minutes(45),
      from: minutes(35),
    });
    expect(said(report)).toBe('calm');
    expect(report.errorCount).toBe(10);
    expect(report.errorKinds).toMatchObject([{of: 'kind', subject: 'ERROR mail queue is full', count: 10}]);
    expect(report.basis.comparedWith).toEqual({from: atSecond(0), to: atSecond(minutes(35))});
  });

  test('errors are not made harmless by the time in which hardly any came any more', () => {
    // 2.6 % of the lines for 27 minutes, but less than 2 % of all.
    const errorLines = (step: number, from: number, to: number) =>
      linesEvery(step, from, to, 'ERROR mail could not be sent');
    const lines = [...calm(0, minutes(40)), ...errorLines(37.5, 10, 1641), ...errorLines(190, 1750, 2330)];
    expect(said(judge(lines, {now: minutes(40), from: minutes(12)}))).toBe('found since 14:00:10');
  });
});

test('what goes on counts, whenever it began', () => {
  const lines = [...calm(0, minutes(44)), ...linesEvery(0.8, minutes(44) - 640, minutes(44), 'ERROR payment refused')];
  const gate = judge(lines, {now: minutes(44), from: minutes(34)});
  expect(said(gate)).toBe('found since 14:33:20');
  expect(gate.findings[0]?.until).toBeUndefined();
});

describe('a log of which nobody can tell', () => {
  test.each([8, 15, 30])('fell silent %d minutes ago', silent => {
    const now = minutes(60 + silent);
    expect(said(judge(calm(0, minutes(60)), {now}))).toBe('unknown: silence');
    expect(said(judge(calm(0, minutes(60)), {now, from: now - minutes(10)}))).toBe('unknown: silence');
  });

  test('holds 29 seconds where ten minutes are asked', () => {
    expect(said(judge(calm(571, 600), {now: 600, from: 0}))).toBe('unknown: older');
    expect(said(judge(calm(571, 600), {now: 600, from: 0}, {hasOlder: true}))).toBe('unknown: unread');
  });

  test('is read only in part at first, in a quick look', () => {
    expect(said(judge(calm(0, minutes(30)), {now: minutes(30)}, {}, 'quick'))).toBe('unknown: reading');
    const wrong = [...calm(0, minutes(30)), ...errors(minutes(20), minutes(30))];
    expect(said(judge(wrong, {now: minutes(30)}, {}, 'quick'))).toBe('found since 14:20:00');
  });

  test('is no calm one, but what is wrong in it is found', () => {
    const wrong = [...calm(0, minutes(30)), ...errors(minutes(20), minutes(30))];
    expect(said(judge(wrong, {now: minutes(45)}))).toBe('found since 14:20:00');
    expect(said(judge(wrong, {now: minutes(30)}, {unreadable: {why: '403'}}))).toBe('found since 14:20:00');
  });
});

test('of a range that is asked only what was within it is judged', () => {
  const lines = [...calm(0, minutes(60)), ...errors(minutes(10), minutes(14)), ...errors(minutes(48), minutes(53))];
  const asked = (from: number, to: number) =>
    said(judge(lines, {now: minutes(60), from: minutes(from), to: minutes(to)}));
  expect([asked(20, 40), asked(5, 40), asked(50, 58), asked(20, 60)]).toEqual([
    'calm',
    'found since 14:10:00',
    'found since 14:48:00',
    'found since 14:48:00',
  ]);
});

describe('waves', () => {
  /** Eight of half a minute in forty minutes, the last one over for a minute. */
  const waves = Array.from({length: 8}, (_, index) =>
    linesEvery(1, minutes(4) + index * 300, minutes(4) + index * 300 + 31, 'ERROR payment refused'),
  ).flat();

  test('are told with the newest first, and those before it in the same row', () => {
    const report = judge([...calm(0, minutes(40) + 30), ...waves], {now: minutes(40) + 30});
    expect(report.findings.map(({of, since, confidence, waves: told}) => [of, since, confidence, told])).toEqual(
      ['errors', 'kind'].map(of => [of, atSecond(minutes(39)), 'sure', {count: 8, since: atSecond(minutes(4))}]),
    );
    expect(said(report)).toBe('found since 14:39:00');
  });

  test('that go on come before what is over, and that before what was over earlier', () => {
    const report = judge([
      ...calm(0, minutes(60)),
      ...linesEvery(1, minutes(10), minutes(12), 'ERROR disk is slow'),
      ...linesEvery(3, minutes(30), minutes(34), 'ERROR pool is exhausted'),
      ...linesEvery(9, minutes(50), minutes(60), 'ERROR quote rejected'),
    ]);
    expect(report.findings.filter(({of}) => of === 'kind').map(({subject}) => subject)).toEqual([
      'ERROR quote rejected',
      'ERROR pool is exhausted',
      'ERROR disk is slow',
    ]);
  });
});

describe('once is enough', () => {
  test.each([
    ['kernel: Out of memory: Killed process 3121 (java) total-vm:8123456kB', 'kind'],
    ['worker process 311 exited on signal 9', 'message'],
    ['ERROR could not extend file "base/1": No space left on device', 'kind'],
    ['##[error]Process completed with exit code 1.', 'kind'],
  ])('%s', (text, of) => {
    const report = judge([...calm(0, minutes(60)), [minutes(20) + 0.5, text]], {now: minutes(60)});
    expect(said(report)).toBe('found since 14:20:00');
    const anchor = {source: 0, at: atSecond(minutes(20) + 0.5)};
    expect(report.findings[0]).toMatchObject({
      ...{what: 'fatal', of, since: anchor.at, until: anchor.at, total: 1, confidence: 'sure'},
      ...{first: anchor, last: anchor},
    });
    expect(said(judge([...calm(0, minutes(60)), [600, text]], {now: minutes(60), from: minutes(30)}))).toBe('calm');
  });

  test.each([
    ['2026-11-20 14:20:00,000 INFO order stored', 'container app restarted: OOMKilled, exit code 137'],
    ['ERROR request failed', 'java.lang.OutOfMemoryError: Java heap space'],
  ])('below a line to which it seems to belong: %s', (head, text) => {
    const ended: readonly TimedLine[] = [
      [minutes(20) + 0.1, head],
      [minutes(20) + 0.2, text],
      [minutes(20) + 0.3, 'Caused by: java.lang.OutOfMemoryError: Java heap space'],
    ];
    const report = judge([...calm(0, minutes(60)), ...ended], {now: minutes(60)});
    expect(report.findings.filter(({what}) => what === 'fatal')).toMatchObject([
      {since: atSecond(minutes(20) + 0.2), total: 1, confidence: 'sure'},
    ]);
  });

  test('but words of an error in the frames below one are no end of anything', () => {
    const trace: readonly TimedLine[] = [
      [minutes(20), 'ERROR request failed'],
      [minutes(20) + 0.1, '    at shop.Disk.checkDiskFull(Disk.java:12): disk full'],
    ];
    expect(judge([...calm(0, minutes(60)), ...trace], {now: minutes(60)}).findings).toEqual([]);
  });
});

describe('requests', () => {
  const asked = (from: number, to: number, status: number, took: string): readonly TimedLine[] =>
    linesEvery(1, from + 0.3, to, `level=info msg=request method=GET path=/cart status=${status} ${took}`);

  test('that slow down before they fail are where it began', () => {
    const report = judge(
      [
        ...calm(0, minutes(60)),
        ...asked(0, minutes(37), 200, 'duration_ms=180'),
        ...asked(minutes(37), minutes(41), 200, 'duration_ms=4100'),
        ...asked(minutes(41), minutes(60), 504, 'duration_ms=30000'),
      ],
      {now: minutes(60)},
    );
    expect(said(report)).toBe('found since 14:37:00');
    expect(report.findings.find(({what}) => what === 'slower')).toMatchObject({before: 180, now: 4100});
  });

  test.each([
    ['latency=0.2', 'latency=5.0'],
    ['took=0.2s', 'took=5s'],
    ['duration=200ms', 'duration=5.1s'],
    ['rt=0.2', 'rt=5.1'],
  ])('that took %s and take %s are slower', (before, now) => {
    const report = judge([...asked(0, minutes(30), 200, before), ...asked(minutes(30), minutes(40), 200, now)]);
    expect(said(report)).toBe('found since 14:30:00');
    expect(report.findings[0]).toMatchObject({what: 'slower', subject: 'GET /cart', before: 200, unit: 'ms'});
  });

  test('that were slow for a while were slower until then', () => {
    const slow = asked(minutes(30), minutes(35), 200, 'latency=5.0');
    const [before, after] = [
      asked(0, minutes(30), 200, 'latency=0.2'),
      asked(minutes(35), minutes(50), 200, 'latency=0.2'),
    ];
    expect(judge([...before, ...slow, ...after]).findings).toMatchObject([
      {what: 'slower', since: atSecond(minutes(30) + 0.3), until: atSecond(minutes(35) - 0.7), total: 300},
    ]);
  });
});

describe('a roll-out', () => {
  const pod = (name: string, from: number, to: number, text = 'INFO order stored'): readonly TimedLine[] =>
    linesEvery(1, from, to, text, {pod: name});
  const old = ['web-7d9f8c6b5-x2x9z', 'web-7d9f8c6b5-k4k4k'].flatMap(name => pod(name, 0, minutes(20)));
  const names = ['web-5f6c8d9b7-q7q7q', 'web-5f6c8d9b7-z9z9z'];
  const replaced = [...old, ...names.flatMap(name => pod(name, minutes(20) - 5, minutes(60)))];
  const known = {podNames: names};

  test('is no incident, and no pod is gone', () => {
    const report = judge(replaced, {now: minutes(60)}, known);
    expect(said(report)).toBe('calm');
    expect(report.findings.map(({what}) => what)).not.toContain('gone');
  });

  test('what the new pods bring is found', () => {
    const fault = pod(names[0] ?? '', minutes(21), minutes(60), 'ERROR price list is missing').filter(
      (_, index) => index % 40 === 0,
    );
    const report = judge([...replaced, ...fault], {now: minutes(60)}, known);
    expect(said(report)).toBe('found since 14:21:00');
    expect(report.findings[1]).toMatchObject({what: 'new', subject: 'ERROR price list is missing', only: names[0]});
  });

  test('but a pod that stops, and that no other replaces, is gone', () => {
    const report = judge(
      [...pod('web-0', 0, minutes(60)), ...pod('db-0', 0, minutes(30))],
      {now: minutes(60)},
      {podNames: ['web-0', 'db-0']},
    );
    expect(report.findings).toMatchObject([{what: 'gone', subject: 'db-0', confidence: 'sure'}]);
    expect(report.basis.uncovered.map(({why, who}) => [why, who])).toEqual([['silence', 'db-0']]);
  });
});
