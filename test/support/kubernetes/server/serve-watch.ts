import {type KubeObject, kubeResources} from '../kube-object.ts';
import {KubeFailure, type KubeStatus, makeStatus, tooOld} from '../kube-status.ts';
import type {KubeResponse} from '../listener/open-listener.ts';
import {writeHead} from '../listener/write-head.ts';
import type {ObjectStore, StoreChange} from '../world/object-store.ts';
import type {OpenStreams} from './open-streams.ts';
import type {Target} from './read-target.ts';
import {apiVersionOf, readSelection} from './serve-list.ts';

export type WatchService = {
  readonly store: ObjectStore;
  readonly streams: OpenStreams;
  /** The real server's is about a minute. */
  readonly bookmarkEveryMs: number;
  readonly faults: WatchFaults;
};

export type WatchFaults = {
  /** A version that is too old is told as an event in a 200, or as the HTTP status. */
  goneAs: 'event' | 'status';
};

export type WatchEvent = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject | KubeStatus | Readonly<Record<string, unknown>>;
};

/** Makes of an event what the client accepts, such as a Table. */
export type EventShape = (event: WatchEvent) => unknown;

/** The type of a change for a watch with a selector: what comes to be selected is ADDED, what is no longer is DELETED. */
const eventOf = (change: StoreChange, isSelected: (object: KubeObject) => boolean): WatchEvent | undefined => {
  const isNow = !change.isDeleted && isSelected(change.object);
  const wasBefore = change.before !== undefined && isSelected(change.before);
  if (isNow) {
    return {type: wasBefore ? 'MODIFIED' : 'ADDED', object: change.object};
  }
  return wasBefore ? {type: 'DELETED', object: change.object} : undefined;
};

/** The real server chooses between 30 and 60 minutes where the client asks for nothing. */
const defaultTimeoutSeconds = 1_800;

/** Answers GET with `watch=true`. Throws a failure that is the whole answer. */
export const serveWatch = (
  {store, streams, bookmarkEveryMs, faults}: WatchService,
  target: Target,
  params: URLSearchParams,
  response: KubeResponse,
  user: string,
  shape: EventShape,
): void => {
  const isSelected = readSelection(params);
  const isMine = ({resource, object}: StoreChange): boolean =>
    resource === target.resource && (target.namespace === '' || object.metadata.namespace === target.namespace);
  if (params.has('sendInitialEvents')) {
    throw new KubeFailure(
      makeStatus(
        422,
        'Invalid',
        'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        {details: {group: 'meta.k8s.io', kind: 'ListOptions'}},
      ),
    );
  }
  const asked = params.get('resourceVersion') ?? '';
  const isFromNow = asked === '' || asked === '0';
  const missed = isFromNow ? [] : store.changesAfter(Number(asked));
  const gone = missed === undefined ? tooOld(asked, store.oldestVersion) : undefined;
  if (gone !== undefined && faults.goneAs === 'status') {
    throw new KubeFailure(gone);
  }
  const stream = streams.open(response, {
    kind: 'watch',
    user,
    namespace: target.namespace,
    name: target.resource,
    container: '',
  });
  writeHead(response, 200, {'content-type': 'application/json'});
  const send = (event: WatchEvent): void => {
    stream.send(`${Buffer.from(JSON.stringify(shape(event))).toString('latin1')}\n`);
  };
  if (gone !== undefined) {
    send({type: 'ERROR', object: gone});
    stream.end();
    return;
  }
  let bookmarked = 0;
  const sendBookmark = (): void => {
    if (bookmarked !== store.version) {
      bookmarked = store.version;
      send({
        type: 'BOOKMARK',
        object: {
          kind: kubeResources[target.resource].kind,
          apiVersion: apiVersionOf(target.resource),
          metadata: {resourceVersion: String(store.version), creationTimestamp: null},
        },
      });
    }
  };
  const take = (change: StoreChange): void => {
    const event = isMine(change) ? eventOf(change, isSelected) : undefined;
    if (event !== undefined) {
      send(event);
    }
  };
  stream.onClose(store.onChange(take));
  const bookmarks =
    params.get('allowWatchBookmarks') === 'true' ? setInterval(sendBookmark, bookmarkEveryMs) : undefined;
  const timeoutSeconds = Number(params.get('timeoutSeconds') ?? 0) || defaultTimeoutSeconds;
  const timeout = setTimeout(() => {
    if (!stream.isFrozen) {
      stream.end();
    }
  }, timeoutSeconds * 1000);
  stream.onClose(() => {
    clearInterval(bookmarks);
    clearTimeout(timeout);
  });
  if (isFromNow) {
    for (const object of store.list(target.resource, target.namespace).filter(isSelected)) {
      send({type: 'ADDED', object});
    }
  }
  for (const change of missed ?? []) {
    take(change);
  }
};
