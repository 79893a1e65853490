import {formatInstant} from '#log/line/instant.ts';
import type {LogLine} from '#service/containers/log-lines.ts';
import type {EventsPlace} from '../../kube-place.ts';
import type {KubeEvent} from '../../objects/decode-event.ts';
import type {OpenEvents} from './namespace-events.ts';

export type BranchEventsOptions = {
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
