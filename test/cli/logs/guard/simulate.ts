import {createGuard, type GuardEvent, type GuardState} from '#cli/logs/guard/state.ts';
import {step} from '#cli/logs/guard/step.ts';
import type {GuardRecord} from '#cli/logs/guard/stored.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {sourceOfLog} from '#log/incident/verdict.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {textOf} from '#log/line/entry.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';
import {type DrawnLine, instantOf, millisecondOf, podOf, rawOf} from '../../../log/incident/simulation/take-lines.ts';

export type Simulated = {
  readonly records: readonly (GuardRecord & {readonly second: number})[];
  /** What `incident` says at each look at which it was asked. */
  readonly reports: readonly {readonly second: number; readonly report: IncidentReport}[];
};

type Wanted = {
  /** By time. */
  readonly lines: readonly DrawnLine[];
  /** The guard begins then, and what was written before is held. */
  readonly from: number;
  readonly to: number;
  /** Seconds between two checks, and between two judgements of a calm log. */
  readonly lookEvery: number;
  readonly judgeEvery: number;
  readonly bufferBytesMax: number;
  /** When the pod is replaced by another one. */
  readonly deployments?: readonly number[];
  /** When the service starts anew, and numbers its lines anew. */
  readonly restarts?: readonly number[];
  /** When it does not answer. */
  readonly outages?: readonly (readonly [from: number, to: number])[];
};

/** Seconds until the guard looks again at a branch that did not answer: those with trouble come first. */
const soonAgain = 5;

/** How many of these seconds have been. */
const countUntil = (seconds: readonly number[], now: number): number => seconds.filter(second => second <= now).length;

/** Lets a guard watch a drawn log of one pod, whose lines are numbered, with no service and no clock. */
export const simulateGuard = (wanted: Wanted): Simulated => {
  const {lines, from, to, lookEvery, judgeEvery, bufferBytesMax} = wanted;
  const {deployments = [], restarts = [], outages = []} = wanted;
  const podAt = (second: number): string => `web-${1 + countUntil(deployments, second)}`;
  const records: (GuardRecord & {readonly second: number})[] = [];
  const reports: {readonly second: number; readonly report: IncidentReport}[] = [];
  let state: GuardState = createGuard('shop', undefined, {atMs: millisecondOf(from), monoMs: 1000 * from});
  const take = (event: GuardEvent, second: number): void => {
    const {state: next, effects} = step(state, event, {atMs: millisecondOf(second), monoMs: 1000 * second});
    state = next;
    for (const effect of effects) {
      if (effect.kind === 'notify') {
        records.push({...effect.record, second});
        take({kind: 'notified', failure: undefined}, second);
      }
    }
  };
  take({kind: 'listed', branches: [{id: 'b', name: 'main'}]}, from);
  let log = createBranchLog(bufferBytesMax);
  let taken = 0;
  let judged = Number.NEGATIVE_INFINITY;
  let [series, first] = [0, 1];
  for (let [second, pause] = [from, 0]; second <= to; second += pause) {
    pause = lookEvery;
    if (outages.some(([began, ended]) => second >= began && second < ended)) {
      take({kind: 'checked', id: 'b', check: {kind: 'failed', message: 'no answer'}}, second);
      pause = Math.min(lookEvery, soonAgain);
      continue;
    }
    const begin = taken;
    while ((lines[taken]?.second ?? Number.POSITIVE_INFINITY) <= second) {
      taken += 1;
    }
    const fresh = lines.slice(begin, taken);
    const names = [...new Set([...fresh.map(line => podAt(line.second)), podAt(second)])];
    if (countUntil(restarts, second) !== series) {
      [series, first] = [countUntil(restarts, second), 1];
    }
    const {log: next, added} = takeWindow(log, {
      lines: fresh.map(rawOf),
      pods: [podOf(podAt(second), deployments[countUntil(deployments, second) - 1])],
      serviceAt: instantOf(second),
      numbering: {
        ...{series: `s${series}`, first, losses: []},
        runs: names.map((name, index) => [index, fresh.filter(line => podAt(line.second) === name).length]),
        sources: names.map(pod => ({pod})),
      },
    });
    log = next;
    first += fresh.length;
    const {open, blind} = state.branches.get('b') ?? {};
    const hasError = added.some(
      entry => entry.kind === 'line' && levelRank(levelOf(textOf(entry))) >= levelRank('error'),
    );
    const isJudged = hasError || open !== undefined || blind !== undefined || second - judged >= judgeEvery;
    const report = isJudged
      ? finishWork(findIncident([sourceOfLog(log, noShapes)], {asked: {now: instantOf(second)}}))
      : undefined;
    if (report) {
      judged = second;
      reports.push({second, report});
    }
    const answer = {
      ...{cameMs: 1000 * second, proof: log.proof, isNumbered: true, notLineCount: 0, isUnreadable: false},
      ...{podNames: [podAt(second)], hasMore: false},
    };
    take({kind: 'checked', id: 'b', check: {kind: 'answered', answer, entries: added, report}}, second);
  }
  return {records, reports};
};
