import {describe, expect, test} from 'vitest';
import {createBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {LossesInput} from '#log/ingest/numbered/loss-range.ts';
import {type FoundGaps, findGaps, lastTold, placeGaps} from '#log/ingest/numbered/place-losses.ts';
import {readNumbered} from '#log/ingest/numbered/read-numbered.ts';
import type {Numbered, NumberedGap, ToldLoss} from '#log/ingest/numbered.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Loss, Numbering} from '#log/window/window-claims.ts';
import {finishWork} from '#log/work.ts';
import {line, nanos} from '../../simulation/lines-at.ts';

const web: SourceName = {pod: 'web', container: 'nginx'};
const php: SourceName = {pod: 'web', container: 'php'};
const db: SourceName = {pod: 'db'};
const named = [web, php, db];
const second = 1_000_000_000n;

/** Up to number 4 everything was read; the last lines were of 10, and of `db` of 20. */
const before: Numbered = {
  ...{
    series: 'a',
    first: 1,
    last: 4,
    missingThrough: 0,
    shown: new Map(),
    sources: new Map(),
    lateness: 3n,
    serviceAt: undefined,
  },
  newest: new Map([
    [web, nanos(10)],
    [db, nanos(20)],
  ]),
  ...{
    seenAfter: new Map(),
    told: [],
    holes: undefined,
    tail: undefined,
    windowLines: 9,
    unnumberedAnswers: 0,
    cameByText: new Map(),
  },
};

type Plan = {
  readonly texts?: readonly string[];
  readonly numbering?: Partial<Numbering>;
  readonly before?: Partial<Numbered> | undefined;
  readonly more?: Partial<LossesInput>;
};

const gapsOf = (plan: Plan, losses: readonly Loss[] = []) => {
  const {texts = ['30 a'], more} = plan;
  const numbering: Numbering = {
    ...{series: 'a', first: 5, runs: [[0, 99]], sources: named, losses, ...plan.numbering},
  };
  const held = 'before' in plan && plan.before === undefined ? undefined : {...before, ...plan.before};
  const read = finishWork(
    readNumbered(texts.map(line), numbering, held?.last ?? 0, {named, newest: held?.newest ?? new Map()}),
  );
  return findGaps({
    ...{before: held, numbering, named, read, oldest: nanos(1), newest: nanos(30), serviceAt: undefined, ...more},
  });
};

/** The losses of an answer with their markers. */
const placed = ({told}: FoundGaps): readonly ToldLoss[] =>
  told.map((each, index) => ({...each, marker: {kind: 'gap', id: index + 1, ...each.marker}}));

/** The range in nanoseconds after 14:02, and where it is. */
const rangeOf = ([gap]: readonly NumberedGap[]) =>
  gap && [gap.after - nanos(0), gap.before - nanos(0), gap.at - nanos(0)];

describe('numbers without a line', () => {
  test('are a gap with their count, from the earliest of what the sources wrote last', () => {
    const {gaps, told} = gapsOf({numbering: {first: 8}});
    expect(gaps).toMatchObject([{reason: 'moved-on', missingLines: 3, proof: 'counted'}]);
    // The clock of `db` may have moved on by as much as that of `web`, and lines are late by three.
    expect(rangeOf(gaps)).toEqual([7n, 20n + 20n + 3n, 30n]);
    expect(told).toEqual([]);
  });

  test('are none ahead of the first answer', () => {
    expect(gapsOf({numbering: {first: 8}, before: undefined}).gaps).toEqual([]);
  });

  test('are explained by a loss that names no source', () => {
    const {gaps} = gapsOf({numbering: {first: 8}}, [{number: 8, why: 'rotated away', lines: 9}]);
    expect(gaps).toMatchObject([{reason: 'moved-on', missingLines: 3, why: 'rotated away', source: undefined}]);
    const both = gapsOf({numbering: {first: 8}}, [{number: 8, source: 0, why: 'too long', lines: 1}]).gaps;
    expect(both.map(({reason, missingLines}) => [reason, missingLines])).toEqual([
      ['told', 1],
      ['moved-on', 3],
    ]);
  });
});

describe('a loss that the service tells of', () => {
  const loss: Loss = {number: 5, source: 0, why: 'rotated away', lines: 2};

  test('is a gap of its source, from its line before to its line after', () => {
    const {gaps} = gapsOf({}, [loss]);
    expect(gaps).toMatchObject([{reason: 'told', source: web, missingLines: 2, why: 'rotated away'}]);
    expect(rangeOf(gaps)).toEqual([7n, 33n, 30n]);
  });

  test('between two lines of one moment is around it', () => {
    expect(rangeOf(gapsOf({texts: ['10 a'], more: {newest: nanos(20)}}, [loss]).gaps)).toEqual([7n, 13n, 10n]);
  });

  test('has the ends that the service tells', () => {
    expect(rangeOf(gapsOf({}, [{...loss, after: nanos(12), before: nanos(15)}]).gaps)).toEqual([12n, 15n, 15n]);
    expect(rangeOf(gapsOf({}, [{...loss, after: nanos(15), before: nanos(15)}]).gaps)).toEqual([14n, 15n, 15n]);
  });

  test('where the service tells of a clock that was set back is of either time, as far as time has passed', () => {
    expect(rangeOf(gapsOf({}, [{...loss, after: nanos(18), before: nanos(15)}]).gaps)).toEqual([
      15n - 20n - 3n,
      18n + 20n + 3n,
      15n,
    ]);
  });

  test('has no end that is more than a day from the clock of the service and from all lines', () => {
    const day = 86_400n * second;
    const far = (after: bigint, before: bigint) => rangeOf(gapsOf({}, [{...loss, after, before}]).gaps);
    expect(far(nanos(1) - day, nanos(30) + day)).toEqual([1n - day, 30n + day, 30n + day]);
    expect(far(nanos(0) - day, nanos(31) + day)).toEqual([7n, 33n, 30n]);
  });

  test('after which nothing has come ends with the time of the answer', () => {
    const quiet: Plan = {
      texts: [],
      before: {serviceAt: nanos(0) + 50n * second},
      more: {serviceAt: nanos(0) + 60n * second},
    };
    expect(rangeOf(gapsOf(quiet, [{...loss, after: nanos(10)}]).gaps)).toEqual([10n, 61n * second, 30n]);
  });

  test('is told once', () => {
    const told = (number: number, more: Plan = {}) => gapsOf(more, [{...loss, number}]);
    expect(told(5)).toMatchObject({gaps: [{}], told: [{isOpen: false}]});
    expect(told(5, {before: {last: 5, told: placed(told(5))}}).gaps).toEqual([]);
    // After the last line each answer tells it again.
    expect(told(6).told).toMatchObject([{number: 6, source: web, isOpen: true}]);
    const again = told(6, {before: {told: placed(told(6))}});
    expect([again.gaps, again.grown, again.told.length]).toEqual([[], [], 1]);
    expect(told(7, {before: {told: placed(told(6))}}).gaps).toHaveLength(1);
  });

  test('grows with what more is told of it', () => {
    const open: Loss = {...loss, number: 6, after: nanos(12)};
    const standing = placed(gapsOf({}, [open]));
    const grow = (more: Partial<Loss>) => gapsOf({before: {told: standing}}, [{...open, ...more}]).grown;
    expect(grow({})).toEqual([]);
    expect(grow({lines: 7})).toMatchObject([{id: 1, missingLines: 7, grows: true}]);
    expect(rangeOf(grow({before: nanos(99)}))).toEqual([12n, 99n, 30n]);
    // It never shrinks.
    expect(grow({before: nanos(13), lines: 1})).toEqual([]);
  });

  test('begins earlier if the line after it is older than the line ahead of it, whose stamp was no clock’s', () => {
    const at = (seconds: number) => nanos(0) + BigInt(seconds) * second;
    const open: Loss = {...loss, number: 6, after: at(7200)};
    const more = {serviceAt: at(95)};
    const told = placed(gapsOf({more: {serviceAt: at(90)}}, [open])).map(each => ({
      ...each,
      marker: {...each.marker, after: at(7200), before: at(7290)},
    }));
    const {grown} = gapsOf({before: {told, serviceAt: at(90)}, more}, [{...open, before: at(92)}]);
    // Of what a clock of whole seconds tells six have passed at most, and lines are late by three nanoseconds.
    expect(grown.map(({after}) => after - at(86))).toEqual([-3n]);
  });

  test('is another one than that of the same number if both are listed, or begin at different lines', () => {
    const open: Loss = {...loss, number: 6, after: nanos(12)};
    const first = gapsOf({}, [open]);
    expect(gapsOf({}, [open, open]).gaps).toHaveLength(2);
    const more = (losses: readonly Loss[]) => gapsOf({before: {told: placed(first)}}, losses);
    expect([more([open, open]).gaps.length, more([open, open]).told.length]).toEqual([1, 2]);
    expect(more([{...open, after: nanos(13)}]).gaps).toHaveLength(1);
    expect(more([{...open, count: 2}])).toMatchObject({gaps: [], told: [{count: 2}]});
  });

  test('ahead of the first answer is none', () => {
    const first = (number: number) => gapsOf({before: undefined}, [{...loss, number}]).gaps.length;
    expect([first(5), first(6)]).toEqual([0, 1]);
  });

  test('may be of something that is no line', () => {
    expect(gapsOf({}, [{...loss, isNoLine: true}]).gaps).toMatchObject([{reason: 'not-lines'}]);
  });

  test('of a source that wrote nothing before is from the oldest line to its own', () => {
    expect(rangeOf(gapsOf({numbering: {runs: [[1, 1]]}}, [{...loss, source: 1}]).gaps)).toEqual([1n, 30n, 30n]);
  });

  test('of a source that wrote nothing since may last as long as the others went on', () => {
    // Twenty passed by the line of `web`; nothing is of the pod of `db`.
    expect(rangeOf(gapsOf({}, [{...loss, source: 2}]).gaps)).toEqual([17n, 43n, 30n]);
    // `php` shares the clock of its pod, which was set back.
    const plan: Plan = {
      texts: ['5 a'],
      before: {
        newest: new Map([
          [web, nanos(4)],
          [php, nanos(10)],
        ]),
      },
    };
    expect(rangeOf(gapsOf(plan, [{...loss, source: 1}]).gaps)).toEqual([5n - 1n - 3n, 30n, 30n]);
  });

  test('where a clock was set back is of either time', () => {
    const {gaps} = gapsOf({texts: ['4 a'], more: {newest: nanos(20)}}, [loss]);
    // No line went on by any clock: an hour may have passed.
    expect(rangeOf(gaps)).toEqual([4n - 3600n * second - 3n, 10n + 3600n * second + 3n, 4n]);
  });
});

describe('how much time passed', () => {
  test('is told by the clock of the service, whose seconds are whole', () => {
    const plan: Plan = {before: {serviceAt: nanos(0)}, more: {serviceAt: nanos(0) + 5n * second}};
    expect(rangeOf(gapsOf(plan, [{number: 5, source: 2, why: 'x'}]).gaps)).toEqual([17n, 20n + 6n * second + 3n, 30n]);
    const half: Plan = {more: {serviceAt: nanos(0) + 5n * second}};
    expect(rangeOf(gapsOf(half, [{number: 5, source: 2, why: 'x'}]).gaps)).toEqual([17n, 6n * second, 30n]);
  });

  test('and where no line is held, a loss is at that time', () => {
    const empty: Plan = {texts: [], before: {newest: new Map()}};
    const loss: Loss = {number: 9, why: 'x'};
    const at = (more: Partial<LossesInput>, serviceAt?: bigint) =>
      rangeOf(
        gapsOf(
          {...empty, before: {newest: new Map(), serviceAt}, more: {oldest: undefined, newest: undefined, ...more}},
          [loss],
        ).gaps,
      );
    expect(at({serviceAt: nanos(50)}, nanos(40))).toEqual([40n - 3n, 50n + second, 50n + second]);
    expect(at({serviceAt: nanos(50)})).toEqual([50n, 50n + second, 50n + second]);
    expect(at({}, nanos(40))).toEqual([39n, 40n, 40n]);
    expect(at({oldest: nanos(7)})).toEqual([6n, 7n, 7n]);
  });
});

test.each<readonly [string, readonly Loss[], number]>([
  ['none is told', [], 0],
  ['they follow the last line', [{number: 8, why: 'x', lines: 3}], 7],
  [
    'some of several do',
    [
      {number: 8, why: 'x', lines: 3},
      {number: 12, source: 0, why: 'x'},
    ],
    11,
  ],
  ['they begin later', [{number: 9, why: 'x', lines: 3}], 0],
  ['they are of one source', [{number: 8, source: 0, why: 'x', lines: 3}], 0],
  ['nobody knows how many', [{number: 8, why: 'x'}], 0],
])('the last of the numbers without a line, after 4, where %s', (_, losses, last) => {
  expect(lastTold({series: 'a', first: 9, runs: [], sources: [], losses}, 4)).toBe(last);
});

test('a gap is ahead of the line that follows it, or after what was held', () => {
  const edit = editBuffer(createBuffer(1e9));
  for (const at of [10, 20]) {
    edit.insert({kind: 'line', id: edit.takeId(), at: nanos(at), raw: 'x', textIndex: 0, late: false});
  }
  const gapAt = (at: number): NumberedGap => ({at: nanos(at), after: nanos(1), before: nanos(at)});
  const found = (gaps: readonly NumberedGap[]): FoundGaps => ({
    gaps,
    grown: [],
    told: [],
    holes: undefined,
    tail: undefined,
  });
  const {markers} = placeGaps(edit, found([gapAt(10), gapAt(20)]), nanos(10));
  expect(markers.map(({kind, id}) => [kind, id])).toEqual([
    ['gap', 3],
    ['gap', 4],
  ]);
  expect(sliceEntries(edit.finish(), 0, 9).map(({id}) => id)).toEqual([1, 3, 4, 2]);
  const other = editBuffer(edit.finish());
  placeGaps(other, found([gapAt(10)]), undefined);
  expect(sliceEntries(other.finish(), 0, 9).map(({id}) => id)).toEqual([5, 1, 3, 4, 2]);
});
