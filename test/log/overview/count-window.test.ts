import {describe, expect, test} from 'vitest';
import {countWindow, joinPulses, type Pulse, pulseTrendOf} from '#log/overview/pulse.ts';
import {finishWork} from '#log/work.ts';

const at = (clock: string): number => Date.parse(`2026-11-21T${clock}Z`);
const line = (clock: string, text: string): string => `2026-11-21T${clock}.000000000Z ${text}`;
const count = (lines: readonly string[], to?: string): Pulse =>
  finishWork(countWindow(lines, undefined, to === undefined ? undefined : at(to)));

/** Minutes as `14:02 60 s: 1 of 2`. */
const minutesOf = ({minutes}: Pulse): readonly string[] =>
  minutes.map(
    ({minute, seenMs, errors, lines}) =>
      `${new Date(minute * 60_000).toISOString().slice(11, 16)} ${seenMs / 1000} s: ${errors} of ${lines}`,
  );

test('counts the errors of the last minute by the service’s clock, and of each minute that the window spans', () => {
  const pulse = count(
    [
      line('14:00:30', 'ERROR first'),
      line('14:02:10', 'GET /cart 200'),
      line('14:02:20', 'ERROR second'),
      line('14:03:05', 'ERROR third'),
    ],
    '14:03:10',
  );
  expect(pulse).toMatchObject({toMs: at('14:03:10'), spanMs: 60_000, lines: 3, errors: 2});
  expect(minutesOf(pulse)).toEqual([
    '14:00 30 s: 1 of 1',
    '14:01 60 s: 0 of 0',
    '14:02 60 s: 1 of 2',
    '14:03 10 s: 1 of 1',
  ]);
  expect(pulse.lastError).toEqual({atMs: at('14:03:05'), text: 'ERROR third'});
});

test('a window of ten seconds says so, whatever the order of its lines', () => {
  const pulse = count([line('14:02:20', 'ERROR b'), line('14:02:10', 'ERROR a'), line('14:02:15', 'fine')], '14:02:20');
  expect(pulse).toMatchObject({spanMs: 10_000, errors: 2, lines: 3});
  expect(pulse.lastError?.text).toBe('ERROR b');
});

test('without the service’s clock the window ends with its newest line', () => {
  expect(count([line('14:02:10', 'x'), line('14:02:40', 'ERROR y')])).toMatchObject({
    toMs: at('14:02:40'),
    spanMs: 30_000,
  });
});

test('the frames of a trace are one error, also where two sources take turns', () => {
  const lines = [
    line('14:02:10', 'java.lang.IllegalStateException: no stock'),
    line('14:02:10', 'GET /cart 200'),
    line('14:02:10', '\tat shop.Stock.take(Stock.java:41)'),
  ];
  expect(
    finishWork(
      countWindow(
        lines,
        {
          runs: [
            [0, 1],
            [1, 1],
            [0, 1],
          ],
        },
        undefined,
      ),
    ),
  ).toMatchObject({errors: 1, lines: 3});
});

test('no line, and lines without times, are neither calm', () => {
  expect(count([], '14:02:00')).toMatchObject({spanMs: 0, lines: 0, minutes: []});
  expect(count(['ERROR no time', 'another'], '14:02:00')).toMatchObject({spanMs: 0, lines: 2, minutes: []});
});

test('a line of a wrong clock, hours ahead, does not make the errors of now old', () => {
  const pulse = count([line('14:02:00', 'ERROR a'), line('14:02:30', 'ERROR b'), line('23:00:00', 'x')], '14:03:00');
  expect(pulse).toMatchObject({toMs: at('14:03:00'), errors: 2});
});

describe('two looks', () => {
  test('keep the minutes that only the first one saw, and of each minute the one that saw more', () => {
    const first = count([line('14:00:00', 'ERROR a'), line('14:01:50', 'x')], '14:02:10');
    const later = count([line('14:02:40', 'ERROR b'), line('14:03:00', 'ERROR c')], '14:03:00');
    expect(minutesOf(joinPulses(first, later))).toEqual([
      '14:00 60 s: 1 of 1',
      '14:01 60 s: 0 of 1',
      '14:02 20 s: 1 of 1',
      '14:03 0.001 s: 1 of 1',
    ]);
    expect(joinPulses(first, later)).toMatchObject({spanMs: 20_000, errors: 2, lastError: {text: 'ERROR c'}});
  });

  test('forget what is older than the minutes that are kept', () => {
    const first = count([line('14:00:00', 'ERROR a')], '14:01:00');
    const later = count([line('14:09:00', 'x')], '14:10:00');
    expect(minutesOf(joinPulses(first, later))).toEqual(['14:09 60 s: 0 of 1']);
    expect(joinPulses(first, later).lastError?.text).toBe('ERROR a');
  });
});

describe('a trend', () => {
  const errors = (clock: string, times: number): readonly string[] =>
    Array.from({length: times}, () => line(clock, 'ERROR x'));
  test.each([
    {what: 'none before', lines: [line('14:00:00', 'x'), ...errors('14:02:50', 3)], trend: 'new'},
    {
      what: 'one a minute before',
      lines: [...errors('14:00:00', 1), ...errors('14:01:00', 1), ...errors('14:02:50', 9)],
      trend: 'rising',
    },
    {
      what: 'as many before',
      lines: [...errors('14:00:30', 9), ...errors('14:01:30', 9), ...errors('14:02:50', 9)],
      trend: undefined,
    },
    {what: 'too few to say', lines: [line('14:00:00', 'x'), ...errors('14:02:50', 2)], trend: undefined},
    {what: 'nobody saw what was before', lines: errors('14:02:50', 50), trend: undefined},
  ])('$what: $trend', ({lines, trend}) => {
    expect(pulseTrendOf(count(lines, '14:03:00'))).toBe(trend);
  });
});
