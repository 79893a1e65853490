import {describe, expect, test} from 'vitest';
import {findSlower, findStopped} from '#log/incident/findings/find-findings.ts';
import type {LogEvents, Series, SeriesKind} from '#log/incident/findings/read-events.ts';
import {findNow, findRise, findStatus, isOfErrors} from '#log/incident/findings/series-rises.ts';
import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {SourceName} from '#log/line/entry.ts';
import {atSecond, eventsOf, linesEvery, type TimedLine} from './events-of.ts';

const usual = linesEvery(1, 0, 1201, 'INFO order stored');

const seriesOf = (events: LogEvents, kind: SeriesKind, key?: string): Series => {
  const found = events.series.find(each => each.kind === kind && (key === undefined || each.key === key));
  if (found === undefined) {
    throw new Error(`no series ${kind} ${key} among ${events.series.map(each => `${each.kind} ${each.key}`)}`);
  }
  return found;
};

type Find = (series: Series, events: LogEvents) => IncidentFinding | undefined;

const findIn = (find: Find, lines: readonly TimedLine[], kind: SeriesKind, key?: string) => {
  const events = eventsOf(lines, ['web-1', 'web-2']);
  return find(seriesOf(events, kind, key), events);
};

test('errors are told by kind, by failed request and by pod', () => {
  const kinds: readonly SeriesKind[] = ['kind', 'failed', 'pod', 'status', 'request', 'message', 'source'];
  const [series] = eventsOf([[0, 'INFO a']]).series;
  expect(kinds.filter(kind => series && isOfErrors({...series, kind}))).toEqual(['kind', 'failed', 'pod']);
});

describe('where nothing can be compared', () => {
  const lines: readonly TimedLine[] = [...linesEvery(1, 0, 20, 'INFO a'), ...linesEvery(1, 0.5, 5, 'ERROR web-1 x')];

  test('errors are told with their share of all lines', () => {
    expect(findIn(findNow, lines, 'kind')).toMatchObject({
      ...{subject: 'ERROR web-‹n› x', now: 5, confidence: 'sure', first: {id: 2}, last: {id: 10}},
    });
    const fewer = [...lines, ...linesEvery(1, 0.2, 6, 'INFO a')];
    expect(findIn(findNow, fewer, 'kind')?.confidence).toBe('likely');
  });

  test('other lines are not, nor pods where one writes all', () => {
    expect(findIn(findNow, lines, 'message')).toBeUndefined();
    expect(findIn(findNow, lines, 'pod')).toBeUndefined();
    const web: SourceName = {pod: 'web-1'};
    const two: readonly TimedLine[] = [
      ...linesEvery(1, 0, 20, 'INFO a', {pod: 'db'}),
      ...linesEvery(1, 0.5, 5, 'ERROR x', web),
      [6.5, 'INFO a', web],
    ];
    expect(findIn(findNow, two, 'pod')).toMatchObject({of: 'pod', subject: 'web-1', now: 5});
  });
});

