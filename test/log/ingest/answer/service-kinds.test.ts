import {describe, expect, test} from 'vitest';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {GapMarker} from '#log/line/entry.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';
import type {Numbering} from '#log/window/window-claims.ts';

/** `14:00:05` of a day in November, and other times of it. */
const at = (time: string): Instant => parseInstant(`2026-11-21T${time}Z`) ?? 0n;
/** `14:00:05 text` becomes a line; one without a time in front is left without a timestamp. */
const lineOf = (text: string): string =>
  /^\d\d:\d\d:\d\d/.test(text) ? `2026-11-21T${text.replace(' ', '.000000000Z ')}` : text;
const short = (raw: string): string => raw.replace(/^2026-11-21T(\S+)\.000000000Z /, '$1 ');

/** What a service says of its answers: each of the grades. */
type Says = Pick<LogWindow, 'cut' | 'arrivals' | 'numbering'>;
const grades = [
  {grade: 'said', says: {cut: 'branch'}},
  {grade: 'inferred', says: {}},
] as const satisfies readonly {readonly grade: string; readonly says: Says}[];

const answer = (texts: readonly string[], more: Partial<LogWindow> = {}): LogWindow => ({
  lines: texts.map(lineOf),
  pods: [{name: 'web', createdAt: '1'}],
  ...more,
});
const numbered = (
  first: number,
  texts: readonly string[],
  more: Partial<LogWindow> = {},
  told: Partial<Numbering> = {},
) =>
  answer(texts, {
    numbering: {series: 'a', first, sources: [{pod: 'web'}], runs: [[0, texts.length]], losses: [], ...told},
    ...more,
  });

const takeAll = (windows: readonly LogWindow[]) => {
  let log: BranchLog = createBranchLog(1e6);
  const added: (readonly string[])[] = [];
  for (const window of windows) {
    const taken = takeWindow(log, window);
    log = taken.log;
    added.push(taken.added.map(entry => (entry.kind === 'line' ? short(entry.raw) : entry.kind)));
  }
  const entries = sliceEntries(log.buffer, 0, log.buffer.entryCount);
  return {
    log,
    added,
    lines: entries.flatMap(entry => (entry.kind === 'line' ? [short(entry.raw)] : [])),
    gaps: entries.filter((entry): entry is GapMarker => entry.kind === 'gap'),
  };
};

describe('a first answer that is empty, and then more lines than a window holds', () => {
  const came = ['14:00:05 f', '14:00:06 g', '14:00:07 h'];
  const times = [{serviceAt: at('14:00:00')}, {serviceAt: at('14:00:08')}];

  test.each(grades)('is a gap since the empty answer ($grade)', ({says}) => {
    const {gaps, log} = takeAll([answer([], {...says, ...times[0]}), answer(came, {...says, ...times[1]})]);
    expect(gaps).toMatchObject([{after: at('13:59:59'), before: at('14:00:07'), reason: 'empty'}]);
    expect(log.wholeSince).toBe(at('14:00:07'));
  });

  test.each(grades)('is a gap since the last of several ($grade)', ({says}) => {
    const later = answer([], {...says, serviceAt: at('14:00:03')});
    const {gaps} = takeAll([answer([], {...says, ...times[0]}), later, answer(came, {...says, ...times[1]})]);
    expect(gaps).toMatchObject([{after: at('14:00:02'), before: at('14:00:07')}]);
  });

  test('is a gap since then where the numbers tell, and none where they tell that nothing is missing', () => {
    const {gaps} = takeAll([numbered(1, [], times[0]), numbered(601, came, times[1])]);
    // The clock of the pod may be behind that of the service.
    expect(gaps).toMatchObject([{after: at('13:59:55'), before: at('14:00:07'), missingLines: 600}]);
    expect(takeAll([numbered(1, [], times[0]), numbered(1, came, times[1])]).gaps).toEqual([]);
    const counted = (last: number, dropped: number): Says => ({arrivals: {series: 'a', last, dropped}});
    const first = answer([], {...counted(0, 0), ...times[0]});
    // Some may be of a source of which no line has come since.
    expect(takeAll([first, answer(came, {...counted(603, 600), ...times[1]})]).gaps).toMatchObject([
      {after: at('13:59:59'), before: at('14:00:09')},
    ]);
    expect(takeAll([first, answer(came, {...counted(3, 0), ...times[1]})]).gaps).toEqual([]);
  });

  test.each(grades)('is none where so little came that no window is full of it ($grade)', ({says}) => {
    const {gaps} = takeAll([answer([], {...says, ...times[0]}), answer(came.slice(1), {...says, ...times[1]})]);
    expect(gaps).toEqual([]);
  });
});

