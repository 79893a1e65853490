import {describe, expect, test} from 'vitest';
import {findChanges, type KnownChange} from '#log/incident/findings/find-changes.ts';
import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {ChangeMarker, PodMarker, SourceName} from '#log/line/entry.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, eventsOf, linesEvery, type TimedLine} from '../events-of.ts';

/** Twenty minutes of what comes every second. */
const usual = linesEvery(1, 0, 1201, 'INFO order stored');

const find = (
  lines: readonly TimedLine[],
  onset: number | undefined,
  known: readonly KnownChange[] = [],
  {isQuick = false, wholeFrom = 0} = {},
): readonly IncidentFinding[] =>
  finishWork(
    findChanges(eventsOf(lines), {
      ...{onset: onset === undefined ? undefined : atSecond(onset), known, isQuick},
      wholeSince: atSecond(wholeFrom),
    }),
  );

const told = (findings: readonly IncidentFinding[]): readonly string[] =>
  findings.map(({what, of, subject}) => `${what} ${of} ${subject}`);

const subjects = (lines: readonly TimedLine[], onset?: number): readonly string[] =>
  find([...usual, ...lines], onset).map(({subject}) => subject);

const statusAt = (second: number, isInLog = false): KnownChange => {
  const at = atSecond(second);
  const marker: ChangeMarker = {
    kind: 'change',
    id: 77,
    at,
    happenedAt: at,
    change: {kind: 'status', before: 'ok', now: 'building'},
  };
  return {source: 0, marker, at, isInLog};
};

const podAt = (second: number, name: string): KnownChange => {
  const at = atSecond(second);
  const marker: PodMarker = {kind: 'pod', id: 78, at, change: 'appeared', name, since: undefined};
  return {source: 1, marker, at, isInLog: true};
};

describe('a marker', () => {
  test('is told with its words, without its time, and where it is if it is in the log', () => {
    const [outside] = find(usual, 900, [statusAt(890)]);
    expect(outside).toMatchObject({
      ...{what: 'changed', of: 'pod', subject: 'status ok → building', since: atSecond(890)},
      ...{first: undefined, last: undefined, confidence: 'sure'},
    });
    const anchor = {source: 0, id: 77, at: atSecond(890)};
    expect(find(usual, 900, [statusAt(890, true)])).toMatchObject([{first: anchor, last: anchor}]);
  });

  test('of an opened file is told as that of a file', () => {
    expect(told(find(usual, 900, [{...podAt(890, 'app.log'), part: 'file'}]))).toEqual([
      'changed pod file app.log came',
    ]);
  });

  test('of trouble is a restart', () => {
    const trouble = {
      ...statusAt(890),
      marker: {...statusAt(890).marker, change: {kind: 'trouble', who: 'a', reason: 'b'}},
    };
    expect(told(find(usual, 900, [trouble as KnownChange]))).toEqual(['restart pod a: b']);
  });

  test('of a pod counts less than one of the branch, and than the same nearer to the onset', () => {
    expect(told(find(usual, 900, [podAt(890, 'web-1'), statusAt(890)]))).toEqual([
      'changed pod status ok → building',
      'changed pod pod web-1 came',
    ]);
    // As near as it is the weight counts; a minute later it is half as near.
    expect(find(usual, 900, [statusAt(780)])[0]?.evidence).toBeCloseTo(4 / (1 + 120 / 120), 6);
    expect(find(usual, 900, [podAt(870, 'web-1')])[0]?.evidence).toBeCloseTo(2.5 / (1 + 30 / 120), 6);
  });

  test('after the onset counts half, but not in the same second', () => {
    expect(find(usual, 900, [statusAt(901)])[0]?.evidence).toBeCloseTo(4 / (1 + 1 / 120), 6);
    expect(find(usual, 900, [statusAt(902)])[0]?.evidence).toBeCloseTo(2 / (1 + 2 / 120), 6);
  });

  test('without an onset matters by how long ago it was, in hours', () => {
    expect(find(usual, undefined, [statusAt(300)])[0]?.evidence).toBeCloseTo(4 / (1 + 900 / 3600), 6);
  });

  test('of the branch matters however old it is, that of a pod for fifteen minutes', () => {
    const old = (second: number) => told(find(usual, 900, [podAt(second, 'web-1'), statusAt(second)]));
    expect(old(0)).toEqual(['changed pod status ok → building', 'changed pod pod web-1 came']);
    expect(old(-1)).toEqual(['changed pod status ok → building']);
  });
});

