import {describeNumbers} from '#log/ingest/describe-numbers.ts';
import type {SourceName} from '#log/line/entry.ts';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import type {Arrivals, Numbering, ReadUpTo, WindowCut} from '#log/window/window-claims.ts';
import {
  compareEmitted,
  type EmittedLine,
  type LogShape,
  latestArrivalMs,
  type Roster,
  type SampleSource,
} from '../seed/log-source.ts';
import {createRandom, secondMs} from '../seed/random.ts';

/** The part of a log that is read at a given moment. */
type SampleReading = {
  readonly nowMs: number;
  /** The window's lines, the same objects for as long as they are in windows. */
  readonly emitted: readonly EmittedLine[];
  /** When the last of the lines that are left out arrived, milliseconds since 1970. */
  readonly leftOutAtMs: number;
};

type SampleNumbersOptions = {
  /** Names the first series. */
  readonly name: string;
  readonly sourceOf: (line: EmittedLine) => string | undefined;
  /** Counts the lines that arrived after one moment, up to another; undefined if that would take too long. */
  readonly countArrived: (fromMs: number, toMs: number) => number | undefined;
};

/**
 * Creates the numbers of a branch's lines. Nothing is written ahead of time, so lines are numbered when they are first
 * read. Those that came and went in between are counted; if nobody read for too long, a new series begins.
 */
export const createSampleNumbers = ({name, sourceOf, countArrived}: SampleNumbersOptions) => {
  let numbers = new Map<EmittedLine, number>();
  let last = 0;
  let lastMs: number | undefined;
  let epoch = 0;

  const takeReading = ({nowMs, emitted, leftOutAtMs}: SampleReading): void => {
    const fresh = emitted.filter(line => !numbers.has(line)).sort((a, b) => a.arrivesAtMs - b.arrivesAtMs);
    const arrived = lastMs !== undefined && leftOutAtMs > lastMs ? countArrived(lastMs, nowMs) : fresh.length;
    if (arrived === undefined) {
      epoch += 1;
      last = 0;
      numbers = new Map();
      fresh.splice(0, fresh.length, ...emitted.toSorted((a, b) => a.arrivesAtMs - b.arrivesAtMs));
    }
    // A line that left unread counts as the first to arrive.
    last += Math.max(0, (arrived ?? 0) - fresh.length);
    for (const line of fresh) {
      last += 1;
      numbers.set(line, last);
    }
    numbers = new Map(emitted.map(line => [line, numbers.get(line) ?? last]));
    lastMs = Math.max(lastMs ?? nowMs, nowMs);
  };

  return {
    /** Numbers what arrived since the last reading, and returns what a reader at this place gets. */
    read: (
      reading: SampleReading,
      after?: ReadUpTo,
    ): {readonly lines: readonly string[]; readonly numbering: Numbering} => {
      takeReading(reading);
      const series = `demo-${name}-${epoch}`;
      const pods = new Map<string | undefined, SourceName>();
      const describe = (line: EmittedLine) => {
        const pod = sourceOf(line);
        const source = pods.get(pod) ?? (pod === undefined ? {} : {pod});
        pods.set(pod, source);
        return {line: line.line, sequence: numbers.get(line) ?? last, source};
      };
      const hasPlace = after?.series === series && after.last <= last;
      const all = reading.emitted.map(describe);
      const kept = hasPlace
        ? all.filter(({sequence}) => sequence > after.last).sort((a, b) => a.sequence - b.sequence)
        : all;
      return {lines: kept.map(({line}) => line), numbering: describeNumbers(series, kept, [], last + 1)};
    },
  };
};

type SliceAddress = {
  readonly source: SampleSource;
  readonly seed: number;
  readonly branchId: string;
  /** The demo's start, milliseconds since 1970. */
  readonly startMs: number;
  readonly index: number;
};

