import type {Answer, Branch, LogAnswer, PodRecord} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {setNewest} from '#base/bounds.ts';
import {secretMask} from '#base/secret.ts';
import {isTable} from '#base/table.ts';
import {asStrings} from '#log/window/texts.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {RecordingFile} from './recording-file.ts';
import {
  type AnswerTimes,
  type CallSubject,
  formatNumbering,
  type RecordingHeader,
  recordingFormat,
  recordingVersion,
  shortenWindow,
} from './recording-format.ts';

/**
 * A client that reports when an answer was requested and when it arrived. The times are the same whether it records or
 * replays.
 */
export type TimedClient = Client & {
  /** Times in milliseconds since the first request; undefined for a result that did not come from this client. */
  timesOf(result: Answer<unknown> | ApiError): AnswerTimes | undefined;
};

export type RecordingClientOptions = Pick<RecordingHeader, 'host' | 'bufferMb' | 'intervalMs'> & {
  readonly file: RecordingFile;
  /** Masked wherever an error names it; undefined if there is none. */
  readonly tenant: string | undefined;
  /** The names of configured sites by id, so that a replay has them too. */
  readonly siteNames: ReadonlyMap<string, string>;
  /** When recording begins, milliseconds since 1970. */
  readonly nowMs: number;
  /** Milliseconds by a monotonic clock. */
  readonly monotonicMs: () => number;
};

/**
 * How many logs are written as differences from their previous window; beyond that, the next window of a log is written
 * in full.
 */
const logsHeldMax = 8;

/**
 * Records every answer and error of another client, in order of arrival. A cancelled request is not recorded. Log lines
 * are written as received; secrets of branch records, and whatever looks like one in the metadata of pods, are masked.
 */
export const createRecordingClient = (client: Client, options: RecordingClientOptions): TimedClient => {
  const {file, host, tenant, siteNames, bufferMb, intervalMs, nowMs, monotonicMs} = options;
  const times = new WeakMap<object, AnswerTimes>();
  const listings = new Map<string, string>();
  const logs = new Map<string, LogWritten>();
  let zeroMs: number | undefined;

  const header: RecordingHeader = {
    format: recordingFormat,
    version: recordingVersion,
    recordedAt: new Date(nowMs).toISOString(),
    host,
    bufferMb,
    intervalMs,
  };
  file.write(() => header);

  const readMs = (): number => {
    const now = monotonicMs();
    zeroMs ??= now;
    return Math.round((now - zeroMs) * 1000) / 1000;
  };

  const record = async <T>(
    call: CallSubject,
    answerOf: () => Promise<Answer<T>>,
    describe: (value: T) => object,
  ): Promise<Answer<T>> => {
    const beganMs = readMs();
    const write = (result: object, describeResult: () => object): void => {
      const came: AnswerTimes = {beganMs, cameMs: readMs()};
      times.set(result, came);
      file.write(() => ({...call, siteName: siteNames.get(call.siteId), ...came, ...describeResult()}));
    };
    const answer = await answerOf().catch((error: unknown) => {
      if (error instanceof ApiError && error.kind !== 'cancelled') {
        const {kind, status, retryAfterMs} = error;
        const message =
          tenant === undefined ? error.message : error.message.replaceAll(`tenant ${tenant}`, `tenant ${secretMask}`);
        write(error, () => ({error: {kind, message, status, retryAfterMs}}));
      }
      throw error;
    });
    const {status, durationMs, bodyBytes, serviceTimeMs, skipped, withoutId} = answer;
    const some = {...(skipped.length > 0 && {skipped}), ...(withoutId && {withoutId})};
    write(answer, () => ({status, durationMs, bodyBytes, serviceTimeMs, ...some, ...describe(answer.value)}));
    return answer;
  };

  const recordList = (
    operation: 'branches' | 'deployed',
    siteId: string,
    answerOf: () => Promise<Answer<readonly Branch[]>>,
  ) =>
    record({operation, siteId}, answerOf, branches => {
      const key = `${operation} ${siteId}`;
      const records = branches.map(branch => branch.record);
      const json = JSON.stringify(records);
      const isKnown = listings.get(key) === json;
      listings.set(key, json);
      return isKnown ? {} : {branches: records};
    });

  const describeLog = (key: string, after: ReadUpTo | undefined) => (log: LogAnswer) => {
    const before = logs.get(key) ?? nothingWritten;
    const {notLines, sessionId = null, cut = null, sources = null, arrivals = null, numbering} = log;
    const lines = asStrings(log.lines);
    const said = Object.entries({pods: log.pods.map(maskPod), sessionId, cut, sources, arrivals});
    const texts = Object.fromEntries(said.map(([name, value]) => [name, JSON.stringify(value)]));
    setNewest(logs, key, {lines, texts}, logsHeldMax);
    return {
      window: shortenWindow(before.lines, lines),
      ...(notLines && {notLines}),
      ...(numbering && {numbering: formatNumbering(numbering)}),
      ...(after && {after}),
      ...Object.fromEntries(said.filter(([name]) => texts[name] !== before.texts[name])),
    };
  };

  return {
    listBranches: (siteId, signal) => recordList('branches', siteId, () => client.listBranches(siteId, signal)),
    listDeployedBranches: (siteId, signal) =>
      recordList('deployed', siteId, () => client.listDeployedBranches(siteId, signal)),
    fetchLog: (siteId, branchId, signal, after) =>
      record(
        {operation: 'log', siteId, branchId},
        () => client.fetchLog(siteId, branchId, signal, after),
        describeLog(JSON.stringify([siteId, branchId]), after),
      ),
    // A recording is of the logs that are watched.
    probeLog: client.probeLog,
    countErrors: client.countErrors,
    token: client.token,
    close: () => client.close(),
    timesOf: result => times.get(result),
  };
};

/** The last answer written for a log: its lines, and the rest as JSON. */
type LogWritten = {readonly lines: readonly string[]; readonly texts: Readonly<Record<string, string>>};

/** The claims of an answer until one says otherwise. */
const nothingWritten: LogWritten = {lines: [], texts: {cut: 'null', sources: 'null', arrivals: 'null'}};

/** Masks documents in annotations too: orchestrators keep whole configurations there, and a recording is passed on. */
const maskPod = ({name, resourceVersion, metadata}: PodRecord): object => {
  const {annotations} = metadata;
  return {
    name,
    resourceVersion,
    metadata: isTable(annotations) ? {...metadata, annotations: maskDocuments(annotations)} : metadata,
  };
};

const maskDocuments = (annotations: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\s*[{[]/.test(value) ? secretMask : value,
    ]),
  );