describe('local time that is stamped as UTC and steps back an hour within a burst', () => {
  const before = ['13:59:57 a', '13:59:58 b', '13:59:59 c'];
  // Lost are those from 14:00:00 to 14:00:19, and from 13:00:20 to 13:00:29.
  const after = ['13:00:30 x', '13:00:31 y', '13:00:32 z'];
  const [first, next] = [{serviceAt: at('14:00:00')}, {serviceAt: at('14:00:33')}];

  test.each(grades)('leaves a gap that holds the lines of before and of after the step ($grade)', ({says}) => {
    const {gaps} = takeAll([answer(before, {...says, ...first}), answer(after, {...says, ...next})]);
    expect(gaps).toMatchObject([{after: at('12:59:58'), before: at('14:00:33'), reason: 'clock-back'}]);
  });

  test('leaves a gap that holds both where the lines have numbers, and where the service tells the ends', () => {
    const {gaps} = takeAll([numbered(1, before, first), numbered(34, after, next)]);
    expect(gaps).toMatchObject([{after: at('12:59:55'), before: at('14:00:34')}]);
    const loss = {number: 34, source: 0, after: at('13:59:59'), before: at('13:00:30'), why: 'x'};
    const told = takeAll([numbered(1, before, first), numbered(4, after, next, {losses: [{...loss, number: 4}]})]);
    expect(told.gaps).toMatchObject([{after: at('12:59:55'), before: at('14:00:34')}]);
  });
});

describe('two replicas of which one trims the ends of lines', () => {
  const full = ['14:00:01 a  ', '14:00:02 b', '14:00:03 c\t', '\tat frame '];
  const trimmed = ['14:00:01 a', '14:00:02 b', '14:00:03 c', '\tat frame'];
  const counted = {grade: 'counted', says: {arrivals: {series: 'a', last: 4, dropped: 0}}} as const;

  test.each([...grades, counted])('show no line twice, whichever answers first ($grade)', ({says}) => {
    for (const [one, other] of [
      [full, trimmed],
      [trimmed, full],
    ] as const) {
      const {lines, gaps} = takeAll([one, other, one, other, other].map(texts => answer(texts, says)));
      expect([lines, gaps]).toEqual([one, []]);
    }
  });

  test.each([...grades, counted])(
    'show no line twice, though one also orders its lines otherwise ($grade)',
    ({says}) => {
      const {lines, gaps} = takeAll([full, [...trimmed.slice(1), '14:00:01 a']].map(texts => answer(texts, says)));
      expect([lines, gaps]).toEqual([full, []]);
    },
  );

  test.each(grades)(
    'go on with what is new, as it came, and keep lines that are copies of each other ($grade)',
    ({says}) => {
      const copies = ['14:00:01 a ', '14:00:01 a', '14:00:02 b '];
      const {lines, added} = takeAll(
        [
          copies,
          ['14:00:01 a', '14:00:01 a', '14:00:02 b', '14:00:03 c'],
          [...copies, '14:00:03 c  ', '14:00:04 d '],
        ].map(texts => answer(texts, says)),
      );
      expect([lines, added.at(-1)]).toEqual([[...copies, '14:00:03 c', '14:00:04 d '], ['14:00:04 d ']]);
    },
  );
});

