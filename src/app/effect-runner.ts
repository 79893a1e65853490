import {ApiError, helpsNewToken, messageOf} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {takeProbe} from '#app/lists/update-probes.ts';
import type {WindowPreparer} from '#app/log/fetch-window.ts';
import {findInSlices} from '#app/log/find-in-slices.ts';
import type {UserCall} from '#app/parts/call-user.ts';
import {createSummariser, type Summariser} from '#app/parts/summariser.ts';
import type {SearchHost, SearchHostOptions} from '#app/search/search-host.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Event} from '#app/state/event.ts';
import type {LogKey, LogMemory} from '#log/overview/log-memory.ts';
import {createUnreadFinder} from './find-unread.ts';
import type {ExportRunner} from './run-exports.ts';

/** The requests that the screens send to the service. */
type AskedClient = Pick<Client, 'listBranches' | 'fetchLog' | 'probeLog' | 'countErrors' | 'unread'> & {
  readonly token: Pick<Client['token'], 'watch'>;
};

/** Saves and loads the view settings of logs. */
export type LogMemories = {
  /** Returns the saved settings of a log, and a sentence if something is wrong. Never rejects. */
  recall(key: LogKey): Promise<{readonly memory: LogMemory | undefined; readonly notice: string | undefined}>;
  /** Saves after a delay; of several calls for one log the last one counts. */
  remember(key: LogKey, memory: LogMemory): void;
};

export type EffectRunnerOptions = {
  /** Loaded with the first request: the first screen does not need it. */
  readonly openClient: () => Promise<AskedClient>;
  readonly prepareWindow: WindowPreparer;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** A monotonic clock, milliseconds. */
  readonly nowMs: () => number;
  /** The client plays a recording and holds each answer back until its time, so logs are polled again at once. */
  readonly isReplay?: boolean;
  /** Returns a sentence if it failed. */
  readonly rememberSite: (siteId: string) => Promise<string | undefined>;
  /** Keeps filters by a name, or forgets it if there are none; returns a notice if they are not kept or forgotten. */
  readonly keepFilters: (name: string, filters: readonly string[]) => Promise<string | undefined>;
  /** The saved view settings; if absent, none are loaded or saved. */
  readonly logMemories?: LogMemories | undefined;
  /** What the guard told, as `readGuard` wants it; absent where no guard can be. Never rejects. */
  readonly readGuard?:
    | ((wish: Extract<Effect, {readonly kind: 'readGuard'}>) => Promise<ReadonlyMap<string, number>>)
    | undefined;
  /** From now on clients are opened for this context. */
  readonly switchContext: (name: string) => void;
  /** Returns a sentence about the outcome. */
  readonly copy: (text: string | Uint8Array, what: string, advice?: string) => Promise<string>;
  /** Saves and pipes. */
  readonly runExport: ExportRunner['run'];
  /** Searches for patterns in its own thread; loaded and started with the first pattern. */
  readonly openSearch: (options: SearchHostOptions) => Promise<SearchHost>;
  readonly setMouse: (isOn: boolean) => void;
  readonly callUser: (call: UserCall) => void;
  /** Changes the theme; returns a sentence about it. */
  readonly nextTheme: () => string;
  readonly repaint: () => void;
  readonly suspend: () => void;
  readonly exit: () => void;
};

type Dispatch = (event: Event) => void;

/** A repeated request: at most one request in progress, and one timer. */
type Lane = {
  request: AbortController;
  cancelTimer: (() => void) | undefined;
  isAsking: boolean;
  /** When a key last made it ask, by the monotonic clock. */
  pressedAtMs: number;
};

/** Minimum time between two requests that a key asks for, in milliseconds: a held key repeats 30 times a second. */
const pressPauseMs = 1000;

/** While signed out, the token file is looked at this often, in milliseconds. */
const tokenLookMs = 1000;

const listingLane = 'branches';
const probeLane = 'probe';

/** A branch may be in the open log and in held ones, which are told apart by their generation. */
const laneOfBranch = ({branchId, generation}: {readonly branchId: string; readonly generation: number}): string =>
  `${generation} ${branchId}`;

