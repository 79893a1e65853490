import type {WindowCut} from '../../log/line/window-cut.ts';
import type {Answer} from '../answer.ts';
import {ApiError} from '../api-error.ts';
import type {Branch} from '../decode/branch.ts';
import {createFieldProblems} from '../decode/field-problems.ts';
import {isJsonObject} from '../decode/field-reader.ts';
import type {LogAnswer, PodRecord} from '../decode/log-window.ts';
import {maskRecord} from '../decode/mask-record.ts';
import type {Client} from '../http/client.ts';
import {secretMask} from '../secret.ts';
import type {RecordingFile} from './recording-file.ts';
import {
  type AnswerTimes,
  type RecordedCall,
  type RecordingHeader,
  recordingFormat,
  recordingVersion,
} from './recording-format.ts';
import {shortenWindow} from './recording-window.ts';

/** A client that tells when an answer was asked for and when it came, by the same numbers whether it is recorded or replayed. */
export type TimedClient = Client & {
  /** Milliseconds since the first request; undefined for what did not come from this client. */
  timesOf(result: Answer<unknown> | ApiError): AnswerTimes | undefined;
};

export type RecordingClientOptions = {
  readonly file: RecordingFile;
  /** Of the service's address: name and port. */
  readonly host: string;
  /** Left out wherever an error names it. */
  readonly tenant: string;
  /** The names of configured sites by id, so that a replay knows them too. */
  readonly siteNames: ReadonlyMap<string, string>;
  readonly bufferMb: number;
  readonly intervalMs: number;
  /** Milliseconds since 1970, when recording begins. */
  readonly nowMs: number;
  /** Milliseconds by a clock that never jumps. */
  readonly monotonicMs: () => number;
};

/** So many logs are told by their last window; the next one of another is written whole. */
const logsHeldMax = 8;

/**
 * Writes down every answer of another client, and its errors, as they come. What was cancelled is no answer. Log lines are written as received;
 * secrets of branch records, and what looks like one in the metadata of pods, as masks.
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
    call: Pick<RecordedCall, 'operation' | 'siteId' | 'branchId'>,
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
        const message = error.message.replaceAll(`tenant ${tenant}`, `tenant ${secretMask}`);
        write(error, () => ({error: {kind, message, status, retryAfterMs}}));
      }
      throw error;
    });
    const {status, durationMs, bodyBytes, serviceTimeMs, skipped} = answer;
    const some = skipped.length > 0 ? {skipped} : {};
    write(answer, () => ({status, durationMs, bodyBytes, serviceTimeMs, ...some, ...describe(answer.value)}));
    return answer;
  };

  const describeListing = (key: string) => (branches: readonly Branch[]) => {
    const records = branches.map(branch => branch.record);
    const json = JSON.stringify(records);
    const isKnown = listings.get(key) === json;
    listings.set(key, json);
    return isKnown ? {} : {branches: records};
  };

  const describeLog = (key: string) => (log: LogAnswer) => {
    const before = logs.get(key);
    const pods = log.pods.map(maskPod);
    const {lines, sessionId, cut = null, arrivals = null} = log;
    const written: LogWritten = {lines, pods: JSON.stringify(pods), sessionId, cut, arrivals: JSON.stringify(arrivals)};
    // The one written last goes to the end, so that the first is the one to let go.
    logs.delete(key);
    logs.set(key, written);
    const [oldest] = logs.keys();
    if (logs.size > logsHeldMax && oldest !== undefined) {
      logs.delete(oldest);
    }
    return {
      window: shortenWindow(before?.lines ?? [], lines),
      ...(before?.pods === written.pods ? {} : {pods}),
      ...(before && before.sessionId === written.sessionId ? {} : {sessionId: sessionId ?? null}),
      ...((before?.cut ?? null) === cut ? {} : {cut}),
      ...((before?.arrivals ?? 'null') === written.arrivals ? {} : {arrivals}),
    };
  };

  return {
    listBranches: (siteId, signal) =>
      record(
        {operation: 'branches', siteId},
        () => client.listBranches(siteId, signal),
        describeListing(`branches ${siteId}`),
      ),
    listDeployedBranches: (siteId, signal) =>
      record(
        {operation: 'deployed', siteId},
        () => client.listDeployedBranches(siteId, signal),
        describeListing(`deployed ${siteId}`),
      ),
    fetchLog: (siteId, branchId, signal) =>
      record(
        {operation: 'log', siteId, branchId},
        () => client.fetchLog(siteId, branchId, signal),
        describeLog(JSON.stringify([siteId, branchId])),
      ),
    token: client.token,
    close: () => client.close(),
    timesOf: result => times.get(result),
  };
};

/** What was last written of a log. */
type LogWritten = {
  readonly lines: readonly string[];
  readonly pods: string;
  readonly sessionId: string | undefined;
  readonly cut: WindowCut | null;
  readonly arrivals: string;
};

/** Orchestrators keep whole configurations in annotations, passwords of the environment among them. */
const maskPod = ({name, resourceVersion, metadata}: PodRecord): object => {
  const masked = maskRecord(metadata, '', createFieldProblems());
  const {annotations, ...rest} = isJsonObject(masked) ? masked : {};
  return {
    name,
    resourceVersion,
    metadata: isJsonObject(annotations) ? {...rest, annotations: maskDocuments(annotations)} : rest,
  };
};

const maskDocuments = (annotations: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\s*[{[]/.test(value) ? secretMask : value,
    ]),
  );
