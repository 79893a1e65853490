import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {State} from '#app/state/state.ts';
import {branchTone, endOf, imageOf, labelBranches} from '#app/words/branch-labels.ts';
import {
  connectionWord,
  isStale,
  selectFailure,
  selectRemarks,
  selectTokenPart,
  worstSource,
} from '#app/words/connection-words.ts';
import {describeStatus, isTroubled, troubleWords, worstTroubleWords} from '#app/words/describe-status.ts';
import {
  formatAgo,
  formatLength,
  formatLogTime,
  formatMoment,
  isOfOtherDay,
  serviceNowMs,
} from '#app/words/format-time.ts';
import {distanceWords, incidentClock, incidentText, proofLines, subjectWords} from '#app/words/incident-words.ts';
import {markerWords} from '#app/words/marker-words.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {findingOf, type IncidentFinding} from '#log/incident/incident-finding.ts';
import {formatClock, type Instant, parseInstant} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';
import {decode, linesOf, openEmptyLog, openLogWith, sampleState, textOf} from '../../support/play.ts';

const at = (clock: string, day = 21): Instant => parseInstant(`2026-11-${day}T${clock}Z`) ?? expect.fail(clock);
const clock = {nowMs: 10_000, clockOffsetMs: Date.UTC(2026, 10, 21, 14, 2, 0)};

describe('times', () => {
  test('are of the service’s clock', () => {
    expect(serviceNowMs(clock)).toBe(Date.UTC(2026, 10, 21, 14, 2, 10));
    expect(formatMoment(clock, 4000)).toBe('14:02:04');
  });

  test('of another day have their date', () => {
    expect([isOfOtherDay(clock, at('00:00:00')), isOfOtherDay(clock, at('23:59:59', 20))]).toEqual([false, true]);
    expect(formatLogTime(clock, at('09:08:07'))).toBe('09:08:07');
    expect(formatLogTime(clock, at('23:59:59', 20))).toBe('2026-11-20 23:59');
  });

  test.each([
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_000, '59 min'],
    [7_200_000, '2 h'],
    [86_400_000 * 3, '3 days'],
  ])('%i milliseconds are %s', (ms, words) => {
    expect(formatLength(ms)).toBe(words);
  });

  test.each([
    [4999, 'just now'],
    [5000, '5 s ago'],
    [-59_999, 'just now'],
    [-60_000, 'in 1 min'],
    [7_200_000, '2 h ago'],
  ])('what was %i milliseconds ago', (ms, words) => {
    const nowMs = Date.UTC(2026, 10, 21);
    expect(formatAgo(new Date(nowMs - ms).toISOString(), nowMs)).toBe(words);
  });

  test('that can not be read have no age', () => {
    expect([formatAgo(undefined, 0), formatAgo('yesterday', 0)]).toEqual(['', '']);
  });
});