/** Writes one second of a source's log, in order. The same address gives the same lines, whatever was read before. */
const writeSlice = ({source, seed, branchId, startMs, index}: SliceAddress): readonly EmittedLine[] => {
  const demoMs = index * secondMs;
  if (demoMs < -source.historyMs) {
    return [];
  }
  const slice = {index, startMs: startMs + demoMs, demoMs, random: createRandom(seed, branchId, source.name, index)};
  const startsAt = instantFromMs(slice.startMs);
  return source
    .writeSlice(slice)
    .map(({offsetNs, text, lateMs = 0}) => ({
      line: `${formatInstant(startsAt + BigInt(offsetNs))} ${text}`,
      sinceStartNs: index * 1_000_000_000 + offsetNs,
      arrivesAtMs: slice.startMs + Math.ceil(offsetNs / 1_000_000) + lateMs,
      source: source.name,
    }))
    .sort(compareEmitted);
};

type BranchLogOptions = {
  readonly shape: LogShape;
  readonly seed: number;
  readonly branchId: string;
  /** The demo's start, milliseconds since 1970. */
  readonly startMs: number;
  /** The pods that write, where windows are not cut by source. */
  readonly roster?: Roster;
};

/** Counting what nobody read takes as long as writing it. */
const uncountedMsMax = 60_000;

/** The log of one branch: nothing is written ahead of time, every window is computed when it is read. */
export type SampleLog = {
  /** How windows are cut: the last lines by timestamp of the branch, or of each pod. */
  readonly cut: WindowCut;
  /** Returns the window at a moment, oldest line first, and what has arrived by then. */
  readonly readWindow: (nowMs: number) => {readonly lines: readonly string[]; readonly arrivals: Arrivals};
  /**
   * Returns the same with the number and the source of each line, or what arrived after a reader's place. The numbers
   * depend on what was read before.
   */
  readonly readNumbered: (
    nowMs: number,
    after?: ReadUpTo,
  ) => {readonly lines: readonly string[]; readonly arrivals: Arrivals; readonly numbering: Numbering};
  /**
   * Returns every line with a timestamp from `fromMs` to just before `toMs`, arrived or not: what windows are cut from.
   */
  readonly listEmitted: (fromMs: number, toMs: number) => readonly EmittedLine[];
  /** Returns the number of lines kept in memory between reads. */
  readonly countHeldLines: () => number;
};

export const createSampleLog = ({shape, seed, branchId, startMs, roster}: BranchLogOptions): SampleLog => {
  const {sources, windowLinesMax, cutBySource} = shape;
  const readers = sources.map(source => createSourceReader({source, seed, branchId, startMs}));
  const firstMs = startMs - Math.max(0, ...sources.map(({historyMs}) => historyMs));
  // Numbers need not be without holes: lines are numbered by the millisecond in which they arrive, so that nothing has
  // to be counted. All that arrived by then is in the same windows.
  const numberOf = (atMs: number): number => Math.max(0, Math.floor(atMs) - firstMs + 1);
  const readEmitted = (nowMs: number) => {
    const shares = readers.map(reader => reader.readNewest(nowMs, windowLinesMax));
    const all = shares.flatMap(({lines}) => lines);
    const sorted = shares.length === 1 ? all : all.sort(compareEmitted);
    const emitted = cutBySource ? sorted : sorted.slice(-windowLinesMax);
    const cutOff = sorted.slice(0, sorted.length - emitted.length);
    const leftOutAtMs = Math.max(latestArrivalMs(cutOff), ...shares.map(share => share.leftOutAtMs));
    const arrivals = {series: `demo-${startMs}`, last: numberOf(nowMs), dropped: numberOf(leftOutAtMs)};
    return {nowMs, emitted, leftOutAtMs, arrivals};
  };
  const listEmitted: SampleLog['listEmitted'] = (fromMs, toMs) => {
    const emitted: EmittedLine[] = [];
    for (let index = Math.floor((fromMs - startMs) / secondMs); startMs + index * secondMs < toMs; index++) {
      for (const source of sources) {
        emitted.push(...writeSlice({source, seed, branchId, startMs, index}));
      }
    }
    const [fromNs, toNs] = [(fromMs - startMs) * 1_000_000, (toMs - startMs) * 1_000_000];
    return emitted.filter(({sinceStartNs: at}) => at >= fromNs && at < toNs).sort(compareEmitted);
  };
  const numbers = createSampleNumbers({
    name: `${startMs}-${branchId}`,
    // All lines of a second are of one pod, so that none of several lines is torn.
    sourceOf: ({source, sinceStartNs}) => {
      const second = Math.floor(sinceStartNs / 1_000_000_000);
      const pods = cutBySource ? [] : (roster?.(second * secondMs) ?? []);
      return cutBySource ? source : pods[Math.abs(second) % Math.max(1, pods.length)]?.name;
    },
    countArrived: (fromMs, toMs) => {
      const lateMsMax = Math.max(0, ...sources.map(source => source.lateMsMax ?? 0));
      return toMs - fromMs > uncountedMsMax
        ? undefined
        : listEmitted(fromMs - lateMsMax, toMs + 1).filter(
            ({arrivesAtMs}) => arrivesAtMs > fromMs && arrivesAtMs <= toMs,
          ).length;
    },
  });
  return {
    // If windows are cut by source, each source is a pod.
    cut: cutBySource ? 'pod' : 'branch',
    readWindow: nowMs => {
      const {emitted, arrivals} = readEmitted(nowMs);
      return {lines: emitted.map(({line}) => line), arrivals};
    },
    readNumbered: (nowMs, after) => {
      const {arrivals, ...reading} = readEmitted(nowMs);
      return {...numbers.read(reading, after), arrivals};
    },
    listEmitted,
    countHeldLines: () => readers.reduce((sum, reader) => sum + reader.countHeld(), 0),
  };
};

