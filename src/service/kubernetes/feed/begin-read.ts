import type {KubeClient, KubeQuery} from '../client/kube-client.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {LogFront} from '../log/log-lines.ts';
import {logPathOf} from '../log/log-read.ts';
import type {OpenQueue} from '../log/open-queue.ts';
import type {SeenLines} from '../log/seen-lines.ts';

/** A pod younger than this is read from its first line, milliseconds: later that may be 10 MB a container. */
const youngMsMax = 600_000;
/** Bytes of a line of the log for the look that tells whether all of it fits into the container's share. */
const lookBytesPerLine = 256;
const lookBytesMin = 16 * 1024;

/** Where a read begins. `isWhole`: with the first line of the log. */
export type Beginning = {readonly query: KubeQuery; readonly front: LogFront; readonly isWhole: boolean};

export type BeginningOptions = {
  readonly client: KubeClient;
  readonly queue: OpenQueue;
  readonly nowMs: () => number;
  readonly isLate: boolean;
  readonly shareLines: number;
};

/** Whether a container is read from its first line: its pod began while the watch or the branch was followed. */
export const isYoung = (place: ContainerPlace, {isLate, nowMs}: Pick<BeginningOptions, 'isLate' | 'nowMs'>): boolean =>
  (place.isSeenFromStart || isLate) && nowMs() - place.podCreatedAtMs < youngMsMax;

/** Says what is known to be missing before the first line of a container; undefined if nothing is. */
export const describeUnseenPast = (
  place: ContainerPlace,
  options: Pick<BeginningOptions, 'isLate' | 'nowMs'>,
): string | undefined => {
  if (isYoung(place, options) && place.restartCount > 1) {
    return `the container restarted ${place.restartCount} times before it was first read`;
  }
  return options.isLate && !place.isSeenFromStart ? 'the pod started while the watch was interrupted' : undefined;
};

/** Chooses where the next read of a container's log begins. Throws a `KubeError` if its log cannot be looked at. */
export const chooseBeginning = async (
  place: ContainerPlace,
  seen: SeenLines,
  options: BeginningOptions,
  signal: AbortSignal,
): Promise<Beginning> => {
  const sinceTime = seen.since();
  if (sinceTime !== undefined) {
    return {query: {sinceTime}, front: {isCut: true, dropsFirst: false}, isWhole: false};
  }
  if (isYoung(place, options) || (await isShort(place, options, signal))) {
    return {query: {}, front: {isCut: false, dropsFirst: false}, isWhole: true};
  }
  // One more, since the first one is left out.
  return {query: {tailLines: options.shareLines + 1}, front: {isCut: true, dropsFirst: true}, isWhole: false};
};

/** Whether all of an old log is short enough to be read: only then is its first line known to be a whole one. */
const isShort = async (
  place: ContainerPlace,
  {client, queue, shareLines}: BeginningOptions,
  signal: AbortSignal,
): Promise<boolean> => {
  const limitBytes = Math.max(lookBytesMin, shareLines * lookBytesPerLine);
  const query = {container: place.container, timestamps: true, limitBytes};
  const text = await queue.run(() => client.get(logPathOf(place), {query, as: 'text', signal}), signal);
  return typeof text === 'string' && Buffer.byteLength(text) < limitBytes;
};