describe('how what is polled stands', () => {
  const word = (polled: Parameters<typeof connectionWord>[1], nowMs = 10_000) => {
    const {text, tone} = connectionWord({...clock, nowMs}, polled);
    return `${text} (${tone})`;
  };
  const live = {kind: 'live', lastGoodAtMs: 8000, nextPollAtMs: 10_000, slowedToMs: undefined} as const;

  test('is live until an answer is three seconds late, then stale since the last one', () => {
    expect([isStale(live, 13_000), isStale(live, 13_001)]).toEqual([false, true]);
    expect(word(live, 13_000)).toBe('live (good)');
    expect(word(live, 13_001)).toBe('stale 5 s (busy)');
  });

  test('is slowed to whole seconds', () => {
    expect(word({...live, slowedToMs: 16_400})).toBe('slowed to 16 s (busy)');
    expect(word({...live, slowedToMs: 16_500})).toBe('slowed to 17 s (busy)');
  });

  test('is failing or signed out since when it began', () => {
    const failing = {kind: 'failing', sinceMs: 4000} as const;
    expect(word({...failing, errorKind: 'network'})).toBe('failing since 14:02:04 (bad)');
    expect(word({...failing, errorKind: 'unauthorised'})).toBe('signed out since 14:02:04 (bad)');
  });

  test('the worst of several branches is told: failing, stale, connecting, slowed, live, ended', () => {
    const connections = {
      failing: {kind: 'failing', sinceMs: 5},
      earlier: {kind: 'failing', sinceMs: 4},
      stale: {...live, nextPollAtMs: 0},
      connecting: {kind: 'connecting'},
      slowed: {...live, slowedToMs: 5000},
      live,
      older: {...live, lastGoodAtMs: 7000},
      ended: {kind: 'ended'},
    } as const;
    type Name = keyof typeof connections;
    const log = openEmptyLog(['master', 'staging']).state.log ?? expect.fail();
    const worst = (...names: readonly [Name, ...Name[]]): string => {
      const sources = names.map((name, index) => ({
        ...log.sources[0],
        branch: {...log.sources[0].branch, name},
        tail: {...log.sources[0].tail, connection: connections[name], index},
      }));
      return worstSource({nowMs: 10_000}, {...log, sources: sources as never}).branch.name;
    };
    expect(worst('ended', 'live', 'slowed', 'connecting', 'stale', 'failing')).toBe('failing');
    expect(worst('failing', 'stale')).toBe('failing');
    expect(worst('ended', 'live', 'slowed', 'connecting', 'stale')).toBe('stale');
    expect(worst('stale', 'connecting')).toBe('stale');
    expect(worst('live', 'slowed', 'connecting')).toBe('connecting');
    expect(worst('connecting', 'slowed')).toBe('connecting');
    expect([worst('live', 'slowed'), worst('slowed', 'live')]).toEqual(['slowed', 'slowed']);
    expect([worst('live', 'ended'), worst('ended', 'live')]).toEqual(['live', 'live']);
    expect([worst('failing', 'earlier'), worst('earlier', 'failing')]).toEqual(['earlier', 'earlier']);
    expect([worst('live', 'older'), worst('older', 'live')]).toEqual(['older', 'older']);
    expect(worst('live', 'stale', 'older')).toBe('stale');
  });
});

describe('the token', () => {
  const part = (leftMs: number | undefined) => {
    const state: State = {
      ...sampleState(clock),
      tokenExpiresAtMs: leftMs === undefined ? undefined : serviceNowMs(clock) + leftMs,
    };
    const {row, rank} = selectTokenPart(state);
    return [textOf(row), row[0]?.tone, rank];
  };
  const minute = 60_000;

  test.each([
    [undefined, ['', undefined, 4]],
    [0, ['token expired', 'bad', 1]],
    [1, ['token 0 s', 'bad', 1]],
    [2 * minute - 1, ['token 1 min', 'bad', 1]],
    [2 * minute, ['token 2 min', 'busy', 1]],
    [10 * minute - 1, ['token 9 min', 'busy', 1]],
    [10 * minute, ['token 10 min', 'dim', 4]],
  ])('that is valid for %s milliseconds', (leftMs, told) => {
    expect(part(leftMs)).toEqual(told);
  });
});

test('remarks of the context: a warning stays and is red', () => {
  const remarks = [
    {words: 'no TLS', isWarning: true},
    {words: 'demo', isWarning: false},
  ];
  const parts = selectRemarks({context: {...sampleState().context, remarks}});
  expect(parts.map(({row, rank}) => [textOf(row), row[0]?.tone, rank])).toEqual([
    ['no TLS', 'bad', 0],
    ['demo', 'busy', 1],
  ]);
  expect(selectRemarks({context: sampleState().context})).toEqual([]);
});

describe('the row of a failure', () => {
  const row = (columns: number, message: string, {retryAtMs = 12_000, notice = ''} = {}): string =>
    textOf(
      selectFailure({...clock, columns}, {message, retryAtMs}, notice === '' ? [] : [{text: notice, tone: 'busy'}]),
    ).trimEnd();

  test('says when the next try is, or that it is under way', () => {
    expect(row(80, 'refused')).toBe(' ! refused   next try at 14:02:12   r tries now');
    expect(row(80, 'refused', {retryAtMs: 10_001})).toContain('next try at');
    expect(row(80, 'refused', {retryAtMs: 10_000})).toBe(' ! refused   trying now');
    expect(row(36, 'refused')).toBe(' ! refused   next try at 14:02:12');
    expect(row(30, 'refused')).toBe(' ! refused');
  });

  test('leaves room for a notice: 24 cells, or half of the row', () => {
    const long = {notice: 'n'.repeat(40)};
    expect(row(80, 'x'.repeat(90), long)).toBe(` ! ${'x'.repeat(48)}…   ${'n'.repeat(23)}…`);
    expect(row(45, 'x'.repeat(90), long)).toBe(` ! ${'x'.repeat(17)}…   ${'n'.repeat(19)}…`);
    expect(row(80, 'short', long)).toBe(` ! short   ${'n'.repeat(40)}   next try at 14:02:12`);
    expect(row(80, 'x'.repeat(90), {notice: 'saved'})).toBe(` ! ${'x'.repeat(67)}…   saved`);
    expect(row(52, 'x'.repeat(20), {notice: 'n'.repeat(25)})).toBe(` ! ${'x'.repeat(20)}   ${'n'.repeat(25)}`);
  });
});

