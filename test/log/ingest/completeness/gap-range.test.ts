import {describe, expect, test} from 'vitest';
import {type GapRangeInput, gapRange} from '#log/ingest/completeness/gap-range.ts';
import {noLateness} from '#log/ingest/completeness/learned.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {formatInstant} from '#log/line/instant.ts';
import {type ReadWindow, readLine, readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos} from '../../simulation/lines-at.ts';

const second = 1_000_000_000n;
const hour = 3600n * second;

/** A line of a clock that is so far ahead of 14:02, or behind it. */
const off = (by: bigint, text = 'x'): string => `${formatInstant(nanos(0) + by)} ${text}`;
const read = (...texts: readonly string[]): ReadWindow => finishWork(readWindow(texts.map(line), () => []));
const entries = (...texts: readonly string[]): readonly LineEntry[] =>
  texts.map((text, id) => ({
    ...(readLine(line(text)) ?? {at: nanos(90), raw: text, textIndex: 0}),
    kind: 'line',
    id,
    late: false,
  }));

/** Ten polls have brought lines, none of which was late. */
const neverLate = {...noLateness, pollsSeen: 10};
const lateBy = (ever: bigint) => ({...neverLate, ever});

/** Of one pod, whose window has moved on. */
const base: GapRangeInput = {
  before: read('1 a', '20 b'),
  earlier: [],
  now: read('80 h', '85 i', '90 j'),
  podCount: 1,
  isOne: true,
  added: entries('80 h', '85 i', '90 j'),
  newestBefore: nanos(20),
  newestNow: nanos(90),
  serviceBefore: undefined,
  serviceAt: undefined,
  lateness: neverLate,
  reason: 'moved-on',
};

/** From when to when, in nanoseconds after 14:02. */
const rangeOf = (input: Partial<GapRangeInput>): readonly [bigint, bigint] => {
  const {after, before} = gapRange({...base, ...input});
  return [after - nanos(0), before - nanos(0)];
};

describe('of one clock whose lines were never late', () => {
  test('it is from the newest line before to the newest now, since of those behind the front some may be missing too', () => {
    expect(rangeOf({})).toEqual([20n, 90n]);
    expect(gapRange(base).wentBack).toBe(false);
  });

  test('it begins ahead of lines that are later than any was before, by as much as the log has moved on and a second', () => {
    const late = entries('10 late', '80 h', '90 j');
    expect(rangeOf({added: late})).toEqual([10n - 70n - second, 90n]);
  });

  test('a line without a timestamp says nothing of when others came', () => {
    const unstamped: LineEntry = {kind: 'line', id: 9, at: nanos(5), raw: '}', textIndex: 0, late: true};
    expect(rangeOf({added: [unstamped, ...base.added]})).toEqual([20n, 90n]);
  });
});

test('until lateness is known a second is allowed for', () => {
  expect(rangeOf({lateness: noLateness})).toEqual([20n - second, 90n]);
});

describe('where lines were late', () => {
  test('it begins so much earlier than the newest line before', () => {
    expect(rangeOf({lateness: lateBy(15n)})[0]).toBe(5n);
  });

  test('it ends so much and a second after the newest line of a slow clock: a fast one may show nothing', () => {
    // `80 h` is not of the clock that is ahead, nor is `85 i` for certain.
    expect(rangeOf({lateness: lateBy(15n)})[1]).toBe(80n + 15n + second);
    expect(rangeOf({lateness: lateBy(15n), added: entries('90 j')})[1]).toBe(90n + 15n + second);
  });

  test('it ends no earlier than the newest line', () => {
    const ahead = off(2n * hour);
    expect(
      rangeOf({
        lateness: lateBy(15n),
        now: read('80 h', ahead),
        added: entries('80 h', ahead),
        newestNow: nanos(0) + 2n * hour,
      }),
    ).toEqual([5n, 2n * hour]);
  });
});