const ignore = (): void => {};

/** Carries out effects: requests, timers, the terminal, quitting. The only place that does. */
export const createEffectRunner = (options: EffectRunnerOptions): ((effect: Effect, dispatch: Dispatch) => void) => {
  let client: Promise<AskedClient> | undefined;
  let searchHost: Promise<SearchHost> | undefined;
  /** One for the listing and one per branch of a log, so that none waits for another. */
  const lanes = new Map<string, Lane>();
  let cancelHiding: (() => void) | undefined;
  /** The look-out for a new token; undefined while none is needed. A later one replaces it. */
  let lookOut: object | undefined;
  let summariser: Summariser | undefined;
  let incident = new AbortController();
  const finder = createUnreadFinder();
  /** The generation of the state whose filters continue; undefined if none do. */
  let filterGeneration: number | undefined;

  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? {
      request: new AbortController(),
      cancelTimer: undefined,
      isAsking: false,
      pressedAtMs: Number.NEGATIVE_INFINITY,
    };
    lanes.set(name, lane);
    return lane;
  };

  const clear = (lane: Lane): void => {
    lane.cancelTimer?.();
    lane.request.abort();
  };

  /**
   * Returns the lane of a new request. Returns undefined if a key asks for it while one is in progress, or too soon
   * after the last time; then `again` runs when the pause is over.
   */
  const begin = (name: string, isPressed: boolean | undefined, again: () => void): Lane | undefined => {
    const lane = laneOf(name);
    const nowMs = options.nowMs();
    const pauseMs = lane.pressedAtMs + pressPauseMs - nowMs;
    if (isPressed && (lane.isAsking || pauseMs > 0)) {
      if (!lane.isAsking) {
        wait(name, pauseMs, again);
      }
      return undefined;
    }
    clear(lane);
    lane.request = new AbortController();
    lane.isAsking = true;
    lane.pressedAtMs = isPressed ? nowMs : lane.pressedAtMs;
    return lane;
  };

  /** Looks for a new token until there is one, an answer shows that none is needed, or the place is left. */
  const watchToken = async (own: object, hasNew: () => Promise<boolean>, dispatch: Dispatch): Promise<void> => {
    const isThere = lookOut === own && (await hasNew());
    if (lookOut !== own) {
      return;
    }
    if (isThere) {
      lookOut = undefined;
      dispatch({kind: 'tokenChanged'});
    } else {
      options.setTimer(() => void watchToken(own, hasNew, dispatch), tokenLookMs);
    }
  };

  const wait = (name: string, delayMs: number, callback: () => void): void => {
    const lane = laneOf(name);
    lane.cancelTimer?.();
    lane.cancelTimer = options.setTimer(callback, delayMs);
  };

  const ask = async <T>(
    lane: Lane | undefined,
    send: (client: AskedClient, signal: AbortSignal) => Promise<T>,
    arrived: (answer: T) => Event,
    failed: (error: ApiError) => Event,
    dispatch: Dispatch,
  ): Promise<void> => {
    if (lane === undefined) {
      return;
    }
    const {signal} = lane.request;
    let event: Event;
    try {
      client ??= options.openClient();
      event = arrived(await send(await client, signal));
      lookOut = undefined;
    } catch (error) {
      const fault = error instanceof ApiError ? error : unexpected(error);
      event = failed(fault);
      if (!signal.aborted && lookOut === undefined && helpsNewToken(fault.kind)) {
        const own = {};
        lookOut = own;
        void client?.then(
          opened => watchToken(own, opened.token.watch(), dispatch),
          () => {},
        );
      }
    }
    if (!signal.aborted) {
      lane.isAsking = false;
      dispatch(event);
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

  const withSearch = (patternId: number, dispatch: Dispatch, use: (host: SearchHost) => void): void => {
    search(dispatch).then(use, (error: unknown) =>
      dispatch({kind: 'patternFailed', patternId, sentence: messageOf(error)}),
    );
  };

  const run = (effect: Effect, dispatch: Dispatch): void => {
    switch (effect.kind) {
      case 'fetchBranches': {
        const {siteId, generation} = effect;
        void ask(
          begin(listingLane, effect.isPressed, () => run(effect, dispatch)),
          (opened, signal) => opened.listBranches(siteId, signal),
          answer => ({kind: 'branchesArrived', generation, answer}),
          error => ({kind: 'branchesFailed', generation, error}),
          dispatch,
        );
        return;
      }
      case 'fetchWindow': {
        const {siteId, branchId, generation, after} = effect;
        void ask(
          begin(laneOfBranch(effect), effect.isPressed, () => run(effect, dispatch)),
          async (opened, signal) => {
            const answer = await opened.fetchLog(siteId, branchId, signal, after);
            return {answer, prepared: await options.prepareWindow(effect, answer, signal)};
          },
          came => ({kind: 'windowArrived', branchId, generation, ...came}),
          error => ({kind: 'windowFailed', branchId, generation, error}),
          dispatch,
        );
        return;
      }
      case 'probeBranch': {
        const {branchId, generation} = effect;
        void ask(
          begin(probeLane, false, () => {}),
          (opened, signal) => takeProbe(opened, effect, signal),
          answer => ({kind: 'probeArrived', generation, answer}),
          error => ({kind: 'probeFailed', branchId, generation, error}),
          dispatch,
        );
        return;
      }
      case 'probeAfter': {
        const {delayMs, generation} = effect;
        wait(probeLane, delayMs, () => dispatch({kind: 'probeDue', generation}));
        return;
      }
      case 'refreshAfter': {
        const {delayMs, generation} = effect;
        wait(listingLane, delayMs, () => dispatch({kind: 'refreshDue', generation}));
        return;
      }
      case 'pollAfter': {
        const {branchId, delayMs, generation} = effect;
        wait(laneOfBranch(effect), options.isReplay ? 0 : delayMs, () =>
          dispatch({kind: 'pollDue', branchId, generation}),
        );
        return;
      }
      case 'cancel':
        for (const lane of lanes.values()) {
          clear(lane);
        }
        lanes.clear();
        lookOut = undefined;
        summariser?.cancel();
        incident.abort();
        return;
      case 'prepareSearch':
        search(dispatch).then(host => host.prepare(), ignore);
        return;
      case 'match':
        withSearch(effect.patternId, dispatch, host => host.match(effect.patternId, effect.pattern, effect.chunks));
        return;
      case 'findSpans':
        withSearch(effect.patternId, dispatch, host => host.findSpans(effect.patternId, effect.pattern, effect.texts));
        return;
      case 'cancelPattern':
        void searchHost?.then(host => host.cancel(effect.patternId), ignore);
        return;
      case 'findUnread':
      case 'scanUnread':
        void client?.then(({unread}) => finder.find(unread, effect, dispatch));
        return;
      case 'cancelScan':
        finder.cancel();
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
      case 'findIncident':
        incident.abort();
        incident = new AbortController();
        client ??= options.openClient();
        void findInSlices(effect.order, {client, nowMs: options.nowMs}, incident.signal, dispatch);
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
      case 'keepFilters':
        void options.keepFilters(effect.name, effect.filters).then(notice => {
          const done = effect.filters.length === 0 ? `${effect.name} forgotten` : `filters saved as ${effect.name}`;
          dispatch({kind: 'noticed', notice: notice ?? done});
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
      case 'readGuard':
        void options
          .readGuard?.(effect)
          .then(told => dispatch({kind: 'guardRead', generation: effect.generation, told}));
        return;
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
        void options.copy(effect.text, effect.what, effect.advice).then(
          notice => dispatch({kind: 'noticed', notice}),
          error => dispatch({kind: 'noticed', notice: messageOf(error)}),
        );
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
        options.callUser(effect);
        return;
      case 'nextTheme':
        dispatch({kind: 'noticed', notice: options.nextTheme()});
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
  return run;
};

/** Reports an internal error like any other failure, so that the screen survives it. */
const unexpected = (error: unknown): ApiError =>
  new ApiError('network', `the request failed in an unexpected way: ${messageOf(error)}`, {cause: error});