describe('stamps', () => {
  test.each(grades)('with a comma ahead of their decimals are read ($grade)', ({says}) => {
    const [one, two] = ['2026-11-21T14:00:01,250Z a', '2026-11-21T14:00:02,500000000Z b'];
    const {log} = takeAll([{...answer([], says), lines: [one, two]}]);
    expect(log.buffer.newestLine).toMatchObject({at: at('14:00:02.5'), raw: two});
    expect(log.wholeSince).not.toBe(0n);
  });

  test.each(grades)('of which none can be read leave the log in the time of the service ($grade)', ({says}) => {
    const texts = ['x a', 'x b', 'x c', 'x d', 'x e'];
    const served = (from: number, to: number, time: string) =>
      answer(texts.slice(from, to), {...says, serviceAt: at(time)});
    const {log, gaps} = takeAll([served(0, 2, '14:00:01'), served(2, 5, '14:00:05')]);
    expect([gaps.map(({after, before}) => [after, before]), log.wholeSince]).toEqual([
      [[at('14:00:00'), at('14:00:06')]],
      at('14:00:06'),
    ]);
  });

  test('of which none can be read leave a log with numbers there, too', () => {
    const {log, gaps} = takeAll([
      numbered(1, ['x a'], {serviceAt: at('14:00:01')}),
      numbered(4, ['x b'], {serviceAt: at('14:00:05')}),
    ]);
    expect([gaps.map(({after, before}) => [after, before]), log.wholeSince]).toEqual([
      [[at('14:00:00'), at('14:00:07')]],
      at('14:00:07'),
    ]);
  });

  test.each(grades)('that are no clock’s bound no gap, and nothing is whole since then ($grade)', ({says}) => {
    const forged = ['1969-12-31T00:00:00.000000000Z old', '9999-12-31T00:00:00.000000000Z far'];
    const two = [
      {name: 'web', createdAt: '1'},
      {name: 'db', createdAt: '1'},
    ];
    const served = (texts: readonly string[], time: string): LogWindow => ({
      ...answer([], {...says, serviceAt: at(time), pods: two}),
      lines: [forged[0] ?? '', ...texts.map(lineOf), forged[1] ?? ''],
    });
    const {log, gaps} = takeAll([
      served(['14:00:01 a', '14:00:02 b', '14:00:03 c'], '14:00:03'),
      served(['14:00:08 x', '14:00:09 y', '14:00:10 z'], '14:00:10'),
    ]);
    expect(gaps).toMatchObject([{after: at('14:00:01'), before: at('14:00:10')}]);
    expect(log.wholeSince).toBe(at('14:00:10'));
    expect(takeAll([served(['14:00:01 a'], '14:00:03')]).log.wholeSince).toBe(at('14:00:01'));
  });
});

describe('numbers that contradict each other', () => {
  const says = {kind: 'gap', reason: 'contradicted', proof: 'inferred'};

  test('as they do that begin from 1 in each answer: the log is inferred from there on, and loses no line', () => {
    const texts = Array.from({length: 20}, (_, index) => `14:00:${10 + index} line`);
    const {lines, gaps, log} = takeAll([0, 2, 4, 6, 8, 10].map(from => numbered(1, texts.slice(from, from + 10))));
    expect([lines, gaps.length]).toEqual([texts, 1]);
    expect(gaps).toMatchObject([says]);
    expect([log.proof, log.numbered, log.distrusted?.series]).toEqual(['inferred', undefined, 'a']);
  });

  test('as they do where a counter was set back while lines are held that are ahead', () => {
    const {lines, gaps, log} = takeAll([
      numbered(1, ['14:00:01 a', '14:00:02 b', '15:00:00 of a clock that is ahead']),
      numbered(2, ['14:00:03 c', '14:00:04 d']),
      numbered(2, ['14:00:03 c', '14:00:04 d', '14:00:05 e', '14:00:06 f']),
    ]);
    expect(lines.map(text => text.slice(9))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'of a clock that is ahead']);
    expect(gaps).toMatchObject([says]);
    expect(log.proof).toBe('inferred');
  });

  test('not as replicas do that show a line in another form, or one that was missed', () => {
    const first = numbered(1, ['14:00:01 a  ', '14:00:02 b', '14:00:03 c']);
    const other = numbered(1, ['14:00:01 a', '14:00:02 b', '14:00:03 c', '14:00:04 d']);
    const coarse = {...numbered(1, ['', '14:00:02 b']), lines: ['2026-11-21T14:00:01Z a', lineOf('14:00:02 b')]};
    expect(takeAll([first, other, first, coarse])).toMatchObject({log: {proof: 'counted', gapCount: 0}});
    const later = numbered(6, ['14:00:06 f']);
    const missed = numbered(4, ['14:00:04 d', '14:00:05 e', '14:00:06 f']);
    expect(takeAll([first, later, missed])).toMatchObject({log: {proof: 'counted', gapCount: 1}});
  });
});

