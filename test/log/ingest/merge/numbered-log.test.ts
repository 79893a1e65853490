import {describe, expect, test} from 'vitest';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {Entry} from '#log/line/entry.ts';
import type {Arrivals} from '#log/window/window-claims.ts';
import {describeMarker} from '#log/words/describe-marker.ts';
import {line, nanos, short} from '../../simulation/lines-at.ts';
import {entriesOf} from '../../simulation/subject.ts';

const empty = createBranchLog(1e6);
const whole = {kind: 'whole'};
const second = 1_000_000_000n;

type Numbers = Omit<Arrivals, 'series'> & {readonly series?: string};

/** Takes an answer of pod `a`, or of other pods; without numbers it has none. */
const take = (log: BranchLog, numbers: Numbers | undefined, texts: readonly string[], more: Partial<LogWindow> = {}) =>
  takeWindow(log, {
    lines: texts.map(line),
    pods: [{name: 'a', createdAt: '1'}],
    arrivals: numbers && {series: 'one', ...numbers},
    ...more,
  });

const pods = (names: string): Pick<LogWindow, 'pods'> => ({
  pods: names.split(',').map(name => ({name, createdAt: '1'})),
});

const describeEntry = (entry: Entry): string =>
  entry.kind === 'line' ? short(entry.raw) : describeMarker(entry, 'row').replace(/,? ?\d\d:\d\d:\d\d\S*/g, '');
const shown = (log: BranchLog): readonly string[] => entriesOf(log).map(describeEntry);

const first = take(empty, {last: 2, dropped: 0}, ['1 a', '2 b']).log;

