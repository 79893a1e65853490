import {describe, expect, test} from 'vitest';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {completePieces, growLines} from '#log/ingest/window/grow-lines.ts';
import {readWindow} from '#log/window/window-line.ts';
import {finishWork} from '#log/work.ts';
import {pausesIn} from '../../pauses-in.ts';
import {line, short} from '../../simulation/lines-at.ts';
import {linesOf} from '../../simulation/subject.ts';

const take = (log: BranchLog, ...texts: readonly string[]) =>
  takeWindow(log, {lines: texts.map(line), pods: [{name: 'a', createdAt: '1'}], cut: 'branch'});
const held = (log: BranchLog): readonly string[] => linesOf(log).map(({raw}) => short(raw));

/** What is held after windows, one after the other, and what the last of them handed out; `+` marks what has grown. */
const after = (...windows: readonly (readonly string[])[]) => {
  let log = createBranchLog(1e6);
  let added: readonly string[] = [];
  for (const texts of windows) {
    const taken = take(log, ...texts);
    ({log} = taken);
    added = taken.added.map(entry =>
      entry.kind === 'line' ? `${entry.grown === true ? '+ ' : ''}${short(entry.raw)}` : entry.kind,
    );
  }
  return {held: held(log), added};
};

describe('a line that was read while it was being written takes the place of its piece', () => {
  test.each([
    {
      what: 'as the last line',
      windows: [
        ['1 a', '2 GET /che'],
        ['1 a', '2 GET /checkout', '3 c'],
      ],
      held: ['1 a', '2 GET /checkout', '3 c'],
      added: ['+ 2 GET /checkout', '3 c'],
    },
    {
      what: 'ahead of a line of another source',
      windows: [
        ['1 a', '2 GET /che', '3 other'],
        ['2 GET /checkout', '3 other', '4 d'],
      ],
      held: ['1 a', '2 GET /checkout', '3 other', '4 d'],
      added: ['+ 2 GET /checkout', '4 d'],
    },
    {
      what: 'of two sources at once',
      windows: [
        ['1 a', '2 GET /che', '3 PUT /c'],
        ['1 a', '2 GET /checkout', '3 PUT /cart', '4 d'],
      ],
      held: ['1 a', '2 GET /checkout', '3 PUT /cart', '4 d'],
      added: ['+ 2 GET /checkout', '+ 3 PUT /cart', '4 d'],
    },
    {
      what: 'piece by piece',
      windows: [
        ['1 a', '2 GET'],
        ['1 a', '2 GET /che'],
        ['1 a', '2 GET /checkout'],
      ],
      held: ['1 a', '2 GET /checkout'],
      added: ['+ 2 GET /checkout'],
    },
    {
      what: 'though others have its time, where it stands after the same line',
      windows: [
        ['1 a', '2 b', '2 GET /che'],
        ['1 a', '2 b', '2 GET /checkout', '3 c'],
      ],
      held: ['1 a', '2 b', '2 GET /checkout', '3 c'],
      added: ['+ 2 GET /checkout', '3 c'],
    },
    {
      what: 'though others have its time, where the line that followed it does so still',
      windows: [
        ['1 a', '2 GET /che', '2 b'],
        ['1 a', '2 GET /checkout', '2 tie', '2 b'],
      ],
      held: ['1 a', '2 GET /checkout', '2 tie', '2 b'],
      added: ['+ 2 GET /checkout', '2 tie'],
    },
    {
      what: 'though others have its time, where the line after which it stands and the one that followed have grown too',
      windows: [
        ['1 a', '2 GET', '2 PUT /c', '2 POST'],
        ['1 a', '2 GET /', '2 PUT /cart', '2 POST /', '3 c'],
      ],
      held: ['1 a', '2 GET /', '2 PUT /cart', '2 POST /', '3 c'],
      added: ['+ 2 GET /', '+ 2 PUT /cart', '+ 2 POST /', '3 c'],
    },
    {
      what: 'though others have its time, wherever it stands, where lines ahead of it stay and nothing else is gone',
      windows: [
        ['1 a', '2 GET', '2 b'],
        ['1 a', '2 b', '2 c', '2 GET /', '3 z'],
      ],
      held: ['1 a', '2 GET /', '2 b', '2 c', '3 z'],
      added: ['+ 2 GET /', '2 c', '3 z'],
    },
    {
      what: 'ahead of a line without a timestamp of another source',
      windows: [
        ['1 a', '1 GET', '\tat x'],
        ['1 a', '1 GET /', '\tat x', '2 z'],
      ],
      held: ['1 a', '1 GET /', '\tat x', '2 z'],
      added: ['+ 1 GET /', '2 z'],
    },
    {
      what: 'in its place, though the line that followed is gone, of another time',
      windows: [
        ['1 a', '2 GET', '3 b'],
        ['1 a', '2 GET /', '3 c'],
      ],
      held: ['1 a', '2 GET /', '3 b', '3 c'],
      added: ['+ 2 GET /', 'gap', '3 c'],
    },
    {
      what: 'at the end of its part, though another part that follows has moved on at the same time',
      windows: [
        ['2 quiet', '2 GET', '2 b', '2 c'],
        ['2 quiet', '2 GET /', '2 new', '2 newer', '2 c', '2 d'],
      ],
      held: ['2 quiet', '2 GET /', '2 b', '2 new', '2 newer', '2 c', '2 d'],
      added: ['+ 2 GET /', 'gap', '2 new', '2 newer', '2 d'],
    },
    {
      what: 'and ends without the white space that a replica put there',
      windows: [
        ['1 a', '2 GET /che '],
        ['1 a', '2 GET /checkout'],
      ],
      held: ['1 a', '2 GET /checkout'],
      added: ['+ 2 GET /checkout'],
    },
    {
      what: 'though it has no timestamp',
      windows: [
        ['1 a', '\tat com.exa'],
        ['1 a', '\tat com.example.Shop', '2 b'],
      ],
      held: ['1 a', '\tat com.example.Shop', '2 b'],
      added: ['+ \tat com.example.Shop', '2 b'],
    },
  ])('$what', ({windows, held: lines, added}) => {
    expect(after(...windows)).toEqual({held: lines, added});
  });
});