describe('an older replica that answers after a new series began', () => {
  const texts = ['14:00:01 a', '\tat frame', '14:00:02 b'];
  const more = [...texts, '14:00:03 c'];

  test('brings nothing again where lines have numbers, and the new series goes on', () => {
    const [old, anew] = [numbered(1, texts), (all: readonly string[]) => numbered(7, all, {}, {series: 'b'})];
    const {lines, log} = takeAll([old, anew(texts), old, anew(more)]);
    expect([lines, log.gapCount, log.proof, log.numbered?.series]).toEqual([more, 1, 'counted', 'b']);
  });

  test('brings nothing again though twenty series began since', () => {
    const [old, ...anew] = Array.from({length: 21}, (_, series) => numbered(1, texts, {}, {series: `${series}`}));
    const {log, added} = takeAll([...(old === undefined ? [] : [old, ...anew, old])]);
    expect([added.at(-1), log.gapCount, log.numbered?.series]).toEqual([[], 20, '20']);
  });

  test('brings nothing again where they are counted', () => {
    const counted = (series: string, last: number, all: readonly string[]) =>
      answer(all, {arrivals: {series, last, dropped: 0}});
    const {lines, log} = takeAll([
      counted('a', 3, texts),
      counted('b', 3, texts),
      counted('a', 3, texts),
      counted('b', 4, more),
    ]);
    expect([lines, log.gapCount, log.arrivals?.series]).toEqual([more, 1, 'b']);
  });
});

describe('lines that are sent again behind all that is left of a burst', () => {
  const first = ['14:00:01 a', '14:00:01 b', '14:00:01 c'];

  test('are no front: the others may be missing', () => {
    const burst = ['14:00:01 x', '14:00:01 y', '14:00:01 z', '14:00:01 b', '14:00:01 c'];
    const {gaps} = takeAll([first, burst].map(texts => answer(texts, {cut: 'branch'})));
    expect(gaps).toMatchObject([{reason: 'moved-on'}]);
  });

  test('are the front of a part where times fall, so that one part follows another', () => {
    const {gaps} = takeAll(
      [
        ['14:00:01 a', '14:00:01 x', '14:00:03 y'],
        ['14:00:01 a', '14:00:02 b', '14:00:01 x', '14:00:03 y'],
        ['14:00:05 c', '14:00:06 d', '14:00:07 e', '14:00:03 y'],
      ].map(texts => answer(texts, {cut: 'branch'})),
    );
    expect(gaps).toEqual([]);
  });
});

describe('old lines that are sent again as they came, in a burst', () => {
  const old = ['14:00:01 a', '14:00:02 b', '14:00:03 c'];
  const before = ['14:00:11 k', '14:00:12 l', '14:00:13 m', '14:00:14 n'];
  const burst = ['14:00:31 x', '14:00:32 y', '14:00:33 z'];
  const between = ['14:00:03 c', '14:00:11 k', '14:00:12 l'];

  test.each(grades.flatMap(({grade, says}) => [1, 2, 3].map(count => ({grade, says, count}))))(
    'prove nothing where they are the front: $count ($grade)',
    ({says, count}) => {
      const windows = [old, between, before, [...old.slice(0, count), ...burst]];
      const {lines, gaps} = takeAll(windows.map(texts => answer(texts, says)));
      expect(lines).toEqual([...old, ...before, ...burst]);
      expect(gaps).toMatchObject([{before: at('14:00:33')}]);
      expect(gaps.every(({after}) => after <= at('14:00:14'))).toBe(true);
    },
  );

  test('prove nothing where the window before had them, too', () => {
    const {gaps} = takeAll(
      [
        [...old, ...before],
        [...old.slice(0, 2), ...burst],
      ].map(texts => answer(texts, {cut: 'branch'})),
    );
    expect(gaps).toMatchObject([{reason: 'moved-on'}]);
  });
});

describe('numbers of which no answer shows a line', () => {
  const empty = (first: number, time: string) => numbered(first, [], {serviceAt: at(time)});

  test('are one gap that grows until a line comes', () => {
    const {gaps, added, log} = takeAll([
      numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')}),
      empty(5, '14:00:02'),
      empty(9, '14:00:04'),
      empty(9, '14:00:06'),
      empty(12, '14:00:08'),
    ]);
    expect(gaps).toMatchObject([{after: at('14:00:00'), before: at('14:00:10'), missingLines: 10}]);
    expect([added, log.gapCount]).toEqual([[['14:00:01 a'], ['gap'], ['gap'], [], ['gap']], 1]);
  });

  test('are a gap that grows up to the first line, also one of a clock that was set back', () => {
    const first = numbered(1, ['14:00:06 a'], {serviceAt: at('14:00:06')});
    const {gaps, added, log} = takeAll([
      first,
      empty(4, '14:00:08'),
      numbered(4, ['13:50:20 b'], {serviceAt: at('14:00:10')}),
    ]);
    // Five seconds passed at most, and lines may be a second late.
    expect(gaps).toMatchObject([{after: at('13:50:14'), before: at('14:00:12'), missingLines: 2}]);
    expect([added.at(-1)?.toSorted(), log.gapCount]).toEqual([['13:50:20 b', 'gap'], 1]);
    const ahead = numbered(4, ['14:30:00 b'], {serviceAt: at('14:00:10')});
    const later = numbered(5, ['14:40:00 c'], {serviceAt: at('14:00:11')});
    expect(takeAll([first, empty(4, '14:00:08'), ahead, later]).gaps).toMatchObject([{before: at('14:30:01')}]);
  });

  test('are another gap after a line', () => {
    const {log} = takeAll([
      numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')}),
      empty(5, '14:00:02'),
      numbered(5, ['14:00:03 b'], {serviceAt: at('14:00:03')}),
      empty(9, '14:00:04'),
    ]);
    expect(log.gapCount).toBe(2);
  });
});

