import type {WindowCut} from '../../log/line/window-cut.ts';
import {secondMs} from './seed/durations.ts';
import {compareEmitted, type EmittedLine} from './seed/emitted-line.ts';
import type {LogShape} from './seed/log-source.ts';
import {createSourceReader} from './source-reader.ts';
import {writeSlice} from './write-slice.ts';

export type BranchLogOptions = {
  readonly shape: LogShape;
  readonly seed: number;
  readonly branchId: string;
  /** The demo's start, milliseconds since 1970. */
  readonly startMs: number;
};

/** The log of one branch: nothing is written ahead of time, every window is computed when it is read. */
export type SampleLog = {
  /** How windows are cut: the last lines by timestamp of the branch, or of each pod. */
  readonly cut: WindowCut;
  /** Returns the window at a moment, oldest line first. */
  readonly readWindow: (nowMs: number) => readonly string[];
  /**
   * Returns every line with a timestamp from `fromMs` to just before `toMs`, arrived or not: what windows are cut from.
   */
  readonly listEmitted: (fromMs: number, toMs: number) => readonly EmittedLine[];
  /** Returns the number of lines kept in memory between reads. */
  readonly countHeldLines: () => number;
};

export const createSampleLog = ({shape, seed, branchId, startMs}: BranchLogOptions): SampleLog => {
  const {sources, windowLinesMax, cutBySource} = shape;
  const readers = sources.map(source => createSourceReader({source, seed, branchId, startMs}));
  return {
    // If windows are cut by source, each source is a pod.
    cut: cutBySource ? 'pod' : 'branch',
    readWindow: nowMs => {
      const shares = readers.map(reader => reader.readNewest(nowMs, windowLinesMax));
      const lines = shares.length === 1 ? shares.flat() : shares.flat().sort(compareEmitted);
      return (cutBySource ? lines : lines.slice(-windowLinesMax)).map(({line}) => line);
    },
    listEmitted: (fromMs, toMs) => {
      const emitted: EmittedLine[] = [];
      for (let index = Math.floor((fromMs - startMs) / secondMs); startMs + index * secondMs < toMs; index++) {
        for (const source of sources) {
          emitted.push(...writeSlice({source, seed, branchId, startMs, index}));
        }
      }
      const [fromNs, toNs] = [(fromMs - startMs) * 1_000_000, (toMs - startMs) * 1_000_000];
      return emitted.filter(({sinceStartNs: at}) => at >= fromNs && at < toNs).sort(compareEmitted);
    },
    countHeldLines: () => readers.reduce((sum, reader) => sum + reader.countHeld(), 0),
  };
};
