import {expect, test} from 'vitest';
import {judgeIncident} from '#library/judge-incident.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {instantFromMs} from '#log/line/instant.ts';

const atMs = (second: number): number => Date.UTC(2026, 10, 21, 14) + second * 1000;
const now = instantFromMs(atMs(1200));
const asked = {from: now - 600_000_000_000n, now};

/** Twenty minutes; from some second on, every line is an error. */
const logOf = (errorsFrom: number) =>
  takeWindow(createBranchLog(1024 * 1024), {
    lines: Array.from(
      {length: 1200},
      (_, second) =>
        `${new Date(atMs(second)).toISOString()} ${second < errorsFrom ? 'GET /cart 200' : 'ERROR: refused'}`,
    ),
    cut: 'branch',
    pods: [{name: 'web-1', createdAt: undefined}],
  }).log;

test('a log is judged as the command judges it: found, calm, and with the reason why nobody can tell', () => {
  expect(judgeIncident([{log: logOf(900)}], asked).verdict).toEqual({kind: 'found'});
  const {verdict, basis} = judgeIncident([{log: logOf(1200)}], asked);
  expect([verdict, basis.proof, basis.asked]).toEqual([{kind: 'calm'}, 'said', {from: asked.from, to: now}]);
  const silent = judgeIncident([{log: logOf(1200)}], {...asked, now: now + 300_000_000_000n});
  expect(silent.verdict).toMatchObject({kind: 'unknown', why: {why: 'silence'}});
});

test('what a poll told beside the log counts', () => {
  const log = logOf(1200);
  const unreadable = {pods: 1, of: 2, why: 'no right to read them'};
  expect(judgeIncident([{log, unreadable}], asked).verdict).toMatchObject({
    ...{kind: 'unknown', why: {why: 'unreadable', said: '1 of 2 pods unreadable: no right to read them'}},
  });
  expect(judgeIncident([{log, error: new Error('503')}], asked).verdict).toMatchObject({
    ...{kind: 'unknown', why: {why: 'outage'}},
  });
});