describe('a told loss that numbers without a line come with', () => {
  const first = numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')});
  const loss = {number: 9, why: 'x', after: at('14:00:06'), before: at('14:00:07')};

  test('has a range that holds both', () => {
    const {gaps} = takeAll([first, numbered(9, ['14:00:07 b'], {serviceAt: at('14:00:08')}, {losses: [loss]})]);
    expect(gaps).toMatchObject([{after: at('14:00:00'), before: at('14:00:08'), missingLines: 7}]);
  });

  test('has the range that is told where all of them are', () => {
    const losses = [{...loss, lines: 7}];
    const {gaps} = takeAll([first, numbered(9, ['14:00:07 b'], {serviceAt: at('14:00:08')}, {losses})]);
    expect(gaps).toMatchObject([{after: at('14:00:06'), before: at('14:00:07'), missingLines: 7}]);
  });
});

test('a told loss that only a line without a stamp follows ends with the time of the answer', () => {
  const losses = [{number: 2, source: 0, why: 'x'}];
  const {gaps} = takeAll([
    numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')}),
    numbered(2, ['unreadable b'], {serviceAt: at('14:05:00')}, {losses}),
  ]);
  expect(gaps).toMatchObject([{after: at('14:00:00'), before: at('14:05:02')}]);
});

test('a told loss after the last line of a pod whose clock is ahead goes on by that clock', () => {
  const losses = [{number: 3, source: 0, why: 'x'}];
  const {gaps, log} = takeAll([
    numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')}, {sources: [{pod: 'other'}]}),
    numbered(2, ['14:30:02 b'], {serviceAt: at('14:00:03')}, {losses}),
  ]);
  // Three seconds passed at most, and one second lines may be late.
  expect(gaps).toMatchObject([{before: at('14:30:06')}]);
  expect(log.wholeSince).toBe(at('14:30:06'));
});

test('a told loss of a source that never wrote goes on by the clock of its pod', () => {
  const sources = [
    {pod: 'web', container: 'app'},
    {pod: 'web', container: 'php'},
  ];
  const losses = [{number: 3, source: 1, why: 'x'}];
  const {gaps} = takeAll([
    numbered(1, ['14:30:01 a'], {serviceAt: at('14:00:01')}, {sources}),
    numbered(2, ['14:30:02 b'], {serviceAt: at('14:00:02')}, {sources, losses}),
  ]);
  expect(gaps).toMatchObject([{before: at('14:30:05')}]);
});

describe('a told loss whose ends are not in the order of time', () => {
  const sources = [
    {pod: 'web', container: 'app'},
    {pod: 'web', container: 'php'},
  ];
  const loss = {number: 3, source: 1, after: at('14:30:01'), why: 'x'};
  const first = numbered(1, ['14:30:01 a'], {serviceAt: at('14:00:01')}, {sources, runs: [[1, 1]]});

  test('begins ahead of the lines that the clock of its pod gave since', () => {
    const next = numbered(2, ['13:50:00 b'], {serviceAt: at('14:00:02')}, {sources, losses: [loss]});
    // Two seconds passed at most, and one second lines may be late.
    expect(takeAll([first, next]).gaps).toMatchObject([{after: at('13:49:57')}]);
    const beside = numbered(2, ['14:30:00 b'], {serviceAt: at('14:00:02')}, {sources, losses: [loss]});
    expect(takeAll([first, beside]).gaps).toMatchObject([{after: at('14:30:01')}]);
  });

  test('begins as much earlier as lines were late before', () => {
    const late = numbered(2, ['14:29:31 b'], {serviceAt: at('14:00:02')}, {sources, runs: [[1, 1]]});
    const told = numbered(3, [], {serviceAt: at('14:00:03')}, {sources, losses: [loss]});
    expect(takeAll([first, late, told]).gaps).toMatchObject([{after: at('14:29:31')}]);
  });

  test('ends after the newest line of its source if the one after it is a late one', () => {
    const ends = {after: at('14:30:00'), before: at('14:30:00')};
    const next = numbered(
      2,
      ['14:30:00 b', '14:30:00 c'],
      {serviceAt: at('14:00:02')},
      {sources, runs: [[1, 2]], losses: [{...loss, ...ends}]},
    );
    expect(takeAll([first, next]).gaps).toMatchObject([{before: at('14:30:04')}]);
  });
});