describe('of several pods, whose clocks may be hours apart', () => {
  test('it begins with the oldest line of the window before: any may be the last of a slow clock', () => {
    expect(rangeOf({podCount: 2})).toEqual([1n, 90n]);
    expect(rangeOf({podCount: 2, before: read(off(-9n * hour), '20 b')})).toEqual([-9n * hour, 90n]);
  });

  test('it begins as far back as a clock may be behind that an earlier window showed', () => {
    const earlier = [read('9 y', '10 z'), read(off(-hour, 'slow'), '5 x')];
    expect(rangeOf({podCount: 2, earlier})).toEqual([20n - 5n - hour, 90n]);
    expect(rangeOf({earlier})).toEqual([20n, 90n]);
    const nobodys = [read(off(-25n * hour), '5 x', '6 x', '7 x')];
    expect(rangeOf({podCount: 2, earlier: nobodys})).toEqual([1n, 90n]);
  });

  test('it ends with the newest line of a clock that is not believed, if that may be a clock at all', () => {
    const hoursAhead = off(23n * hour);
    expect(rangeOf({now: read('80 h', '90 j', hoursAhead)})).toEqual([20n, 23n * hour]);
    expect(rangeOf({before: read('1 a', '20 b', hoursAhead)})).toEqual([20n, 23n * hour]);
    const nobodys = off(25n * hour);
    expect(rangeOf({now: read('80 h', '90 j', nobodys), before: read('1 a', '20 b', nobodys)})).toEqual([20n, 90n]);
  });

  test('a stamp of no clock draws the beginning nowhere', () => {
    const forged = off(-25n * hour);
    expect(rangeOf({added: entries(forged, '80 h', '90 j')})).toEqual([20n, 90n]);
    const slow = off(-23n * hour);
    expect(rangeOf({added: entries(slow, '80 h', '90 j')})).toEqual([-23n * hour - 70n - second, 90n]);
  });
});

describe('where no new line shows how far the log has come', () => {
  const silent: Partial<GapRangeInput> = {now: read('1 a', '20 b'), newestNow: nanos(20), added: []};

  test('it ends at the service’s clock, which has whole seconds', () => {
    expect(rangeOf({...silent, serviceAt: nanos(0) + 5n * second})).toEqual([20n, 6n * second]);
    const ahead = read('1 a', off(9n * second));
    expect(rangeOf({...silent, now: ahead, serviceAt: nanos(0) + 5n * second})).toEqual([20n, 9n * second]);
  });

  test('it ends later by as much as clocks were apart', () => {
    expect(rangeOf({...silent, lateness: lateBy(15n), serviceAt: nanos(0) + 5n * second})).toEqual([
      5n,
      6n * second + 15n,
    ]);
  });

  test('it ends an hour after the newest line where nobody tells the time', () => {
    expect(rangeOf(silent)).toEqual([20n, 20n + hour]);
    // New lines without a timestamp tell nothing either.
    expect(rangeOf({...silent, added: entries('}')})).toEqual([20n, 20n + hour]);
  });

  test('of a log that never had a line it is from the first answer, less a second, to this one', () => {
    const never = {...silent, before: undefined, now: read(), newestBefore: undefined};
    const clocks = {
      serviceBefore: nanos(0),
      serviceAt: nanos(0) + 5n * second,
      newestNow: undefined,
      lateness: noLateness,
    };
    expect(rangeOf({...never, ...clocks})).toEqual([-second, 6n * second]);
  });
});

test('the first lines after empty answers may have been preceded by others since the first answer', () => {
  const first = {before: undefined, newestBefore: undefined, lateness: noLateness};
  expect(rangeOf({...first, serviceBefore: nanos(0) - 9n * second})).toEqual([-10n * second, 90n]);
  // Nobody tells the time: the first lines do.
  expect(rangeOf(first)).toEqual([80n - second, 90n]);
});

test('lines later than the window is long were collected for up to an hour, or as long as any was', () => {
  expect(rangeOf({reason: 'short-window'})).toEqual([1n - hour, 90n]);
  expect(rangeOf({reason: 'short-window', lateness: {...neverLate, olderBeside: 2n * hour}})).toEqual([
    1n - 2n * hour,
    90n,
  ]);
  expect(rangeOf({reason: 'short-window', before: undefined})).toEqual([20n - hour, 90n]);
});

