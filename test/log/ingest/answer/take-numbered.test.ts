import {describe, expect, test} from 'vitest';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {insertEnd} from '#log/ingest/place-markers.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {Entry, GapMarker, LineEntry} from '#log/line/entry.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';
import type {Loss, Numbering} from '#log/window/window-claims.ts';
import {describeMarker} from '#log/words/describe-marker.ts';

const stamp = (second: number): string => `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z`;
const at = (second: number): Instant => parseInstant(stamp(second)) ?? 0n;
const lineOf = (second: number, text = `line ${second}`): string => `${stamp(second)} ${text}`;
const web = {pod: 'web-1', container: 'nginx'};
const php = {pod: 'web-1', container: 'php'};

type Told = Partial<Omit<Numbering, 'first'>>;

const answer = (first: number, lines: readonly string[], told: Told = {}): LogWindow => ({
  lines,
  pods: [{name: 'web-1', createdAt: undefined}],
  numbering: {series: 'a', first, sources: [web], runs: [[0, lines.length]], losses: [], ...told},
});

const empty = createBranchLog(1e6);
const takeAll = (windows: readonly LogWindow[], log: BranchLog = empty) => {
  let held = log;
  const added = windows.map(window => {
    const taken = takeWindow(held, window);
    held = taken.log;
    return taken.added;
  });
  return {log: held, added, last: added.at(-1) ?? []};
};
const entries = (log: BranchLog): readonly Entry[] => sliceEntries(log.buffer, 0, log.buffer.entryCount);
const isLine = (entry: Entry): entry is LineEntry => entry.kind === 'line';
const isGap = (entry: Entry): entry is GapMarker => entry.kind === 'gap';
const rawsIn = (log: BranchLog): readonly string[] =>
  entries(log)
    .filter(isLine)
    .map(({raw}) => raw);
const gapsIn = (log: BranchLog): readonly GapMarker[] => entries(log).filter(isGap);

