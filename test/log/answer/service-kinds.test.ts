import {describe, expect, test} from 'vitest';
import {takeWindow} from '../../../src/log/answer/take-window.ts';
import {sliceEntries} from '../../../src/log/buffer/buffer.ts';
import type {GapMarker} from '../../../src/log/line/entry.ts';
import {type Instant, parseInstant} from '../../../src/log/line/instant.ts';
import type {Numbering} from '../../../src/log/line/numbering.ts';
import {type BranchLog, createBranchLog, type LogWindow} from '../../../src/log/merge/branch-log.ts';

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
    expect(takeAll([first, answer(came, {...counted(603, 600), ...times[1]})]).gaps).toMatchObject([
      {after: at('13:59:59'), before: at('14:00:07')},
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
