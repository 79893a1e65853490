import {withoutItems} from '../../../src/api/decode/decode-numbering.ts';
import type {Instant} from '../../../src/log/line/instant.ts';
import type {Numbering} from '../../../src/log/line/numbering.ts';
import type {Arrivals} from '../../../src/log/line/window-cut.ts';
import type {LogWindow} from '../../../src/log/merge/branch-log.ts';
import type {Pod} from '../../../src/log/merge/pods.ts';
import {type ClusterCut, type ClusterShow, chooseLines, partOf} from './cluster-cut.ts';
import {type Precision, writeStamp} from './write-stamp.ts';

export type ClusterOptions = {
  readonly cut: ClusterCut;
  readonly show: ClusterShow;
  readonly tickNanos?: bigint | undefined;
  /** A stamped line ahead of every window: always the same, or stamped anew for each. */
  readonly banner?: 'constant' | 'fresh' | undefined;
  /** The window is cut by bytes: so many of its first line are missing. */
  readonly fragmentBytes?: number | undefined;
  /**
   * What the service says of its windows: nothing, how it cuts them, that and how many lines arrived, or the number and
   * the source of each line.
   */
  readonly says?: 'nothing' | 'cut' | 'arrivals' | 'numbers' | undefined;
  /** It sends only what follows the answer before. */
  readonly heedsAfter?: boolean | undefined;
  /** How many sources a pod has, where the service says that too. */
  readonly sources?: number | undefined;
  /** The service tells the time. */
  readonly tellsTime?: boolean | undefined;
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
  /** Its identity, with the time that it has by the lines before it where it has none itself. */
  readonly key: string;
  readonly isStamped: boolean;
  /** It or a line before it in its source has a stamp: without any nobody can say when it was written. */
  readonly isDated: boolean;
  /** How much older its stamp is than the newest one that arrived before it, nanoseconds; 0 where it is not. */
  readonly lateNanos: bigint;
  /** Its stamp is no clock's. */
  readonly isForged: boolean;
  /** It was delivered before: nothing is missing without it. */
  readonly isResent: boolean;
  /** The service sends something for it that is no string. */
  readonly isNoString: boolean;
  /**
   * Its pod and how often that pod's clock had been set: until a line of them was shown nobody can know how far off
   * their clock is.
   */
  readonly clock: string;
  /** When it arrived by the true clock, which nobody else can see. */
  readonly arrivedAt: Instant;
};