describe('a rise', () => {
  const errors = linesEvery(2, 900, 1000, 'ERROR db is down');

  test('of errors that were not there before is new, that of others a rise', () => {
    expect(findIn(findRise, [...usual, ...errors], 'kind')).toMatchObject({
      ...{what: 'new', of: 'kind', subject: 'ERROR db is down', since: atSecond(900), confidence: 'sure'},
      ...{first: {source: 0}, last: {source: 0}},
    });
    expect(findIn(findRise, [...usual, ...errors, [100, 'ERROR db is down']], 'kind')?.what).toBe('rise');
    // It may have come before the log held begins.
    const early = [...usual, ...linesEvery(2, 0, 100, 'ERROR db is down')];
    expect(findIn(findRise, early, 'kind')).toBeUndefined();
    const isFirst: Find = (series, events) => findRise(series, events, true);
    expect(findIn(isFirst, early, 'kind')).toMatchObject({what: 'rise', before: undefined, since: atSecond(0)});
  });

  test('of warnings is told, of other messages only in masses', () => {
    expect(
      findIn(findRise, [...usual, ...linesEvery(2, 900, 1000, 'WARN pool is full')], 'message', 'WARN pool is full'),
    ).toMatchObject({what: 'new', of: 'message'});
    const info = (step: number, to: number) =>
      findIn(findRise, [...usual, ...linesEvery(step, 900, to, 'INFO lock is held')], 'message', 'INFO lock is held');
    // Fifty lines, and a fifth of all.
    expect(info(2, 1000)).toMatchObject({what: 'storm', now: expect.closeTo(30.6, 1)});
    expect(info(2, 998)).toBeUndefined();
    expect(info(5, 1200)).toBeUndefined();
    expect(info(3.9, 1100)).toMatchObject({what: 'storm'});
  });

  test('of a message that always comes is in masses if it is eight times what it was', () => {
    const risen = (step: number) =>
      findIn(
        findRise,
        [
          ...usual,
          ...linesEvery(step, 0, 899, 'INFO lock is held'),
          ...linesEvery(0.5, 900, 1000, 'INFO lock is held'),
        ],
        'message',
        'INFO lock is held',
      );
    expect(risen(4.2)).toMatchObject({what: 'storm'});
    expect(risen(3.6)).toBeUndefined();
  });

  test('of a request is no more than a mass of them', () => {
    const request = (second: number): TimedLine => [
      second,
      JSON.stringify({method: 'GET', path: '/cart', status: 200}),
    ];
    const lines = Array.from({length: 200}, (_, index) => request(900 + index / 2));
    expect(findIn(findRise, [...usual, ...lines], 'request')).toMatchObject({what: 'storm', of: 'request'});
  });

  test('that comes now and then is none', () => {
    const bursts = [300, 600, 900].flatMap(from => linesEvery(0.5, from, from + 11, 'ERROR db is down'));
    expect(findIn(findRise, [...usual, ...bursts], 'kind')).toBeUndefined();
  });

  test('of the errors of one who writes is told if they are half of all errors', () => {
    const [web, db]: readonly SourceName[] = [{pod: 'web'}, {pod: 'db'}];
    const of = (others: number) =>
      findIn(
        findRise,
        [
          ...linesEvery(1, 0, 1201, 'INFO a', db),
          ...linesEvery(2, 900, 1000, 'ERROR x', web),
          ...linesEvery(100 / others, 900.1, 1000, 'ERROR y', db),
        ],
        'pod',
        'web',
      );
    expect([of(50)?.of, of(53)]).toEqual(['pod', undefined]);
    const alone = [...linesEvery(1, 0, 1201, 'INFO a', web), ...linesEvery(2, 900, 1000, 'ERROR x', web)];
    expect(findIn(findRise, alone, 'pod')).toBeUndefined();
  });

  test('of the errors of one who took the place of another is none if that one had as many', () => {
    const [old, young]: readonly SourceName[] = [{pod: 'web-1'}, {pod: 'web-2'}];
    const errorsEvery = (step: number) =>
      findIn(
        findRise,
        [
          ...linesEvery(10, 0, 14_400, 'INFO a', old),
          ...linesEvery(600, 300, 14_400, 'ERROR x', old),
          ...linesEvery(10, 14_400, 21_600, 'INFO a', young),
          ...linesEvery(step, 14_700, 21_600, 'ERROR x', young),
        ],
        'pod',
        'web-2',
      );
    expect([errorsEvery(600)?.of, errorsEvery(60)?.of]).toEqual([undefined, 'pod']);
  });

  test('of lines of which every second is read begins with one that was not', () => {
    const lines = [...usual, ...linesEvery(0.05, 900, 1200, 'INFO lock is held')];
    const events = eventsOf(lines, [], {linesMax: 3700, errorsMax: 100, chunksMax: Number.POSITIVE_INFINITY});
    const series = seriesOf(events, 'message', 'INFO lock is held');
    expect(events.weight).toBe(2);
    const found = findRise(series, events);
    expect(found).toMatchObject({what: 'storm', since: atSecond(900), first: {source: 0, id: 902}});
  });
});

