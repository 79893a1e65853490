import type {Branch} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {doWork} from '#api/client/do-work.ts';
import {recoveryAnswerOf} from '#app/tail/incident-reading.ts';
import {incidentSourceOf} from '#app/tail/incident-source.ts';
import {createTail, pollFailed, pollTail, type Tail} from '#app/tail/tail.ts';
import {bytesPerMb, type Clock} from '#cli/io/io.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {type Entry, textOf} from '#log/line/entry.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import type {DueBranch} from './budget.ts';
import type {BranchState, Check, GuardState} from './state.ts';

/** All logs together; a branch has its share, and at most `buffer_mb`. */
export const heldMbMax = 64;
/** How often a calm branch is read, and one with an incident or without answers. */
const calmMs = 10_000;
const hotMs = 5000;
/** A calm log is judged so often; one with new errors, or an incident, at each check. */
const judgeMs = 30_000;

type ChecksOptions = {
  readonly client: Client;
  readonly siteId: string;
  readonly log: {readonly bufferMb: number};
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Each answer has all that there is: that there is more only means that they can grow. */
  readonly isOfFiles: boolean;
};

type Watched = {
  readonly branch: Branch;
  readonly tail: Tail;
  readonly dueMs: number;
  readonly checkedMs: number;
  readonly judgedMs: number;
  readonly isChecking: boolean;
};

const errorRank = levelRank('error');

const hasError = (entries: readonly Entry[]): boolean =>
  entries.some(entry => entry.kind === 'line' && levelRank(levelOf(textOf(entry))) >= errorRank);

const isHot = (branch: BranchState | undefined): boolean => branch?.open !== undefined || branch?.blind !== undefined;

/** Creates the checks of branches: each reads a log and judges it, when it is due. */
export const createChecks = ({client, siteId, log, clock, random, signal, isOfFiles}: ChecksOptions) => {
  let watched = new Map<string, Watched>();
  let offsetMs: number | undefined;
  const put = (id: string, change: Partial<Watched>): void => {
    const known = watched.get(id);
    if (known) {
      watched.set(id, {...known, ...change});
    }
  };
  const serviceNowMs = (): number => (offsetMs === undefined ? clock.nowMs() : clock.monotonicMs() + offsetMs);
  const due = ({branches}: GuardState): readonly DueBranch[] =>
    [...watched]
      .filter(([, {isChecking}]) => !isChecking)
      .map(([id, {dueMs, checkedMs}]) => ({id, dueMs, checkedMs, isHot: isHot(branches.get(id))}));

  return {
    serviceNowMs,
    due,
    nextDueMs: (state: GuardState): number => Math.min(...due(state).map(({dueMs}) => dueMs)),
    watch: (branches: readonly Branch[]): void => {
      const bufferBytesMax = bytesPerMb * Math.min(log.bufferMb, heldMbMax / Math.max(1, branches.length));
      const never = Number.NEGATIVE_INFINITY;
      const fresh = () => createTail({intervalMs: calmMs, bufferBytesMax, keepsLateLines: true});
      watched = new Map(
        branches.map(branch => [
          branch._id,
          {
            ...(watched.get(branch._id) ?? {
              tail: fresh(),
              dueMs: never,
              checkedMs: never,
              judgedMs: never,
              isChecking: false,
            }),
            branch,
          },
        ]),
      );
    },
    check: async (
      id: string,
      known: BranchState | undefined,
    ): Promise<{readonly check: Check; readonly error: ApiError | undefined}> => {
      const {branch, tail, judgedMs} = watched.get(id) ?? {};
      if (branch === undefined || tail === undefined || judgedMs === undefined) {
        throw new Error(`branch ${id} is not watched`);
      }
      const checkedMs = clock.monotonicMs();
      put(id, {isChecking: true, checkedMs});
      const failed = (error: ApiError, next: Tail, pauseMs: number) => {
        put(id, {tail: next, dueMs: clock.monotonicMs() + pauseMs, isChecking: false});
        return {check: {kind: 'failed' as const, message: error.message}, error};
      };
      const poll = await pollTail(tail, {
        ...{nowMs: clock.monotonicMs, random, signal},
        fetchLog: (aborted, after) => client.fetchLog(siteId, id, aborted, after),
      }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || signal.aborted) {
          throw error;
        }
        return error;
      });
      if (poll instanceof ApiError) {
        const {tail: next, nextPollInMs} = pollFailed(tail, poll, {nowMs: clock.monotonicMs(), random: random()});
        return failed(poll, next, nextPollInMs);
      }
      const {result, times, added, nextPollAtMs} = poll;
      if (result instanceof ApiError) {
        return failed(result, poll.tail, nextPollAtMs - times.cameMs);
      }
      if (result.serviceTimeMs !== undefined) {
        offsetMs = result.serviceTimeMs - times.cameMs;
      }
      const hasMore = result.value.next === 'there';
      const isJudged = !hasMore && (isHot(known) || hasError(added) || times.cameMs - judgedMs >= judgeMs);
      const clockOffsetMs = serviceNowMs() - clock.monotonicMs();
      const source = incidentSourceOf(branch, poll.tail, noShapes, {clockOffsetMs, part: isOfFiles ? 'file' : 'pod'});
      const now = instantFromMs(serviceNowMs());
      const report = isJudged ? await doWork(findIncident([source], {asked: {now}}), signal) : undefined;
      put(id, {
        tail: poll.tail,
        dueMs:
          isHot(known) || report?.verdict.kind === 'found'
            ? Math.min(nextPollAtMs, times.cameMs + hotMs)
            : nextPollAtMs,
        isChecking: false,
        ...(isJudged && {judgedMs: times.cameMs}),
      });
      const answer = recoveryAnswerOf(poll.tail, {cameMs: times.cameMs, hasMore});
      return {check: {kind: 'answered', answer, entries: added, report}, error: undefined};
    },
  };
};
