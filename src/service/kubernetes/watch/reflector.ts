import type {Deps} from '#service/backend/backend.ts';
import {type CallError, isRefusal, operatorWords, toCallError} from '#service/backend/errors.ts';
import type {OpenQueue} from '#service/containers/open-queue.ts';
import {isAskedToWait, type KubeClient, KubeError, planRetry} from '../kube-client.ts';
import {listObjects, readVersion} from '../list-objects.ts';
import {createKnownObjects, type DecodeObject, type WatchedObject} from './known-objects.ts';
import {createWatchLines, parseWatchEvent} from './watch-lines.ts';

/**
 * The server ends a watch after this time, chosen at random so that watches do not all restart at once. Over HTTP/1.1,
 * or through a proxy, nothing else notices a watch that is half-open. A next watch begins where this one ended, with
 * what happened meanwhile. It costs the server less than any other check: one request on the same connection, answered
 * from memory. A list beside the watch would read all objects to say the same.
 */
export type WatchSeconds = readonly [min: number, max: number];
const watchSecondsDefault: WatchSeconds = [40, 60];
/** A watch that has not ended this long after its time is half-open: its end, or its events, were lost. */
const lateEndMs = 3_000;
/**
 * A watch that was open for less is no success, and the next one waits: otherwise a proxy that ends each watch would be
 * asked without a pause.
 */
const shortWatchMs = 1_000;
/**
 * After a longer pause without a watch, objects that the next one adds at its beginning may have existed for a while.
 */
const pauseMsMax = 2_000;
/** What happened during a pause has arrived this long after a watch was opened. */
const catchUpMs = 2_000;
/** Changes that have not come for so long count as unknown, milliseconds: API servers restart. */
const outageMsMin = 10_000;
/** Failed tries in a row before a warning, about eight seconds: an API server that restarts takes that long. */
const quietFailures = 5;
/** A list tells whether all rights were taken away, but not more often than this, milliseconds. */
const refusedPauseMs = 30_000;

export type ReflectorOptions<Item extends WatchedObject> = Omit<Deps, 'now'> & {
  readonly client: KubeClient;
  /** Such as `/api/v1/namespaces/shop/pods`. */
  readonly path: string;
  /** What is watched, for messages: `pods of namespace shop`. */
  readonly name: string;
  readonly decode: DecodeObject<Item>;
  readonly watchSeconds?: WatchSeconds;
  /** Lists wait their turn in it. */
  readonly queue?: OpenQueue;
  /** Returns whether the resource is needed: one that is not may be absent or refused without a word. */
  readonly isNeeded?: () => boolean;
  /** Called after changes and when the reflector's state changes. */
  readonly onChange: () => void;
};

type WatchEnd =
  | {readonly kind: 'ended'}
  /** Changes since the version are no longer known. */
  | {readonly kind: 'gone'}
  | {readonly kind: 'failed'; readonly error: CallError};

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const isGone = ({status, reason}: Pick<CallError, 'status' | 'reason'>): boolean =>
  status === 410 || reason === 'Expired' || reason === 'Gone';

/** Checks whether a resource does not exist, or may not be read: the others of its namespace can be. */
export const isAway = (error: CallError): boolean => isRefusal(error) || error.status === 404;