describe('of the requests more are answered so', () => {
  /** Two requests a second, of which after 200 s so many of a hundred are refused. */
  const answered = (share: number, before = 0) =>
    findIn(
      findStatus,
      Array.from({length: 800}, (_, index): TimedLine => {
        const isRefused = (index * 37) % 100 < (index >= 400 ? share : before);
        return [index / 2, JSON.stringify({method: 'GET', path: '/cart', status: isRefused ? 404 : 200})];
      }),
      'status',
      '404',
    );

  test('by their share, before and since', () => {
    expect(answered(50)).toMatchObject({
      ...{what: 'rise', of: 'status', subject: '404', unit: 'share', before: 0, since: atSecond(200), until: undefined},
      ...{confidence: 'sure', first: {source: 0, id: 401}},
    });
    expect(answered(50)?.now).toBeCloseTo(0.5, 1);
    expect(answered(50)?.total).toBe(400);
  });

  test('and with less than three times as many it is not sure', () => {
    expect([answered(30, 9)?.confidence, answered(30, 11)?.confidence]).toEqual(['sure', 'weak']);
  });

  test('if it is some of a hundred more', () => {
    expect(answered(5)).toBeDefined();
    expect(answered(1)).toBeUndefined();
  });

  const refusedFrom = (from: number) =>
    findIn(
      findStatus,
      Array.from(
        {length: 800},
        (_, index): TimedLine => [
          index / 2,
          JSON.stringify({method: 'GET', path: '/cart', status: index >= from && index < from + 200 ? 404 : 200}),
        ],
      ),
      'status',
      '404',
    );

  test('not if too few were answered otherwise before', () => {
    expect([refusedFrom(7), refusedFrom(20)?.total]).toEqual([undefined, 200]);
  });

  test('until it is over', () => {
    expect(refusedFrom(400)).toMatchObject({
      ...{until: atSecond(299.5), total: 200, now: 1, before: 0, last: {id: 600}},
    });
  });
});

describe('requests take longer', () => {
  const timed = (second: number, ms: number): TimedLine => [
    second,
    JSON.stringify({method: 'GET', path: '/cart', status: 200, duration_ms: ms}),
  ];
  const slowing = (before: number, since: number, slowMs = 900) => [
    ...Array.from({length: before}, (_, index) => timed(index, 80)),
    ...Array.from({length: since}, (_, index) => timed(before + index, slowMs)),
  ];

  test('since one of them', () => {
    expect(findIn(findSlower, slowing(100, 30), 'request')).toMatchObject({
      ...{what: 'slower', of: 'request', subject: 'GET /cart', unit: 'ms', before: 80, now: 900, total: 30},
      ...{since: atSecond(100), confidence: 'sure', first: {id: 101}, last: {id: 130}},
    });
    expect(findIn(findSlower, slowing(100, 0), 'request')).toBeUndefined();
  });

  test.each([
    [12, 900, 'sure'],
    [11, 900, 'weak'],
  ])('%d of them, in %d ms: %s', (since, slowMs, confidence) => {
    expect(findIn(findSlower, slowing(100, since, slowMs), 'request')?.confidence).toBe(confidence);
  });

  test.each([
    [500, 'sure'],
    [350, 'weak'],
  ])('in %d ms after durations that varied: %s', (slowMs, confidence) => {
    const varied = Array.from({length: 100}, (_, index) => timed(index, index % 2 === 0 ? 40 : 160));
    const slow = Array.from({length: 12}, (_, index) => timed(100 + index, slowMs));
    expect(findIn(findSlower, [...varied, ...slow], 'request')?.confidence).toBe(confidence);
  });

  test('though some lines do not say how long', () => {
    const silent = [0, 50, 100].map(
      (second): TimedLine => [second + 0.5, JSON.stringify({method: 'GET', path: '/cart', status: 200})],
    );
    expect(findIn(findSlower, [...slowing(100, 30), ...silent], 'request')).toMatchObject({
      ...{since: atSecond(100), total: 30, now: 900},
    });
  });

  test('of six thousand all are measured, of more every second one', () => {
    const many = (count: number) =>
      findIn(
        findSlower,
        Array.from({length: count}, (_, index) => timed(index / 10, index < 5001 ? 80 : 900)),
        'request',
      );
    expect(many(6000)).toMatchObject({since: atSecond(500.1), total: 999});
    expect(many(6001)).toMatchObject({since: atSecond(500.2), total: 1000});
  });

  test('since one that was not read, where not all were', () => {
    const lines = slowing(1001, 400);
    const events = eventsOf(lines, [], {linesMax: 800, errorsMax: 100, chunksMax: Number.POSITIVE_INFINITY});
    expect(findSlower(seriesOf(events, 'request'), events)).toMatchObject({
      ...{since: atSecond(1001), first: {id: 1002}, total: 400},
    });
  });
});