describe('a branch', () => {
  test('has the image of its application server, as far as it is named', () => {
    expect(imageOf({appserverImage: 'php', appserverTag: '8.3'} as Branch)).toBe('php:8.3');
    expect(imageOf({appserverImage: 'php'} as Branch)).toBe('php');
    expect(imageOf({appserverImage: '', appserverTag: ''} as Branch)).toBeUndefined();
  });

  test('in a state of an engine says it as that does', () => {
    expect(describeStatus('running')).toMatchObject({
      glyph: '●',
      tone: 'good',
      rank: 4,
      isDeployed: true,
      isFault: false,
    });
    expect(describeStatus('paused')).toMatchObject({glyph: '◐', rank: 2, isDeployed: false});
    expect(describeStatus('exited')).toMatchObject({glyph: '○', rank: 5, isDeployed: false});
    expect(describeStatus('constructor')).toMatchObject({glyph: '?', words: 'constructor'});
    expect(describeStatus('BUILD_FAILED')).toMatchObject({isDeployed: false, rank: 0});
  });

  const troubles = (...each: readonly (readonly [state: string, pod: string])[]) =>
    ({troubles: each.map(([state, pod], index) => ({state, pod, reason: `r${index}`}))}) as unknown as Branch;

  test('is troubled if something does not work now; the worst is told, with the number of its pods', () => {
    expect([isTroubled(troubles(['past', 'a'])), isTroubled(troubles(['past', 'a'], ['now', 'a']))]).toEqual([
      false,
      true,
    ]);
    expect(worstTroubleWords(troubles())).toBe('');
    expect(worstTroubleWords(troubles(['now', 'a'], ['now', 'a'], ['past', 'b']))).toBe('r0');
    expect(worstTroubleWords(troubles(['now', 'a'], ['now', 'b'], ['past', 'c']))).toBe('2 pods: r0');
  });

  test('says who is in trouble, and why', () => {
    const trouble = {state: 'now', reason: 'OOMKilled'} as const;
    expect(troubleWords({...trouble, pod: 'web-1', container: 'php', message: 'exit 137'} as never)).toBe(
      'web-1/php: OOMKilled: exit 137',
    );
    expect(troubleWords({...trouble, pod: 'web-1', message: ''} as never)).toBe('web-1: OOMKilled');
    expect(troubleWords({...trouble} as never)).toBe('OOMKilled');
  });

  test('alone needs no label; a name that fits is told whole, else its end', () => {
    const named = (...names: readonly string[]) =>
      decode(...names.map((name, index) => ({_id: `${index}`, name, status: 'A'})));
    expect(labelBranches(named('master'), 80)).toEqual([]);
    expect(labelBranches(named('abcdefghij', 'b'), 80).map(({short}) => short)).toEqual(['abcdefgh', 'b       ']);
    expect(labelBranches(named('abcdefghij', 'b'), 120).map(({short}) => short)).toEqual(['abcdefghij', 'b         ']);
    expect([endOf('abcdef', 6), endOf('abcdef', 5), endOf('abcdef', 2)]).toEqual(['abcdef', '…cdef', '…f']);
    expect([branchTone(0), branchTone(7), branchTone(8)]).toEqual(['branch1', 'branch8', 'branch1']);
  });
});

test('a pod’s name in a marker is cut at eighty characters, a change at two hundred', () => {
  const pod = {kind: 'pod', id: 1, at: 0n, change: 'appeared', name: 'p'.repeat(300), since: undefined} as const;
  expect(markerWords(pod).words.match(/p{50,}/)?.[0].length).toBe(79);
  const change = {
    kind: 'change',
    ...{id: 1, at: 0n, happenedAt: 0n},
    change: {kind: 'status', before: 'b'.repeat(300), now: 'c'},
  } as const;
  expect(markerWords(change).words.match(/b{50,}/)?.[0].length).toBe(199 - 'status '.length);
  expect([markerWords(pod).tone, markerWords({kind: 'horizon', id: 1, at: 0n}).tone]).toEqual(['accent', 'dim']);
});

