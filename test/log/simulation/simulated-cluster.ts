import {formatInstant, type Instant} from '../../../src/log/line/instant.ts';
import type {Arrivals} from '../../../src/log/line/window-cut.ts';
import type {LogWindow} from '../../../src/log/merge/branch-log.ts';
import type {Pod} from '../../../src/log/merge/pods.ts';

/** How a service chooses the lines of a window. */
export type ClusterCut = {
  /** What is cut as one: the branch, each pod, or each container within a pod. */
  readonly per: 'branch' | 'pod' | 'source';
  /** The order whose last lines are kept: by timestamp or by arrival. */
  readonly by: 'stamp' | 'arrival';
  /** So many lines of each part; undefined without such a limit. */
  readonly lines?: number | undefined;
  /** No line that is older than this by the service's own clock, whatever its stamp. */
  readonly spanNanos?: bigint | undefined;
};

export type ClusterOptions = {
  readonly cut: ClusterCut;
  /** Merged by stamp, in the order of arrival, or one part behind the other, each in the order by which it is cut. */
  readonly show: 'stamp' | 'arrival' | 'parts';
  readonly tickNanos?: bigint | undefined;
  /** A stamped line ahead of every window: always the same, or stamped anew for each. */
  readonly banner?: 'constant' | 'fresh' | undefined;
  /** The window is cut by bytes: so many characters of its first line are missing. */
  readonly fragmentCharacters?: number | undefined;
  /** What the service says of its windows. */
  readonly says?: 'nothing' | 'cut' | 'arrivals' | undefined;
  /** Its list of pods. */
  readonly podList?: 'all' | 'none' | 'first' | 'renamed' | undefined;
};

/** A line as the service knows it. */
export type ClusterLine = {
  /** Its number in the order of arrival, from 0. */
  readonly seq: number;
  /** Its timestamp; where it has none, that of the line before it in its source. */
  readonly at: Instant;
  readonly pod: string;
  /** The container: `pod-1/app`. */
  readonly source: string;
  readonly raw: string;
  /** Time and text, however the timestamp is written; only the text where it has none. */
  readonly identity: string;
  readonly isStamped: boolean;
  /** How much older its stamp is than the newest one that arrived before it, nanoseconds; 0 where it is not. */
  readonly lateNanos: bigint;
  /** Its stamp is no clock's. */
  readonly isForged: boolean;
  /** Its pod and how often that pod's clock had been set: until a line of them was shown nobody can know how far off their clock is. */
  readonly clock: string;
  /** When it arrived by the true clock, which nobody else can see. */
  readonly arrivedAt: Instant;
};

/** One answer. */
export type ClusterLook = {
  /** The lines in it, in the order of the answer; without the banner. */
  readonly shown: readonly ClusterLine[];
  readonly window: LogWindow;
  /** So many lines had arrived. */
  readonly arrivedCount: number;
  /** The fragment that it begins with, and the line that this was cut from. */
  readonly fragment: {readonly raw: string; readonly line: ClusterLine} | undefined;
  /** The pods there are, whatever the answer says of them. */
  readonly truePods: readonly string[];
  readonly isLagging: boolean;
  /** It is empty though the service has lines. */
  readonly isBlank: boolean;
};

export type ClusterEmission = {
  /** `1/app` is the container `app` in the first pod. */
  readonly source: string;
  readonly count: number;
  readonly stepNanos?: bigint | undefined;
  /** So far back the stamps of these lines are, beside the clock of their pod. */
  readonly lateNanos?: bigint | undefined;
  /** This stamp instead of the clock's. */
  readonly forgedAt?: Instant | undefined;
  /** So many unstamped lines follow each line. */
  readonly unstampedAfter?: number | undefined;
  /** Only every so many lines have them; 1 by default. */
  readonly unstampedEvery?: number | undefined;
  /** The text of the unstamped lines; a numbered one by default. */
  readonly unstampedText?: string | undefined;
  readonly unstampedFirst?: boolean | undefined;
  /** Every so many lines share one text; 0: all differ. */
  readonly sameTextEvery?: number | undefined;
};

