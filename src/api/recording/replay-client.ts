import type {Answer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import type {SiteSetting} from '#config/settings/settings.ts';
import {type Described, type DescribedLoss, describeNumbers} from '#log/ingest/describe-numbers.ts';
import {numbersOf, sourceIndexesOf} from '#log/ingest/numbered.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Arrivals, Numbering, ReadUpTo, WindowCut} from '#log/window/window-claims.ts';
import {sourceKey} from '#log/words/source-words.ts';
import {callKey, openReplayFile, type RecordedPlace} from './files/replay-file.ts';
import type {RecordedAnswer} from './files/replay-row.ts';
import type {TimedClient} from './recording-client.ts';
import {
  type AnswerTimes,
  type CallSubject,
  expandWindow,
  RecordingError,
  type RecordingHeader,
} from './recording-format.ts';

/** A log that the recording has answers for. */
export type RecordedLog = {readonly siteId: string; readonly branchId: string};

/** Replays a recording: each call returns the next recorded answer of its operation and ids, and sends no request. */
export type ReplayClient = TimedClient &
  Pick<RecordingHeader, 'host' | 'bufferMb' | 'intervalMs'> & {
    /** When recording began, milliseconds since 1970. */
    readonly recordedAtMs: number;
    /** Every site of the recording, with its name in the config that it was recorded with. */
    readonly sites: readonly SiteSetting[];
    /** Every log that has an answer or an error, in the order of the first one. */
    readonly logs: readonly RecordedLog[];
    /** A notice for the user before replaying: that the last row is cut off. */
    readonly notice: string | undefined;
    /** The position: when the last returned answer had arrived, in milliseconds since the recording's first request. */
    readonly positionMs: number;
    /**
     * Returns the place of a log's next answer, or undefined at the end. Places with a smaller `index` arrived earlier.
     */
    next(log: RecordedLog): (AnswerTimes & {readonly index: number}) | undefined;
  };

export type ReplayClientOptions = {
  readonly path: string;
  /** How many times faster than recorded; `Infinity` returns every answer at once. */
  readonly speed: number;
  /** Milliseconds by a monotonic clock. */
  readonly monotonicMs: () => number;
  /** Resolves after `ms` milliseconds; rejects once the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** How far a call's answers have been replayed, and what the last one held. */
type Played = {
  readonly places: readonly RecordedPlace[];
  nextIndex: number;
  lines: readonly string[];
  pods: readonly unknown[];
  sessionId: string | null;
  cut: WindowCut | null;
  sources: number | null;
  arrivals: Arrivals | null;
  readonly joined: JoinedWindow;
  branches: readonly unknown[];
  /** The last successful listing, which is repeated once the recording has ended. */
  lastListing: RecordedAnswer | undefined;
};

/**
 * Opens a recording for replay. Throws a `RecordingError` with the line number if the file is not a valid recording.
 */
export const openReplayClient = async (options: ReplayClientOptions): Promise<ReplayClient> => {
  const {path, speed, monotonicMs, sleep} = options;
  const file = await openReplayFile(path);
  const times = new WeakMap<object, AnswerTimes>();
  const closing = new AbortController();
  let zeroMs: number | undefined;
  let positionMs = 0;

  const played = new Map<string, Played>();
  for (const [key, places] of Map.groupBy(file.places, callKey)) {
    played.set(key, {
      places,
      nextIndex: 0,
      lines: [],
      pods: [],
      sessionId: null,
      cut: null,
      sources: null,
      arrivals: null,
      joined: createJoinedWindow(),
      branches: [],
      lastListing: undefined,
    });
  }

  const waitFor = async (cameMs: number, signal: AbortSignal): Promise<void> => {
    zeroMs ??= monotonicMs();
    const waitMs = speed === Number.POSITIVE_INFINITY ? 0 : zeroMs + cameMs / speed - monotonicMs();
    try {
      signal.throwIfAborted();
      if (waitMs > 0) {
        await sleep(waitMs, signal);
      }
    } catch (error) {
      throw new ApiError('cancelled', 'the wait for the next recorded answer was cancelled', {cause: error});
    }
  };

  /**
   * Returns the next recorded answer once its time has come; throws a recorded error as it was. A cancelled call
   * consumes no answer.
   */
  const take = async (
    call: CallSubject,
    signal: AbortSignal | undefined,
  ): Promise<{state: Played; answer: RecordedAnswer; came: AnswerTimes | undefined}> => {
    const state = played.get(callKey(call));
    const place = state?.places[state.nextIndex];
    if (!state || !place) {
      if (state?.lastListing) {
        return {state, answer: state.lastListing, came: undefined};
      }
      throw new ApiError('ended', state ? 'the recording ends here' : `the recording has no answer to this request`);
    }
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    await waitFor(place.cameMs, either);
    const row = await file.read(place).catch((error: unknown) => {
      throw either.aborted ? new ApiError('cancelled', 'the recording was closed', {cause: error}) : error;
    });
    if (either.aborted) {
      throw new ApiError('cancelled', 'the recording was closed');
    }
    state.nextIndex += 1;
    positionMs = Math.max(positionMs, place.cameMs);
    const came = {beganMs: place.beganMs, cameMs: place.cameMs};
    if (row.error) {
      const {kind, message, status, retryAfterMs} = row.error;
      const error = new ApiError(kind, message, {status, retryAfterMs});
      times.set(error, came);
      throw error;
    }
    if (!row.answer) {
      throw new RecordingError(`--replay: line ${place.lineNumber} of ${path} is damaged`);
    }
    return {state, answer: row.answer, came};
  };

  const finish = <T>(value: T, answer: RecordedAnswer, came: AnswerTimes | undefined): Answer<T> => {
    const {status, durationMs, bodyBytes, serviceTimeMs, skipped, withoutId} = answer;
    const some = withoutId === undefined ? {} : {withoutId};
    const given: Answer<T> = {value, status, durationMs, bodyBytes, serviceTimeMs, skipped, ...some};
    if (came) {
      times.set(given, came);
    }
    return given;
  };

  const list = async (operation: 'branches' | 'deployed', siteId: string, signal: AbortSignal | undefined) => {
    const {state, answer, came} = await take({operation, siteId}, signal);
    state.branches = answer.branches ?? state.branches;
    state.lastListing = answer;
    return finish(decodeBranches(state.branches).value, answer, came);
  };

  return {
    listBranches: (siteId, signal) => list('branches', siteId, signal),
    listDeployedBranches: (siteId, signal) => list('deployed', siteId, signal),
    fetchLog: async (siteId, branchId, signal, after) => {
      const {state, answer, came} = await take({operation: 'log', siteId, branchId}, signal);
      // Every window was checked when the file was opened.
      state.lines = expandWindow(state.lines, answer.window) ?? [];
      const {pods = state.pods, sessionId = state.sessionId, cut = state.cut} = answer;
      const {sources = state.sources, arrivals = state.arrivals, numbering} = answer;
      Object.assign(state, {pods, sessionId, cut, sources, arrivals});
      state.joined.add(numbering && {lines: state.lines, numbering}, answer.after);
      // Another reader than the recorded one has something else, so it gets all there is.
      const isSameReader = after?.series === answer.after?.series && after?.last === answer.after?.last;
      const joined = isSameReader ? undefined : state.joined.window();
      const {value} = decodeLog({data: joined?.lines ?? state.lines, podNamesList: pods});
      return finish(
        {
          ...value,
          ...(answer.notLines && !joined && {notLines: answer.notLines}),
          ...(numbering && {numbering: joined?.numbering ?? numbering}),
          sessionId: sessionId ?? undefined,
          cut: cut ?? undefined,
          sources: sources ?? undefined,
          arrivals: arrivals ?? undefined,
        },
        answer,
        came,
      );
    },
    probeLog: () => Promise.reject(new ApiError('ended', 'a recording has no such answers')),
    countErrors: async () => undefined,
    token: {
      read: () => Promise.reject(new ApiError('token', 'a recording is played without a token')),
      describe: () => 'a recording',
      watch: () => async () => false,
      expiresAtMs: () => undefined,
    },
    close: () => {
      closing.abort();
      void file.close().catch(() => {});
    },
    timesOf: result => times.get(result),
    host: file.header.host,
    recordedAtMs: Date.parse(file.header.recordedAt),
    bufferMb: file.header.bufferMb,
    intervalMs: file.header.intervalMs,
    sites: [...Map.groupBy(file.places, ({siteId}) => siteId)].map(([id, [place]]) => ({id, name: place?.siteName})),
    logs: [...played.values()].flatMap(({places: [place]}) =>
      place?.branchId === undefined ? [] : [{siteId: place.siteId, branchId: place.branchId}],
    ),
    notice: file.notice,
    get positionMs() {
      return positionMs;
    },
    next: ({siteId, branchId}) => {
      const state = played.get(callKey({operation: 'log', siteId, branchId}));
      return state?.places[state.nextIndex];
    },
  };
};

/** The part of a log answer that depends on what its reader had. */
type RecordedLines = {readonly lines: readonly string[]; readonly numbering: Numbering};

/**
 * The answers of a recorded log as one window. In a recording, an answer may have only what its reader did not have; a
 * reader that begins in the middle of the replay needs what came before it, too.
 */
type JoinedWindow = {
  /** Adds an answer. `after`: what the reader had, if the request said so. */
  add(answer: RecordedLines | undefined, after: ReadUpTo | undefined): void;
  /** Returns the window up to the last answer; undefined if that is not numbered. */
  window(): RecordedLines | undefined;
};

type JoinedLine = Described & {readonly raw: string};

/** As many as an answer may have. */
const lossesMax = 10_000;

export const createJoinedWindow = (): JoinedWindow => {
  let last: Numbering | undefined;
  let lines: JoinedLine[] = [];
  let losses = new Map<string, DescribedLoss>();
  /** Each source as one object, whichever answer named it. */
  let sources = new Map<string, SourceName>();
  /** The most lines that an answer had: a window of the service is not known to be larger. */
  let linesMax = 0;

  const intern = (source: SourceName = {}): SourceName => {
    const known = sources.get(sourceKey(source)) ?? source;
    sources.set(sourceKey(source), known);
    return known;
  };

  const readLines = ({lines: all, numbering}: RecordedLines): readonly JoinedLine[] => {
    const numbers = numbersOf(numbering, all.length);
    const indexes = sourceIndexesOf(numbering, all.length);
    const named = numbering.sources.map(intern);
    return all.map((raw, index) => ({
      raw,
      sequence: numbers[index] ?? 0,
      source: named[indexes[index] ?? -1] ?? intern(),
    }));
  };

  return {
    add: (answer, after) => {
      last = answer?.numbering;
      const numbers = answer && numbersOf(answer.numbering, answer.lines.length);
      const isContinued =
        after !== undefined && after.series === last?.series && numbers?.every(number => number > after.last);
      if (!isContinued) {
        lines = [];
        losses = new Map();
        sources = new Map();
      }
      const read = answer && readLines(answer);
      for (const line of read ?? []) {
        lines.push(line);
      }
      linesMax = Math.max(linesMax, read?.length ?? 0);
      if (lines.length > 2 * linesMax) {
        lines = lines.slice(-linesMax);
      }
      const copies = new Map<string, number>();
      for (const loss of last?.losses ?? []) {
        const source = loss.source === undefined ? undefined : last?.sources[loss.source];
        const key = `${loss.number} ${loss.why} ${sourceKey(source ?? {})}`;
        copies.set(key, (copies.get(key) ?? 0) + 1);
        losses.set(`${key} ${copies.get(key)}`, {
          ...loss,
          source: source && intern(source),
        });
      }
      for (const key of [...losses.keys()].slice(0, Math.max(0, losses.size - lossesMax))) {
        losses.delete(key);
      }
    },
    window: () => {
      if (last === undefined) {
        return undefined;
      }
      const joined = lines.slice(-linesMax);
      const numbering = describeNumbers(last.series, joined, [...losses.values()], last.first);
      return {
        lines: joined.map(({raw}) => raw),
        numbering: {...numbering, ...(last.last !== undefined && {last: last.last})},
      };
    },
  };
};