describe('where the window lies before all that was held', () => {
  const back: Partial<GapRangeInput> = {
    before: read('60 a', '100 b'),
    newestBefore: nanos(100),
    now: read('3 x', '4 y'),
    newestNow: nanos(4),
    added: entries('3 x', '4 y'),
  };

  test('a clock went back: from a window’s span and a second ahead of its lines to the newest that was held, and as far as it went on', () => {
    expect(rangeOf(back)).toEqual([3n - second, hour + 100n]);
    const long = {...back, before: read(off(-3n * second), '100 b')};
    expect(rangeOf(long)).toEqual([4n - (3n * second + 100n), hour + 100n]);
    expect(gapRange({...base, ...back}).wentBack).toBe(true);
    // Six seconds passed at most.
    const clocks = {serviceBefore: nanos(0), serviceAt: nanos(0) + 5n * second};
    expect(rangeOf({...back, ...clocks})).toEqual([4n - 6n * second, 6n * second + 100n]);
  });

  test('a stamp of nobody’s clock makes the span of a window no longer than an hour', () => {
    const forged = {...back, before: read('60 a', '2199-01-01T00:00:00.000000000Z x')};
    expect(rangeOf(forged)).toEqual([4n - hour, hour + 100n]);
  });

  test('of a window that spans more than an hour any line may be the last of a slow clock', () => {
    expect(rangeOf({...back, before: read(off(-3n * hour), '100 b')})).toEqual([-3n * hour, hour + 100n]);
  });

  test('none went back where lines were as late before', () => {
    expect(gapRange({...base, ...back, lateness: lateBy(96n)}).wentBack).toBe(false);
    expect(gapRange({...base, ...back, lateness: lateBy(95n)}).wentBack).toBe(true);
  });
});

describe('where the newest lines may be hidden', () => {
  const told = {serviceBefore: nanos(0), serviceAt: nanos(0) + 4n * second};
  const late = {now: read('10 late', '20 b'), added: entries('10 late'), newestNow: nanos(20)};

  test('in a part that shows only older ones, it ends when the service answered', () => {
    expect(rangeOf({...late, ...told, isOne: false})[1]).toBe(20n + 5n * second);
    expect(rangeOf({...late, isOne: false})[1]).toBe(20n + hour);
    // Beside newer lines of other parts, too, if they are later than lines were before.
    const both = {now: read('10 late', '20 b', '90 j'), added: entries('10 late', '90 j'), newestNow: nanos(90)};
    expect(rangeOf({...both, ...told, isOne: false})[1]).toBe(90n + 5n * second);
    expect(rangeOf({...both, ...told, isOne: false, lateness: lateBy(10n)})[1]).toBe(10n + 10n + second);
  });

  test('it ends with the newest line where that stayed, and all is cut as one', () => {
    expect(rangeOf({...late, ...told})[1]).toBe(20n);
  });

  test('behind a batch of late lines that pushed the newest one out, it ends when the service answered', () => {
    const batch = {now: read('10 late'), added: entries('10 late'), newestNow: nanos(10), lateness: lateBy(10n)};
    expect(rangeOf({...batch, ...told})[1]).toBe(20n + 10n + 5n * second);
  });

  test('of a container that started anew, it ends when the service answered', () => {
    expect(rangeOf({...told, reason: 'source-gone'})[1]).toBe(90n + 5n * second);
  });

  test('where lines go on from one that is cut off, it ends when the service answered', () => {
    const cutOff = {now: read('80 h', '85 i', '  at b'), added: entries('80 h', '  at b'), newestNow: nanos(85)};
    expect(rangeOf({...cutOff, ...told})[1]).toBe(85n + 5n * second);
  });
});

describe('on a coarse clock', () => {
  const whole = (seconds: number): string => off(BigInt(seconds) * second);

  test('of whole seconds, lines of a finer clock may have come until the last one ended', () => {
    const newestNow = nanos(0) + 9n * second;
    expect(rangeOf({now: read(whole(8), whole(9)), added: entries(whole(8), whole(9)), newestNow})[1]).toBe(
      10n * second - 1n,
    );
    expect(rangeOf({now: read('80 h', whole(9)), added: entries('80 h', whole(9)), newestNow})[1]).toBe(9n * second);
  });

  const within = (at: bigint) => {
    const tie = off(at);
    const same = {newestBefore: nanos(0) + at, newestNow: nanos(0) + at};
    return rangeOf({...same, before: read(tie), now: read(tie), added: entries(tie)});
  };

  test.each([
    {clock: 'microseconds', at: 7000n, step: 1000n},
    {clock: 'milliseconds', at: 7_000_000n, step: 1_000_000n},
    {clock: 'seconds', at: 7n * second, step: second},
  ])('of $clock a range within one step is that step', ({at, step}) => {
    expect(within(at)).toEqual([at - step, at]);
  });

  test('of nanoseconds it begins one before', () => {
    expect(within(7n)).toEqual([6n, 7n]);
  });
});