/** Lists a resource, then watches it, until closed. */
export const startReflector = <Item extends WatchedObject>(options: ReflectorOptions<Item>) => {
  const {client, path, name, onChange, monotonicMs, random, warn} = options;
  const objects = createKnownObjects(options);
  const closing = new AbortController();
  const {promise: settled, resolve: settle} = Promise.withResolvers<void>();
  let isListed = false;
  let listFailure: CallError | undefined;
  let version = '';
  let failures = 0;
  /** Failed tries since the last success, of any kind. */
  let failedTries = 0;
  let lastWarning: string | undefined;
  /** When the cluster was last heard, monotonic milliseconds. */
  let heardMs = 0;
  /** The same, before the bytes that are being read. */
  let heardBeforeMs = 0;
  let watchOutages = 0;
  let listedMs = 0;
  let endWatch = (): void => undefined;
  let broken: {readonly error: CallError; readonly sinceMs: number} | undefined;

  const isClosed = (): boolean => closing.signal.aborted;

  const wait = (delayMs: number): Promise<void> =>
    new Promise(resolve => {
      const end = (): void => {
        clearTimeout(timer);
        closing.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, delayMs).unref();
      closing.signal.addEventListener('abort', end);
    });

  const waitAfter = (error: CallError, verb: 'listed' | 'watched'): Promise<void> => {
    failedTries += 1;
    broken = isRefusal(error) ? undefined : {error, sinceMs: broken?.sinceMs ?? monotonicMs()};
    const message = `The ${name} cannot be ${verb}. ${operatorWords(error)}`;
    if (isAway(error) && options.isNeeded?.() === false) {
      return wait(planRetry(error, {failures, random: random()}).delayMs);
    }
    if ((isRefusal(error) || failedTries >= quietFailures) && lastWarning !== message) {
      lastWarning = message;
      warn(message);
    }
    const plan = planRetry(error, {failures, random: random()});
    failures = plan.failures;
    return wait(plan.delayMs);
  };

  const noteSuccess = (): void => {
    failures = 0;
    failedTries = 0;
    lastWarning = undefined;
  };

  const listOnce = async (): Promise<void> => {
    let startedMs = monotonicMs();
    const {signal} = closing;
    const listNow = () => {
      startedMs = monotonicMs();
      return listObjects(client, path, {signal, decode: objects.decode, onTooMany: objects.warnTooMany});
    };
    const listed = await (options.queue?.run(listNow, signal) ?? listNow());
    objects.replace(listed.items);
    watchOutages += isListed && startedMs - heardMs > pauseMsMax ? 1 : 0;
    version = listed.version;
    heardMs = startedMs;
    listedMs = monotonicMs();
    isListed = true;
    listFailure = undefined;
    broken = undefined;
  };

  /** Lists until a list has come. */
  const list = async (): Promise<void> => {
    while (!isClosed()) {
      try {
        await listOnce();
        onChange();
        settle();
        return;
      } catch (error) {
        if (isClosed()) {
          return;
        }
        listFailure = toCallError(error);
        onChange();
        if (!isAskedToWait(listFailure)) {
          settle();
        }
        await waitAfter(listFailure, 'listed');
      }
    }
  };

  /**
   * Whether a new list is needed after a silent watch: the cluster may be at an earlier version than the one that is
   * watched from, as after its data was restored, and tells nothing until it is there again.
   */
  const needsList = async (): Promise<boolean> => {
    try {
      const now = await readVersion(client, path, closing.signal);
      const isBack = now !== undefined && isNumber(now) && isNumber(version) && BigInt(now) < BigInt(version);
      watchOutages += isBack ? 1 : 0;
      return isBack;
    } catch (error) {
      const failure = toCallError(error);
      if (isClosed() || !isRefusal(failure)) {
        return false;
      }
      listFailure = failure;
      onChange();
      await waitAfter(failure, 'listed');
      return true;
    }
  };

  const watchOnce = async (): Promise<{
    readonly result: WatchEnd;
    readonly isShort: boolean;
    /** It brought nothing, not even the version that the server tells at the end of a quiet watch. */
    readonly isSilent: boolean;
  }> => {
    const [secondsMin, secondsMax] = options.watchSeconds ?? watchSecondsDefault;
    const timeoutSeconds = secondsMin + Math.floor(random() * (secondsMax - secondsMin + 1));
    const {promise: ended, resolve: end} = Promise.withResolvers<WatchEnd>();
    const lastHeardMs = heardMs;
    let openedMs: number | undefined;
    let isOver = false;
    let isSilent = true;

    /** Returns whether an object that is added now was made just now. */
    const isLive = (): boolean => {
      const nowMs = monotonicMs();
      openedMs ??= nowMs;
      return openedMs - lastHeardMs <= pauseMsMax || nowMs - openedMs >= catchUpMs;
    };

    const takeLine = (line: string): void => {
      isSilent = false;
      const event = parseWatchEvent(line);
      switch (event.kind) {
        case 'unreadable':
          warn(`A change of the ${name} could not be read and was skipped.`);
          return;
        case 'failed':
          // The server is there, but not what it should tell.
          heardMs = heardBeforeMs;
          end(
            isGone(event)
              ? {kind: 'gone'}
              : {kind: 'failed', error: new KubeError('status', `The watch ended: ${event.message}.`, event)},
          );
          return;
        case 'changed':
          objects.put(event.object, event.isAdded && isLive());
          break;
        case 'deleted':
          objects.remove(event.uid, event.object);
          break;
        case 'bookmark':
          break;
      }
      version = event.version ?? version;
      noteSuccess();
    };
    const takeBytes = createWatchLines(takeLine, () =>
      warn(`A change of the ${name} was skipped: it is larger than any object that the cluster stores.`),
    );
    const timer = setTimeout(
      () => end({kind: 'failed', error: new KubeError('timeout', 'The watch did not end when it should have.')}),
      timeoutSeconds * 1000 + lateEndMs,
    ).unref();
    const abort = (): void => end({kind: 'ended'});
    closing.signal.addEventListener('abort', abort);
    endWatch = () => end({kind: 'gone'});
    const opening = client.open(path, {
      query: {watch: true, resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds},
      signal: closing.signal,
      onData: bytes => {
        if (!isOver) {
          heardBeforeMs = heardMs;
          heardMs = monotonicMs();
          takeBytes(bytes);
          onChange();
        }
      },
      onEnd: error => {
        heardMs = error || isOver ? heardMs : monotonicMs();
        end(error ? {kind: 'failed', error} : {kind: 'ended'});
      },
    });
    opening.then(
      () => {
        openedMs ??= monotonicMs();
        broken = undefined;
      },
      (error: unknown) => {
        const failure = toCallError(error);
        end(isGone(failure) ? {kind: 'gone'} : {kind: 'failed', error: failure});
      },
    );
    const result = await ended;
    isOver = true;
    clearTimeout(timer);
    closing.signal.removeEventListener('abort', abort);
    opening.then(
      stream => stream.close(),
      () => undefined,
    );
    return {isSilent, result, isShort: openedMs === undefined || monotonicMs() - openedMs < shortWatchMs};
  };

  /** Watches until a new list is needed. */
  const watch = async (): Promise<void> => {
    while (!isClosed()) {
      const {result, isShort, isSilent} = await watchOnce();
      if (isClosed()) {
        return;
      }
      if (isSilent && !isShort && result.kind === 'ended' && (await needsList())) {
        return;
      }
      if (!isShort) {
        noteSuccess();
      }
      if (result.kind === 'failed' && isRefusal(result.error)) {
        // A list would be refused, too, unless it is a matter of rights.
        if (result.error.status !== 403) {
          listFailure = result.error;
          onChange();
        } else if (monotonicMs() - listedMs >= refusedPauseMs) {
          return;
        }
      }
      if (result.kind === 'failed') {
        await waitAfter(result.error, 'watched');
      } else if (isShort && (result.kind === 'ended' || monotonicMs() - listedMs < shortWatchMs)) {
        await waitAfter(new KubeError('connection', 'The watch ended at once.'), 'watched');
      }
      // Without the permission to watch, lists are all there is.
      if (result.kind === 'gone' || (result.kind === 'failed' && isRefusal(result.error))) {
        return;
      }
    }
  };

  const run = async (): Promise<void> => {
    while (!isClosed()) {
      await list();
      await watch();
    }
    settle();
  };

  void run();
  return {
    /** Resolves when the first list has come or failed. One that the server asks to repeat later has not failed. */
    settled,
    /** By uid. What is known last, also while the cluster cannot be reached. */
    items: objects.items,
    /** Deleted since `noteShown`, as they were last: some may have been added since, too. */
    leaving: objects.leaving,
    /** Forgets what has been deleted. Returns whether there was any. */
    noteShown: objects.noteShown,
    /**
     * Counts the outages of the watch of which nobody knows the changes: what came and went in one has left no trace.
     */
    watchOutages: (): number => watchOutages,
    isListed: (): boolean => isListed,
    /** Why the last list failed; undefined after a good one. */
    failure: (): CallError | undefined => listFailure,
    /** Why changes have not come for a while, if that is not known to be a refusal; undefined if they come. */
    outage: (): CallError | undefined =>
      broken && monotonicMs() - broken.sinceMs >= outageMsMin ? broken.error : undefined,
    /** Whether the object was added while it was being watched without a pause. */
    isSeenFromStart: objects.isSeenFromStart,
    /** Ends the watch: something shows that it has missed changes. */
    listAgain: (): void => endWatch(),
    close: (): void => closing.abort(),
  };
};

/** A copy of one resource of a namespace that follows the cluster. */
export type Reflector<Item extends WatchedObject> = ReturnType<typeof startReflector<Item>>;
