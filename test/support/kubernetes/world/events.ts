import {randomUUID} from 'node:crypto';
import type {KubeObject} from '../kube-object.ts';
import type {ObjectStore} from './object-store.ts';
import {formatSecond, formatStamp, type StampClock} from './stamps.ts';

export type NewEvent = {
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly object: {readonly kind: string; readonly namespace: string; readonly name: string; readonly uid: string};
  /** Such as `spec.containers{php}`. */
  readonly fieldPath?: string;
  /** Written by a client of `events.k8s.io/v1`: `eventTime` and `series` in place of `lastTimestamp` and `count`. */
  readonly isNewStyle?: boolean;
  /** Instead of the clock. */
  readonly stampNs?: bigint;
};

export type Events = {
  /** Tells of an object. The same event again raises the count of the one that is there. */
  record(event: NewEvent): void;
  /** Forgets all events, as the API server does an hour after they were seen last. */
  expire(): void;
};

type Seen = {readonly object: KubeObject; readonly count: number};

/** Microseconds, as the API's `MicroTime` is written. */
const formatMicros = (stampNs: bigint): string => `${formatStamp(stampNs).slice(0, -4)}Z`;

/**
 * What components tell of objects, by the API reference of Event v1 core, and by the counting of client-go's
 * `EventCorrelator` (tools/record/events_cache.go): equal but for their times, they are one event.
 */
export const createEvents = (store: ObjectStore, clock: StampClock): Events => {
  const seen = new Map<string, Seen>();
  return {
    record: ({type = 'Normal', reason, message, object, fieldPath, isNewStyle = false, stampNs = clock()}) => {
      const key = JSON.stringify([type, reason, message, object.kind, object.uid, fieldPath]);
      const known = seen.get(key);
      const count = (known?.count ?? 0) + 1;
      const first = known?.object;
      const times = isNewStyle
        ? {
            firstTimestamp: null,
            lastTimestamp: null,
            eventTime: first?.eventTime ?? formatMicros(stampNs),
            ...(count > 1 && {series: {count, lastObservedTime: formatMicros(stampNs)}}),
          }
        : {
            firstTimestamp: first?.firstTimestamp ?? formatSecond(stampNs),
            lastTimestamp: formatSecond(stampNs),
            count,
            eventTime: null,
          };
      const event: KubeObject = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: first?.metadata ?? {
          name: `${object.name}.${(stampNs + BigInt(seen.size)).toString(16)}`,
          namespace: object.namespace,
          uid: randomUUID(),
          creationTimestamp: formatSecond(stampNs),
        },
        involvedObject: {
          kind: object.kind,
          namespace: object.namespace,
          name: object.name,
          uid: object.uid,
          apiVersion: object.kind === 'Pod' ? 'v1' : 'apps/v1',
          ...(fieldPath !== undefined && {fieldPath}),
        },
        reason,
        message,
        type,
        source: isNewStyle ? {} : {component: 'kubelet', host: 'node-1'},
        reportingComponent: 'kubelet',
        reportingInstance: 'node-1',
        ...times,
      };
      seen.set(key, {object: event, count});
      store.put('events', event);
    },
    expire: () => {
      for (const {object} of seen.values()) {
        store.remove('events', object);
      }
      seen.clear();
    },
  };
};