test('ten changes are told, those that matter most', () => {
  const known = Array.from({length: 12}, (_, index) => statusAt(800 + index));
  const findings = find(usual, 900, known);
  expect([findings.length, findings[0]?.since, findings[9]?.since]).toEqual([10, atSecond(811), atSecond(802)]);
});

describe('a field that changed', () => {
  const lines = linesEvery(1, 0, 1200, index => `INFO order stored version=${index < 890 ? '1.41.3' : '1.42.0'}`);

  test('is told with both values and its first line', () => {
    const [finding] = find(lines, 900);
    expect(finding).toMatchObject({
      ...{what: 'changed', of: 'field', subject: 'version', before: '1.41.3', now: '1.42.0', total: 310},
      ...{confidence: 'sure', since: atSecond(890), first: {source: 0, id: 891}, last: {source: 0, id: 891}},
    });
    expect(finding?.evidence).toBeCloseTo(3.5 / (1 + 10 / 120), 6);
  });

  test('matters however old it is', () => {
    const early = linesEvery(1, 0, 1200, index => `INFO order stored version=${index < 20 ? '1.41.3' : '1.42.0'}`);
    expect(told(find(early, 1100))).toEqual(['changed field version']);
  });
});

describe('who began to write', () => {
  const web: SourceName = {pod: 'web-1'};
  const from = (second: number): readonly TimedLine[] => [
    ...linesEvery(1, 0, 1201, 'INFO order stored', {pod: 'db'}),
    ...linesEvery(1, second, 1201, 'INFO order stored', web),
  ];

  test('is told with the first line', () => {
    expect(find(from(890), 900)).toMatchObject([
      {what: 'changed', of: 'source', subject: 'web-1 began to write', since: atSecond(890), first: {source: 0}},
    ]);
    expect(find(from(890), 900)[0]?.evidence).toBeCloseTo(2.5 / (1 + 10 / 120), 6);
  });

  test.each([
    // The first hundredth of the log is its beginning.
    [11, 900, false],
    [12, 900, true],
    [199, 1100, false],
    [200, 1100, true],
    [930, 900, true],
    [931, 900, false],
  ])('from second %d on, for an onset at %d: told %s', (second, onset, isTold) => {
    expect(told(find(from(second), onset))).toEqual(isTold ? ['changed source web-1 began to write'] : []);
  });

  test.each([
    [881, false],
    [880, true],
  ])(
    'is not told where all is held only since second %d: so few of its lines may be missing by chance',
    (wholeFrom, isTold) => {
      expect(find(from(890), 900, [], {wholeFrom}).length > 0).toBe(isTold);
    },
  );

  test('is not told of one that writes so seldom that it may have written all along', () => {
    const seldom = (second: number) => [...usual, ...linesEvery(100, second, 1201, 'INFO order stored', web)];
    expect(find(seldom(790), 800)).toEqual([]);
    expect(told(find(seldom(890), 900))).toEqual(['changed source web-1 began to write']);
  });

  test('is not told where the pod is known to have come', () => {
    expect(told(find(from(890), 900, [podAt(885, 'web')]))).toEqual(['changed pod pod web came']);
    expect(find(from(890), 900, [podAt(885, 'other')])).toHaveLength(2);
  });
});

