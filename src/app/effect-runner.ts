import {ApiError} from '../api/api-error.ts';
import type {Client} from '../api/client.ts';
import type {Effect} from './effect.ts';
import type {Happening} from './event.ts';

/** What the screens ask of the service. */
type AskedClient = Pick<Client, 'listBranches' | 'fetchLog'>;

export type EffectRunnerOptions = {
  /** Loaded when the first request is made: it is not needed for the first screen. */
  readonly openClient: () => Promise<AskedClient>;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** The client plays a recording: it holds each answer until its time, so logs are asked for again at once. */
  readonly isReplay?: boolean;
  /** Answers with a sentence where it could not be done. */
  readonly rememberSite: (siteId: string) => Promise<string | undefined>;
  readonly repaint: () => void;
  readonly suspend: () => void;
  readonly exit: () => void;
};

type Dispatch = (happening: Happening) => void;

/** What is asked for again and again: it has one request under way at the most, and one timer. */
type Lane = {request: AbortController; cancelTimer: (() => void) | undefined};

/** No branch has this as its id: ids are not empty. */
const listingLane = '';

/** The one place where effects are carried out: requests, timers, the terminal, the way out. */
export const createEffectRunner = (options: EffectRunnerOptions): ((effect: Effect, dispatch: Dispatch) => void) => {
  let client: Promise<AskedClient> | undefined;
  /** One for the listing and one for each branch on the log screen, so that none waits for another. */
  const lanes = new Map<string, Lane>();

  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? {request: new AbortController(), cancelTimer: undefined};
    lanes.set(name, lane);
    return lane;
  };

  const clear = (lane: Lane): void => {
    lane.cancelTimer?.();
    lane.request.abort();
  };

  const begin = (name: string): AbortSignal => {
    const lane = laneOf(name);
    clear(lane);
    lane.request = new AbortController();
    return lane.request.signal;
  };

  const wait = (name: string, delayMs: number, callback: () => void): void => {
    const lane = laneOf(name);
    lane.cancelTimer?.();
    lane.cancelTimer = options.setTimer(callback, delayMs);
  };

  const ask = async <T>(
    signal: AbortSignal,
    send: (client: AskedClient, signal: AbortSignal) => Promise<T>,
    arrived: (answer: T) => Happening,
    failed: (error: ApiError) => Happening,
    dispatch: Dispatch,
  ): Promise<void> => {
    let happening: Happening;
    try {
      client ??= options.openClient();
      happening = arrived(await send(await client, signal));
    } catch (error) {
      happening = failed(error instanceof ApiError ? error : unexpected(error));
    }
    if (!signal.aborted) {
      dispatch(happening);
    }
  };

  return (effect, dispatch) => {
    switch (effect.kind) {
      case 'fetchBranches': {
        const {siteId, generation} = effect;
        void ask(
          begin(listingLane),
          (opened, signal) => opened.listBranches(siteId, signal),
          answer => ({kind: 'branchesArrived', generation, answer}),
          error => ({kind: 'branchesFailed', generation, error}),
          dispatch,
        );
        return;
      }
      case 'fetchWindow': {
        const {siteId, branchId, generation} = effect;
        void ask(
          begin(branchId),
          (opened, signal) => opened.fetchLog(siteId, branchId, signal),
          answer => ({kind: 'windowArrived', branchId, generation, answer}),
          error => ({kind: 'windowFailed', branchId, generation, error}),
          dispatch,
        );
        return;
      }
      case 'refreshAfter': {
        const {delayMs, generation} = effect;
        wait(listingLane, delayMs, () => dispatch({kind: 'refreshDue', generation}));
        return;
      }
      case 'pollAfter': {
        const {branchId, delayMs, generation} = effect;
        wait(branchId, options.isReplay ? 0 : delayMs, () => dispatch({kind: 'pollDue', branchId, generation}));
        return;
      }
      case 'cancel':
        for (const lane of lanes.values()) {
          clear(lane);
        }
        lanes.clear();
        return;
      case 'rememberSite':
        void options.rememberSite(effect.siteId).then(notice => {
          if (notice !== undefined) {
            dispatch({kind: 'noticed', notice});
          }
        });
        return;
      case 'repaint':
        options.repaint();
        return;
      case 'suspend':
        options.suspend();
        return;
      case 'exit':
        options.exit();
        return;
      default:
        effect satisfies never;
    }
  };
};

/** A fault of our own, told like any other so that the screen lives on. */
const unexpected = (error: unknown): ApiError =>
  new ApiError(
    'network',
    `the request failed in an unexpected way: ${error instanceof Error ? error.message : 'unknown'}`,
    {
      cause: error,
    },
  );