describe('what came steadily', () => {
  const steady = linesEvery(2, 0, 801, 'INFO payment taken');
  const stopped: Find = (series, events) => findStopped(series, events, 'stopped');

  test('and stopped is told with its last line', () => {
    expect(findIn(stopped, [...usual, ...steady], 'message', 'INFO payment taken')).toMatchObject({
      ...{what: 'stopped', of: 'message', subject: 'INFO payment taken', unit: 'per minute', now: 0, before: 30},
      ...{since: atSecond(800), total: expect.closeTo(60.15, 2), confidence: 'sure', first: {source: 0}},
    });
    expect(findIn(stopped, usual, 'message')).toBeUndefined();
  });

  test.each([
    [170, 'sure'],
    [150, 'weak'],
  ])('where chance brings that in one of a million series it is sure: after %d s', (seconds, confidence) => {
    const lines = [...linesEvery(1, 0, 801 + seconds, 'INFO a'), ...linesEvery(10, 0, 801, 'INFO payment taken')];
    expect(findIn(stopped, lines, 'message', 'INFO payment taken')?.confidence).toBe(confidence);
  });

  test('of which not all was read is told with the last that was not', () => {
    const lines = [...usual, ...linesEvery(0.4, 0, 801.9, 'INFO payment taken')];
    const events = eventsOf(lines, [], {linesMax: 1000, errorsMax: 100, chunksMax: Number.POSITIVE_INFINITY});
    const series = seriesOf(events, 'message', 'INFO payment taken');
    expect(series.weight).toBe(5);
    expect(findStopped(series, events, 'stopped')).toMatchObject({since: atSecond(801.6), confidence: 'sure'});
    // One rare line long after it makes it unsure.
    const late: TimedLine = [1100, 'INFO payment taken'];
    const more = eventsOf([...lines, late], [], {linesMax: 1000, errorsMax: 100, chunksMax: Number.POSITIVE_INFINITY});
    const found = findStopped(seriesOf(more, 'message', 'INFO payment taken'), more, 'stopped');
    expect(found?.since === atSecond(1100) ? found.confidence : 'weak').toBe('weak');
  });

  test('and who stopped to write is gone', () => {
    const lines = [
      ...usual.map(([at, text]): TimedLine => [at, text, {pod: 'db'}]),
      ...linesEvery(2, 0, 801, 'INFO b', {pod: 'web'}),
    ];
    expect(findIn((series, events) => findStopped(series, events, 'gone'), lines, 'source', 'web')).toMatchObject({
      what: 'gone',
      of: 'source',
      subject: 'web',
      since: atSecond(800),
    });
  });
});
