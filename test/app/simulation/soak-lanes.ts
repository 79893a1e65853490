import type {Effect} from '#app/state/effect.ts';
import type {Random} from '../../log/simulation/random.ts';
import {assert} from './soak-branch.ts';

/** What is asked for again and again, as the runner of effects has it: one request under way at the most, and one timer. */
export type Asked = {readonly branchId: string | undefined; readonly generation: number};

/** What comes next: the end of a request, or a timer. */
export type Due = Asked & {readonly kind: 'answer' | 'timer'; readonly atMs: number};

/** A branch may be in the open log and in held ones. */
const nameOf = ({branchId, generation}: Asked): string =>
  branchId === undefined ? 'branches' : `${generation} ${branchId}`;

type Lane = {request: Due | undefined; timer: Due | undefined};

/** Requests that were let go of and may be answered all the same. */
const abandonedMax = 8;

/** Carries out the effects of requests and timers in a time that only passes here, and watches that no two requests are under way. */
export const createLanes = (random: Random) => {
  const lanes = new Map<string, Lane>();
  const abandoned: Due[] = [];

  const laneOf = (asked: Asked): Lane => {
    const lane = lanes.get(nameOf(asked)) ?? {request: undefined, timer: undefined};
    lanes.set(nameOf(asked), lane);
    return lane;
  };

  const letGo = ({request}: Lane): void => {
    if (request !== undefined) {
      abandoned.push(request);
      abandoned.splice(0, abandoned.length - abandonedMax);
    }
  };

  const ask = (asked: Asked, nowMs: number, isByTimer: boolean): void => {
    const lane = laneOf(asked);
    assert(!(isByTimer && lane.request), () => `a second request is sent while one is under way: ${asked.branchId}`);
    letGo(lane);
    lane.timer = undefined;
    lane.request = {...asked, kind: 'answer', atMs: nowMs + random.integer(1, 400)};
  };

  const wait = (asked: Asked, delayMs: number, nowMs: number): void => {
    const lane = laneOf(asked);
    // The listing's timer is set while a log is opened and its request may come of a pod's change meanwhile.
    assert(
      asked.branchId === undefined || lane.request === undefined,
      () => 'a poll is arranged while one is under way',
    );
    lane.timer = {...asked, kind: 'timer', atMs: nowMs + delayMs};
  };

  return {
    /** Carries out an effect. `isByTimer`: it comes of a timer and not of a key. */
    run: (effect: Effect, nowMs: number, isByTimer: boolean): void => {
      switch (effect.kind) {
        case 'fetchBranches':
          ask({branchId: undefined, generation: effect.generation}, nowMs, false);
          return;
        case 'fetchWindow':
          ask({branchId: effect.branchId, generation: effect.generation}, nowMs, isByTimer);
          return;
        case 'refreshAfter':
          wait({branchId: undefined, generation: effect.generation}, effect.delayMs, nowMs);
          return;
        case 'pollAfter':
          wait({branchId: effect.branchId, generation: effect.generation}, effect.delayMs, nowMs);
          return;
        case 'cancel':
          for (const lane of lanes.values()) {
            letGo(lane);
          }
          lanes.clear();
          return;
        default:
          return;
      }
    },
    /** Takes what comes next; undefined where nothing is under way and nothing arranged. */
    takeNext: (): Due | undefined => {
      let next: Due | undefined;
      for (const {request, timer} of lanes.values()) {
        for (const due of [request, timer]) {
          next = due !== undefined && (next === undefined || due.atMs < next.atMs) ? due : next;
        }
      }
      if (next !== undefined) {
        const lane = laneOf(next);
        lane.request = next === lane.request ? undefined : lane.request;
        lane.timer = next === lane.timer ? undefined : lane.timer;
      }
      return next;
    },
    /** A request that was let go of, to be answered all the same. */
    takeAbandoned: (): Due | undefined => abandoned.shift(),
    /** When the branch's next try is sent or its answer comes, milliseconds; undefined where neither is arranged. */
    nextAtMs: (branchId: string, generation: number): number | undefined => {
      const lane = lanes.get(nameOf({branchId, generation}));
      return lane?.request?.atMs ?? lane?.timer?.atMs;
    },
  };
};