test('late lines that the first windows show are hidden by shorter ones, which are full', () => {
  const says = {cut: 'branch'} as const;
  const late = ['14:00:01 x', '14:00:02 y'];
  const held = ['14:00:09 a', '14:00:10 b'];
  const {gaps} = takeAll([
    answer(held, says),
    answer([...late, ...held, '14:00:11 c'], says),
    answer([...held, '14:00:11 c', '14:00:12 d', '14:00:13 e'], says),
  ]);
  expect(gaps).toMatchObject([{reason: 'short-window'}]);
});

test('late lines of one time that reach down to the front may follow others that are cut off', () => {
  const held = ['14:00:00 a', '14:00:00 b', '14:00:00 c'];
  const late = ['13:00:00 x', '13:00:00 y', '13:00:00 z'];
  const says = {cut: 'branch'} as const;
  expect(takeAll([answer(held, says), answer([...late, ...held], says)]).gaps).toMatchObject([
    {reason: 'short-window'},
  ]);
});

test('a loss that is told with fewer lines than were read is no older answer', () => {
  const losses = [{number: 4, source: 0, why: 'x'}];
  const {gaps} = takeAll([
    numbered(1, ['14:00:01 a', '14:00:02 b', '14:00:03 c'], {serviceAt: at('14:00:03')}),
    numbered(1, ['14:00:01 a'], {serviceAt: at('14:10:00')}, {losses}),
  ]);
  expect(gaps).toMatchObject([{reason: 'told', after: at('14:00:02')}]);
});