describe('an incident in words', () => {
  const [from, to] = [at('14:00:00'), at('14:10:00')];
  const calm: IncidentReport = {...finishWork(findIncident([])), from, to};
  const finding = (change: Partial<IncidentFinding> = {}): IncidentFinding =>
    findingOf({what: 'rise', of: 'failed', subject: 'POST /pay', since: at('14:08:00'), confidence: 'sure', ...change});

  test('has dates a day before its end', () => {
    const format = incidentClock({to: at('14:10:00')});
    expect([format(at('14:10:00', 20)), format(at('14:09:59', 20))]).toEqual(['14:10:00', '11-20 14:09:59']);
  });

  test('tells how far from its beginning something was', () => {
    const onset = at('14:08:00');
    const far = (clockWords: string): string => distanceWords({onset, to}, at(clockWords));
    expect([far('14:07:38'), far('14:08:03'), far('14:08:00'), far('14:07:59.001')]).toEqual([
      '22 s before',
      '3 s after',
      'at once',
      'at once',
    ]);
    expect([far('14:08:01'), far('14:07:59')]).toEqual(['1 s after', '1 s before']);
    expect(distanceWords({onset: undefined, to}, at('14:09:38'))).toBe('22 s ago');
  });

  test('names what a finding is of; shapes without their marks', () => {
    expect(subjectWords(finding({of: 'status', subject: '502'}))).toBe('status 502');
    expect(subjectWords(finding({of: 'pod', subject: 'web-1'}))).toBe('errors of web-1');
    const shape = 'job \u0000 done';
    const bare = subjectWords(finding({of: 'request', subject: shape}));
    const shaped = subjectWords(finding({of: 'kind', subject: shape}));
    expect(subjectWords(finding({of: 'message', subject: shape}))).toBe(shaped);
    expect(subjectWords(finding({of: 'message', what: 'restart', subject: shape}))).toBe(bare);
  });

  test('as text has what is wrong, what changed, and of each a line that proves it', () => {
    const log = openLogWith(linesOf(1, 5)).state.log ?? expect.fail();
    const view = viewAll(log);
    const anchorAt = (index: number) => {
      const [found = expect.fail()] = view.slice(index, 1);
      return {source: 0, id: found.entry.id, at: found.entry.at};
    };
    const wrong = finding({before: 0, now: 120, unit: 'per minute', first: anchorAt(2), last: anchorAt(4)});
    const changed = finding({
      what: 'changed',
      of: 'field',
      subject: 'image',
      before: 'a',
      now: 'b',
      since: at('14:07:00'),
    });
    const found = {
      ...{...calm, onset: at('14:08:00'), findings: [wrong, changed], wholeSince: from},
      verdict: {kind: 'found'},
    } as const;
    expect(incidentText(found, formatClock, view)).toEqual([
      'incident since 14:08:00, 2 min',
      'complete from 14:00:00; nothing older read · no calm time held to compare with',
      '  120/min   POST /pay  (was 0)',
      '      2026-11-21T14:00:02.000000000Z line 2',
      'Changed:',
      '  14:07:00  image a → b  (1 min before)',
    ]);
    expect(incidentText(found, formatClock)).toHaveLength(5);
    const asked = {from, to};
    const basis = {...calm.basis, asked, covered: [asked], comparedWith: asked};
    expect(incidentText({...calm, verdict: {kind: 'calm'}, basis, wholeSince: from}, formatClock)).toEqual([
      'calm for 10 min',
      'complete from 14:00:00 · compared with 14:00–14:10',
      'no errors',
    ]);
    expect(proofLines(wrong, view)).toEqual([
      '2026-11-21T14:00:02.000000000Z line 2',
      '2026-11-21T14:00:04.000000000Z line 4',
    ]);
    expect(proofLines({...wrong, last: wrong.first}, view)).toHaveLength(1);
    expect(proofLines({...wrong, first: undefined, last: undefined}, view)).toEqual([]);
    expect(proofLines({...wrong, last: {source: 0, id: 999, at: 0n}}, view)).toHaveLength(1);
  });
});
