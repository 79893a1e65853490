import {describe, expect, test} from 'vitest';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import type {ContainerPlace, FrontQuery} from '#service/containers/container-logs.ts';
import {
  type BeginningOptions,
  chooseBeginning,
  choosePreviousBeginning,
  describeUnseenPast,
  isYoung,
  tellLateBegin,
} from '#service/containers/follow/begin-read.ts';
import {createSeenLines} from '#service/containers/log/seen-lines.ts';
import {createOpenQueue} from '#service/containers/open-queue.ts';

const createdMs = Date.UTC(2026, 10, 22, 12);
const minute = 60_000;
const never = new AbortController().signal;
const wholeFront = {isCut: false, dropsFirst: false};
const cutFront = {isCut: true, dropsFirst: false};

const place: ContainerPlace = {
  namespace: 'shop',
  podName: 'web',
  podUid: 'uid',
  container: 'php',
  containerKind: 'app',
  instanceId: 'one',
  restartCount: 0,
  state: 'running',
  finishedAtMs: undefined,
  isFinished: false,
  podCreatedAtMs: createdMs,
  isSeenFromStart: false,
};

const at = (ms: number) => instantFromMs(createdMs + ms);
const stampedAt = (ms: number): string => `${formatInstant(at(ms))} line`;

const createOptions = (log = '', changes: Partial<BeginningOptions> = {}) => {
  const asked: FrontQuery[] = [];
  const options: BeginningOptions = {
    logs: {
      whole: 'cluster',
      open: () => Promise.reject(new Error('not opened')),
      readFront: async (_place, front) => {
        asked.push(front);
        const lines = log.split(/(?<=\n)/);
        return lines
          .slice(-(front.tailLines ?? lines.length))
          .join('')
          .slice(0, front.limitBytes);
      },
    },
    queue: createOpenQueue(),
    nowMs: () => createdMs + 60 * minute,
    isLate: false,
    shareLines: 100,
    linesMax: 3_000,
    firstRead: {},
    ...changes,
  };
  return {asked, options};
};

describe('a container is read from its first line', () => {
  test.each<readonly [what: string, isSeenFromStart: boolean, isLate: boolean, ageMs: number, isIt: boolean]>([
    ['if its pod began while the watch was there', true, false, 9 * minute, true],
    ['if it came while its branch was followed', false, true, 9 * minute, true],
    ['but not once it is ten minutes old', true, true, 10 * minute, false],
    ['nor if nobody knows when it began', false, false, 0, false],
  ])('%s', (_what, isSeenFromStart, isLate, ageMs, isIt) => {
    expect(isYoung({...place, isSeenFromStart}, {isLate, nowMs: () => createdMs + ageMs})).toBe(isIt);
  });
});

const choose = async (front = '', changes: Partial<BeginningOptions> = {}, mayHavePrevious = false) => {
  const {asked, options} = createOptions(front, changes);
  return {
    ...(await chooseBeginning(place, createSeenLines(), {...options, mayHavePrevious, isRepeated: false}, never)),
    asked,
  };
};