describe('lines with numbers', () => {
  test('only those after the last number are new, copies too', () => {
    const {log, last} = takeAll([answer(1, [lineOf(1), lineOf(2)]), answer(3, [lineOf(2), lineOf(2)])]);
    expect(last.filter(isLine).map(({raw}) => raw)).toEqual([lineOf(2), lineOf(2)]);
    expect(rawsIn(log)).toEqual([lineOf(1), lineOf(2), lineOf(2), lineOf(2)]);
    expect(log).toMatchObject({proof: 'counted', gapCount: 0, wholeSince: at(1), numbered: {series: 'a', last: 4}});
  });

  test('a whole window that comes again brings only what is new, in whatever order it shows its lines', () => {
    const again = answer(1, [lineOf(3), lineOf(1), lineOf(2)], {
      numbers: [
        [3, 1],
        [1, 2],
      ],
    });
    const {log, last} = takeAll([answer(1, [lineOf(1), lineOf(2)]), again]);
    expect(last.filter(isLine).map(({raw}) => raw)).toEqual([lineOf(3)]);
    expect(gapsIn(log)).toEqual([]);
  });

  test('each line has its source, the same object in every answer, and in packed chunks', () => {
    const many = Array.from({length: 9000}, (_, index) => lineOf(index % 60, `line ${index}`));
    const both = {sources: [web, php], runs: many.map((_, index) => [index % 2, 1] as const)};
    const {log} = takeAll([
      answer(1, many, both),
      answer(9001, [lineOf(59, 'x')], {sources: [{...php}], runs: [[0, 1]]}),
    ]);
    const lines = entries(log).filter(isLine);
    expect(lines).toHaveLength(9001);
    for (const {raw, source} of lines) {
      const number = Number(raw.split(' ').at(-1));
      expect(source).toBe(Number.isNaN(number) || number % 2 === 1 ? php : web);
    }
  });

  test('late lines go to their place', () => {
    const {log, last} = takeAll([answer(1, [lineOf(1), lineOf(9)]), answer(3, [lineOf(5), lineOf(10)])]);
    expect(last.filter(isLine).map(({late}) => late)).toEqual([true, false]);
    expect(rawsIn(log)).toEqual([1, 5, 9, 10].map(second => lineOf(second)));
  });

  test('numbers without a line are a gap with their count, whose range reaches from the line before to the newest', () => {
    const {log} = takeAll([answer(1, [lineOf(1), lineOf(2)]), answer(8, [lineOf(20)])]);
    expect(gapsIn(log)).toEqual([
      expect.objectContaining({reason: 'moved-on', missingLines: 5, after: at(1), before: at(21), proof: 'counted'}),
    ]);
    expect(log).toMatchObject({gapCount: 1, wholeSince: at(21)});
  });

  test('a loss that the service tells of stands ahead of the line after it, once', () => {
    const loss: Loss = {source: 1, after: at(2), number: 4, why: 'the file was emptied', lines: 7};
    const told = {sources: [web, php], losses: [loss]};
    const {log, added} = takeAll([
      answer(1, [lineOf(1), lineOf(2), lineOf(3)]),
      answer(4, [], {...told, runs: []}),
      answer(4, [], {...told, runs: []}),
      answer(4, [lineOf(9)], {...told, runs: [[1, 1]]}),
      answer(5, [lineOf(10)]),
    ]);
    expect(added.map(each => each.filter(isGap).map(({grows}) => grows === true))).toEqual([
      [],
      [false],
      [],
      [true],
      [],
    ]);
    expect(gapsIn(log)).toEqual([
      expect.objectContaining({
        reason: 'told',
        source: php,
        missingLines: 7,
        why: 'the file was emptied',
        after: at(2),
        before: at(10),
      }),
    ]);
    expect(log.gapCount).toBe(1);
  });

  describe('a loss of a quiet source, told while nothing follows', () => {
    // `serve` was stopped, 30 lines came, the file was emptied, and `serve` goes on.
    const loss: Loss = {source: 1, after: at(2), number: 4, why: 'the file was emptied'};
    const told = (more: Partial<Loss> = {}): Told => ({sources: [web, php], losses: [{...loss, ...more}], runs: []});
    const first = {
      ...answer(1, [lineOf(1), lineOf(2), lineOf(3)], {
        runs: [
          [0, 1],
          [1, 1],
          [0, 1],
        ],
        sources: [web, php],
      }),
      serviceAt: at(4),
    };
    const emptied = {...answer(4, [], told()), serviceAt: at(40)};

    test('lies where the loss is: up to the time of the answer, and nothing is called whole before that', () => {
      const {log} = takeAll([first, emptied]);
      expect(gapsIn(log)).toMatchObject([{after: at(2), before: at(41), source: php}]);
      expect(log.wholeSince).toBe(at(41));
    });

    test('grows when the line after it comes, also if other lines came first and the service does not tell', () => {
      const others = {...answer(4, [lineOf(45)], {...told(), runs: [[0, 1]]}), serviceAt: at(46)};
      const untold = takeAll([
        first,
        emptied,
        others,
        {...answer(5, [lineOf(50)], {...told(), losses: [], runs: [[1, 1]]}), serviceAt: at(51)},
      ]);
      expect(gapsIn(untold.log)).toMatchObject([{after: at(2), before: at(51), grows: true}]);
      expect(untold.log).toMatchObject({wholeSince: at(51), gapCount: 1, numbered: {told: [{isOpen: false}]}});
      const ended = {...told({before: at(50)}), runs: [[1, 1]]} as const;
      const {log, last} = takeAll([first, emptied, others, {...answer(5, [lineOf(50)], ended), serviceAt: at(51)}]);
      expect(gapsIn(log)).toMatchObject([{after: at(2), before: at(50), grows: true}]);
      expect(last.map(({kind}) => kind)).toEqual(['gap', 'line']);
    });

    test('that happens again at the same number is another one', () => {
      const again = {...answer(4, [], {...told(), losses: [loss, loss]}), serviceAt: at(50)};
      const {log, added} = takeAll([first, emptied, again, again]);
      expect(gapsIn(log).map(({before}) => before)).toEqual([at(41), at(51)]);
      expect([log.wholeSince, log.gapCount, added.at(-1)]).toEqual([at(51), 2, []]);
    });

    test('of a source that is not named ends where the service says, though lines of others came before', () => {
      const [untold, ended] = [{after: at(30), number: 4, why: 'emptied'}, {before: at(20)}] as const;
      const windows = [
        {...answer(4, [], {sources: [web, php], losses: [untold], runs: []}), serviceAt: at(40)},
        {...answer(4, [lineOf(45)], {losses: [untold], runs: [[0, 1]]}), serviceAt: at(46)},
        {...answer(5, [lineOf(47)], {losses: [{...untold, ...ended}], runs: [[0, 1]]}), serviceAt: at(48)},
      ];
      // The line after the loss is by another clock than the one before it.
      expect(gapsIn(takeAll([first, ...windows]).log)).toMatchObject([{after: at(16), before: at(46)}]);
    });

    test('of a source that is named in part ends with a line of any that may be meant', () => {
      const pod = {...answer(4, [], {...told(), sources: [web, {pod: 'web-1'}]}), serviceAt: at(40)};
      const next = {...answer(4, [lineOf(50)], {sources: [php], runs: [[0, 1]]}), serviceAt: at(51)};
      expect(gapsIn(takeAll([first, pod, next]).log)).toMatchObject([{after: at(2), before: at(51)}]);
    });

    test('within the first answer is no reason to call the time before its end whole', () => {
      const window = answer(4, [lineOf(5), lineOf(6), lineOf(50)], {
        ...told({before: at(50)}),
        runs: [
          [0, 2],
          [1, 1],
        ],
      });
      const {log} = takeAll([window]);
      expect([gapsIn(log).length, log.wholeSince]).toEqual([1, at(50)]);
    });
  });

  test('a time that is told and is more than a day off bounds nothing', () => {
    const loss: Loss = {
      number: 3,
      after: parseInstant('1969-01-01T00:00:00Z'),
      before: parseInstant('9999-01-01T00:00:00Z'),
      why: 'x',
    };
    const {log} = takeAll([
      {...answer(1, [lineOf(1), lineOf(2)]), serviceAt: at(2)},
      {...answer(3, [lineOf(9)], {losses: [loss]}), serviceAt: at(10)},
    ]);
    expect(gapsIn(log)).toMatchObject([{after: at(1), before: at(10)}]);
    expect(log.wholeSince).toBe(at(10));
  });

  test('holes between the lines of an answer are one gap, and one that grows if they come again and again', () => {
    const holes = (first: number, seconds: readonly [number, number, number]) =>
      answer(
        first,
        seconds.map(second => lineOf(second)),
        {
          numbers: [
            [first, 1],
            [first + 3, 1],
            [first + 9, 1],
          ],
        },
      );
    const {log, added} = takeAll([
      answer(1, [lineOf(1)]),
      holes(2, [2, 3, 4]),
      holes(12, [5, 6, 7]),
      holes(22, [8, 9, 10]),
      answer(35, [lineOf(11)]),
    ]);
    expect(
      added.map(each =>
        each.filter(isGap).map(({reason, missingLines, grows = false}) => [reason, missingLines, grows]),
      ),
    ).toEqual([
      [],
      [['moved-on', 7, false]],
      [['moved-on', 14, true]],
      [['left-out', 21, true]],
      [['left-out', 24, true]],
    ]);
    expect([gapsIn(log).length, log.gapCount, log.wholeSince]).toEqual([1, 1, at(12)]);
  });

  test('what was lost ahead of the first answer is no gap', () => {
    const {log} = takeAll([answer(7, [lineOf(1)], {losses: [{number: 7, why: 'left before it was read', lines: 6}]})]);
    expect(gapsIn(log)).toEqual([]);
    expect(log.wholeSince).toBe(at(1));
  });

  test('something that is no line is a gap in its place, in the first answer too, once', () => {
    const noLine: Loss = {number: 3, lines: 1, why: '', isNoLine: true};
    const window = answer(1, [lineOf(1), lineOf(5)], {
      numbers: [
        [1, 1],
        [3, 1],
      ],
      losses: [noLine],
    });
    const {log} = takeAll([window, window]);
    expect(entries(log).map(({kind}) => kind)).toEqual(['line', 'gap', 'line']);
    expect(gapsIn(log)).toEqual([expect.objectContaining({reason: 'not-lines', missingLines: 1})]);
  });

  test('a loss within the first answer is one, and the log is whole from there on', () => {
    const loss = {number: 2, after: at(1), before: at(5), source: 0, why: 'rotated'};
    const {log} = takeAll([answer(1, [lineOf(1), lineOf(5), lineOf(6)], {losses: [loss]})]);
    expect(entries(log).map(({kind}) => kind)).toEqual(['line', 'gap', 'line', 'line']);
    expect(log.wholeSince).toBe(at(5));
  });

  test('a new series is a gap, and no line that is held comes twice', () => {
    const {log, last} = takeAll([
      answer(1, [lineOf(1), lineOf(2)]),
      answer(1, [lineOf(2), lineOf(3)], {series: 'b'}),
      answer(3, [lineOf(3)], {series: 'b'}),
    ]);
    expect(rawsIn(log)).toEqual([lineOf(1), lineOf(2), lineOf(3), lineOf(3)]);
    expect(gapsIn(log).map(({reason}) => reason)).toEqual(['renumbered']);
    expect(last.filter(isLine)).toHaveLength(1);
  });

  test('an older answer changes nothing; numbers that begin again after newer lines are a gap, and are not believed any more', () => {
    const {log} = takeAll([answer(1, [lineOf(1), lineOf(2), lineOf(3)]), answer(1, [lineOf(1), lineOf(2)])]);
    expect(log.numbered?.last).toBe(3);
    const reset = takeAll([answer(1, [lineOf(8), lineOf(9)])], log);
    expect(gapsIn(reset.log).map(({reason}) => reason)).toEqual(['contradicted']);
    expect(rawsIn(reset.log)).toHaveLength(5);
    expect(reset.log).toMatchObject({proof: 'inferred', distrusted: {series: 'a'}, numbered: undefined});
  });

  test('an answer without numbers waits for the next one with some; what it brought is not taken twice', () => {
    const bare = {...answer(1, [lineOf(1), lineOf(2), lineOf(3)]), numbering: undefined};
    const {log} = takeAll([answer(1, [lineOf(1), lineOf(2)]), bare]);
    expect(log.proof).toBe('inferred');
    const {log: after} = takeAll([answer(3, [lineOf(3), lineOf(4)])], log);
    expect(rawsIn(after)).toEqual([1, 2, 3, 4].map(second => lineOf(second)));
    expect(after).toMatchObject({proof: 'counted', gapCount: 0});
  });

  test('an answer without numbers brings the frames that are more than those held', () => {
    const frames = ['\tat frame', '\tat frame'];
    const bare = {...answer(1, [lineOf(1), ...frames, lineOf(2), ...frames]), numbering: undefined};
    const {log} = takeAll([answer(1, [lineOf(1), ...frames]), bare, answer(8, [lineOf(3)])]);
    expect(rawsIn(log)).toEqual([lineOf(1), ...frames, lineOf(2), ...frames, lineOf(3)]);
    expect(log.numbered?.last).toBe(8);
  });

  describe('a line whose end a replica trims is held once', () => {
    const bare = (lines: readonly string[]): LogWindow => ({...answer(1, lines), numbering: undefined});
    test.each([
      ['', '  '],
      ['  ', ''],
    ])('by an answer without numbers (“%s” then “%s”)', (end, otherEnd) => {
      const {log} = takeAll([
        answer(1, [lineOf(0) + end]),
        bare([lineOf(0) + otherEnd, lineOf(1) + end]),
        answer(2, [lineOf(1) + otherEnd]),
      ]);
      expect(rawsIn(log).map(raw => raw.trimEnd())).toEqual([lineOf(0), lineOf(1)]);
      expect(log).toMatchObject({proof: 'counted', gapCount: 0});
    });

    test('by an older answer, after numbers were missing', () => {
      const {log} = takeAll([
        answer(1, [`${lineOf(0)} `]),
        answer(3, [lineOf(2)]),
        answer(1, [lineOf(0), lineOf(1)]),
        answer(1, [lineOf(0)]),
      ]);
      expect(rawsIn(log)).toEqual([`${lineOf(0)} `, lineOf(1), lineOf(2)]);
    });

    test('by a new series', () => {
      const {log} = takeAll([answer(1, [`${lineOf(0)} `]), answer(1, [lineOf(0), lineOf(1)], {series: 'b'})]);
      expect(rawsIn(log)).toEqual([`${lineOf(0)} `, lineOf(1)]);
    });
  });

  describe('after an answer without numbers', () => {
    const bare = (lines: readonly string[]): LogWindow => ({...answer(1, lines), numbering: undefined});

    test('nothing is missing if as many lines came as there are numbers, in whatever order it showed them', () => {
      const {log} = takeAll([answer(1, [lineOf(0)]), bare([lineOf(2), lineOf(5)]), answer(3, [lineOf(2), lineOf(6)])]);
      expect(rawsIn(log)).toEqual([lineOf(0), lineOf(2), lineOf(5), lineOf(6)]);
      expect(log).toMatchObject({proof: 'counted', gapCount: 0});
    });

    test('nothing is missing if as many lines came as there are numbers, some without a timestamp', () => {
      const {log} = takeAll([answer(1, [lineOf(0)]), bare([lineOf(2), '  tr']), answer(3, ['  tr', lineOf(6)])]);
      expect(rawsIn(log)).toEqual([lineOf(0), lineOf(2), '  tr', lineOf(6)]);
      expect(log).toMatchObject({proof: 'counted', gapCount: 0});
    });

    test('one with numbers may be older: what it does not show yet is not taken twice', () => {
      const {log} = takeAll([
        answer(1, [lineOf(0)]),
        bare([lineOf(0), lineOf(1), lineOf(2)]),
        answer(2, [lineOf(1)]),
        answer(3, [lineOf(2)]),
      ]);
      expect(rawsIn(log)).toEqual([lineOf(0), lineOf(1), lineOf(2)]);
      expect(log).toMatchObject({proof: 'counted', gapCount: 0});
    });

    test('a line of it whose clock is ahead is waited for in one answer, and makes up for no number after that', () => {
      const ahead = '2026-11-21T14:30:00.000000000Z x';
      const {log} = takeAll([
        answer(1, [lineOf(0)]),
        bare([lineOf(1), ahead]),
        answer(5, [lineOf(3)]),
        answer(7, [lineOf(5)]),
      ]);
      expect(gapsIn(log).map(({missingLines}) => missingLines)).toEqual([2, 1]);
      expect(log.numbered?.cameByText).toEqual(new Map());
    });

    test('its lines do not count as missing', () => {
      const {log} = takeAll([answer(1, [lineOf(0)]), bare([lineOf(0), lineOf(1)]), answer(4, [lineOf(3)])]);
      expect(gapsIn(log).map(({missingLines}) => missingLines)).toEqual([1]);
    });
  });

  describe('a loss that is told for a number already read', () => {
    const lost: Loss = {source: 0, number: 3, lines: 5, why: 'lost'};

    test('is a gap at its place, once', () => {
      const {log} = takeAll([
        answer(1, [lineOf(0), lineOf(1), lineOf(5)]),
        answer(1, [lineOf(0), lineOf(1), lineOf(5), lineOf(6)], {losses: [lost]}),
        answer(5, [lineOf(7)]),
        answer(1, [lineOf(0), lineOf(1), lineOf(5), lineOf(6), lineOf(7)], {losses: [lost]}),
      ]);
      expect(entries(log).map(({kind}) => kind)).toEqual(['line', 'line', 'gap', 'line', 'line', 'line']);
      expect(gapsIn(log)).toEqual([
        expect.objectContaining({reason: 'told', missingLines: 5, after: at(1), before: at(5)}),
      ]);
      expect(log).toMatchObject({gapCount: 1, wholeSince: at(5), proof: 'counted'});
    });

    test('is another one if it is of another reason', () => {
      const {log} = takeAll([
        answer(1, [lineOf(0), lineOf(1), lineOf(5)]),
        answer(4, [lineOf(6)], {losses: [lost]}),
        answer(5, [lineOf(7)], {losses: [lost, {...lost, why: 'lost again'}]}),
      ]);
      expect(gapsIn(log).map(({why}) => why)).toEqual(['lost', 'lost again']);
      expect(log.gapCount).toBe(2);
    });

    test('that stands for several was told with them', () => {
      const {log} = takeAll([
        answer(1, [lineOf(0), lineOf(1), lineOf(5)]),
        answer(4, [lineOf(6)], {losses: [{...lost, count: 3}]}),
      ]);
      expect(gapsIn(log)).toEqual([]);
    });
  });

  test('if the numbers stay away that is a gap, and the log goes on as one that nobody counts', () => {
    const bare = (last: number): LogWindow => ({
      ...answer(
        1,
        Array.from({length: last}, (_, index) => lineOf(index + 1)),
      ),
      numbering: undefined,
    });
    const {log} = takeAll([answer(1, [lineOf(1)]), bare(2), bare(3), bare(4), bare(5), bare(6)]);
    expect(gapsIn(log).map(({reason}) => reason)).toEqual(['renumbered']);
    expect(rawsIn(log)).toHaveLength(6);
    expect(log).toMatchObject({proof: 'inferred', numbered: undefined});
  });

  test('a line without a timestamp takes that of the line before it of its own source', () => {
    const {log} = takeAll([
      answer(1, [lineOf(5), lineOf(1), '  at frame'], {
        sources: [web, php],
        runs: [
          [0, 1],
          [1, 1],
          [0, 1],
        ],
      }),
    ]);
    expect(rawsIn(log)).toEqual([lineOf(1), lineOf(5), '  at frame']);
  });

  test('of a pod that went, nothing is in doubt unless a loss is told', () => {
    const {last, log} = takeAll([answer(1, [lineOf(1)]), {...answer(2, []), pods: []}]);
    expect(last).toEqual([expect.objectContaining({kind: 'pod', change: 'gone', isWhole: true})]);
    expect(log.wholeSince).toBe(at(1));
  });
});