describe('a number that stands for another line', () => {
  const says = {proof: 'inferred', distrusted: {series: 'a'}};

  test('contradicts the series though that line is held with another number', () => {
    const first = numbered(1, ['14:00:01 x', '14:00:01 x', '14:00:01 y']);
    const {log, gaps} = takeAll([first, numbered(1, ['14:00:01 x', '14:00:01 y', '14:00:01 y'])]);
    expect([log, gaps]).toMatchObject([says, [{reason: 'contradicted'}]]);
  });

  test('contradicts it in an answer that is shorter than the one before, and no newer', () => {
    const runs = {
      numbers: [
        [3, 1],
        [1, 2],
      ] as const,
    };
    const {log} = takeAll([
      numbered(3, ['14:00:02 c', '14:00:02 a', '14:00:02 b'], {}, runs),
      numbered(1, ['14:00:02 d']),
    ]);
    expect(log).toMatchObject(says);
  });

  test('contradicts it where it stands for no line', () => {
    const losses = [{number: 2, lines: 1, why: '', isNoLine: true}] as const;
    const {log, gaps} = takeAll([numbered(1, ['14:00:01 a', '14:00:02 b']), numbered(1, [], {}, {losses, last: 1})]);
    expect([log, gaps]).toMatchObject([says, [{reason: 'contradicted'}]]);
  });

  test('contradicts it where it stands for no line, though 33 lines were shown twice since then', () => {
    const losses = [{number: 2, lines: 1, why: '', isNoLine: true}] as const;
    const lines = Array.from({length: 33}, (_, index) => `14:00:01 ${index}`);
    const {log} = takeAll([numbered(1, lines), numbered(1, lines), numbered(1, [], {}, {losses, last: 1})]);
    expect(log).toMatchObject(says);
  });

  test('contradicts it where the stamps differ in decimals that both have', () => {
    const [first, next] = ['2026-11-21T14:00:00.000000000Z x', '2026-11-21T14:00:00.050000000Z x'];
    expect(takeAll([numbered(1, [first]), numbered(1, [next])]).log).toMatchObject(says);
    expect(takeAll([numbered(1, [next]), numbered(1, ['2026-11-21T14:00:00Z x'])]).log.proof).toBe('counted');
  });

  test('still tells what is missing after the last number, and proves nothing', () => {
    const lying = [numbered(1, ['14:00:01 a', '14:00:03 c']), numbered(1, ['14:00:03 c', '14:00:04 d'])];
    const joined = numbered(2, ['14:00:04 d', '14:00:05 e']);
    expect(takeAll([...lying, joined]).gaps).toHaveLength(1);
    const hole = [
      [3, 1],
      [6, 1],
    ] as const;
    const {gaps, log} = takeAll([...lying, joined, numbered(3, ['14:00:05 e', '14:00:09 i'], {}, {numbers: hole})]);
    expect(gaps).toMatchObject([{reason: 'contradicted'}, {reason: 'moved-on', before: at('14:00:09')}]);
    expect(log.proof).toBe('inferred');
    const gone = {losses: [{number: 5, lines: 1, why: 'gone'}]};
    expect(takeAll([...lying, numbered(2, ['14:00:04 d', '14:00:05 e'], {}, gone)]).gaps).toMatchObject([
      {reason: 'contradicted'},
      {reason: 'moved-on'},
    ]);
  });

  test('is of a log that is not silent: what came after empty answers may follow more', () => {
    const many = ['14:00:03 d', '14:00:04 e', '14:00:05 f', '14:00:06 g'];
    const {gaps} = takeAll([
      numbered(1, ['14:00:01 a', '14:00:02 b']),
      numbered(1, many),
      numbered(1, [], {}, {last: 0}),
      numbered(1, ['14:00:09 j']),
    ]);
    expect(gaps).toMatchObject([{reason: 'contradicted'}, {reason: 'empty', before: at('14:00:09')}]);
  });

  test('puts in doubt what came without numbers before', () => {
    const came = ['14:00:05 b', '14:00:11 c'];
    const {gaps} = takeAll([numbered(1, ['14:00:10 a']), answer(came), numbered(1, came)]);
    expect(gaps).toMatchObject([{reason: 'contradicted', after: at('14:00:04')}]);
  });

  test('does not where the lines are equal, or only written otherwise', () => {
    const first = numbered(1, ['14:00:01 x', '14:00:01 x', 'unstamped']);
    const next = numbered(2, ['14:00:01 x', 'unstamped ', '14:00:03 y']);
    expect(takeAll([first, next]).log).toMatchObject({proof: 'counted', gapCount: 0});
  });

  test('leaves a gap that ends by the clock of a pod that is ahead', () => {
    const {gaps} = takeAll([
      numbered(1, ['14:30:01 a', '14:30:02 b'], {serviceAt: at('14:00:02')}),
      numbered(1, ['14:30:02 b', '14:30:09 c'], {serviceAt: at('14:00:09')}),
    ]);
    expect(gaps).toMatchObject([{reason: 'contradicted', before: at('14:30:10')}]);
  });
});

test('an answer that has nothing but a stamp that is no clock’s bounds no later loss', () => {
  const {gaps} = takeAll([
    numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')}),
    {...numbered(2, ['x'], {serviceAt: at('14:00:02')}), lines: ['2024-11-21T14:00:02.000000000Z forged']},
    numbered(5, ['14:00:05 b'], {serviceAt: at('14:00:05')}),
  ]);
  expect(gaps).toMatchObject([{after: at('14:00:00'), before: at('14:00:06')}]);
});

test.each(grades)(
  'an item that is no line is told of at once, though the answer lacks the newest line ($grade)',
  ({says}) => {
    const {gaps} = takeAll([
      answer(['14:00:01 a', '14:00:02 b', '14:00:03 c'], says),
      answer(['14:00:01 a', '14:00:02 b'], {...says, notLines: [2]}),
    ]);
    expect(gaps).toMatchObject([{reason: 'not-lines'}]);
  },
);

test('lines that came without numbers are not those of a hole ahead of one that is older', () => {
  const came = ['14:00:04 d', '14:00:05 e', '14:00:06 f'];
  const {gaps} = takeAll([
    numbered(1, ['14:00:01 a']),
    answer(came),
    numbered(4, came.slice(0, 1), {serviceAt: at('14:00:06')}),
  ]);
  expect(gaps).toMatchObject([{reason: 'moved-on', missingLines: 2}]);
});