describe('a gap is where a line was dropped after the answer before, and nowhere else', () => {
  test('though nothing of that answer is left', () => {
    expect(take(first, {last: 4, dropped: 2}, ['8 h', '9 i']).verdict).toEqual(whole);
    const lost = take(first, {last: 5, dropped: 3}, ['8 h', '9 i']);
    expect(lost.verdict).toEqual({kind: 'gap', after: nanos(2) - second, before: nanos(9), reason: 'moved-on'});
    expect(shown(lost.log)).toEqual(['1 a', '2 b', expect.stringMatching('possible gap'), '8 h', '9 i']);
  });

  test('though the windows seem to join', () => {
    expect(take(first, {last: 4, dropped: 3}, ['2 b', '9 i']).verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  });

  test('or was never there though its number was taken, with the count of those', () => {
    const range = {after: nanos(2) - second, before: nanos(9)};
    const holes = take(first, {last: 900, dropped: 2}, ['2 b', '9 i']);
    expect(holes.added[0]).toMatchObject({kind: 'gap', reason: 'moved-on', missingLines: 897, ...range});
    expect(take(holes.log, {last: 901, dropped: 900}, ['18 r']).verdict).toEqual(whole);
    // Nothing was ever dropped, and yet lines of a window are not there.
    const never = take(first, {last: 9, dropped: 0}, ['1 a', '2 b', '9 i']);
    expect(never.added[0]).toMatchObject({kind: 'gap', missingLines: 6, ...range});
    expect(take(never.log, {last: 10, dropped: 0}, ['1 a', '2 b', '9 i', '10 j']).verdict).toEqual(whole);
    expect(take(take(empty, {last: 0, dropped: 0}, []).log, {last: 3, dropped: 0}, ['1 a']).added[0]).toMatchObject({
      ...{kind: 'gap', missingLines: 2},
    });
  });

  test('and is told at once, before any line shows it, and only once', () => {
    const silent = take(first, {last: 5, dropped: 5}, []);
    expect(silent.verdict).toEqual({
      kind: 'gap',
      after: nanos(2) - second,
      before: nanos(2) + 3600n * second,
      reason: 'moved-on',
    });
    expect(shown(silent.log)).toEqual(['1 a', '2 b', expect.stringMatching('possible gap')]);
    const next = take(silent.log, {last: 6, dropped: 5}, ['9 i']);
    expect([next.verdict, next.log.gapCount]).toEqual([whole, 1]);
  });

  test('and grows up to the first line after it', () => {
    const at = (seconds: bigint) => ({serviceAt: nanos(0) + seconds * second});
    const ahead = (seconds: number): string =>
      `2026-11-21T15:02:${String(seconds).padStart(2, '0')}.000000000Z x${seconds}`;
    const window = (texts: readonly string[]): Partial<LogWindow> => ({lines: texts});
    const one = take(empty, {last: 1, dropped: 0}, [], {...window([ahead(10)]), ...at(10n)}).log;
    const lost = take(one, {last: 2, dropped: 2}, [], {...window([ahead(10)]), ...at(11n)});
    const hour = 3600n * second;
    // Two seconds passed at most.
    expect(lost.verdict).toMatchObject({kind: 'gap', before: nanos(0) + hour + 12n * second});
    const blank = take(lost.log, {last: 2, dropped: 2}, [], at(12n));
    for (const log of [lost.log, blank.log]) {
      const next = take(log, {last: 3, dropped: 2}, [], {...window([ahead(10), ahead(13)]), ...at(13n)});
      expect([next.verdict, next.log.gapCount, next.log.wholeSince]).toEqual([
        whole,
        1,
        nanos(0) + hour + 13n * second,
      ]);
      expect(next.added).toMatchObject([
        {kind: 'gap', grows: true, before: nanos(0) + hour + 13n * second, missingLines: 1},
        {kind: 'line'},
      ]);
      // It ends there.
      const other = take(next.log, {last: 5, dropped: 4}, [], {...window([ahead(10), ahead(19)]), ...at(19n)});
      expect(other.log.gapCount).toBe(2);
    }
  });

  test('but one for an item that is no line does not grow: all that is missing was there', () => {
    const said = {cut: 'branch'} as const;
    const odd = take(take(empty, undefined, ['1 a'], said).log, undefined, ['1 a'], {...said, notLines: [1]});
    expect(odd.verdict).toMatchObject({kind: 'gap', reason: 'not-lines'});
    const next = take(odd.log, undefined, ['1 a', '9 i'], {...said, notLines: [1]});
    expect([next.verdict, next.added.map(describeEntry)]).toEqual([whole, ['9 i']]);
  });

  test('and grows back to the first line after it if a clock was set back, as far as time has passed', () => {
    const at = (seconds: bigint) => ({serviceAt: nanos(0) + seconds * second});
    const back = '2026-11-21T13:50:20.000000000Z b';
    const one = take(empty, {last: 1, dropped: 0}, ['6 a'], at(0n)).log;
    const lost = take(one, {last: 3, dropped: 3}, ['6 a'], at(5n)).log;
    const next = take(lost, {last: 4, dropped: 3}, [back, '6 a'], {lines: [back, line('6 a')], ...at(7n)});
    // Eight seconds passed at most.
    expect(next.added).toMatchObject([{kind: 'gap', grows: true, after: nanos(0) - 700n * second - 8n * second}, {}]);
  });

  test('and none where an outage ended in empty answers', () => {
    const blank = take(first, {last: 2, dropped: 2}, []);
    const after = take(blank.log, {last: 3, dropped: 2}, ['9 i']);
    expect([blank.verdict, after.verdict, shown(after.log)]).toEqual([whole, whole, ['1 a', '2 b', '9 i']]);
    // What came and went meanwhile is not quiet but lost.
    expect(take(blank.log, {last: 9, dropped: 8}, ['9 i']).verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  });
});

test('what was dropped of a log that was empty came since the first answer', () => {
  const blank = take(empty, {last: 0, dropped: 0}, [], {serviceAt: nanos(0) - 9n * second});
  const lost = take(blank.log, {last: 5, dropped: 3}, ['8 h', '9 i']);
  expect(lost.verdict).toEqual({kind: 'gap', after: nanos(0) - 10n * second, before: nanos(9), reason: 'moved-on'});
});

test('how much left is told for the pace by how many came, and no share but the whole window may come', () => {
  const moved = take(first, {last: 4, dropped: 2}, ['8 h', '9 i'], {cut: 'pod', ...pods('a,b')});
  expect([moved.leftCount, moved.overlapShare, moved.shareLines]).toEqual([2, 0, 2]);
});

test('what one of several sources shows between copies of one time is held there', () => {
  const copies = take(empty, {last: 3, dropped: 0}, ['5 x', '5 x', '6 z']).log;
  expect(shown(take(copies, {last: 5, dropped: 0}, ['5 x', '5 y', '5 x', '6 z', '7 w']).log)).toEqual([
    '5 x',
    '5 y',
    '5 x',
    '6 z',
    '7 w',
  ]);
});

describe('an older answer', () => {
  const second = take(first, {last: 5, dropped: 2}, ['3 c', '4 d', '5 e']).log;

  test('of a cache or a replica changes nothing, and the next one is compared with the newer', () => {
    const stale = take(second, {last: 2, dropped: 0}, ['1 a', '2 b']);
    expect([stale.verdict, stale.added, stale.log]).toEqual([whole, [], second]);
    const next = take(stale.log, {last: 6, dropped: 3}, ['4 d', '5 e', '6 f']);
    expect([next.verdict, next.added.map(describeEntry)]).toEqual([whole, ['6 f']]);
    // What was dropped since the newer answer is not hidden by it.
    expect(take(stale.log, {last: 7, dropped: 6}, ['7 g']).verdict.kind).toBe('gap');
  });

  test('gives the lines that it shows and that were not held', () => {
    const missed = take(take(empty, {last: 2, dropped: 0}, ['1 a', '2 b']).log, {last: 6, dropped: 3}, [
      ...['3 c', '4 d', '5 e'],
    ]);
    const stale = take(missed.log, {last: 4, dropped: 1}, ['2 b', '2 between', '3 c']);
    expect([stale.verdict, stale.added.map(describeEntry)]).toEqual([whole, ['2 between']]);
    expect(stale.log.arrivals?.last).toBe(6);
  });

  test('is one though a line that is held has a clock ahead of the newest window', () => {
    const ahead = take(empty, {last: 1, dropped: 0}, ['9 i']);
    const moved = take(ahead.log, {last: 2, dropped: 1}, ['1 a']);
    const stale = take(moved.log, {last: 1, dropped: 0}, ['9 i']);
    expect([stale.verdict, stale.added, stale.log]).toEqual([whole, [], moved.log]);
    const fewer = take(take(empty, {last: 2, dropped: 0}, ['5 e', '8 h']).log, {last: 4, dropped: 2}, ['6 f', '7 g']);
    expect(take(fewer.log, {last: 2, dropped: 0}, ['5 e', '8 h']).log).toEqual(fewer.log);
    // A copy more is a newer line.
    expect(take(moved.log, {last: 1, dropped: 0}, ['9 i', '9 i']).verdict).toMatchObject({reason: 'contradicted'});
  });

  test('is none that shows newer lines with lower numbers: they are given a second time, and not believed', () => {
    const reset = take(second, {last: 3, dropped: 0}, ['3 c', '7 g', '8 h']);
    expect(reset.verdict).toMatchObject({kind: 'gap', reason: 'contradicted'});
    expect(reset.log).toMatchObject({proof: 'inferred', distrusted: {series: 'one'}, arrivals: undefined});
    expect(take(reset.log, {last: 4, dropped: 0}, ['3 c', '7 g', '8 h', '9 i']).verdict).toEqual(whole);
  });
});

describe('a line that is equal to a held one is new where each line of its answer came after those', () => {
  const texts = (all: string): readonly string[] => all.split('').map(text => `1 ${text}`);

  test.each([
    {name: 'alone', held: 'ax', came: 'x'},
    {name: 'ahead of a new one', held: 'ax', came: 'xb'},
    {name: 'and does not join the end of the answer before', held: 'axc', came: 'xb'},
    {name: 'behind a new one', held: 'xa', came: 'bx'},
  ])('$name, after one number that nothing showed', ({held, came}) => {
    const log = take(empty, {last: held.length, dropped: 0}, texts(held)).log;
    const dropped = held.length + 1;
    const taken = take(log, {last: dropped + came.length, dropped}, texts(came));
    expect(taken.added).toMatchObject([
      {kind: 'gap', reason: 'moved-on', missingLines: 1},
      ...texts(came).map(text => ({kind: 'line', raw: line(text)})),
    ]);
    expect(shown(taken.log)).toEqual([...texts(held), expect.stringMatching('possible gap'), ...texts(came)]);
    const again = take(taken.log, {last: dropped + came.length, dropped}, texts(came));
    expect([again.verdict, again.added]).toEqual([whole, []]);
  });

  test('and where the answers join', () => {
    const taken = take(take(empty, {last: 2, dropped: 0}, texts('ax')).log, {last: 4, dropped: 2}, texts('xb'));
    expect([taken.verdict, shown(taken.log)]).toEqual([whole, texts('axxb')]);
  });

  test('and where a series began anew, with lines like those of the one before', () => {
    const log = take(empty, {last: 3, dropped: 0}, texts('xyx')).log;
    const anew = take(log, {series: 'two', last: 1, dropped: 0}, texts('y')).log;
    const taken = take(anew, {series: 'two', last: 3, dropped: 0}, texts('yxx'));
    // The gap between the series grows up to them.
    expect([taken.verdict, taken.added]).toMatchObject([
      whole,
      [{kind: 'gap', reason: 'renumbered', grows: true}, ...texts('xx').map(text => ({raw: line(text)}))],
    ]);
  });

  test('but not where the window has an older line, too, of a quiet pod', () => {
    const log = take(empty, {last: 2, dropped: 0}, texts('ax')).log;
    const taken = take(log, {last: 4, dropped: 3}, texts('ab'));
    expect(taken.added).toMatchObject([
      {kind: 'gap', missingLines: 1},
      {kind: 'line', raw: line('1 b')},
    ]);
  });
});

describe('numbers that say more or less than the lines', () => {
  const xyx = take(empty, {last: 3, dropped: 0}, ['1 x', '1 y', '1 x']).log;

  test('tell of a line that came while its equal left', () => {
    const taken = take(xyx, {last: 4, dropped: 1}, ['1 y', '1 x', '1 x']);
    expect([taken.verdict, shown(taken.log)]).toEqual([whole, ['1 x', '1 y', '1 x', '1 x']]);
    expect(taken.added.map(describeEntry)).toEqual(['1 x']);
    const next = take(taken.log, {last: 5, dropped: 2}, ['1 x', '1 x', '2 z']);
    expect(shown(next.log)).toEqual(['1 x', '1 y', '1 x', '1 x', '2 z']);
  });

  test('tell of one that came though its equals had all left', () => {
    const gone = take(xyx, {last: 5, dropped: 3}, ['1 a', '1 b']).log;
    expect(shown(take(gone, {last: 6, dropped: 3}, ['1 a', '1 b', '1 x']).log)).toEqual([
      ...['1 x', '1 y', '1 x', '1 a', '1 b', '1 x'],
    ]);
    // One that was held once, too: it has a number of its own.
    const again = take(gone, {last: 6, dropped: 3}, ['1 a', '1 b', '1 y']);
    expect([again.verdict, shown(again.log)]).toEqual([whole, ['1 x', '1 y', '1 x', '1 a', '1 b', '1 y']]);
  });

  test('tell of one that came where a line of another part left, which had no higher number', () => {
    const dropped = take(empty, {last: 5, dropped: 2}, ['1 b', '1 x', '1 x']).log;
    expect(shown(take(dropped, {last: 7, dropped: 2}, ['1 x', '1 x', '1 x', '1 c']).log)).toEqual([
      ...['1 b', '1 x', '1 x', '1 x', '1 c'],
    ]);
  });

  test('tell of no other line where an item came that is none', () => {
    const dropped = take(empty, {last: 3, dropped: 1}, ['1 x', '1 x']).log;
    const taken = take(dropped, {last: 5, dropped: 2}, ['1 x', '1 z'], {notLines: [1]});
    expect([taken.verdict, shown(taken.log).filter(text => text.startsWith('1'))]).toMatchObject([
      {kind: 'gap', reason: 'not-lines'},
      ['1 x', '1 x', '1 z'],
    ]);
  });

  test('are a gap with its count where nothing tells which of several lines came', () => {
    const copies = take(empty, {last: 4, dropped: 0}, ['0 a', '1 x', '1 x', '2 b']).log;
    const taken = take(copies, {last: 6, dropped: 1}, ['0 a', '1 x', '1 x', '2 b', '3 c']);
    expect(taken.added).toMatchObject([{kind: 'gap', missingLines: 1, reason: 'moved-on'}, {kind: 'line'}]);
    // Where no line left, no equal one took its place.
    expect(take(copies, {last: 6, dropped: 0}, ['0 a', '1 x', '1 x', '2 b', '3 c']).added).toMatchObject([
      {kind: 'gap', missingLines: 1, reason: 'moved-on'},
      {kind: 'line'},
    ]);
  });

  test('are a gap with its count where lines were dropped', () => {
    expect(take(first, {last: 9, dropped: 7}, ['8 h', '9 i']).added[0]).toMatchObject({kind: 'gap', missingLines: 5});
  });

  test('contradict each other where newer lines came and the last number stays', () => {
    const taken = take(first, {last: 2, dropped: 0}, ['1 a', '2 b', '3 c']);
    expect(taken.verdict).toMatchObject({kind: 'gap', reason: 'contradicted'});
    expect([taken.log.proof, shown(taken.log)]).toEqual([
      'inferred',
      ['1 a', '2 b', expect.stringMatching('contradict each other'), '3 c'],
    ]);
    // What else the service says is not believed either.
    const next = take(taken.log, {last: 2, dropped: 0}, ['2 b', '3 c', '4 d'], {cut: 'branch'});
    expect([next.verdict, next.log.proof]).toEqual([whole, 'inferred']);
  });

  test('contradict each other where a line left and the service says that none ever did', () => {
    const taken = take(first, {last: 3, dropped: 0}, ['2 b', '\tat x', '3 c']);
    expect([taken.verdict, taken.log.proof]).toMatchObject([{reason: 'contradicted'}, 'inferred']);
  });

  test('tell which equal lines came behind new ones, where a part of the window follows them', () => {
    const parts = ['1 a', '1 x', '1 b', '1 x', '1 c', '1 x', '1 d', '1 x'];
    const copies = take(empty, {last: 8, dropped: 0}, parts).log;
    const taken = take(copies, {last: 12, dropped: 6}, ['1 b', '1 x', '1 e', '1 x', '1 d', '1 x', '1 f', '1 x']);
    expect(shown(taken.log).filter(text => text === '1 x')).toHaveLength(6);
    expect(taken.verdict).toEqual(whole);
  });

  test('do not count a banner that is stamped anew', () => {
    const copies = take(empty, {last: 4, dropped: 0}, ['5 log of shop', '1 x', '1 x', '1 x', '1 a']).log;
    const taken = take(copies, {last: 6, dropped: 2}, ['7 log of shop', '1 x', '1 a', '1 x', '1 b']);
    expect([taken.verdict, shown(taken.log).filter(text => text === '1 x')]).toEqual([whole, Array(4).fill('1 x')]);
  });

  test('contradict each other where a counter was set back while a line is held that is ahead', () => {
    const ahead = take(empty, {last: 3, dropped: 0}, ['1 a', '2 b', '90 of a clock that is ahead']).log;
    // Four lines came, and three numbers were given.
    const stale = take(ahead, {last: 2, dropped: 0}, ['2 b', '3 c', '90 of a clock that is ahead']);
    expect(stale.verdict).toMatchObject({reason: 'contradicted'});
    expect(shown(stale.log).slice(0, 2)).toEqual(['1 a', '2 b']);
  });
});

describe('as many lines came as there are numbers', () => {
  const source: Partial<LogWindow> = {cut: 'source', sources: 2};

  test('so that a line without a timestamp is held, though the one that it followed left', () => {
    const log = take(empty, {last: 3, dropped: 0}, ['1 a', '\tat x', '2 b'], source).log;
    const taken = take(log, {last: 5, dropped: 1}, ['3 c', '4 d', '\tat x', '2 b'], source);
    expect([taken.verdict, shown(taken.log)]).toEqual([whole, ['1 a', '\tat x', '2 b', '3 c', '4 d']]);
  });

  test('so that the end of a line at the front is none of its own', () => {
    const taken = takeWindow(first, {
      lines: [line('1 a').slice(9), line('2 b')],
      pods: [{name: 'a', createdAt: '1'}],
      arrivals: {series: 'one', last: 2, dropped: 1},
    });
    expect([taken.verdict, taken.added]).toEqual([whole, []]);
  });

  test('so that a line with other decimals is held', () => {
    const answer = (last: number, dropped: number, lines: readonly string[]): LogWindow => ({
      lines,
      pods: [{name: 'a', createdAt: '1'}],
      arrivals: {series: 'one', last, dropped},
    });
    const log = takeWindow(empty, answer(1, 0, ['2026-07-10T10:00:00.001Z a'])).log;
    const lines = ['2026-07-10T10:00:00.001234Z a', '2026-07-10T10:00:01Z b', '2026-07-10T10:00:02Z c'];
    const taken = takeWindow(log, answer(3, 0, lines));
    expect(taken.added.map(entry => entry.kind === 'line' && entry.raw.slice(-1))).toEqual(['b', 'c']);
  });

  test('and the last one that was dropped has left, so that another like it has come', () => {
    const copies = take(empty, {last: 2, dropped: 0}, ['1 x', '1 x'], source).log;
    const lost = take(copies, {last: 6, dropped: 4}, ['1 x', '2 y', '2 y'], source).log;
    const taken = take(lost, {last: 7, dropped: 5}, ['1 x', '2 y', '2 y'], source);
    expect([taken.verdict, taken.added.map(describeEntry)]).toEqual([whole, ['2 y']]);
  });

  test('and what follows the lines that stayed has come, though equal ones left', () => {
    const log = take(empty, {last: 6, dropped: 2}, ['1 a', '1 x', '1 y', '1 x'], {cut: 'branch'}).log;
    const taken = take(log, {last: 10, dropped: 6}, ['1 a', '1 y', '1 x', '1 x'], {cut: 'branch'});
    expect(taken.added.map(describeEntry)).toEqual(['1 a', '1 y', '1 x', '1 x']);
    const next = take(taken.log, {last: 12, dropped: 8}, ['1 x', '1 x', '1 y', '1 a'], {cut: 'branch'});
    expect([next.verdict, next.added.map(describeEntry)]).toEqual([whole, ['1 y', '1 a']]);
  });

  test('and where nothing tells which, they are a loss with its count, though no higher number was dropped', () => {
    const copies = ['1 a', '1 x', '1 x', '1 y', '1 y', '1 b'];
    const log = take(empty, {last: 8, dropped: 7}, copies, source).log;
    const taken = take(log, {last: 10, dropped: 7}, [...copies.slice(1), '1 c'], source);
    expect(taken.added).toMatchObject([
      {kind: 'gap', missingLines: 1},
      {kind: 'line', raw: line('1 c')},
    ]);
  });

  test('and where more came, also without a timestamp, the series contradicts itself', () => {
    const log = take(empty, {last: 4, dropped: 0}, ['1 a', '}', '2 b', '}'], {cut: 'branch'}).log;
    const taken = take(log, {last: 6, dropped: 2}, ['3 c', '}', '4 d', '}'], {cut: 'branch'});
    expect([taken.verdict, taken.log.proof]).toMatchObject([{reason: 'contradicted'}, 'inferred']);
  });

  test('and where none was dropped, an older answer that shows another line contradicts the series', () => {
    const log = take(empty, {last: 4, dropped: 0}, ['1 a', '\tat x', '2 b', '\tat y']).log;
    const taken = take(log, {last: 3, dropped: 0}, ['1 a', '\tat x', '2 c']);
    expect([taken.verdict, taken.log.proof]).toMatchObject([{reason: 'contradicted'}, 'inferred']);
  });

  test('and a banner that is stamped anew is none of them, so that an item that is no line is told', () => {
    const log = take(empty, {last: 2, dropped: 0}, ['5 log of shop', '1 a', '2 b']).log;
    const taken = take(log, {last: 3, dropped: 0}, ['7 log of shop', '1 a', '2 b'], {notLines: [3]});
    expect(taken.verdict).toMatchObject({kind: 'gap', reason: 'not-lines'});
  });
});

test('where a new series begins nothing tells whether the windows join, though they overlap', () => {
  const anew = take(first, {series: 'two', last: 3, dropped: 0}, ['1 a', '2 b', '3 c']);
  expect(anew.verdict).toEqual({kind: 'gap', after: nanos(2) - second, before: nanos(3), reason: 'renumbered'});
  expect(shown(anew.log)).toEqual(['1 a', '2 b', expect.stringMatching('restarted its line numbers'), '3 c']);
  expect(take(anew.log, {series: 'two', last: 4, dropped: 3}, ['4 d']).verdict).toEqual(whole);
});

describe('answers without numbers wait for the next numbers', () => {
  /** Takes answers without numbers, each with one line more, from `3 c` on. */
  const blind = (count: number, from = first, texts = ['1 a', '2 b', '3 c', '4 d', '5 e', '6 f']) => {
    const taken = Array.from({length: count}).reduce<{log: BranchLog; verdicts: readonly unknown[]}>(
      ({log, verdicts}, _, index) => {
        const {log: next, verdict} = take(log, undefined, texts.slice(0, 3 + index));
        return {log: next, verdicts: [...verdicts, verdict]};
      },
      {log: from, verdicts: []},
    );
    return taken;
  };

  test.each([{count: 1}, {count: 2}, {count: 3}])('$count in a row that seem to join are whole', ({count}) => {
    const {log, verdicts} = blind(count);
    expect(verdicts).toEqual(Array.from({length: count}, () => whole));
    expect(log.proof).not.toBe('counted');
    const next = take(log, {last: 2 + count + 1, dropped: 2}, ['9 i']);
    expect([next.verdict, next.log.unsettled, next.log.proof]).toEqual([whole, undefined, 'counted']);
  });

  test('one that does not seem to join is whole where the numbers join', () => {
    const moved = take(first, undefined, ['8 h', '9 i']);
    expect([moved.verdict, shown(moved.log)]).toEqual([whole, ['1 a', '2 b', '8 h', '9 i']]);
    expect(take(moved.log, {last: 4, dropped: 2}, ['8 h', '9 i']).verdict).toEqual(whole);
  });

  test('one that does not seem to join is a gap where the numbers do not, in a range that holds both answers', () => {
    const moved = take(first, undefined, ['8 h', '9 i']);
    const next = take(moved.log, {last: 9, dropped: 5}, ['12 l', '13 m']);
    expect(next.verdict).toEqual({kind: 'gap', after: nanos(2) - second, before: nanos(13), reason: 'moved-on'});
    expect([next.log.gapCount, next.log.unsettled]).toEqual([1, undefined]);
  });

  test('numbers that do not join are whole where each of them is a line that was shown', () => {
    const moved = take(first, undefined, ['8 h', '9 i']);
    // Numbers 3 and 4 were shown without numbers, and then left.
    expect(take(moved.log, {last: 5, dropped: 4}, ['12 l']).verdict).toEqual(whole);
    expect(take(moved.log, {last: 6, dropped: 4}, ['12 l']).verdict.kind).toBe('gap');
  });

  test('numbers that do not join are a gap where more were taken than lines came, whatever was shown before', () => {
    const joined = take(first, undefined, ['1 a', '2 b', '3 c', '4 d']);
    const more = take(joined.log, {last: 99, dropped: 4}, ['8 h']);
    expect([more.verdict.kind, more.log.proof]).toEqual(['gap', 'counted']);
    expect(take(blind(2).log, {last: 99, dropped: 4}, ['8 h']).verdict.kind).toBe('gap');
  });

  test('numbers that join are a gap where more were taken than lines came', () => {
    const joined = take(first, undefined, ['1 a', '2 b', '3 c']);
    expect(take(joined.log, {last: 9, dropped: 0}, ['1 a', '2 b', '3 c', '4 d']).added[0]).toMatchObject({
      ...{kind: 'gap', missingLines: 5, after: nanos(2) - second, before: nanos(4)},
    });
  });

  test('a piece of a line is none of those that came', () => {
    // The first one is the end of a line that was cut off, and “4 d” grew.
    const cut = take(first, undefined, ['ent x', '4 d']);
    expect(take(cut.log, {last: 5, dropped: 3}, ['4 d', '5 e']).verdict.kind).toBe('gap');
    const torn = take(first, undefined, ['3 c', '4 d', '5 e']);
    expect(take(torn.log, {last: 6, dropped: 3}, ['4 deed', '5 e']).verdict.kind).toBe('gap');
  });

  test('a new series tells nothing of them', () => {
    const {log} = blind(1);
    expect(take(log, {series: 'two', last: 4, dropped: 0}, ['1 a', '2 b', '3 c', '4 d']).verdict).toMatchObject({
      kind: 'gap',
      reason: 'renumbered',
    });
  });

  test('from the fourth in a row on they are judged as those of a service without numbers', () => {
    const {log, verdicts} = blind(4);
    expect(verdicts).toEqual([whole, whole, whole, whole]);
    expect(log.proof).toBe('inferred');
    const moved = take(blind(3).log, undefined, ['16 p', '17 q', '18 r', '19 s']);
    expect(moved.verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  });

  test('lines that came without numbers have them when they are back, however long they were away', () => {
    let {log} = take(empty, {last: 2, dropped: 0}, ['0 a', '1 b']);
    for (const texts of [
      ['1 b', '2 c'],
      ['2 c', '3 d'],
      ['3 d', '4 e'],
      ['4 e', '5 f'],
    ]) {
      ({log} = take(log, undefined, texts));
    }
    const back = take(log, {last: 6, dropped: 4}, ['4 e', '5 f']);
    expect([back.verdict, back.added, back.log.proof]).toEqual([whole, [], 'counted']);
    const next = take(back.log, {last: 7, dropped: 5}, ['5 f', '6 g']);
    expect([next.verdict, next.added.map(describeEntry), next.log.proof]).toEqual([whole, ['6 g'], 'counted']);
    expect(take(log, {last: 7, dropped: 5}, ['4 e', '5 f']).verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
  });

  test('an answer with fewer numbers than lines that were shown is an older one', () => {
    const blank = take(take(empty, {last: 1, dropped: 0}, ['0 a']).log, undefined, ['1 b']);
    const older = take(blank.log, {last: 1, dropped: 0}, ['0 a']);
    expect([older.verdict, older.added, older.log]).toEqual([whole, [], blank.log]);
    const next = take(older.log, {last: 2, dropped: 1}, ['1 b']);
    expect([next.verdict, next.added, next.log.proof]).toEqual([whole, [], 'counted']);
  });

  test('what one of them seemed to have lost is a gap at the fourth, if no numbers came', () => {
    const moved = take(first, undefined, ['8 h', '9 i']).log;
    const {log, verdicts} = blind(2, moved, ['8 h', '9 i', '10 j', '11 k']);
    expect(verdicts).toEqual([whole, whole]);
    const fourth = take(log, undefined, ['9 i', '10 j', '11 k', '12 l']);
    expect(fourth.verdict).toEqual({kind: 'gap', after: nanos(2) - second, before: nanos(9), reason: 'moved-on'});
  });

  test('two that seem to have lost lines are one gap', () => {
    const moved = take(take(first, undefined, ['8 h', '9 i']).log, undefined, ['18 r', '19 s']);
    expect(moved.verdict).toEqual(whole);
    expect(take(moved.log, {last: 99, dropped: 98}, ['28 x']).verdict).toMatchObject({
      after: nanos(2) - second,
      before: nanos(28),
    });
  });
});

describe('what seemed quiet without numbers', () => {
  test('is lost where they do not join', () => {
    const quiet = take(first, undefined, ['8 h']);
    expect(quiet.log.unsettled?.guess.kind).toBe('quiet');
    expect(take(quiet.log, {last: 9, dropped: 8}, ['9 i']).verdict).toMatchObject({kind: 'gap', before: nanos(9)});
  });

  test('is part of the gap that seemed to be ahead of it', () => {
    let {log} = take(empty, {last: 3, dropped: 0}, ['1 a', '2 b', '3 c']);
    for (let poll = 0; poll < 2; poll++) {
      ({log} = take(log, {last: 3, dropped: 0}, ['1 a', '2 b', '3 c']));
    }
    const answers = [['8 h', '9 i'], ['18 r'], ['18 r'], ['18 r']];
    const verdicts = answers.map(texts => {
      const taken = take(log, undefined, texts);
      ({log} = taken);
      return taken.verdict;
    });
    expect(verdicts).toEqual([
      whole,
      whole,
      whole,
      {kind: 'gap', after: nanos(3) - second, before: nanos(18), reason: 'moved-on'},
    ]);
  });
});

test('a log whose numbers never came is not counted', () => {
  expect(take(empty, undefined, ['1 a']).log.proof).toBe('inferred');
  expect(take(empty, undefined, ['1 a'], {cut: 'pod'}).log.proof).toBe('said');
  expect(take(empty, undefined, ['1 a'], {cut: 'source'}).log.proof).toBe('inferred');
  expect(take(empty, undefined, ['1 a'], {cut: 'source', sources: 2}).log.proof).toBe('said');
  // Numbers that come later say nothing of the lines before them.
  const later = take(take(empty, undefined, ['1 a']).log, {last: 2, dropped: 0}, ['1 a', '2 b']).log;
  expect(later.proof).toBe('inferred');
  // After a gap only what followed counts.
  expect(take(later, {last: 9, dropped: 8}, ['9 i']).log.proof).toBe('counted');
});

describe('a pod that went', () => {
  const two = take(empty, {last: 2, dropped: 0}, ['1 a', '2 b'], pods('a,b')).log;

  test('is no reason for doubt where the numbers join and it was read to its end', () => {
    const joined = take(two, {last: 3, dropped: 0}, ['1 a', '2 b', '3 a']);
    expect(joined.added.filter(({kind}) => kind === 'pod')).toMatchObject([{name: 'b', change: 'gone', isWhole: true}]);
    expect([joined.log.wholeSince, joined.added.map(describeEntry)]).toEqual([nanos(1), ['pod b went', '3 a']]);
  });

  test('may have had more lines where it was not read to its end, where the numbers do not join, or without numbers', () => {
    const unread = take(two, {last: 4, dropped: 0, unread: 3}, ['1 a', '2 b', '3 b', '4 a']);
    expect([unread.verdict, unread.added[0], unread.log.wholeSince]).toMatchObject([
      whole,
      {since: nanos(2)},
      nanos(2),
    ]);
    const broken = take(two, {last: 4, dropped: 3}, ['4 a']);
    expect(broken.added).toMatchObject([{kind: 'pod', since: nanos(2)}, {kind: 'gap'}, {kind: 'line'}]);
    const uncounted = take(two, undefined, ['1 a', '2 b', '3 a']);
    expect([uncounted.added[0], uncounted.log.wholeSince]).toMatchObject([{since: nanos(2)}, nanos(2)]);
  });

  test('and that came since the answer before, and was not read to its end, is a gap', () => {
    const unread = take(first, {last: 4, dropped: 0, unread: 4}, ['1 a', '2 b', '8 h']);
    expect(unread.verdict).toMatchObject({kind: 'gap', reason: 'moved-on'});
    const next = take(unread.log, {last: 5, dropped: 0, unread: 4}, ['1 a', '2 b', '8 h', '9 i']);
    expect(next.verdict).toEqual(whole);
  });
});
