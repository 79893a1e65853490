import type {Numbering, ReadUpTo} from '../../log/line/numbering.ts';
import type {Arrivals, WindowCut} from '../../log/line/window-cut.ts';
import {createSampleNumbers} from './sample-numbers.ts';
import {secondMs} from './seed/durations.ts';
import {compareEmitted, type EmittedLine, latestArrivalMs} from './seed/emitted-line.ts';
import type {LogShape} from './seed/log-source.ts';
import type {Roster} from './seed/roster.ts';
import {createSourceReader} from './source-reader.ts';
import {writeSlice} from './write-slice.ts';

export type BranchLogOptions = {
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
   * Returns the same with the number and the source of each line, or what arrived behind a reader's place. The numbers
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
