import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError, messageOf} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import type {SitePulses} from '#api/client/decode-pulses.ts';
import {noToken} from '#api/client/no-token.ts';
import {bytesPerMb, type Clock} from '#cli/io/io.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {sanitise} from '#log/text/sanitise.ts';
import type {Backend, PodRecord, ServedWindow} from '#service/backend/backend.ts';
import {AbsentError, operatorWords, UnavailableError} from '#service/backend/errors.ts';
import {listDeployed} from '#service/backend/join-backends.ts';
import type {FirstRead} from '#service/containers/followed-container.ts';
import {abortable} from '#service/kubernetes/kube-connection.ts';

/** Options for reading containers' logs. */
export type ContainerReading = {
  /** Text of lines that a branch holds, in MB. */
  readonly bufferMb: number;
  /** How far back the log is read at first; undefined: some lines will do, and the sooner the better. */
  readonly firstRead: FirstRead | undefined;
};

/** Bytes of a line beyond its text, rounded up. */
const lineOverheadBytes = 200;
/** An answer with so many lines is taken without a pause that a key would notice; the rest comes with the next. */
const answerLinesMax = 20_000;
/** How long a log that is only followed waits for more containers once the first lines are there, milliseconds. */
const firstLinesMs = 50;

/** Returns how a backend inside this program reads containers. `patientMs`: the longest wait for what was asked for. */
export const backendReading = ({bufferMb, firstRead}: ContainerReading, patientMs: number) => {
  const bytesMax = bufferMb * bytesPerMb;
  return {
    holds: {bytesMax, linesMax: Math.ceil(bytesMax / lineOverheadBytes), answerLinesMax},
    ...(firstRead ? {firstRead, firstReadMsMax: patientMs} : {firstLinesMs}),
    readerIsOperator: true,
  };
};

type BackendClientOptions = {
  readonly backend: Backend;
  /** Name used in messages: that of a cluster's context. */
  readonly name: string;
  readonly clock: Clock;
};

const noPulses: SitePulses = new Map();

type Decoded<T> = Pick<Answer<T>, 'value' | 'skipped' | 'withoutId'>;

/**
 * Creates a client that asks a backend in this program. Its answers and errors are those that the same backend gives
 * over HTTP, except that nothing is formatted as JSON and parsed again. The backend is neither started nor closed.
 */
export const createBackendClient = ({backend, name, clock}: BackendClientOptions): Client => {
  const closing = new AbortController();
  /** A branch has the same array of pods until they change. */
  const decodePods = once(createWeakCache<readonly PodRecord[], LogAnswer['pods']>(), pods => pods.map(decodePod));

  const decodeWindow = (window: ServedWindow): Decoded<LogAnswer> => ({
    value: {sessionId: undefined, ...window, pods: decodePods(window.pods)},
    skipped: [],
  });

  const ask = async <Found, T>(
    subject: 'site' | 'branch',
    find: () => Promise<Found | undefined>,
    decode: (found: Found) => Decoded<T>,
    signal: AbortSignal | undefined,
  ): Promise<Answer<T>> => {
    const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const startedMs = clock.monotonicMs();
    try {
      ended.throwIfAborted();
      const found = await abortable(find(), ended);
      if (found === undefined) {
        throw new ApiError('notFound', `${name} knows no such ${subject}: is it gone?`, {status: 404});
      }
      const durationMs = clock.monotonicMs() - startedMs;
      return {...decode(found), status: 200, durationMs, bodyBytes: 0, serviceTimeMs: clock.nowMs()};
    } catch (error) {
      throw ended.aborted ? new ApiError('cancelled', `the request to ${name} was cancelled`) : explain(error);
    }
  };

  const fetchLog: Client['fetchLog'] = (siteId, branchId, signal, after) =>
    ask('branch', () => backend.readWindow(siteId, branchId, after), decodeWindow, signal);

  return {
    listBranches: (siteId, signal) => ask('site', () => backend.listBranches(siteId), decodeBranches, signal),
    listDeployedBranches: (siteId, signal) => ask('site', () => listDeployed(backend, siteId), decodeBranches, signal),
    fetchLog,
    probeLog: fetchLog,
    countErrors: async (siteId, signal) =>
      backend.countErrors &&
      ask(
        'site',
        async () => backend.countErrors?.(siteId) ?? noPulses,
        value => ({value, skipped: []}),
        signal,
      ),
    unread: backend.unread,
    token: noToken,
    close: () => closing.abort(),
  };
};

/** Decodes a pod. Its metadata is made safe when somebody looks at it: of 1,000 pods few are looked at. */
const decodePod = (pod: PodRecord): LogAnswer['pods'][number] => {
  const {name, resourceVersion, metadata} = pod;
  let safe: PodRecord['metadata'] | undefined;
  return {
    name,
    resourceVersion,
    createdAt: typeof metadata.creationTimestamp === 'string' ? metadata.creationTimestamp : undefined,
    get metadata() {
      safe ??= decodeLog({data: [], podNamesList: [pod]}).value.pods[0]?.metadata ?? {};
      return safe;
    },
  };
};

/** Returns the error of a client for what a backend throws. */
const explain = (error: unknown): ApiError => {
  if (error instanceof ApiError) {
    return error;
  }
  const isUnavailable = error instanceof UnavailableError;
  const words = sanitise(error instanceof Error ? operatorWords(error) : messageOf(error)).replace(/\.$/, '');
  if (error instanceof AbsentError) {
    return new ApiError('notFound', words, {status: 404, cause: error});
  }
  return new ApiError('server', words, {status: isUnavailable ? 503 : 500, cause: error});
};