describe('a rare line', () => {
  test('that tells of a change is told with what it says', () => {
    expect(find([...usual, [880, 'INFO migrations applied']], 900)).toMatchObject([
      {what: 'changed', of: 'message', subject: 'INFO migrations applied', since: atSecond(880), confidence: 'weak'},
    ]);
    expect(find([...usual, [900, 'level=info msg="migrations applied"']], 900)).toMatchObject([
      {subject: 'migrations applied', evidence: 2},
    ]);
  });

  test.each([
    ['INFO container crashed', 'restart', 3],
    ['INFO got SIGTERM', 'restart', 3],
    ['INFO exit code 1', 'restart', 3],
    ['INFO config reloaded', 'changed', 2],
    ['INFO feature flag basket is on', 'changed', 2],
    ['INFO hello there', 'changed', 0.6],
  ])('%s: %s, with the weight %d', (text, what, evidence) => {
    expect(find([...usual, [900, text]], 900)).toMatchObject([{what, subject: text, evidence}]);
  });

  test('is of a kind that came twice at most', () => {
    const times = (count: number) => subjects(linesEvery(1, 880, 880 + count, 'INFO config reloaded'), 900);
    expect([times(1).length, times(2).length, times(3).length]).toEqual([1, 1, 0]);
    // Once near the onset, and twice long before it.
    expect(
      subjects(
        [
          [100, 'INFO config reloaded'],
          [880, 'INFO config reloaded'],
        ],
        1100,
      ),
    ).toHaveLength(1);
    expect(
      subjects(
        [
          [100, 'INFO config reloaded'],
          [101, 'INFO config reloaded'],
          [880, 'INFO config reloaded'],
        ],
        1100,
      ),
    ).toEqual([]);
  });

  test('that says nothing of a change is told among twenty kinds of them, not among more', () => {
    const kinds = (count: number) =>
      subjects(
        [
          ...Array.from(
            {length: count},
            (_, index): TimedLine => [
              800 + index,
              `INFO hello ${'abcdefghijklmnopqrstuvwxyz'.slice(index, index + 3)}`,
            ],
          ),
          [899, 'INFO config reloaded'],
        ],
        900,
      );
    expect([kinds(20).length, kinds(21)]).toEqual([10, ['INFO config reloaded']]);
  });

  test.each([
    [930, true],
    [930.5, false],
    [1, true],
  ])('is looked for up to half a minute after the onset: %d', (second, isTold) => {
    expect(subjects([[second, 'INFO config reloaded']], 900)).toHaveLength(isTold ? 1 : 0);
  });

  test('is looked for in fifteen minutes before it', () => {
    expect(subjects([[199.5, 'INFO config reloaded']], 1100)).toEqual([]);
    expect(subjects([[200.5, 'INFO config reloaded']], 1100)).toHaveLength(1);
  });

  test('is no request', () => {
    const access = (second: number): TimedLine => [
      second,
      '10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET /restart HTTP/1.1" 200 157',
    ];
    expect(subjects([access(880)], 900)).toEqual([]);
  });

  test('is not looked for at a quick look', () => {
    expect(find([...usual, [880, 'INFO config reloaded']], 900, [], {isQuick: true})).toEqual([]);
  });

  test('without an onset has to tell of a change', () => {
    expect(subjects([[1100, 'INFO hello there']])).toEqual([]);
    expect(subjects([[1100, 'INFO config reloaded']])).toEqual(['INFO config reloaded']);
  });

  test('of ten thousand lines has to tell of a change', () => {
    const many = (count: number) =>
      find([...linesEvery(900 / count, 0, 900, 'INFO order stored'), [899.99, 'INFO hello there']], 900).length;
    expect([many(9_990), many(10_010)]).toEqual([1, 0]);
  });

  test('whose telling word is in four hundred lines is read, of more it is usual', () => {
    const words = (count: number) =>
      subjects([...linesEvery(1, 300, 300 + count, 'INFO deploy is idle'), [899.5, 'INFO deploy is done']]);
    expect([words(399).length, words(400).length]).toEqual([1, 0]);
  });
});
