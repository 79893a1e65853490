import {describe, expect, test} from 'vitest';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {findCover} from '#log/incident/findings/cover.ts';
import type {Asked, IncidentSource} from '#log/incident/verdict.ts';
import type {Marker, SourceName} from '#log/line/entry.ts';
import {formatClock} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, linesEvery, type TimedLine, timedLog} from '../events-of.ts';

const sourceOf = (buffer: LineBuffer, more: Partial<IncidentSource> = {}): IncidentSource => ({
  ...{buffer, shapes: noShapes, podNames: [], wholeSince: undefined, proof: 'counted', knownChanges: []},
  ...more,
});

const heldIn = (lines: readonly TimedLine[], more: Partial<IncidentSource> = {}): IncidentSource =>
  sourceOf(timedLog(lines), more);

/** Twenty minutes of a line a second. */
const steady = linesEvery(1, 0, 1200, 'INFO order stored');

type Asking = {readonly from?: number; readonly to?: number; readonly now?: number; readonly newest?: number};

const coverOf = (sources: readonly IncidentSource[], {from, to, now, newest = 1199}: Asking = {}) => {
  const maybe = (second: number | undefined) => (second === undefined ? undefined : atSecond(second));
  const asked: Asked = {from: maybe(from), to: maybe(to), now: maybe(now)};
  const cover = finishWork(findCover(sources, asked, atSecond(newest)));
  const spans = (parts: readonly {from: bigint; to: bigint}[]) =>
    parts.map(part => `${formatClock(part.from)} to ${formatClock(part.to)}`);
  return {
    asked: spans([cover.asked])[0],
    covered: spans(cover.covered),
    uncovered: cover.uncovered.map(
      ({why, from: since, to: until, who}) =>
        `${why}${who === undefined ? '' : ` of ${who}`}, ${formatClock(since)} to ${formatClock(until)}`,
    ),
  };
};

const marked = (lines: readonly TimedLine[], marker: Marker): LineBuffer => {
  const edit = editBuffer(timedLog(lines));
  edit.insert({...marker, id: edit.takeId()});
  return edit.finish();
};

describe('of what is asked', () => {
  test('all that is held is covered, up to now', () => {
    expect(coverOf([heldIn(steady)], {now: 1201})).toEqual({
      ...{asked: '14:00:00 to 14:20:01', covered: ['14:00:00 to 14:20:01'], uncovered: []},
    });
  });

  test('a log that has come to its end ends with its newest line', () => {
    expect(coverOf([heldIn(steady)])).toEqual({
      ...{asked: '14:00:00 to 14:19:59', covered: ['14:00:00 to 14:19:59'], uncovered: []},
    });
  });

  test('what is older than what is held is not, nor what is not read yet', () => {
    expect(coverOf([heldIn(steady)], {from: -600, now: 1200})).toMatchObject({
      ...{covered: ['14:00:00 to 14:20:00'], uncovered: ['older, 13:50:00 to 14:00:00']},
    });
    expect(coverOf([heldIn(steady, {hasOlder: true})], {from: -600, now: 1200}).uncovered).toEqual([
      'unread, 13:50:00 to 14:00:00',
    ]);
    expect(coverOf([heldIn(steady, {hasOlder: true})], {from: 600, now: 1200}).uncovered).toEqual([]);
  });

  test('what is held, but whole only since later, is not', () => {
    expect(coverOf([heldIn(steady, {wholeSince: atSecond(300)})], {now: 1200})).toMatchObject({
      ...{covered: ['14:05:00 to 14:20:00'], uncovered: ['older, 14:00:00 to 14:05:00']},
    });
  });

  test('a time without any line is not', () => {
    const few: readonly TimedLine[] = [0, 100, 200].map(second => [second, 'INFO a']);
    expect(coverOf([heldIn(few)], {from: 1000, now: 1200, newest: 200}).uncovered).toEqual([
      'noLines, 14:16:40 to 14:20:00',
    ]);
    expect(coverOf([heldIn([])], {from: 0, now: 1200}).uncovered).toEqual(['noLines, 14:00:00 to 14:20:00']);
  });

  test('nor what one of several branches lacks', () => {
    expect(coverOf([heldIn(steady), heldIn(steady.slice(0, 600))], {from: 900, now: 1200}).uncovered).toContain(
      'silence, 14:15:00 to 14:20:00',
    );
    expect(coverOf([heldIn(steady), heldIn([])], {now: 1200}).uncovered).toEqual(['noLines, 14:00:00 to 14:20:00']);
  });
});

