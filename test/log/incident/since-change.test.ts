import {describe, expect, test} from 'vitest';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findSince, type SinceReport} from '#log/incident/since-change.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import type {Change, ChangeMarker, Entry, PodMarker} from '#log/line/entry.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, linesEvery, type TimedLine, timedLog} from './events-of.ts';

const deployed = (second: number): ChangeMarker => ({
  ...{kind: 'change', id: 0, at: atSecond(second), happenedAt: atSecond(second)},
  change: {kind: 'activity', action: 'DEPLOY_APPLICATION', status: 'SUCCESS', createdBy: undefined} satisfies Change,
});

const sourceOf = (lines: readonly TimedLine[], more: Partial<IncidentSource> = {}): IncidentSource => ({
  ...{buffer: timedLog(lines), shapes: noShapes, podNames: [], wholeSince: undefined, proof: 'counted'},
  knownChanges: [deployed(1200)],
  ...more,
});

/** What is asked forty minutes after 14:00; the deployment is at 14:20. */
const since = (lines: readonly TimedLine[], more: Partial<IncidentSource> = {}): SinceReport | undefined =>
  finishWork(findSince([sourceOf(lines, more)], {now: atSecond(2400)}));

const toldOf = (report: SinceReport | undefined) =>
  report?.findings.map(({what, subject, before, now, confidence}) => [what, subject, before, now, confidence]);

const calm = linesEvery(1, 0, 2400, index => `level=info msg="order stored" id=${index}`);

describe('since a deployment', () => {
  test('nothing is other: calm, with what is compared', () => {
    const report = since(calm);
    expect(toldOf(report)).toEqual([]);
    expect(report?.verdict).toEqual({kind: 'calm'});
    expect(report?.basis).toMatchObject({
      asked: {from: atSecond(1200), to: atSecond(2400)},
      comparedWith: {from: atSecond(0), to: atSecond(1200)},
      uncovered: [],
    });
    expect(report?.change).toMatchObject({what: 'changed', since: atSecond(1200)});
  });

  test('errors are new, or more', () => {
    const some = linesEvery(200, 5, 2400, 'level=error msg="mail refused"');
    const more = linesEvery(5, 1300, 2400, 'level=error msg="mail refused"');
    const report = since([...calm, ...some, ...more]);
    expect(report?.verdict).toEqual({kind: 'found'});
    expect(report?.findings[0]).toMatchObject({what: 'rise', of: 'errors', confidence: 'sure'});
    expect(toldOf(report)?.[1]?.slice(0, 2)).toEqual(['rise', 'mail refused']);
    const fresh = since([...calm, ...linesEvery(60, 1300, 2400, 'level=error msg="no such voucher"')]);
    const told = fresh?.findings.find(({of}) => of === 'kind');
    expect(told).toMatchObject({what: 'new', subject: 'no such voucher', before: 0, since: atSecond(1300)});
  });

  test('fewer errors are told, and are no trouble', () => {
    const report = since([...calm, ...linesEvery(5, 0, 1210, 'level=error msg="mail refused"')]);
    expect(toldOf(report)?.map(([what, subject]) => [what, subject])).toContainEqual(['fewer', 'mail refused']);
    expect(report?.verdict).toEqual({kind: 'calm'});
  });

  test('what came steadily and comes no more has stopped; what comes seldom now is fewer', () => {
    const paid = linesEvery(4, 0, 1200, 'level=info msg="payment taken"');
    const report = since([...calm, ...paid]);
    expect(report?.findings[0]).toMatchObject({what: 'stopped', subject: 'payment taken', confidence: 'sure', now: 0});
    const seldom = since([...calm, ...paid, ...linesEvery(80, 1200, 2400, 'level=info msg="payment taken"')]);
    expect(seldom?.findings[0]).toMatchObject({what: 'fewer', subject: 'payment taken', confidence: 'sure'});
    expect([report?.verdict.kind, seldom?.verdict.kind]).toEqual(['found', 'found']);
  });

  test('requests are slower', () => {
    const request = (ms: number) => `level=info msg=request method=GET path=/cart status=200 duration_ms=${ms}`;
    const lines = linesEvery(3, 0, 2400, index => request(index < 400 ? 40 + (index % 7) : 400 + (index % 9)));
    expect(since([...calm, ...lines])?.findings[0]).toMatchObject({
      ...{what: 'slower', subject: 'GET /cart', before: 46, now: 408, confidence: 'sure'},
    });
  });

  test.each([
    ['pool 50 ready', 'pool 5 ready', 'pool', '50', '5'],
    [
      'level=info msg="client configured" timeout=30s',
      'level=info msg="client configured" timeout=3s',
      'timeout',
      '30s',
      '3s',
    ],
    [
      '{"level":"info","msg":"configured","pool":{"size":50}}',
      '{"level":"info","msg":"configured","pool":{"size":5}}',
      'size',
      '50',
      '5',
    ],
    ['INFO features: search_mode=fast', 'INFO features: search_mode=safe', 'search_mode', 'fast', 'safe'],
  ])('a token changed: %s, then %s', (was, is, subject, before, now) => {
    const report = since([...calm, [30, was], [1203, is]]);
    expect(toldOf(report)).toEqual([['changed', subject, before, now, 'sure']]);
    expect(report?.verdict).toEqual({kind: 'found'});
  });

  test('no token that is an id, a time, a pod, or the version itself', () => {
    const start = (second: number, version: string, pod: string): TimedLine => [
      second,
      `level=info msg="server started" version=${version} pod=${pod} pid=${second} took=${second}ms id=${second}`,
    ];
    expect(toldOf(since([...calm, start(10, '1.0', 'web-a'), start(1205, '1.1', 'web-b')]))).toEqual([]);
  });
});

