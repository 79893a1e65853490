import {describe, expect, test} from 'vitest';
import {
  createRecoveryWatch,
  judgeGoneAtEnd,
  judgeRecovery,
  type RecoveryAnswer,
  takeRecoveryAnswer,
} from '#log/incident/recovery-watch.ts';
import type {Entry, GapReason, SourceName} from '#log/line/entry.ts';
import {instantFromMs} from '#log/line/instant.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const at = (second: number) => instantFromMs(startMs + second * 1000);
const [api, web] = [{pod: 'api-1'}, {pod: 'web-1'}];

type Said = {readonly second: number; readonly text: string; readonly source: SourceName | undefined};

/** What a pod writes: api a FATAL every eight seconds, for ever, and both a line a second. */
const saidBetween = (from: number, to: number): readonly Said[] =>
  Array.from({length: to - from}, (_, index) => from + index).flatMap(second => [
    {second, text: second % 8 === 0 ? 'FATAL cannot charge' : 'INFO order stored', source: api},
    {second, text: 'INFO page served', source: web},
  ]);

/** What one answer has of it: `hides` lines that are there, stamps as `clock` says, and tells things of itself. */
type Blindness = {
  readonly hides?: (said: Said) => boolean;
  readonly clock?: (second: number, source: SourceName | undefined) => number;
  /** Nobody says who wrote a line. */
  readonly isNameless?: boolean;
  readonly isOutage?: boolean;
  readonly told?: Partial<RecoveryAnswer>;
  readonly markers?: readonly Entry[];
};

const seconds = {step: 5, end: 300};
const isFatal = ({text}: Said): boolean => text.startsWith('FATAL');
const isOf =
  (source: SourceName) =>
  (said: Said): boolean =>
    said.source === source;
const gapOf = (second: number, reason: GapReason, source?: SourceName): Entry => ({
  ...{kind: 'gap', id: 1, at: at(second), after: at(second - 5), before: at(second), reason, source},
});

/** The judgements of a watch for half a minute, at each answer. */
const judgementsOf = (blindnessAt: (second: number) => Blindness): readonly string[] => {
  let watch = createRecoveryWatch(({raw}) => raw.startsWith('FATAL'), 30_000);
  const judgements: string[] = [];
  for (let second = 0; second <= seconds.end; second += seconds.step) {
    const {hides, clock = each => each, isNameless, isOutage, told, markers = []} = blindnessAt(second);
    const came: readonly Entry[] = saidBetween(second === 0 ? -60 : second - seconds.step, second)
      .filter(said => hides?.(said) !== true)
      .map(said => ({
        ...{kind: 'line', id: 1, at: at(clock(said.second, said.source)), raw: said.text, textIndex: 0, late: false},
        source: isNameless ? undefined : said.source,
      }));
    watch = takeRecoveryAnswer(
      watch,
      isOutage
        ? undefined
        : {
            ...{cameMs: second * 1000, proof: 'counted', isNumbered: true, notLineCount: 0, isUnreadable: false},
            ...{podNames: ['api-1', 'web-1'], hasMore: false},
            ...told,
          },
      isOutage ? [] : [...came, ...markers],
    );
    judgements.push(judgeGoneAtEnd(watch).verdict);
    // A run ends there.
    if (judgeRecovery(watch).verdict === 'gone') {
      break;
    }
  }
  return judgements;
};

const minute = 60;
const ofApi = (offset: (second: number) => number) => (): Blindness => ({
  clock: (second, source) => (source === api ? offset(second) : second),
});
const ofAll = (offset: (second: number) => number) => (): Blindness => ({clock: offset});

/** All lines come, and only clocks are wrong: it is still there, whatever they say. */
const clocks: Readonly<Record<string, (second: number) => Blindness>> = {
  'a pod two minutes behind': ofApi(second => second - 2 * minute),
  'a pod two minutes ahead': ofApi(second => second + 2 * minute),
  'a pod an hour behind': ofApi(second => second - 60 * minute),
  'a pod an hour ahead': ofApi(second => second + 60 * minute),
  'a pod two days behind': ofApi(second => second - 2880 * minute),
  'a pod in 1970': ofApi(second => second - startMs / 1000),
  'a pod whose clock stands still': ofApi(() => -40),
  'a pod whose clock is set back each minute': ofApi(second => second % minute),
  'a pod whose clock runs ten times as fast': ofApi(second => 10 * second),
  'a pod whose clock jumps an hour ahead at second 20': ofApi(second => (second < 20 ? second : second + 3600)),
  'a pod whose clock runs backwards': ofApi(second => -second),
  'all pods two minutes behind': ofAll(second => second - 2 * minute),
  'all pods an hour ahead': ofAll(second => second + 60 * minute),
  'local time stamped as UTC': ofAll(second => second + 120 * minute),
  'nobody says who wrote a line, and one clock is behind': second => ({
    ...ofApi(each => each - 2 * minute)(),
    isNameless: second >= 0,
  }),
};

test.each(Object.entries(clocks))('%s: it is still there', (_, blindnessAt) => {
  expect(new Set(judgementsOf(blindnessAt).slice(3))).toEqual(new Set(['there']));
});

