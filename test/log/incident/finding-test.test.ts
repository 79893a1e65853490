import {describe, expect, test} from 'vitest';
import {doubtWords} from '#log/incident/doubt-words.ts';
import {findingOf, type IncidentFinding} from '#log/incident/incident-finding.ts';
import {type Doubt, lineTestOf} from '#log/incident/recovery-watch.ts';
import type {LineEntry, SourceName} from '#log/line/entry.ts';
import {instantFromMs} from '#log/line/instant.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const at = (second: number) => instantFromMs(startMs + second * 1000);

const line = (text: string, source?: SourceName): LineEntry => ({
  ...{kind: 'line', id: 1, at: at(0), raw: `2026-11-21T14:00:00Z ${text}`, textIndex: 21, late: false, source},
});

const request = (status: number, more = {}) =>
  JSON.stringify({level: status >= 500 ? 'error' : 'info', method: 'GET', path: '/cart/7', status, ...more});

const matches = (
  finding: Pick<IncidentFinding, 'of' | 'subject'> & Partial<IncidentFinding>,
  ...lines: LineEntry[]
) => {
  const isMatch = lineTestOf(findingOf({what: 'rise', since: 0n, ...finding}));
  return isMatch && lines.map(isMatch);
};

describe('the lines of a finding', () => {
  test('of all errors are errors', () => {
    const lines = [line('ERROR a'), line('FATAL b'), line('WARN c')];
    expect(matches({of: 'errors', subject: 'errors'}, ...lines)).toEqual([true, true, false]);
  });

  test('of a kind of errors say the same, and are errors; of a message any level will do', () => {
    const lines = [
      line('ERROR job 7 failed'),
      line('ERROR job 7 done'),
      line('INFO job 7 failed'),
      line('ERROR job failed'),
    ];
    expect(matches({of: 'kind', subject: 'ERROR job ‹n› failed'}, ...lines)).toEqual([true, false, false, false]);
    const told = [line('level=error msg="job 7 failed"'), line('level=info msg="job 8 failed"'), line('ready')];
    expect(matches({of: 'kind', subject: 'job ‹n› failed'}, ...told)).toEqual([true, false, false]);
    expect(matches({of: 'message', subject: 'job ‹n› failed'}, ...told)).toEqual([true, true, false]);
  });

  test('of a failed request have its path and status', () => {
    const lines = [line(request(503)), line(request(502)), line(request(200)), line('ERROR GET /cart/‹n› 503')];
    expect(matches({of: 'failed', subject: 'GET /cart/‹n› 503'}, ...lines)).toEqual([true, false, false, false]);
    expect(matches({of: 'failed', subject: 'GET /cart/‹n› 200'}, ...lines)).toEqual([false, false, false, false]);
  });

  test('of a pod are errors that it wrote, or that name it where nobody says who wrote them', () => {
    const web = {pod: 'web-1'};
    const lines = [line('ERROR a', web), line('INFO a', web), line('ERROR web-1', {pod: 'db'}), line('ERROR web-1 x')];
    expect(matches({of: 'pod', subject: 'web-1'}, ...lines)).toEqual([true, false, false, true]);
    expect(matches({of: 'pod', subject: 'web-1'}, line('ERROR x'))).toEqual([false]);
  });

  test('of a status have it as theirs', () => {
    const lines = [line(request(404)), line(request(200, {note: 404})), line(request(200)), line('404')];
    expect(matches({of: 'status', subject: '404'}, ...lines)).toEqual([true, false, false, false]);
  });

  test('of a request are all of it, of a slower one those nearer to the new duration', () => {
    const timed = (ms: number) => line(request(200, {duration_ms: ms}));
    const lines = [
      timed(399),
      timed(400),
      line(request(200)),
      line(JSON.stringify({method: 'PUT', path: '/cart/7', status: 200, duration_ms: 999})),
    ];
    expect(matches({of: 'request', subject: 'GET /cart/‹n›'}, ...lines)).toEqual([true, true, true, false]);
    const slower = {of: 'request', subject: 'GET /cart/‹n›', what: 'slower', before: 100, now: 1600} as const;
    expect(matches(slower, ...lines)).toEqual([false, true, false, false]);
    expect(matches({of: 'request', subject: 'GET /cart/‹n›'}, line('INFO /cart/ is open'))).toEqual([false]);
  });

  test('of a source are what it wrote', () => {
    const lines = [line('a', {pod: 'web', container: 'php'}), line('a', {pod: 'web'}), line('a')];
    expect(matches({of: 'source', subject: 'web php'}, ...lines)).toEqual([true, false, false]);
  });

  test('that is a change do not go on', () => {
    expect(matches({of: 'field', subject: 'version'})).toBeUndefined();
    expect(matches({of: 'message', subject: 'restarted', what: 'restart'})).toBeUndefined();
    expect(matches({of: 'errors', subject: 'errors', what: 'changed'})).toBeUndefined();
  });
});

test.each<readonly [Doubt, string]>([
  [{kind: 'tooShort'}, 'too little time passed'],
  [{kind: 'outage', sinceMs: 5000}, 'no answer since 5 s'],
  [{kind: 'outage', sinceMs: Number.NEGATIVE_INFINITY}, 'no answer'],
  [{kind: 'silence', sinceMs: 5000, who: ''}, 'nothing was written since 5 s'],
  [{kind: 'silence', sinceMs: 5000, who: 'web-1 php'}, 'nothing was written by web-1 php since 5 s'],
  [{kind: 'silence', sinceMs: 0, who: ''}, 'nothing was written'],
  [{kind: 'lastLines', pod: 'web-1'}, 'the last lines of web-1 may be missing'],
  [{kind: 'lastLines', pod: 'x'.repeat(101)}, `the last lines of ${'x'.repeat(99)}… may be missing`],
  [{kind: 'unreadable'}, 'not all of it can be read'],
  [{kind: 'unnumbered'}, 'not every response numbers its lines'],
  [{kind: 'unproven'}, 'not every response proves as much as those before'],
  [{kind: 'notLines'}, 'the service sent something that is not a line'],
  [{kind: 'gap', id: 1, at: at(9), after: at(1), before: at(2)}, 'gap 14:00:01 to 14:00:02'],
  [{kind: 'quiet', id: 1, at: at(9), since: at(1)}, 'quiet 14:00:01 to 14:00:09'],
])('a doubt of %o in words: %s', (doubt, words) => {
  expect(doubtWords(doubt, ms => (ms === 0 ? undefined : `${ms / 1000} s`))).toBe(words);
});
