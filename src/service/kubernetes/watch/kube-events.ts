import {formatInstant, type Instant, parseInstant} from '#log/line/instant.ts';
import type {LogLine} from '#service/containers/log-lines.ts';
import {numberField, tableField, textField} from '#service/link/object-fields.ts';
import type {EventsPlace} from '../kube-settings.ts';
import {type Reflector, type ReflectorOptions, startReflector} from './reflector.ts';

/** An event of the core group: what a controller, the scheduler or a kubelet says of an object. */
export type KubeEvent = {
  readonly uid: string;
  readonly resourceVersion: string;
  /** As kubectl writes it: `pod/web-1`. */
  readonly object: string;
  readonly objectUid: string | undefined;
  /** When it was last seen, which may be in whole seconds. */
  readonly stamp: Instant;
  /** How often it was seen; grows while the event stays the same. */
  readonly count: number;
  /** In one line: `Warning BackOff pod/web-1/php: Back-off restarting failed container (×7)` */
  readonly text: string;
};

/** Schedulers list every node; nobody reads more in a line. */
const messageCharsMax = 2_000;

/** The container that the event is of, from such as `spec.containers{php}`. */
const containerPath = /\{([^{}]+)\}$/;

/**
 * Returns undefined for an object that is not an event. Newer clients give `eventTime` and `series`, older ones
 * `lastTimestamp` and `count` (Kubernetes API reference, Event v1 core).
 */
export const decodeEvent = (object: unknown): KubeEvent | undefined => {
  const metadata = tableField(object, 'metadata');
  const involved = tableField(object, 'involvedObject');
  const series = tableField(object, 'series');
  const [uid, kind, name] = [textField(metadata, 'uid'), textField(involved, 'kind'), textField(involved, 'name')];
  const times = [
    textField(series, 'lastObservedTime'),
    textField(object, 'lastTimestamp'),
    textField(object, 'eventTime'),
    textField(object, 'firstTimestamp'),
    textField(metadata, 'creationTimestamp'),
  ];
  const stamp = parseInstant(times.find(time => time !== undefined) ?? '');
  if (uid === undefined || kind === undefined || name === undefined || stamp === undefined) {
    return undefined;
  }
  const count = Math.max(1, numberField(series, 'count') ?? numberField(object, 'count') ?? 1);
  const target = `${kind.toLowerCase()}/${name}`;
  const [, container] = containerPath.exec(textField(involved, 'fieldPath') ?? '') ?? [];
  const head = [
    textField(object, 'type') ?? 'Normal',
    textField(object, 'reason') ?? 'Event',
    container === undefined ? target : `${target}/${container}`,
  ].join(' ');
  const message = (textField(object, 'message') ?? '').replace(/\s+/g, ' ').trim().slice(0, messageCharsMax);
  return {
    uid,
    resourceVersion: textField(metadata, 'resourceVersion') ?? '',
    object: target,
    objectUid: textField(involved, 'uid'),
    stamp,
    count,
    text: `${head}: ${message}${count > 1 ? ` (×${count})` : ''}`,
  };
};

type EventsWatchOptions = Pick<ReflectorOptions<KubeEvent>, 'client' | 'monotonicMs' | 'random' | 'warn'>;

type Watched = {readonly reflector: Reflector<KubeEvent>; users: number; changes: number};

/**
 * Creates a watch that opens the events of a namespace. They are listed and watched while anybody has them open.
 * Without the right to read them, that is reported, and there are none.
 */
