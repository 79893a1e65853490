import type {Deps} from '#service/backend/backend.ts';
import {type CallError, toCallError} from '#service/backend/errors.ts';
import type {OpenQueue} from '#service/containers/open-queue.ts';
import {type KubeClient, KubeError} from '../kube-client.ts';
import {listObjects, readVersion} from '../list-objects.ts';
import {createKnownObjects, type DecodeObject, type WatchedObject} from './known-objects.ts';
import {
  findOutage,
  firstReflectorState,
  isGone,
  type ReflectorEffect,
  type ReflectorEvent,
  step,
  type WatchEnd,
} from './reflector-step.ts';
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
export type ReflectorOptions<Item extends WatchedObject> = Omit<Deps, 'now'> & {
  readonly client: KubeClient;
  /** Such as `/api/v1/namespaces/shop/pods`. */
  readonly path: string;
  /** The resource, for messages: `pods of namespace shop`. */
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

/** Lists a resource, then watches it, until closed. */
export const startReflector = <Item extends WatchedObject>(options: ReflectorOptions<Item>) => {
  const {client, path, name, onChange, monotonicMs, random, warn} = options;
  const objects = createKnownObjects(options);
  const closing = new AbortController();
  const {signal} = closing;
  const {promise: settled, resolve: settle} = Promise.withResolvers<void>();
  let state = firstReflectorState;
  let resting: NodeJS.Timeout | undefined;
  let endWatch = (_: WatchEnd): void => undefined;

  const dispatch = (event: ReflectorEvent): void => {
    if (!signal.aborted) {
      const isNeeded = options.isNeeded?.() !== false;
      const next = step(state, event, {atMs: monotonicMs(), random: random(), name, isNeeded});
      state = next.state;
      next.effects.forEach(carryOut);
    }
  };

  const list = async (): Promise<void> => {
    let startedMs = monotonicMs();
    const listNow = () => {
      startedMs = monotonicMs();
      return listObjects(client, path, {signal, decode: objects.decode, onTooMany: objects.warnTooMany});
    };
    try {
      const {items, version} = await (options.queue?.run(listNow, signal) ?? listNow());
      objects.replace(items);
      dispatch({kind: 'listed', version, startedMs});
      objects.noteOutages(state.outages);
    } catch (error) {
      dispatch({kind: 'listFailed', error: toCallError(error)});
    }
  };

  const watch = async (): Promise<void> => {
    const [secondsMin, secondsMax] = options.watchSeconds ?? watchSecondsDefault;
    const timeoutSeconds = secondsMin + Math.floor(random() * (secondsMax - secondsMin + 1));
    const {promise: ended, resolve: end} = Promise.withResolvers<WatchEnd>();
    let isOver = false;
    const takeBytes = createWatchLines(
      line => dispatch({kind: 'told', told: parseWatchEvent(line)}),
      () => warn(`A change of the ${name} was skipped: it is larger than any object that the cluster stores.`),
    );
    const timer = setTimeout(
      () => end({kind: 'failed', error: new KubeError('timeout', 'The watch did not end when it should have.')}),
      timeoutSeconds * 1000 + lateEndMs,
    ).unref();
    endWatch = end;
    const opening = client.open(path, {
      query: {watch: true, resourceVersion: state.version, allowWatchBookmarks: true, timeoutSeconds},
      signal,
      onData: bytes => {
        if (!isOver) {
          takeBytes(bytes);
          onChange();
        }
      },
      onEnd: error => end(error ? {kind: 'failed', error} : {kind: 'ended'}),
    });
    opening.then(
      () => !isOver && dispatch({kind: 'opened'}),
      (cause: unknown) => {
        const error = toCallError(cause);
        end(isGone(error) ? {kind: 'gone'} : {kind: 'failed', error});
      },
    );
    const result = await ended;
    isOver = true;
    clearTimeout(timer);
    opening.then(
      stream => stream.close(),
      () => undefined,
    );
    dispatch({kind: 'watchEnded', end: result});
  };

  const carryOut = (effect: ReflectorEffect): void => {
    switch (effect.kind) {
      case 'list':
        return void list();
      case 'watch':
        return void watch();
      case 'readVersion':
        readVersion(client, path, signal).then(
          version => dispatch({kind: 'versionRead', version}),
          (error: unknown) => dispatch({kind: 'versionFailed', error: toCallError(error)}),
        );
        return;
      case 'pause':
        resting = setTimeout(() => dispatch({kind: 'rested'}), effect.ms).unref();
        return;
      case 'endWatch':
        endWatch(effect.end);
        return;
      case 'put':
        objects.put(effect.object, effect.isFromStart, state.outages);
        return;
      case 'remove':
        objects.remove(effect.uid, effect.object);
        return;
      case 'warn':
        warn(effect.message);
        return;
      case 'settle':
        settle();
        return;
      case 'tell':
        onChange();
        return;
    }
  };

  void list();
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
    watchOutages: (): number => state.outages,
    /** The same, in which another object may have had the name of this one. */
    outagesBefore: (uid: string): number => objects.outagesBefore(uid) ?? state.outages,
    isListed: (): boolean => state.isListed,
    /** Why the last list failed; undefined after a good one. */
    failure: (): CallError | undefined => state.failure,
    /** Why changes have not come for a while, if that is not known to be a refusal; undefined if they come. */
    outage: (): CallError | undefined => findOutage(state, monotonicMs()),
    /** Whether the object was added while it was being watched without a pause. */
    isSeenFromStart: objects.isSeenFromStart,
    /** Ends the watch: something shows that it has missed changes. */
    listAgain: (): void => endWatch({kind: 'gone'}),
    close: (): void => {
      closing.abort();
      clearTimeout(resting);
      endWatch({kind: 'ended'});
      settle();
    },
  };
};

/** A copy of one resource of a namespace that follows the cluster. */
export type Reflector<Item extends WatchedObject> = ReturnType<typeof startReflector<Item>>;