test('a line that lacked only white space, and has it in an answer with other decimals, is not shown again', () => {
  const answers = [
    ['2026-11-21T14:02:00.000Z a', '2026-11-21T14:02:01.000Z GET /che'],
    ['2026-11-21T14:02:00.000000000Z a', '2026-11-21T14:02:01.000000000Z GET /che  '],
  ];
  let log = createBranchLog(1e6);
  const added = answers.map(lines => {
    const taken = takeWindow(log, {lines, pods: [{name: 'a', createdAt: '1'}], cut: 'branch'});
    ({log} = taken);
    return taken.added.length;
  });
  expect([linesOf(log).map(({raw}) => raw.trimEnd()), added]).toEqual([answers[0], [2, 0]]);
});

describe('a line that begins like another is none that has grown', () => {
  test.each([
    {
      what: 'where the other is still there',
      windows: [
        ['1 a', '2 GET', '3 z'],
        ['1 a', '2 GET /', '2 GET', '3 z'],
      ],
      held: ['1 a', '2 GET /', '2 GET', '3 z'],
    },
    {
      what: 'with another text',
      windows: [
        ['1 a', '2 GET'],
        ['1 a', '2 PUT /cart', '3 z'],
      ],
      held: ['1 a', '2 GET', '2 PUT /cart', '3 z'],
    },
    {
      what: 'where it was all there was, and others have its time now',
      windows: [['2 GET'], ['2 GET /', '2 b']],
      held: ['2 GET', '2 GET /', '2 b'],
    },
    {
      what: 'where it was there before',
      windows: [
        ['1 a', '2 GET', '2 GET /', '3 z'],
        ['1 a', '2 GET /', '3 z', '4 b'],
      ],
      held: ['1 a', '2 GET', '2 GET /', '3 z', '4 b'],
    },
    {
      what: 'of another time',
      windows: [
        ['1 a', '2 GET'],
        ['1 a', '3 GET /', '4 b'],
      ],
      held: ['1 a', '2 GET', '3 GET /', '4 b'],
    },
    {
      what: 'where it was the first, and what followed is gone',
      windows: [
        ['2 GET', '2 b'],
        ['2 GET /', '2 bc'],
      ],
      held: ['2 GET', '2 b', '2 GET /', '2 bc'],
    },
    {
      what: 'where two others may have become it',
      windows: [
        ['1 a', '2 GET', '2 GET /c'],
        ['1 a', '2 GET /checkout', '3 z'],
      ],
      held: ['1 a', '2 GET', '2 GET /c', '2 GET /checkout', '3 z'],
    },
    {
      what: 'in whose place it stands where one of its time left after those that stay: so may that have',
      windows: [
        ['1 quiet', '2 GET', '2 b'],
        ['1 quiet', '2 GET /', '2 c'],
      ],
      held: ['1 quiet', '2 GET', '2 b', '2 GET /', '2 c'],
    },
    {
      what: 'in whose place it stands where as many have come there as left: so may that have',
      windows: [
        ['2 quiet', '2 GET', '2 b', '2 other'],
        ['2 quiet', '2 GET /', '2 c', '2 other'],
      ],
      held: ['2 quiet', '2 GET', '2 b', '2 GET /', '2 c', '2 other'],
    },
    {
      what: 'where two of its time left after those that stay, and each new one begins like one of them',
      windows: [
        ['1 quiet', '1 quiet', '2 line 1', '2 line 2'],
        ['1 quiet', '1 quiet', '2 line 10', '2 line 20'],
      ],
      held: ['1 quiet', '1 quiet', '2 line 1', '2 line 2', '2 line 10', '2 line 20'],
    },
    {
      what: 'where only lines without a timestamp stand beside it',
      windows: [
        ['1 a', '\tat x', '\tat'],
        ['1 a', '\tat x', '\tat y', '2 b'],
      ],
      held: ['1 a', '\tat x', '\tat', '\tat y', '2 b'],
    },
  ])('$what', ({windows, held: lines}) => {
    const {held: found, added} = after(...windows);
    expect([found, added.filter(text => text.startsWith('+'))]).toEqual([lines, []]);
  });
});