describe('nobody can tell since a deployment', () => {
  const gapAt = (second: number): Entry =>
    ({
      ...{kind: 'gap', id: 9_999_999, at: atSecond(second), after: atSecond(second - 5), before: atSecond(second)},
    }) as const;

  test.each([
    ['before', 600],
    ['after', 1800],
  ])('over a gap %s it', (_, second) => {
    const edit = editBuffer(timedLog(calm));
    edit.insert({...gapAt(second), id: edit.takeId()});
    const report = since([], {buffer: edit.finish()});
    expect(report?.verdict).toMatchObject({kind: 'unknown', why: {why: 'gap'}});
  });

  test('what is new may be older than a gap before it: it is weak', () => {
    const of = (second: number) => {
      const edit = editBuffer(timedLog([...calm, ...linesEvery(20, 1300, 2400, 'level=error msg="no such voucher"')]));
      edit.insert({...gapAt(second), id: edit.takeId()});
      return since([], {buffer: edit.finish()});
    };
    expect(of(600)?.findings.map(({confidence}) => confidence)).toEqual(['weak', 'weak']);
    expect([of(600)?.verdict.kind, of(1800)?.verdict.kind]).toEqual(['unknown', 'found']);
  });

  test('with nothing held before it, or too little time after it', () => {
    expect(since(calm, {knownChanges: [deployed(20)]})?.verdict).toEqual({kind: 'unknown', why: {why: 'noBaseline'}});
    expect(since(calm, {knownChanges: [deployed(-9999)]})?.verdict).toMatchObject({why: {why: 'noBaseline'}});
    expect(since(calm, {knownChanges: [deployed(2380)]})?.verdict).toEqual({kind: 'unknown', why: {why: 'tooShort'}});
  });

  test('where no deployment is known', () => {
    expect(since(calm, {knownChanges: []})).toBeUndefined();
    const crash: ChangeMarker = {...deployed(1200), change: {kind: 'trouble', who: 'pod web-1', reason: 'OOMKilled'}};
    expect(since(calm, {knownChanges: [crash]})).toBeUndefined();
  });
});

describe('the deployment', () => {
  const sinceOf = (lines: readonly TimedLine[], more: Partial<IncidentSource>) => {
    const report = since(lines, more);
    return report && [Number(report.change.since - atSecond(0)) / 1e9, report.change.subject];
  };

  test('is the last one that the record tells, as far as nothing else is near', () => {
    expect(sinceOf(calm, {knownChanges: [deployed(300), deployed(1200), deployed(1250)]})?.[0]).toBe(1200);
  });

  test('is a version that another one took the place of', () => {
    const lines = linesEvery(
      1,
      0,
      2400,
      index => `level=info msg="order stored" version=${index < 900 ? '1.0' : '1.1'}`,
    );
    expect(sinceOf(lines, {knownChanges: []})).toEqual([900, 'version']);
  });

  test('is when pods took the place of others, and not when one more came', () => {
    const pod = (name: string, from: number, to: number) => linesEvery(2, from, to, 'order stored', {pod: name});
    const replaced = [...pod('web-7d9f8c6b5d-aaaaa', 0, 1010), ...pod('web-6b8d5f7c9b-bbbbb', 1000, 2400)];
    expect(sinceOf(replaced, {knownChanges: []})?.[0]).toBe(1000);
    const scaled = [...pod('web-7d9f8c6b5d-aaaaa', 0, 2400), ...pod('web-7d9f8c6b5d-bbbbb', 1000, 2400)];
    expect(sinceOf(scaled, {knownChanges: []})).toBeUndefined();
  });

  test('is when all pods that are listed appeared', () => {
    const appeared: PodMarker = {
      kind: 'pod',
      id: 0,
      at: atSecond(1500),
      change: 'appeared',
      name: 'web-0',
      since: undefined,
    };
    const lines = linesEvery(2, 0, 2400, 'order stored', {pod: 'web-0'});
    expect(sinceOf(lines, {podNames: ['web-0'], knownChanges: [appeared]})?.[0]).toBe(1500);
    expect(sinceOf(lines, {podNames: ['web-0', 'web-1'], knownChanges: [appeared]})).toBeUndefined();
  });
});

test('how the same does in another branch is told of what is other since a deployment', () => {
  const refused = linesEvery(5, 1300, 2400, 'level=error msg="no such voucher"');
  const report = since([...calm, ...refused]) ?? expect.fail();
  const other = (lines: readonly TimedLine[]) =>
    finishWork(findElsewhere(report, {branch: 'staging', source: sourceOf(lines), isReadable: true}));
  expect(other(calm).findings[0]?.elsewhere).toMatchObject({branch: 'staging', holds: false});
  expect(other([...calm, ...refused]).findings[0]?.elsewhere).toMatchObject({holds: true});
});