/** One answer. */
export type ClusterLook = {
  /** The lines in it, in the order of the answer; without the banner and without what is no string. */
  readonly shown: readonly ClusterLine[];
  /** How each of them is written in this answer. */
  readonly raws: readonly string[];
  /** Those of which only the beginning is there yet. */
  readonly torn: ReadonlySet<ClusterLine>;
  /** Those in whose place something came that is no string. */
  readonly noStrings: readonly ClusterLine[];
  readonly window: LogWindow<readonly string[]>;
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

/** How one answer differs from what the service mostly sends. */
export type AnswerOptions = {
  readonly precision?: Precision | undefined;
  /** It says nothing of itself. */
  readonly isHeaderless?: boolean | undefined;
  /**
   * The last lines of so many sources are still being written, if they came since the answer before: so much of each is
   * there.
   */
  readonly torn?: {readonly sources: number; readonly share: number} | undefined;
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
  /** Their stamps are in a form that nobody can read. */
  readonly isUnreadable?: boolean | undefined;
  /** Every so many lines share one text; 0: all differ. */
  readonly sameTextEvery?: number | undefined;
  /** Begins and ends each text. */
  readonly opening?: string | undefined;
  readonly ending?: string | undefined;
  readonly isNoString?: boolean | undefined;
};

export const clusterStartAt: Instant = 1_795_269_720_000_000_000n;
export const second = 1_000_000_000n;
export const millisecond = 1_000_000n;
const bannerAt = clusterStartAt - 3600n * second;

/**
 * A log service with pods, containers and clocks of their own, which knows every line that it ever had. It has no clock
 * but the emissions'.
 */
export const createCluster = (options: ClusterOptions) => {
  const {show, tickNanos = 1n, says = 'nothing', podList = 'all'} = options;
  let {cut} = options;
  const arrived: ClusterLine[] = [];
  const looks: ClusterLook[] = [];
  const clocks = new Map<string, bigint>();
  const clockSets = new Map<string, number>();
  const lastOf = new Map<string, Instant>();
  /** The lines that are still there, of each part in the order by which it is cut. */
  const parts = new Map<string, ClusterLine[]>();
  /** The numbers of lines in the present series, by `seq`. */
  let numbers: number[] = [];
  let lastNumber = 0;
  let seriesCount = 1;
  /** How much of a line was there when it was being written. */
  const tornLengths = new Map<ClusterLine, number>();
  const removed = new Set<ClusterLine>();
  let pods: Pod[] = [];
  let podCount = 0;
  let now = clusterStartAt;
  let newestAt = 0n;

  const add = (
    line: Omit<ClusterLine, 'seq' | 'identity' | 'key' | 'lateNanos' | 'clock' | 'arrivedAt' | 'pod'>,
  ): void => {
    const pod = podOf(line.source);
    const {at, raw, isStamped} = line;
    const timed = `${at} ${isStamped ? raw.slice(raw.indexOf(' ') + 1) : raw}`;
    const added: ClusterLine = {
      ...line,
      seq: arrived.length,
      pod,
      identity: isStamped ? timed : raw,
      key: timed,
      lateNanos: newestAt > at ? newestAt - at : 0n,
      clock: `${pod} ${clockSets.get(pod) ?? 0}`,
      arrivedAt: now,
    };
    arrived.push(added);
    lastNumber += 1;
    numbers[added.seq] = lastNumber;
    newestAt = isStamped && !line.isForged && at > newestAt ? at : newestAt;
    put(added);
  };

  const put = (line: ClusterLine): void => {
    const part = partOf(cut, line);
    const lines = parts.get(part) ?? [];
    parts.set(part, lines);
    let index = lines.length;
    while (cut.by === 'stamp' && index > 0 && (lines[index - 1]?.at ?? line.at) > line.at) {
      index -= 1;
    }
    lines.splice(index, 0, line);
  };

  const emit = (emission: ClusterEmission): void => {
    const {stepNanos = 1_001n, unstampedAfter = 0, unstampedEvery = 1, sameTextEvery = 0} = emission;
    const {opening = '', ending = ''} = emission;
    const source = `pod-${emission.source}`;
    const pod = podOf(source);
    const rest = {source, isForged: false, isResent: false, isNoString: emission.isNoString === true};
    const addUnstamped = (): void => {
      for (let tail = 0; tail < unstampedAfter; tail++) {
        const raw = emission.unstampedText ?? `\tat frame ${arrived.length}`;
        const last = lastOf.get(source);
        add({...rest, at: last ?? now, raw, isStamped: false, isDated: last !== undefined});
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
      const text = `${opening}${isSame ? 'GET /health 200' : `${emission.source} line ${arrived.length}`}${ending}`;
      const isStamped = emission.isUnreadable !== true;
      add({
        ...rest,
        at,
        raw: `${isStamped ? writeStamp(at, 'nanos') : `${at / second}`} ${text}`,
        isStamped,
        isDated: isStamped,
        isForged: emission.forgedAt !== undefined,
      });
      if (isStamped) {
        lastOf.set(source, at);
      }
      if (!emission.unstampedFirst && index % unstampedEvery === 0) {
        addUnstamped();
      }
    }
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

  const arrivalsNow = (inWindow: ReadonlySet<ClusterLine>): Arrivals => {
    const dropped = arrived.findLast(line => numbers[line.seq] !== undefined && !inWindow.has(line));
    return {
      series: `${seriesCount}`,
      last: lastNumber,
      dropped: dropped === undefined ? 0 : (numbers[dropped.seq] ?? 0),
    };
  };

  /** The last lines of sources, as far as they are written. */
  const tear = (chosen: readonly ClusterLine[], torn: AnswerOptions['torn']): ReadonlyMap<ClusterLine, string> => {
    const since = looks.findLast(({isLagging}) => !isLagging)?.arrivedCount ?? 0;
    const seen = new Set<string>();
    const prefixes = new Map<ClusterLine, string>();
    if (torn === undefined) {
      return prefixes;
    }
    const inWindow = new Set(chosen);
    for (let index = arrived.length - 1; index >= 0 && prefixes.size < torn.sources; index--) {
      const line = arrived[index];
      if (line === undefined || seen.has(line.source)) {
        continue;
      }
      seen.add(line.source);
      const textIndex = line.raw.indexOf(' ') + 1;
      const least = tornLengths.get(line) ?? textIndex;
      const length = Math.max(least + 1, textIndex + Math.floor((line.raw.length - textIndex) * torn.share));
      const prefix = line.raw.slice(0, length);
      const isBeingWritten = line.seq >= since || tornLengths.has(line);
      if (isBeingWritten && line.isStamped && inWindow.has(line) && length < line.raw.length && !isLine(prefix)) {
        prefixes.set(line, prefix);
        tornLengths.set(line, length);
      }
    }
    return prefixes;
  };
  const isLine = (raw: string): boolean => arrived.some(line => line.raw === raw);

  /** The numbers of an answer's items, and of the lines alone where some are none. */
  const numberingOf = (items: readonly ClusterLine[], lineCount: number, notLines: readonly number[]): Numbering => {
    const sources = [...new Set(items.map(({source}) => source))];
    const numberOf = ({seq}: ClusterLine): number => numbers[seq] ?? 0;
    const [first] = items;
    const highest = items.reduce((most, line) => Math.max(most, numberOf(line)), 0);
    // What is gone after the last line, nothing else tells.
    const isEndGone = first !== undefined && highest < lastNumber && isRestGone(highest);
    const numbering: Numbering = {
      series: `${seriesCount}`,
      first: first === undefined ? lastNumber + 1 : numberOf(first),
      numbers: items.map(line => [numberOf(line), 1]),
      runs: items.map(({source}) => [sources.indexOf(source), 1]),
      sources: sources.map(source => ({pod: podOf(source), container: source})),
      losses: isEndGone ? [{number: lastNumber + 1, why: 'gone', lines: lastNumber - highest}] : [],
    };
    return notLines.length === 0 ? numbering : withoutItems(numbering, lineCount, notLines);
  };
  const isRestGone = (number: number): boolean => {
    const since = looks.findLast(({isLagging}) => !isLagging)?.arrivedCount ?? 0;
    return arrived.some(({seq}) => seq >= since && (numbers[seq] ?? 0) > number);
  };

  /** Of a window the lines that came after the answer before, in the order in which they came. */
  const afterAnswer = (chosen: readonly ClusterLine[]): readonly ClusterLine[] => {
    const last = looks.findLast(({isLagging, window}) => !isLagging && window.numbering !== undefined);
    const isSame = last?.window.numbering?.series === `${seriesCount}`;
    return isSame ? chosen.filter(({seq}) => seq >= last.arrivedCount).sort((a, b) => a.seq - b.seq) : chosen;
  };

  const headerNow = (chosen: readonly ClusterLine[]): Partial<LogWindow<readonly string[]>> => {
    const said = {cut: cut.per, ...(options.sources === undefined ? {} : {sources: options.sources})};
    switch (says) {
      case 'nothing':
        return {};
      case 'cut':
        return said;
      case 'numbers':
      case 'arrivals':
        return {...said, arrivals: arrivalsNow(new Set(chosen))};
      default:
        return says satisfies never;
    }
  };

  const forget = (inWindow: ReadonlySet<ClusterLine>): void => {
    for (const [part, lines] of parts) {
      parts.set(
        part,
        lines.filter(line => inWindow.has(line)),
      );
    }
  };

  const lookNow = ({precision = 'nanos', isHeaderless = false, torn}: AnswerOptions = {}): ClusterLook => {
    const whole = chooseLines({cut, show, parts, now});
    if (says === 'numbers') {
      // What has left does not come back.
      forget(new Set(whole));
    }
    const chosen = options.heedsAfter === true && !isHeaderless ? afterAnswer(whole) : whole;
    const first = chosen[0];
    const {fragmentBytes} = options;
    const fragment =
      fragmentBytes === undefined || first === undefined || chosen.length < 2 || first.isNoString
        ? undefined
        : {raw: Buffer.from(first.raw).subarray(fragmentBytes).toString(), line: first};
    const banner =
      options.banner === undefined
        ? []
        : [`${writeStamp(options.banner === 'constant' ? bannerAt : now, 'nanos')} === log of shop-main ===`];
    const prefixes = tear(chosen, torn);
    // Of what came whole no answer shows less.
    for (const line of tornLengths.keys()) {
      if (!prefixes.has(line)) {
        tornLengths.delete(line);
      }
    }
    const lines = [...banner, ...(fragment === undefined ? [] : [fragment.raw])];
    const shown: ClusterLine[] = [];
    const raws: string[] = [];
    const noStrings: ClusterLine[] = [];
    const notLines: number[] = [];
    for (const line of fragment === undefined ? chosen : chosen.slice(1)) {
      if (line.isNoString) {
        noStrings.push(line);
        notLines.push(lines.length);
        continue;
      }
      const raw = prefixes.get(line) ?? line.raw;
      shown.push(line);
      raws.push(
        precision === 'nanos' || !line.isStamped ? raw : writeStamp(line.at, precision) + raw.slice(raw.indexOf(' ')),
      );
      lines.push(raws.at(-1) ?? raw);
    }
    return {
      shown,
      raws,
      torn: new Set(prefixes.keys()),
      noStrings,
      window: {
        lines,
        pods: podsNow(),
        ...(notLines.length === 0 ? {} : {notLines}),
        ...(isHeaderless ? {} : headerNow(fragment === undefined ? whole : whole.slice(1))),
        ...(isHeaderless || says !== 'numbers' ? {} : {numbering: numberingOf(chosen, shown.length, notLines)}),
        ...(options.tellsTime === true ? {serviceAt: (now / second) * second} : {}),
      },
      arrivedCount: arrived.length,
      fragment,
      truePods: pods.map(({name}) => name),
      isLagging: false,
      isBlank: false,
    };
  };

  const remove = (isGone: (line: ClusterLine) => boolean): void => {
    for (const [part, lines] of parts) {
      const kept = lines.filter(line => !isGone(line));
      for (const line of lines) {
        if (isGone(line)) {
          removed.add(line);
        }
      }
      if (kept.length === 0) {
        parts.delete(part);
      } else {
        parts.set(part, kept);
      }
    }
  };

  return {
    options,
    arrived: arrived as readonly ClusterLine[],
    looks: looks as readonly ClusterLook[],
    /** Lines that no limit took from the service: their pod went, their container started anew. */
    removed: removed as ReadonlySet<ClusterLine>,
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
      remove(({pod}) => pod === `pod-${podNumber}`);
    },
    podNumbers: (): readonly number[] => pods.map(({name}) => Number(name.slice(4))),
    /** A container, `1/app`, starts anew in its pod: only what it writes from now on is served. */
    restart: (source: string): void => remove(line => line.source === `pod-${source}`),
    /** All lines that the service has are gone. */
    clear: (): void => remove(() => true),
    /** A line that came before is delivered once more. */
    resend: (seq: number): void => {
      const line = arrived[seq];
      if (line !== undefined) {
        add({...line, isResent: true});
      }
    },
    /** From now on each part, or the window, holds another amount; how it is cut stays the same. */
    resize: (limit: Pick<ClusterCut, 'lines' | 'bytes'>): void => {
      cut = {...cut, ...limit};
    },
    /** The service starts anew and numbers what it has from 1. */
    renumber: (): void => {
      seriesCount += 1;
      lastNumber = 0;
      numbers = [];
      const present = [...parts.values()].flat().sort((a, b) => a.seq - b.seq);
      for (const {seq} of present) {
        lastNumber += 1;
        numbers[seq] = lastNumber;
      }
    },
    /** Lines of other branches take so many numbers. */
    skipNumbers: (count: number): void => {
      lastNumber += count;
    },
    /** What it would answer now. */
    lookNow,
    /** It is asked, and answers. */
    poll: (answer: AnswerOptions = {}): void => {
      const look = lookNow(answer);
      looks.push(look);
      for (const line of tornLengths.keys()) {
        if (!look.torn.has(line)) {
          tornLengths.delete(line);
        }
      }
    },
    /** It is asked, and a replica answers as it stood at an earlier moment. */
    pollOlder: (older: ClusterLook): void => {
      looks.push({...older, isLagging: true});
    },
    /** It is asked, and answers that there are no lines. */
    pollBlank: (): void => {
      const look = lookNow();
      looks.push({
        ...look,
        shown: [],
        raws: [],
        torn: new Set(),
        noStrings: [],
        window: {...look.window, ...headerNow([]), lines: [], notLines: []},
        fragment: undefined,
        isBlank: true,
      });
    },
  };
};

export type Cluster = ReturnType<typeof createCluster>;

const podOf = (source: string): string => source.slice(0, source.indexOf('/'));