const from = (first: number, blindness: Blindness) => (second: number) => (second >= first ? blindness : {});
/** In one answer something is wrong and takes FATALs along, and none is seen after it. */
const once =
  (first: number, more: (second: number) => Blindness) =>
  (second: number): Blindness => ({
    hides: said => second >= first && isFatal(said),
    ...(second === first ? more(second) : {}),
  });
const told = (more: Partial<RecoveryAnswer>) => once(10, () => ({told: more}));
const gapped = (reason: GapReason, source?: SourceName) =>
  once(10, second => ({markers: [gapOf(second, reason, source)]}));
const inferred: Partial<RecoveryAnswer> = {proof: 'inferred', isNumbered: false};

/** The FATALs go on all the time, and there is a reason why no more is seen. */
const kinds: Readonly<Record<string, (second: number) => Blindness>> = {
  'a proxy drops the numbers of one answer': told(inferred),
  'a proxy drops the numbers of one answer without lines': once(10, () => ({
    hides: () => true,
    told: {isNumbered: false},
  })),
  'the numbers stay away': second => ({
    hides: said => second >= 10 && isFatal(said),
    told: second >= 10 ? inferred : {},
  }),
  'the header is no longer there': told({proof: 'said', isNumbered: false}),
  'an answer does not say how its window was cut': second => ({
    ...told({})(second),
    told: {proof: second === 10 ? 'inferred' : 'said', isNumbered: false},
  }),
  'the window moved on': gapped('moved-on'),
  'more came than a share': gapped('share'),
  'more came at once than is proven': gapped('unproven'),
  'a clock went back': gapped('clock-back'),
  'windows were empty in between': gapped('empty'),
  'the window is short': gapped('short-window'),
  'lines of a source left': gapped('source-gone'),
  'the numbers began anew': gapped('renumbered'),
  'items were no lines': gapped('not-lines'),
  'a loss was told': gapped('told'),
  'a loss of the pod was told': gapped('told', api),
  'a loss of an unnamed pod was told': gapped('told', {}),
  'it was quiet': once(10, second => ({markers: [{kind: 'quiet', id: 1, at: at(second), since: at(second - 5)}]})),
  'a pod could not be read for one answer': told({isUnreadable: true}),
  'a pod cannot be read from the start': second => ({hides: isFatal, told: {isUnreadable: second >= 0}}),
  'a pod cannot be read any more': from(10, {hides: isOf(api), told: {isUnreadable: true}}),
  'items are no lines, where no gap says so': second => ({
    hides: said => second >= 10 && isFatal(said),
    told: {notLineCount: second >= 10 ? 20 : 0},
  }),
  'the service no longer answers': from(10, {isOutage: true}),
  'the service does not answer for a while, and nobody counts': second => ({
    hides: said => second >= 10 && isFatal(said),
    isOutage: second === 10 || second === 15,
    told: inferred,
  }),
  'every other answer fails, and nobody counts': second => ({
    hides: said => second >= 10 && isFatal(said),
    isOutage: second > 10 && second % 10 === 0,
    told: inferred,
  }),
  'a pod that is listed is not served from the start': from(5, {hides: isOf(api)}),
  'a pod that is listed stops being served': from(10, {hides: isOf(api)}),
  'a pod that is listed stops being served shortly before the time is up': from(30, {hides: isOf(api)}),
  'a cache answers as it did at first': from(5, {hides: () => true}),
  'a cache answers as it did a while ago': from(20, {hides: () => true}),
  'the branch is silent but for others': from(5, {hides: isOf(api), told: {podNames: []}}),
  'a pod is not served, and its clock is ahead': second => ({
    ...ofApi(each => each + 2 * minute)(),
    hides: said => second >= 5 && said.source === api,
  }),
  'a pod is not served, and its clock is behind': second => ({
    ...ofApi(each => each - 2 * minute)(),
    hides: said => second >= 5 && said.source === api,
  }),
  'nobody says who wrote a line, and none comes': second => ({isNameless: true, hides: () => second >= 5}),
  'what is held comes in parts, and takes long': second => ({
    hides: isFatal,
    told: {hasMore: second < 280},
  }),
  'a pod went, and the last lines of those that come after it may be missing too': second => ({
    hides: said => second >= 5 && isFatal(said),
    markers:
      second % 20 === 0 ? [{kind: 'pod', id: 1, at: at(second), change: 'gone', name: 'old', since: undefined}] : [],
  }),
};

describe('FATALs that go on unseen', () => {
  test.each(Object.entries(kinds))('%s: they are never gone', (_, blindnessAt) => {
    const judgements = judgementsOf(blindnessAt);
    expect(judgements).not.toContain('gone');
    expect(judgements.at(-1)).toBe('unknown');
  });
});

test('of FATALs that do stop, it is said that they are gone', () => {
  const stopped = (second: number): Blindness => ({hides: said => second >= 20 && isFatal(said)});
  expect(judgementsOf(stopped)).toEqual([...Array(8).fill('there'), 'gone']);
});