test('of two equal pieces beside copies none is taken for one that grew: copies prove nothing', () => {
  const {added} = after(['2 x', '2 G', '2 x', '2 G'], ['2 x', '2 GET', '3 z']);
  expect(added.filter(text => text.startsWith('+'))).toEqual([]);
});

test('however many lines share a time, the place tells what has grown', () => {
  const lines = Array.from({length: 100}, (_, index) => `2 line ${index}`);
  expect(after([...lines, '2 GET'], [...lines, '2 GET /']).added).toEqual(['+ 2 GET /']);
  expect(after([...lines, '2 GET'], [...lines, '2 b', '2 GET /']).added).toContain('+ 2 GET /');
});

test('a piece that has left the buffer is handed out no more, and the line is not added as another', () => {
  // Room for two lines.
  const small = take(createBranchLog(90), '1 GET /', '2 b', '3 c').log;
  expect(held(small)).toEqual(['2 b', '3 c']);
  const grown = take(small, '1 GET /checkout', '2 b', '3 c', '4 d');
  expect([grown.added.map(entry => entry.kind === 'line' && short(entry.raw)), grown.tooLate]).toEqual([['4 d'], []]);
});

test('the line has a number of its own, as one that came later, and stays late', () => {
  const first = take(createBranchLog(1e6), '1 a', '5 e').log;
  const late = take(first, '1 a', '3 GET', '5 e');
  const grown = take(late.log, '1 a', '3 GET /', '5 e');
  const [piece, whole] = [late.added[0], grown.added[0]];
  expect(whole).toMatchObject({kind: 'line', late: true, grown: true, raw: line('3 GET /')});
  expect(whole?.id).toBeGreaterThan(piece?.id ?? Number.POSITIVE_INFINITY);
  expect(linesOf(grown.log)[1]).toMatchObject({id: whole?.id});
});

test('a replica may write the stamp of what has grown otherwise', () => {
  const raws = (...lines: readonly string[]) => ({lines, pods: [], cut: 'branch'}) as const;
  const {log} = takeWindow(
    createBranchLog(1e6),
    raws('2026-11-21T14:02:01.500Z a', '2026-11-21T14:02:02.500Z GET /che'),
  );
  const taken = takeWindow(log, raws('2026-11-21T14:02:01.500000Z a', '2026-11-21T14:02:02.500000Z GET /checkout'));
  expect(linesOf(taken.log).map(({raw}) => raw.slice(raw.indexOf(' ') + 1))).toEqual(['a', 'GET /checkout']);
});

test('what was begun with a stamp of milliseconds and goes on with nanoseconds keeps its first stamp', () => {
  const raws = (...lines: readonly string[]) =>
    ({
      lines: lines.map(text => `2026-11-21T14:02:${text}`),
      pods: [],
      cut: 'branch',
    }) as const;
  const {log} = takeWindow(createBranchLog(1e6), raws('01.500Z a', '02.503Z GET /che'));
  const taken = takeWindow(log, raws('01.500671000Z a', '02.503123000Z GET /checkout', '03.5Z b'));
  expect(linesOf(taken.log).map(({raw}) => raw.slice(17))).toEqual(['01.500Z a', '02.503Z GET /checkout', '03.5Z b']);
});

