import {randomBytes} from 'node:crypto';
import type {LinesWindow} from '../../branch-lines.ts';
import {createLineWindow, type KeptLine, windowBytesMax} from '../../lines/line-window.ts';
import type {LogLine} from './log-lines.ts';

/** The window of one branch, in memory only. */
export type BranchWindow = {
  add(podKey: number, lines: readonly LogLine[]): void;
  /**
   * Records that lines may be missing. Lets go of every line that an answer has shown, of all pods, so that any client
   * marks a gap, and keeps those that none has shown. Uses one arrival number for the hole itself.
   */
  noteHole(): void;
  /** The first reads are in: from now on lines leave in order of arrival. */
  endGathering(): void;
  /** Returns the window for an answer: the same lines array until they change. */
  show(): Omit<LinesWindow, 'unreadablePods'>;
  /** Lets go of a pod that has been gone for long, where each pod has a window of its own. */
  dropPod(podKey: number): void;
  heldBytes(): number;
  /** Lets go of the oldest lines until there are at most this many bytes. */
  shrink(bytesMax: number): void;
};

/** Creates an empty window. */
export const createBranchWindow = ({
  windowLines,
  windowPerPod,
}: {
  readonly windowLines: number;
  readonly windowPerPod: boolean;
}): BranchWindow => {
  const window = createLineWindow({
    linesMax: windowLines,
    bytesMax: windowBytesMax,
    isPerPod: windowPerPod,
    isGathering: true,
  });
  // Numbers begin anew with each window, so they must not be compared with those of another.
  const series = randomBytes(8).toString('hex');
  let last = 0;
  let shownLast = 0;
  let shown: {readonly kept: readonly KeptLine[]; readonly lines: readonly string[]} = {kept: [], lines: []};

  return {
    add: (podKey, lines) => {
      for (const {stamp, line} of lines) {
        last += 1;
        window.add({sequence: last, podKey, stamp, line});
      }
    },
    noteHole: () => {
      window.dropUpTo(shownLast);
      last += 1;
      window.raiseDropped(last);
    },
    endGathering: () => window.endGathering(),
    show: () => {
      shownLast = last;
      const kept = window.lines();
      if (shown.kept !== kept) {
        shown = {kept, lines: kept.map(({line}) => line)};
      }
      return {
        lines: shown.lines,
        cut: windowPerPod ? 'pod' : 'branch',
        arrivals: {series, last, dropped: window.dropped()},
      };
    },
    dropPod: window.dropPod,
    heldBytes: window.heldBytes,
    shrink: window.shrink,
  };
};
