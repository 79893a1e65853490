import {type Instant, parseInstant} from '#log/line/instant.ts';
import {numberField, tableField, textField} from '#service/link/object-fields.ts';

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