test('an older answer that shows a piece again brings nothing', () => {
  const older = ['1 a', '2 b', '3 GET /che'];
  const {held: lines, added} = after(
    older,
    ['1 a', '2 b', '3 GET /checkout', '4 d'],
    ['2 b', '3 GET /checkout', '4 d', '5 e'],
    older,
  );
  expect([lines, added]).toEqual([['1 a', '2 b', '3 GET /checkout', '4 d', '5 e'], []]);
});

test('of equal pieces at one time each becomes its own line', () => {
  const {held: lines} = after(
    ['1 a', '2 x', '2 PU', '2 y', '2 PU'],
    ['1 a', '2 x', '2 PUT /1', '2 y', '2 PUT /2', '3 z'],
  );
  expect(lines).toEqual(['1 a', '2 x', '2 PUT /1', '2 y', '2 PUT /2', '3 z']);
});

test('of two lines that begin like a piece the one in its place goes on from it', () => {
  expect(after(['1 a', '2 GET', '3 y'], ['1 a', '2 GET /', '2 GET /b', '3 y', '4 z']).added).toEqual([
    ...['+ 2 GET /', '2 GET /b', '4 z'],
  ]);
});

test('sixteen pieces are remembered, and what a piece became first and last', () => {
  const pieces = (count: number) => Array.from({length: count}, (_, index) => `${10 + index} piece ${index}`);
  const whole = (count: number) => pieces(count).map(text => `${text} whole`);
  const remembered = (count: number) => {
    const first = take(createBranchLog(1e6), '1 a', ...pieces(count)).log;
    return [...take(first, '1 a', ...whole(count)).log.pieces].map(([piece]) => short(piece));
  };
  expect(remembered(16)).toEqual(pieces(16));
  expect(remembered(17)).toEqual(pieces(17).slice(1));
  // An older answer shows the first piece of a line that grew twice.
  const log = [
    ['1 a', '2 GET'],
    ['1 a', '2 GET /che'],
    ['1 a', '2 GET /checkout'],
  ].reduce((before, texts) => take(before, ...texts).log, createBranchLog(1e6));
  expect(take(log, '1 a', '2 GET').added).toEqual([]);
  // With something new in it, it is no older answer.
  expect(completePieces(log, ['1 a', '2 GET'].map(line))).toEqual(['1 a', '2 GET /checkout'].map(line));
  expect(completePieces(log, ['1 a', '2 GET', '3 b'].map(line))).toEqual(['1 a', '2 GET', '3 b'].map(line));
  // Both are lines of their own if both are there.
  expect(completePieces(log, ['2 GET', '2 GET /checkout'].map(line))).toEqual(['2 GET', '2 GET /checkout'].map(line));
  const raws = ['1 a'].map(line);
  expect(completePieces(log, raws)).toBe(raws);
});

test('the numbers tell that a line grew which stands elsewhere', () => {
  const window = (last: number, dropped: number, ...texts: readonly string[]) => ({
    lines: texts.map(line),
    pods: [],
    arrivals: {series: 'a', last, dropped},
  });
  const first = takeWindow(createBranchLog(1e6), window(4, 0, '2 x', '2 GET', '2 y', '2 y')).log;
  expect(held(takeWindow(first, window(5, 1, '2 y', '2 y', '2 z', '2 GET /')).log)).toEqual([
    ...['2 x', '2 GET /', '2 y', '2 y', '2 z'],
  ]);
  expect(held(takeWindow(first, window(6, 2, '2 y', '2 y', '2 z', '2 GET /')).log)).toEqual([
    ...['2 x', '2 GET', '2 y', '2 y', '2 z', '2 GET /'],
  ]);
});

test('looking for pieces pauses each 512 lines', () => {
  const texts = Array.from({length: 1025}, (_, index) => line(`${index + 1} a`));
  const log = take(createBranchLog(1e9), ...texts.map(short)).log;
  const now = finishWork(readWindow(texts, () => []));
  expect(pausesIn(growLines(log, now)).pauses).toBeGreaterThanOrEqual(2);
  expect(pausesIn(growLines(log, now)).pauses).toBeLessThanOrEqual(6);
});
