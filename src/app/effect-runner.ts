import {ApiError} from '../api/api-error.ts';
import type {Client} from '../api/client.ts';
import type {Effect} from './effect.ts';
import type {Happening} from './event.ts';

export type EffectRunnerOptions = {
  /** Loaded when the first request is made: it is not needed for the first screen. */
  readonly openClient: () => Promise<Client>;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** Answers with a sentence where it could not be done. */
  readonly rememberSite: (siteId: string) => Promise<string | undefined>;
  readonly repaint: () => void;
  readonly suspend: () => void;
  readonly exit: () => void;
};

type Dispatch = (happening: Happening) => void;

/** The one place where effects are carried out: requests, the timer, the terminal, the way out. */
export const createEffectRunner = (options: EffectRunnerOptions): ((effect: Effect, dispatch: Dispatch) => void) => {
  let client: Promise<Client> | undefined;
  let request = new AbortController();
  let cancelTimer: (() => void) | undefined;

  const ask = async <T>(
    send: (client: Client, signal: AbortSignal) => Promise<T>,
    arrived: (answer: T) => Happening,
    failed: (error: ApiError) => Happening,
    dispatch: Dispatch,
  ): Promise<void> => {
    const {signal} = request;
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
          (opened, signal) => opened.fetchLog(siteId, branchId, signal),
          answer => ({kind: 'windowArrived', generation, answer}),
          error => ({kind: 'windowFailed', generation, error}),
          dispatch,
        );
        return;
      }
      case 'refreshAfter':
        cancelTimer?.();
        cancelTimer = options.setTimer(
          () => dispatch({kind: 'refreshDue', generation: effect.generation}),
          effect.delayMs,
        );
        return;
      case 'cancel':
        cancelTimer?.();
        request.abort();
        request = new AbortController();
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