describe('within what is held', () => {
  const gap = (more: Partial<Extract<Marker, {kind: 'gap'}>> = {}): Marker => ({
    ...{kind: 'gap', id: 0, at: atSecond(700), after: atSecond(600), before: atSecond(700), ...more},
  });
  const without = steady.filter(([second]) => second <= 600 || second >= 700);

  test.each([
    ['gap', {}],
    ['gap', {reason: 'moved-on'}],
    ['loss', {reason: 'told'}],
    ['quiet', {reason: 'empty'}],
    ['notLines', {reason: 'not-lines'}],
  ] as const)('a %s is not covered: %j', (why, more) => {
    const held = sourceOf(marked(without, gap(more)));
    expect(coverOf([held], {now: 1200})).toMatchObject({
      ...{covered: ['14:00:00 to 14:10:00', '14:11:40 to 14:20:00'], uncovered: [`${why}, 14:10:00 to 14:11:40`]},
    });
    expect(coverOf([held], {from: 800, now: 1200}).uncovered).toEqual([]);
    expect(coverOf([held], {from: 650, now: 1200}).uncovered).toEqual([`${why}, 14:10:50 to 14:11:40`]);
  });

  test('the gap of one source names it', () => {
    const held = sourceOf(marked(without, gap({source: {pod: 'web-1'}})));
    expect(coverOf([held], {now: 1200}).uncovered).toEqual(['gap of web-1, 14:10:00 to 14:11:40']);
  });

  test('empty windows are not covered', () => {
    const held = sourceOf(marked(without, {kind: 'quiet', id: 0, at: atSecond(700), since: atSecond(600)}));
    expect(coverOf([held], {now: 1200}).uncovered).toEqual(['quiet, 14:10:00 to 14:11:40']);
  });

  test.each([
    ['unreadable', {unreadable: {why: '403', since: atSecond(900)}}, '14:15:00'],
    ['unreadable', {unreadable: {why: '403'}}, '14:00:00'],
    ['outage', {failingSince: atSecond(900)}, '14:15:00'],
    ['notLines', {notLinesFrom: atSecond(900)}, '14:15:00'],
  ] as const)('%s up to now is not covered: since %s', (why, more, since) => {
    expect(coverOf([heldIn(steady, more)], {now: 1200}).uncovered).toEqual([`${why}, ${since} to 14:20:00`]);
  });
});

describe('silence', () => {
  const pod = (name: string): SourceName => ({pod: name});
  const web = linesEvery(1, 0, 900, 'INFO a', pod('web-1'));
  const db = linesEvery(1, 0, 1200, 'INFO b', pod('db-1'));

  test('of who wrote steadily is not covered, from its last line on', () => {
    expect(coverOf([heldIn(steady)], {now: 1228}).uncovered).toEqual([]);
    expect(coverOf([heldIn(steady)], {now: 1230}).uncovered).toEqual(['silence, 14:19:59 to 14:20:30']);
    expect(coverOf([heldIn([...web, ...db])], {now: 1200}).uncovered).toEqual([
      'silence of web-1, 14:14:59 to 14:20:00',
    ]);
  });

  test('is told by the longest pause of who wrote', () => {
    const paused = steady.filter(([second]) => second < 300 || second > 400);
    expect(coverOf([heldIn(paused)], {now: 1299}).uncovered).toEqual([]);
    expect(coverOf([heldIn(paused)], {now: 1302}).uncovered).toEqual(['silence, 14:19:59 to 14:21:42']);
  });

  test('of lines that come by chance, and seldom, is told once chance hardly brings it', () => {
    const seldom = [0, 60, 200, 230, 500, 510, 900, 940, 1200, 1500, 1530, 1800].map(
      (second): TimedLine => [second, 'INFO a'],
    );
    // Of twelve lines within 1,800 s, so uneven: (1 + 900 / 1800)^-(11 / 0.64) is one in a thousand.
    expect(coverOf([heldIn(seldom)], {now: 2690}).uncovered).toEqual([]);
    expect(coverOf([heldIn(seldom)], {now: 2710}).uncovered).toEqual(['silence, 14:30:00 to 14:45:10']);
    // Even ones are missed as soon as none has stayed away for so long.
    const even = linesEvery(150, 0, 1801, 'INFO a');
    expect(coverOf([heldIn(even)], {now: 2050}).uncovered).toEqual(['silence, 14:30:00 to 14:34:10']);
  });

  test('of a pod that went, or of what came to its end, is none', () => {
    expect(coverOf([heldIn([...web, ...db], {podNames: ['db-1']})], {now: 1200}).uncovered).toEqual([]);
    expect(coverOf([heldIn([...web, ...db], {podNames: ['db-1', 'web-1']})], {now: 1200}).uncovered).toHaveLength(1);
    const hasEnded = (name: SourceName) => name.pod === 'web-1';
    expect(coverOf([heldIn([...web, ...db], {hasEnded})], {now: 1200}).uncovered).toEqual([]);
  });

  test('of who wrote little, or only as it began, is none beside others that write', () => {
    const began = linesEvery(1, 0, 30, 'INFO starting', pod('proxy-1'));
    const few = linesEvery(30, 0, 270, 'INFO tick', pod('cron-1'));
    expect(coverOf([heldIn([...began, ...few, ...db])], {now: 1200}).uncovered).toEqual([]);
    expect(coverOf([heldIn(began)], {now: 1200, newest: 29}).uncovered).toEqual([
      'silence of proxy-1, 14:00:29 to 14:20:00',
    ]);
  });

  test('is not hidden by a clock that is ahead', () => {
    const ahead = linesEvery(1, 1500, 2700, 'INFO c', pod('ahead-1'));
    expect(coverOf([heldIn([...web, ...ahead])], {now: 1200, newest: 899}).uncovered).toEqual([
      'silence of web-1, 14:14:59 to 14:20:00',
    ]);
    const few: readonly TimedLine[] = [[90_000, 'INFO a', pod('web-1')]];
    expect(coverOf([heldIn([...web, ...db, ...few])], {now: 1200}).uncovered).toEqual([
      'silence of web-1, 14:14:59 to 14:20:00',
    ]);
  });

  test('within a range that is over is told by who writes no more since', () => {
    const range = {from: 600, to: 1000, now: 1200};
    expect(coverOf([heldIn([...web, ...db])], range).uncovered).toEqual(['silence of web-1, 14:14:59 to 14:16:40']);
    const back = [...web, ...db, ...linesEvery(1, 1100, 1200, 'INFO a', pod('web-1'))];
    expect(coverOf([heldIn(back)], range).uncovered).toEqual([]);
  });
});

test('a buffer without anything covers nothing', () => {
  expect(coverOf([sourceOf(createBuffer(1e6))], {from: 0, now: 60}).covered).toEqual([]);
});