test('lines that came without numbers are known by them though an older answer came in between', () => {
  const texts = ['14:00:01 a', '14:00:02 b', '14:00:03 c'];
  const {lines} = takeAll([
    numbered(1, texts.slice(0, 1)),
    answer(texts),
    numbered(2, [], {}, {first: 2}),
    numbered(1, texts),
  ]);
  expect(lines).toEqual(texts);
});

describe('lines with numbers that were missed and turn up', () => {
  const [first, later] = [numbered(1, ['14:00:01 a']), numbered(4, ['14:00:04 d', '14:00:05 e'])];

  test('in an older answer are taken, and what is known of the log stays', () => {
    const {lines, log} = takeAll([first, later, numbered(2, ['14:00:02 b', '14:00:03 c'])]);
    expect(lines.map(text => text.slice(9))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([log.numbered?.last, log.proof, log.gapCount]).toEqual([5, 'counted', 1]);
  });

  test('in an older answer are taken though a clock was set back', () => {
    const {lines, log} = takeAll([first, later, numbered(2, ['13:00:02 b', '13:00:03 c'])]);
    expect([lines.map(text => text.slice(9)), log.gapCount]).toEqual([['b', 'c', 'a', 'd', 'e'], 1]);
  });

  test('beside new ones are taken, too', () => {
    const {lines, log} = takeAll([first, later, numbered(3, ['14:00:03 c', '14:00:04 d', '14:00:05 e', '14:00:06 f'])]);
    expect(lines.map(text => text.slice(9))).toEqual(['a', 'c', 'd', 'e', 'f']);
    expect([log.numbered?.last, log.proof, log.gapCount]).toEqual([6, 'counted', 1]);
  });
});

describe('a service that counts what arrived', () => {
  const counted = (last: number, dropped: number, texts: readonly string[]) =>
    answer(texts, {arrivals: {series: 'a', last, dropped}, cut: 'source', sources: 2});

  test('contradicts itself where more lines came than it has given numbers, though none is newer', () => {
    const {gaps, log} = takeAll([
      counted(2, 0, ['14:00:01 a', '14:00:01 b']),
      counted(3, 0, ['14:00:01 b', '14:00:01 c', '14:00:01 d']),
    ]);
    expect(gaps).toMatchObject([{reason: 'contradicted'}]);
    expect(log).toMatchObject({proof: 'inferred', distrusted: {series: 'a'}});
  });

  test('contradicts itself in lines of which none has a stamp', () => {
    const {log} = takeAll([counted(2, 0, ['x a', 'x b']), counted(2, 0, ['x b', 'x c'])]);
    expect(log).toMatchObject({proof: 'inferred', distrusted: {series: 'a'}});
  });

  test('does not by a banner ahead of all that there is', () => {
    const banner = '13:00:00 === log ===';
    const {log} = takeAll([counted(1, 0, [banner, '14:00:01 a']), counted(2, 0, [banner, '14:00:01 a', '14:00:02 b'])]);
    expect(log.proof).toBe('counted');
  });

  test('tells equal lines that came while others left from within', () => {
    const {lines, gaps} = takeAll([
      counted(7, 0, ['14:00:01 quiet', ...['y', 'y', 'z', 'x', 'x', 'z'].map(text => `14:00:02 ${text}`)]),
      counted(10, 4, ['14:00:01 quiet', ...['x', 'x', 'z', 'x', 'y', 'z'].map(text => `14:00:02 ${text}`)]),
    ]);
    expect([lines.length, gaps]).toEqual([10, []]);
    expect(lines.filter(text => text.endsWith('y'))).toHaveLength(3);
  });

  test('tells frames that came again though the ones before had left', () => {
    const {lines, gaps} = takeAll([
      counted(3, 0, ['14:00:01 a', '  at run', '14:00:01 b']),
      counted(6, 3, ['14:00:01 c', '14:00:01 d', '14:00:01 e']),
      counted(9, 6, ['14:00:01 f', '  at run', '14:00:01 g']),
    ]);
    expect(lines.filter(text => text.endsWith('at run'))).toHaveLength(2);
    expect(gaps).toEqual([]);
  });
});

test('a loss that is told at the number of another, for another reason, is another', () => {
  const gone = {number: 4, why: 'gone', lines: 2};
  const {log} = takeAll([
    numbered(1, ['14:00:01 a'], {serviceAt: at('14:00:01')}, {losses: [gone]}),
    numbered(4, [], {serviceAt: at('14:00:02')}, {losses: [{number: 4, why: 'emptied'}]}),
  ]);
  expect(log.gapCount).toBe(2);
});