describe('lines from before the first ones', () => {
  const heldFrom = (second: number, why: 'unread' | 'start' = 'unread') => ({at: at(second), why});

  test('are no late ones, and move back since when the log is whole', () => {
    const {log, last} = takeAll([
      {...answer(1, [lineOf(5), lineOf(6)]), heldFrom: heldFrom(5)},
      {...answer(3, [lineOf(1), lineOf(2)]), areEarlier: true, heldFrom: heldFrom(1, 'start')},
    ]);
    expect(rawsIn(log)).toEqual([lineOf(1), lineOf(2), lineOf(5), lineOf(6)]);
    expect(last.filter(isLine).map(({late}) => late)).toEqual([false, false]);
    expect(log).toMatchObject({wholeSince: at(1), horizon: at(1), heldFrom: heldFrom(1, 'start'), gapCount: 0});
  });

  test('leave the log whole only since the last gap', () => {
    const {log} = takeAll([
      {...answer(1, [lineOf(5), lineOf(6)]), heldFrom: heldFrom(5)},
      answer(9, [lineOf(8)]),
      {...answer(10, [lineOf(1)]), areEarlier: true, heldFrom: heldFrom(1, 'start')},
    ]);
    expect(log).toMatchObject({wholeSince: at(9), horizon: at(1), gapCount: 1});
  });

  test('of several sources, the log is whole since the one that reaches back the least', () => {
    const {log} = takeAll([{...answer(1, [lineOf(1), lineOf(5), lineOf(6)]), heldFrom: heldFrom(5)}]);
    expect(log).toMatchObject({wholeSince: at(5), horizon: at(5)});
  });
});

describe('parts of a log', () => {
  test('end with a marker that moves on with the lines that are read', () => {
    const heldTo = (second: number, why: 'unread' | 'newest') => ({at: at(second), why});
    const first = takeWindow(empty, {...answer(1, [lineOf(1)]), heldTo: heldTo(1, 'unread')}).log;
    const next = takeWindow(insertEnd(first, heldTo(1, 'unread')), answer(2, [lineOf(3)])).log;
    const moved = insertEnd(next, heldTo(3, 'newest'), at(1));
    expect(first.heldTo).toEqual(heldTo(1, 'unread'));
    expect(entries(moved).map(entry => (entry.kind === 'horizon' ? describeMarker(entry, 'row') : entry.kind))).toEqual(
      ['line', 'line', 'the newest lines follow'],
    );
  });

  test('a stream that ended without a line ended now, not at the beginning of time', () => {
    const {log} = takeAll([
      {...answer(1, []), serviceAt: at(4)},
      {...answer(1, []), pods: [], endings: new Map([['web-1', 'ended']]), serviceAt: at(5)},
    ]);
    expect(entries(log).map(entry => [entry.kind, entry.at])).toEqual([['pod', at(5)]]);
  });
});
