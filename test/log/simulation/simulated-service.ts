import type {Pod} from '#log/ingest/pods.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';

/** What a window is cut by: so many lines of all, so much time, or so many lines of each pod. */
export type Cut =
  | {readonly kind: 'count'; readonly lines: number}
  | {readonly kind: 'time'; readonly spanNanos: bigint}
  | {readonly kind: 'pod'; readonly lines: number};

export type ServiceOptions = {
  readonly cut: Cut;
  /** Late lines stand where their time belongs, or after those that were there before them. */
  readonly order: 'byTime' | 'byArrival';
  /** The step of the pods' clocks: 1 is fine, a million gives hundreds of ties. */
  readonly tickNanos: bigint;
  /** The form of the interface, or any that RFC 3339 allows. */
  readonly stamps: 'canonical' | 'mixed';
};

/** A line as the service knows it. */
export type ServiceLine = {
  /** Its number in the order of arrival. */
  readonly seq: number;
  readonly at: Instant;
  readonly pod: string;
  readonly raw: string;
  /** Time and text, however the timestamp is written; only the text where it has none. */
  readonly identity: string;
  /** It arrived after newer ones. */
  readonly isLate: boolean;
};

export type Emission = {
  readonly pod: number;
  readonly count: number;
  /** Time that passes before each line. */
  readonly stepNanos: number;
  readonly texts: 'unique' | 'repeated' | 'copies';
  /** How far back the clock of these lines is. */
  readonly lateNanos: number;
  /** Lines without a timestamp after each one. */
  readonly unreadableCount: number;
};

/** What one answer would be now. */
export type Look = {
  readonly shown: readonly ServiceLine[];
  readonly pods: readonly Pod[];
  readonly arrivedCount: number;
};

const startAt = 1_795_269_600_000_000_000n;
export const copiesMax = 4;

/** A log service that knows every line it ever emitted. It has no clock but the emissions'. */
export const createSimulatedService = (options: ServiceOptions) => {
  const arrived: ServiceLine[] = [];
  let present: ServiceLine[] = [];
  let pods: Pod[] = [];
  let podCount = 0;
  let clock = startAt;
  let newestAt = 0n;

  const podComes = (): void => {
    podCount += 1;
    pods = [...pods, {name: `pod-${podCount}`, createdAt: `${podCount}`}];
  };

  const add = (at: Instant, pod: string, text: string, isUnreadable: boolean): void => {
    const seq = arrived.length;
    const raw = isUnreadable ? text : `${writeStamp(at, options.stamps === 'mixed' ? seq : 0)} ${text}`;
    const identity = isUnreadable ? text : `${at} ${text}`;
    const line: ServiceLine = {seq, at, pod, raw, identity, isLate: at < newestAt};
    newestAt = at > newestAt ? at : newestAt;
    arrived.push(line);
    let index = present.length;
    while (options.order === 'byTime' && index > 0 && (present[index - 1]?.at ?? at) > at) {
      index -= 1;
    }
    present.splice(index, 0, line);
  };

  const emit = (emission: Emission): void => {
    // Where each pod's log is cut on its own the first one is the quiet one, whose old line shows that others were cut.
    const loud = options.cut.kind === 'pod' && arrived.length > 0 ? pods.slice(1) : pods;
    const pod = loud[emission.pod % Math.max(1, loud.length)];
    if (pod === undefined) {
      return;
    }
    const emissionSeq = arrived.length;
    const count = emission.texts === 'copies' ? Math.min(copiesMax, emission.count) : emission.count;
    for (let index = 0; index < count; index++) {
      if (emission.texts !== 'copies' || index === 0) {
        clock += BigInt(emission.stepNanos);
      }
      const at = ((clock - BigInt(emission.lateNanos)) / options.tickNanos) * options.tickNanos;
      // The same text at the same time is only logged at once: copies that the window's front parts can't be told by anybody.
      const isRepeated = emission.texts === 'repeated' && options.tickNanos === 1n && emission.lateNanos === 0;
      // The number comes first, so that no line begins with the whole of another: nobody could tell that it is not what
      // the other has become.
      const text =
        emission.texts === 'copies' ? `${emissionSeq} copy` : isRepeated ? 'GET /health 200' : `${arrived.length} line`;
      add(at, pod.name, text, false);
      for (let tail = 0; tail < emission.unreadableCount; tail++) {
        add(at, pod.name, `\tat ${arrived.length} frame`, true);
      }
    }
  };

  const look = (): Look => ({shown: cutLines(present, options, clock), pods, arrivedCount: arrived.length});

  return {
    emit,
    wait: (nanos: number): void => {
      clock += BigInt(nanos);
    },
    podComes,
    podGoes: (index: number): void => {
      // The first pod stays for good.
      const gone = pods.length > 1 ? pods[1 + (index % (pods.length - 1))] : undefined;
      pods = pods.filter(pod => pod !== gone);
      present = present.filter(line => line.pod !== gone?.name);
    },
    look,
    arrived: arrived as readonly ServiceLine[],
    newestAt: (): Instant => newestAt,
  };
};

const cutLines = (
  lines: readonly ServiceLine[],
  {cut, tickNanos}: ServiceOptions,
  clock: Instant,
): readonly ServiceLine[] => {
  switch (cut.kind) {
    case 'count':
      return lines.slice(-cut.lines);
    case 'time':
      return lines.filter(line => line.at + tickNanos > clock - cut.spanNanos);
    case 'pod': {
      const counts = new Map<string, number>();
      return lines
        .toReversed()
        .filter(({pod}) => {
          const count = (counts.get(pod) ?? 0) + 1;
          counts.set(pod, count);
          return count <= cut.lines;
        })
        .toReversed();
    }
    default:
      return cut satisfies never;
  }
};

/** The same instant, written in one of five ways. */
const writeStamp = (at: Instant, style: number): string => {
  const canonical = formatInstant(at);
  switch (style % 5) {
    case 1:
      return canonical.replace(/\.?0*Z$/, 'Z');
    case 2:
      return canonical.replace('Z', '+00:00');
    case 3:
      return `${formatInstant(at + 7_200_000_000_000n).replace('Z', '')}+02:00`;
    case 4:
      return canonical.replace('T', 't').replace('Z', 'z');
    default:
      return canonical;
  }
};