export const createEventsWatch = ({warn, ...options}: EventsWatchOptions) => {
  const watched = new Map<string, Watched>();

  const start = (namespace: string): Watched => {
    const reflector = startReflector({
      ...options,
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`,
      name: `events of namespace ${namespace}`,
      decode: decodeEvent,
      onChange: () => {
        started.changes += 1;
        // Events that the cluster has forgotten are in the log.
        reflector.noteShown();
      },
      warn: message => warn(`${message} Logs go on without them.`),
    });
    const started: Watched = {reflector, users: 0, changes: 0};
    watched.set(namespace, started);
    return started;
  };

  return (namespace: string) => {
    const found = watched.get(namespace) ?? start(namespace);
    const {reflector} = found;
    found.users += 1;
    return {
      /** Resolves when the first list has come or failed. */
      settled: reflector.settled,
      /** By uid. A cluster keeps events for an hour. */
      items: reflector.items,
      /** Counts the changes. */
      changes: () => found.changes,
      close: (): void => {
        found.users -= 1;
        if (found.users === 0) {
          watched.delete(namespace);
          reflector.close();
        }
      },
    };
  };
};

/** Opens the events of one namespace, which all branches of it share. */
type OpenEvents = ReturnType<typeof createEventsWatch>;

type BranchEventsOptions = {
  readonly open: OpenEvents;
  /** Whether the branch has, or had, a pod with this uid. */
  readonly hasPod: (uid: string) => boolean;
  readonly onLines: (lines: readonly LogLine[]) => void;
};

/** Kubernetes' `SafeEncodeString` and its random names leave out vowels, so that they are no words. */
const randomPart = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
/** A decimal number in that encoding. */
const hashPart = /^(.+)-[bcdf456789]{5,10}$/;
const numberPart = /^(.+)-\d+$/;

/** Which kinds give the objects that they make their own name, with a suffix. */
const makers: Readonly<Record<string, readonly (readonly [kind: string, ownPart: RegExp])[]>> = {
  pod: [
    ['replicaset', randomPart],
    ['daemonset', randomPart],
    ['job', randomPart],
    ['statefulset', numberPart],
  ],
  replicaset: [
    ['deployment', hashPart],
    ['rollout', hashPart],
  ],
  job: [['cronjob', numberPart]],
};

/** Whether an object, such as `pod/web-6d5f8b7c9-x2x4z`, is one of these, or has a name that they give. */
const isMadeBy = (object: string, workloads: ReadonlySet<string>): boolean => {
  if (workloads.has(object)) {
    return true;
  }
  const [kind = '', name = ''] = object.split('/');
  return (makers[kind] ?? []).some(([makerKind, ownPart]) => {
    const [, maker] = ownPart.exec(name) ?? [];
    return maker !== undefined && isMadeBy(`${makerKind}/${maker}`, workloads);
  });
};

const byStamp = (a: KubeEvent, b: KubeEvent): number => (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0);

/** Creates the events of a branch's pods, of its workloads, and of what these make; without a place, there are none. */
export const createBranchEvents = ({open, hasPod, onLines}: BranchEventsOptions) => {
  let place: EventsPlace | undefined;
  let workloads: ReadonlySet<string> = new Set();
  let events: ReturnType<OpenEvents> | undefined;
  /** The changes of the namespace that have been looked through; undefined: the objects are others now. */
  let seenChanges: number | undefined;
  /** How often each event had been seen when its line was given, by its uid. */
  const given = new Map<string, number>();

  const isNew = (event: KubeEvent): boolean =>
    given.get(event.uid) !== event.count &&
    ((event.objectUid !== undefined && hasPod(event.objectUid)) || isMadeBy(event.object, workloads));

  const flush = (): void => {
    if (!events || seenChanges === events.changes()) {
      return;
    }
    seenChanges = events.changes();
    const items = events.items();
    for (const uid of given.keys()) {
      if (!items.has(uid)) {
        given.delete(uid);
      }
    }
    const fresh = [...items.values()].filter(isNew).sort(byStamp);
    for (const {uid, count} of fresh) {
      given.set(uid, count);
    }
    if (fresh.length > 0) {
      onLines(fresh.map(({stamp, text}) => ({stamp, line: `${formatInstant(stamp)} ${text}`})));
    }
  };

  return {
    /** Undefined: from now on there are none. */
    setPlace: (next: EventsPlace | undefined): void => {
      if (next?.namespace !== place?.namespace) {
        events?.close();
        events = next && open(next.namespace);
      }
      place = next;
      workloads = new Set(next?.workloads);
      seenChanges = undefined;
    },
    /** Gives the lines of events that are new, or were seen again, by their stamps. */
    flush,
    /** Resolves when the events that there are have been given, or cannot be for a while. */
    firstRead: async (): Promise<void> => {
      await events?.settled;
      flush();
    },
  };
};