describe('the next read begins', () => {
  test('before the last line seen', async () => {
    const seen = createSeenLines();
    seen.add({stamp: at(0), line: 'seen'});
    const {options, asked} = createOptions();
    expect(await chooseBeginning(place, seen, {...options, mayHavePrevious: true, isRepeated: false}, never)).toEqual({
      query: {sinceTime: '2026-11-22T11:59:58Z'},
      front: cutFront,
      isWhole: false,
    });
    expect(asked).toEqual([]);
  });

  test('before the last line seen, by the last lines of a log whose node found nothing in it by that time', async () => {
    const seen = createSeenLines();
    seen.add({stamp: at(0), line: 'seen'});
    const log = Array.from({length: 300}, (_, index) => `${stampedAt((index - 200) * 1_000)}\n`).join('');
    const {options, asked} = createOptions(log);
    expect(await chooseBeginning(place, seen, {...options, mayHavePrevious: true, isRepeated: true}, never)).toEqual({
      query: {tailLines: 202},
      front: cutFront,
      isWhole: false,
      from: at(-2_000),
      hasLines: true,
    });
    expect(asked).toEqual([{limitBytes: 16_384, tailLines: 202}]);
  });

  test('with the first line of a young pod', async () => {
    expect(await choose('', {isLate: true, nowMs: () => createdMs})).toEqual({
      query: {},
      front: wholeFront,
      isWhole: true,
      asked: [],
    });
  });

  test('with twice the share of an old one, whose first line may be the rest of one', async () => {
    expect(await choose()).toEqual({
      query: {tailLines: 202},
      front: cutFront,
      isWhole: false,
      tailLines: 202,
      asked: [],
    });
  });

  test('with the first line of a short log, where an instance before may be its continuation', async () => {
    expect(await choose('short', {}, true)).toMatchObject({query: {}, isWhole: true, asked: [{limitBytes: 25_600}]});
    expect(await choose('short', {shareLines: 3}, true)).toMatchObject({isWhole: true, asked: [{limitBytes: 16_384}]});
    expect(await choose('x'.repeat(25_599), {}, true)).toMatchObject({isWhole: true});
    expect(await choose('x'.repeat(25_600), {}, true)).toMatchObject({query: {tailLines: 202}, isWhole: false});
  });

  /** A line a second; the last one at the minute that `since` names, or so many seconds later. */
  const linesTo = (seconds: number): string =>
    Array.from({length: 10_000}, (_, index) => `${stampedAt(minute + (seconds - 9_999 + index) * 1_000)}\n`).join('');
  const since = {firstRead: {since: at(minute)}};
  const probe = {limitBytes: 16_384};

  test('ten seconds before the time that is asked for, in as many last lines as reach back to it', async () => {
    const beginning = {front: cutFront, isWhole: false, isLate: undefined, from: at(50_000), hasLines: true};
    const [small, large] = [{tailLines: 202}, {tailLines: 808}];
    expect(await choose(linesTo(-3_000), since)).toEqual({...beginning, query: small, asked: [{...probe, ...small}]});
    expect(await choose(linesTo(190), since)).toMatchObject({query: small});
    expect(await choose(linesTo(192), since, true)).toEqual({
      ...beginning,
      query: large,
      asked: [{...probe, ...small}, probe, {...probe, ...large}],
    });
    expect(await choose('', {firstRead: {since: 3n}})).toMatchObject({from: 0n});
  });

  test('with the newest lines of a log that has more since then than can be held, which is told', async () => {
    expect(await choose(linesTo(5_000), since)).toMatchObject({
      query: {tailLines: 3_000},
      front: {isCut: true, dropsFirst: true},
      isWhole: false,
      isLate: 'memory',
    });
  });

  test.each<readonly [what: string, log: string, mayHavePrevious: boolean, isWhole: boolean]>([
    ['the log begins later', `${stampedAt(minute + 1)}\n${stampedAt(minute + 2)}\n`, true, true],
    ['its only line has no end yet', stampedAt(minute + 1), true, true],
    ['the log begins then', `${stampedAt(minute)}\n`, true, false],
    ['the log begins later, and there was none before', `${stampedAt(minute + 1)}\n`, false, false],
  ])('with the first line of a short log: %s', async (_what, log, mayHavePrevious, isWhole) => {
    expect(await choose(log, since, mayHavePrevious)).toEqual({
      query: {},
      front: wholeFront,
      isWhole,
      isLate: isWhole ? 'file' : undefined,
      hasLines: true,
      asked: [{...probe, tailLines: 202}, probe],
    });
  });

  test('with the last lines where there are none yet', async () => {
    expect(await choose('', since, true)).toMatchObject({query: {tailLines: 202}, front: cutFront, isWhole: false});
  });

  test('an instance before, by the same rules', () => {
    const {options} = createOptions();
    expect(choosePreviousBeginning(place, options)).toEqual({tailLines: 202});
    // While it waits to be started again, both are one instance, and all of its log is short.
    expect(choosePreviousBeginning({...place, previousId: 'one', state: 'waiting'}, options)).toEqual({});
    expect(choosePreviousBeginning(place, {...options, firstRead: {since: at(0)}})).toEqual({
      sinceTime: '2026-11-22T11:59:50Z',
    });
    expect(choosePreviousBeginning(place, {...options, isLate: true, nowMs: () => createdMs})).toEqual({});
  });
});

test.each<
  readonly [
    what: string,
    of: Partial<ContainerPlace>,
    options: {isLate?: boolean; hasIds?: boolean},
    why: string | undefined,
  ]
>([
  ['nothing', {}, {}, undefined],
  ['one restart is read', {restartCount: 1, isSeenFromStart: true}, {}, undefined],
  [
    'two restarts are not',
    {restartCount: 2, isSeenFromStart: true},
    {},
    'the container restarted 2 times before it was first read',
  ],
  ['an outage', {}, {isLate: true}, 'the pod started while the watch was interrupted'],
  ['an outage of an engine', {container: ''}, {isLate: true}, 'the container started while the watch was interrupted'],
  ['one whose logs are asked for by id', {}, {isLate: true, hasIds: true}, undefined],
  ['a container that is added to a pod', {containerKind: 'ephemeral'}, {isLate: true}, undefined],
  ['a pod that was seen', {isSeenFromStart: true}, {isLate: true}, undefined],
])('what is missing before the first line: %s', (_what, of, {isLate = false, hasIds = false}, why) => {
  const {options} = createOptions('', {isLate});
  const nowMs = of.restartCount === undefined ? options.nowMs : () => createdMs;
  expect(describeUnseenPast({...place, ...of}, {...options, nowMs, logs: {...options.logs, hasIds}})).toBe(why);
});

describe('after a first read, it is told where a node has less than was asked for', () => {
  const tell = async (
    front: string | Error,
    {since = at(minute), first}: {since?: bigint | 'none'; first?: bigint} = {},
  ): Promise<readonly unknown[]> => {
    const {options} = createOptions();
    const told: unknown[] = [];
    await tellLateBegin(
      place,
      first,
      {
        ...options,
        logs: {
          ...options.logs,
          readFront: async () => {
            if (front instanceof Error) {
              throw front;
            }
            return front;
          },
        },
        firstRead: since === 'none' ? {} : {since},
        onCutFront: (...cut) => told.push(cut),
      },
      never,
    );
    return told;
  };

  test.each<readonly [what: string, front: string | Error, of: Parameters<typeof tell>[1], told: readonly unknown[]]>([
    ['its file begins later', stampedAt(2 * minute), {}, [['file', at(2 * minute)]]],
    ['its file begins then', stampedAt(minute), {}, []],
    ['it cannot be looked at', new Error('no'), {}, []],
    ['nothing was asked for', stampedAt(2 * minute), {since: 'none'}, []],
    ['a line from before proves it', stampedAt(2 * minute), {first: at(minute) - 1n}, []],
    ['a line of then proves nothing', stampedAt(2 * minute), {first: at(minute)}, [['file', at(2 * minute)]]],
    ['the pod was not there yet', stampedAt(2 * minute), {since: at(0)}, []],
    ['the pod was just there', stampedAt(2 * minute), {since: at(1)}, [['file', at(2 * minute)]]],
  ])('%s', async (_what, front, of, told) => {
    expect(await tell(front, of)).toEqual(told);
  });
});