/** Creates a reader of one source's log backwards from any moment, which keeps only the entries of its last window. */
const createSourceReader = (address: Omit<SliceAddress, 'index'>) => {
  const held = new Map<number, readonly EmittedLine[]>();
  const {historyMs, lateMsMax = 0} = address.source;
  const firstIndex = Math.ceil(-historyMs / secondMs);
  const lateSlicesMax = Math.ceil(lateMsMax / secondMs);
  const sliceAt = (index: number): readonly EmittedLine[] => {
    const known = held.get(index);
    if (known) {
      return known;
    }
    const written = writeSlice({...address, index});
    held.set(index, written);
    return written;
  };
  return {
    /**
     * Returns the newest `linesMax` lines that have arrived at `nowMs`, oldest first, and when the last of the lines
     * that are left out arrived, milliseconds since 1970; negative infinity if none is.
     */
    readNewest: (nowMs: number, linesMax: number) => {
      const lastIndex = Math.floor((nowMs - address.startMs) / secondMs);
      const slices: (readonly EmittedLine[])[] = [];
      let room = linesMax;
      let leftOutAtMs = Number.NEGATIVE_INFINITY;
      let endIndex = firstIndex;
      let index = lastIndex;
      // Slices do not overlap in time, so whole slices can be taken from the newest back until there are enough lines.
      for (; index >= endIndex; index--) {
        const arrived = sliceAt(index).filter(line => line.arrivesAtMs <= nowMs);
        const taken = arrived.slice(Math.max(0, arrived.length - room));
        const leftOut = arrived.slice(0, arrived.length - taken.length);
        slices.push(taken);
        room -= taken.length;
        if (leftOut.length > 0) {
          // A line of an older slice can only have arrived later if it was late.
          endIndex = Math.max(endIndex, index - lateSlicesMax);
          leftOutAtMs = Math.max(leftOutAtMs, latestArrivalMs(leftOut));
        }
      }
      for (const heldIndex of held.keys()) {
        if (heldIndex <= index || heldIndex > lastIndex) {
          held.delete(heldIndex);
        }
      }
      return {lines: slices.reverse().flat(), leftOutAtMs};
    },
    /**
     * Returns the number of lines kept in memory: at most a window's, the rest of the slices at its two ends, and the
     * slices before it whose lines may have arrived later.
     */
    countHeld: (): number => held.values().reduce((sum, lines) => sum + lines.length, 0),
  };
};