export const clusterStartAt: Instant = 1_795_269_720_000_000_000n;
export const second = 1_000_000_000n;
export const millisecond = 1_000_000n;
const bannerAt = clusterStartAt - 3600n * second;

/** A log service with pods, containers and clocks of their own, which knows every line that it ever had. It has no clock but the emissions'. */
export const createCluster = (options: ClusterOptions) => {
  const {cut, show, tickNanos = 1n, says = 'nothing', podList = 'all'} = options;
  const arrived: ClusterLine[] = [];
  const looks: ClusterLook[] = [];
  const clocks = new Map<string, bigint>();
  const clockSets = new Map<string, number>();
  const lastOf = new Map<string, Instant>();
  /** The lines that are still there, of each part in the order by which it is cut. */
  const parts = new Map<string, ClusterLine[]>();
  let pods: Pod[] = [];
  let podCount = 0;
  let now = clusterStartAt;
  let newestAt = 0n;

  const partOf = (line: ClusterLine): string =>
    cut.per === 'branch' ? '' : cut.per === 'pod' ? line.pod : line.source;

  const add = (at: Instant, source: string, raw: string, isStamped: boolean, isForged = false): void => {
    const pod = source.slice(0, source.indexOf('/'));
    const line: ClusterLine = {
      seq: arrived.length,
      at,
      pod,
      source,
      raw,
      identity: isStamped ? `${at} ${raw.slice(raw.indexOf(' ') + 1)}` : raw,
      isStamped,
      lateNanos: newestAt > at ? newestAt - at : 0n,
      isForged,
      clock: `${pod} ${clockSets.get(pod) ?? 0}`,
      arrivedAt: now,
    };
    arrived.push(line);
    lastOf.set(source, at);
    newestAt = isStamped && at > newestAt ? at : newestAt;
    const part = partOf(line);
    const lines = parts.get(part) ?? [];
    parts.set(part, lines);
    let index = lines.length;
    while (cut.by === 'stamp' && index > 0 && (lines[index - 1]?.at ?? at) > at) {
      index -= 1;
    }
    lines.splice(index, 0, line);
  };

  const emit = (emission: ClusterEmission): void => {
    const {stepNanos = 1_001n, unstampedAfter = 0, unstampedEvery = 1, sameTextEvery = 0} = emission;
    const source = `pod-${emission.source}`;
    const pod = source.slice(0, source.indexOf('/'));
    const addUnstamped = (): void => {
      for (let tail = 0; tail < unstampedAfter; tail++) {
        const text = emission.unstampedText ?? `\tat frame ${arrived.length}`;
        add(lastOf.get(source) ?? now, source, text, false);
      }
    };
    for (let index = 0; index < emission.count; index++) {
      now += stepNanos;
      const clock = now + (clocks.get(pod) ?? 0n) - (emission.lateNanos ?? 0n);
      const at = emission.forgedAt ?? (clock / tickNanos) * tickNanos;
      const isSame = sameTextEvery > 0 && index % sameTextEvery === 0;
      if (emission.unstampedFirst) {
        addUnstamped();
      }
      const text = isSame ? 'GET /health 200' : `${emission.source} line ${arrived.length}`;
      add(at, source, `${formatInstant(at)} ${text}`, true, emission.forgedAt !== undefined);
      if (!emission.unstampedFirst && index % unstampedEvery === 0) {
        addUnstamped();
      }
    }
  };

  const choose = (): readonly ClusterLine[] => {
    const all = [...parts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, lines]) => {
        const {spanNanos} = cut;
        const last = cut.lines === undefined ? lines : lines.slice(-cut.lines);
        return spanNanos === undefined
          ? last
          : last.filter(line => (cut.by === 'arrival' ? line.arrivedAt : line.at) > now - spanNanos);
      });
    if (show === 'parts' || (cut.per === 'branch' && show === cut.by)) {
      return all;
    }
    return show === 'stamp' ? all.sort(bySeq).sort(byStamp) : all.sort(bySeq);
  };

  const podsNow = (): readonly Pod[] => {
    switch (podList) {
      case 'none':
        return [];
      case 'first':
        return pods.slice(0, 1);
      case 'renamed':
        return pods.map(({name}) => ({name: `${name}-${looks.length}`, createdAt: `${looks.length}`}));
      default:
        return pods;
    }
  };

  const lookNow = (): ClusterLook => {
    const chosen = choose();
    const first = chosen[0];
    const characters = options.fragmentCharacters;
    const fragment =
      characters === undefined || first === undefined || chosen.length < 2
        ? undefined
        : {raw: first.raw.slice(characters), line: first};
    const shown = fragment === undefined ? chosen : chosen.slice(1);
    const banner =
      options.banner === undefined
        ? []
        : [`${formatInstant(options.banner === 'constant' ? bannerAt : now)} === log of shop-main ===`];
    const inWindow = new Set(chosen);
    const arrivals: Arrivals = {
      series: 'one',
      last: arrived.length,
      dropped: (arrived.findLast(line => !inWindow.has(line))?.seq ?? -1) + 1,
    };
    return {
      shown,
      window: {
        lines: [...banner, ...(fragment === undefined ? [] : [fragment.raw]), ...shown.map(({raw}) => raw)],
        pods: podsNow(),
        ...(says === 'cut' ? {cut: cut.per} : {}),
        ...(says === 'arrivals' ? {arrivals} : {}),
      },
      arrivedCount: arrived.length,
      fragment,
      truePods: pods.map(({name}) => name),
      isLagging: false,
      isBlank: false,
    };
  };

  return {
    options,
    arrived: arrived as readonly ClusterLine[],
    looks: looks as readonly ClusterLook[],
    emit,
    /** Time passes, and nothing is logged. */
    wait: (nanos: bigint): void => {
      now += nanos;
    },
    /** A pod's clock is set to so much ahead of the true time, or behind it by a negative number. */
    setClock: (podNumber: number, nanos: bigint): void => {
      clocks.set(`pod-${podNumber}`, nanos);
      clockSets.set(`pod-${podNumber}`, (clockSets.get(`pod-${podNumber}`) ?? 0) + 1);
    },
    podComes: (): number => {
      podCount += 1;
      pods = [...pods, {name: `pod-${podCount}`, createdAt: `${podCount}`}];
      return podCount;
    },
    /** A pod goes, and its lines with it. */
    podGoes: (podNumber: number): void => {
      pods = pods.filter(({name}) => name !== `pod-${podNumber}`);
      for (const [part, lines] of parts) {
        parts.set(
          part,
          lines.filter(({pod}) => pod !== `pod-${podNumber}`),
        );
      }
    },
    podNumbers: (): readonly number[] => pods.map(({name}) => Number(name.slice(4))),
    /** What it would answer now. */
    lookNow,
    /** It is asked, and answers. */
    poll: (): void => {
      looks.push(lookNow());
    },
    /** It is asked, and a replica answers as it stood at an earlier moment. */
    pollOlder: (older: ClusterLook): void => {
      looks.push({...older, isLagging: true});
    },
    /** It is asked, and answers that there are no lines. */
    pollBlank: (): void => {
      const look = lookNow();
      looks.push({...look, shown: [], window: {...look.window, lines: []}, fragment: undefined, isBlank: true});
    },
  };
};

export type Cluster = ReturnType<typeof createCluster>;

const byStamp = (a: ClusterLine, b: ClusterLine): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
const bySeq = (a: ClusterLine, b: ClusterLine): number => a.seq - b.seq;
