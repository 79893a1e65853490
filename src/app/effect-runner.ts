import {ApiError} from '../api/api-error.ts';
import type {Client} from '../api/http/client.ts';
import type {ExportRunner} from './export/run-exports.ts';
import type {LogKey, LogMemory} from './parts/log-memory.ts';
import {createSummariser, type Summariser} from './parts/summariser.ts';
import type {SearchHost, SearchHostOptions} from './search-thread/search-host.ts';
import type {Effect} from './state/effect.ts';
import type {Happening} from './state/event.ts';

/** What the screens ask of the service. */
type AskedClient = Pick<Client, 'listBranches' | 'fetchLog'>;

/** Keeps how logs are looked at. */
export type LogMemories = {
  /** What was kept of a log, and a sentence where something is wrong. Never rejects. */
  recall(key: LogKey): Promise<{readonly memory: LogMemory | undefined; readonly notice: string | undefined}>;
  /** Keeps what is to be kept, not at once: of several calls for one log the last one counts. */
  remember(key: LogKey, memory: LogMemory): void;
};

export type EffectRunnerOptions = {
  /** Loaded when the first request is made: it is not needed for the first screen. */
  readonly openClient: () => Promise<AskedClient>;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** A monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** The client plays a recording: it holds each answer until its time, so logs are asked for again at once. */
  readonly isReplay?: boolean;
  /** Answers with a sentence where it could not be done. */
  readonly rememberSite: (siteId: string) => Promise<string | undefined>;
  /** How logs were looked at, and are; where it is left out nothing is known and nothing kept. */
  readonly logMemories?: LogMemories | undefined;
  /** From here on the client that is opened is that context's. */
  readonly switchContext: (name: string) => void;
  /** Answers with the sentence that tells what became of it. */
  readonly copy: (text: string | Uint8Array, what: string, advice?: string) => string;
  /** Saves and pipes. */
  readonly runExport: ExportRunner['run'];
  /** Looks for patterns in a thread of its own; loaded and started with the first pattern. */
  readonly openSearch: (options: SearchHostOptions) => Promise<SearchHost>;
  readonly setMouse: (isOn: boolean) => void;
  readonly callUser: (text: string) => void;
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
  let searchHost: Promise<SearchHost> | undefined;
  /** One for the listing and one for each branch on the log screen, so that none waits for another. */
  const lanes = new Map<string, Lane>();
  let cancelHiding: (() => void) | undefined;
  let summariser: Summariser | undefined;
  /** That of the state whose filters are to go on; undefined where none is. */
  let filterGeneration: number | undefined;

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

  const search = (dispatch: Dispatch): Promise<SearchHost> => {
    searchHost ??= options.openSearch({
      onMatched: (patternId, results) => dispatch({kind: 'patternMatched', patternId, results}),
      onFoundSpans: (patternId, texts, spansOfTexts) => dispatch({kind: 'spansFound', patternId, texts, spansOfTexts}),
      onSlow: patternId => dispatch({kind: 'patternSlow', patternId}),
      onFailed: (patternId, sentence) => dispatch({kind: 'patternFailed', patternId, sentence}),
    });
    return searchHost;
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
        summariser?.cancel();
        return;
      case 'match':
        void search(dispatch).then(host => host.match(effect.patternId, effect.pattern, effect.chunks));
        return;
      case 'findSpans':
        void search(dispatch).then(host => host.findSpans(effect.patternId, effect.pattern, effect.texts));
        return;
      case 'cancelPattern':
        void searchHost?.then(host => host.cancel(effect.patternId));
        return;
      case 'filterSoon':
        if (filterGeneration === undefined) {
          options.setTimer(() => {
            const generation = filterGeneration ?? effect.generation;
            filterGeneration = undefined;
            dispatch({kind: 'filterDue', generation});
          }, 0);
        }
        filterGeneration = effect.generation;
        return;
      case 'summarise':
        summariser ??= createSummariser({
          setTimer: options.setTimer,
          nowMs: options.nowMs,
          onCounted: counted => dispatch({kind: 'summaryCounted', ...counted}),
        });
        summariser.count(effect.order);
        return;
      case 'cancelSummary':
        summariser?.cancel();
        return;
      case 'rememberSite':
        void options.rememberSite(effect.siteId).then(notice => {
          if (notice !== undefined) {
            dispatch({kind: 'noticed', notice});
          }
        });
        return;
      case 'recallLog': {
        const {key, generation} = effect;
        void options.logMemories?.recall(key).then(({memory, notice}) => {
          if (notice !== undefined) {
            dispatch({kind: 'noticed', notice});
          }
          dispatch({kind: 'logRecalled', generation, memory});
        });
        return;
      }
      case 'rememberLog':
        options.logMemories?.remember(effect.key, effect.memory);
        return;
      case 'switchContext':
        client = undefined;
        options.switchContext(effect.name);
        return;
      case 'hideSecretAfter':
        cancelHiding?.();
        cancelHiding = options.setTimer(() => dispatch({kind: 'secretDue'}), effect.delayMs);
        return;
      case 'copy':
        dispatch({kind: 'noticed', notice: options.copy(effect.text, effect.what, effect.advice)});
        return;
      case 'saveFile':
      case 'cancelSave':
      case 'pipe':
        options.runExport(effect, dispatch);
        return;
      case 'setMouse':
        options.setMouse(effect.isOn);
        return;
      case 'callUser':
        options.callUser(effect.text);
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
