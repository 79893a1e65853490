import {randomBytes} from 'node:crypto';
import type {LinesWindow} from '../../branch-lines.ts';
import {createLineWindow, type KeptLine, windowBytesMax} from '../../lines/line-window.ts';
import type {LogLine} from '../log/log-lines.ts';

/** The window of one branch, in memory only. */
export type BranchWindow = {
  /** Adds a container of a pod. Returns where its lines go. */
  addContainer(podKey: number): WindowContainer;
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

/** Where the lines of one container go. */
export type WindowContainer = {
  add(lines: readonly LogLine[]): void;
  /**
   * Records that lines may be missing behind those added so far. The window lets go of every line that an answer has
   * shown, of all pods, so that any client marks a gap, and keeps those that none has shown. If some of this container
   * are among these, the next answer still shows them, and the gap and what follows come with the one after it: readers
   * mark the gap behind what they have.
   */
  noteHole(): void;
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

  /** By container: lines behind a hole, until an answer has shown what is before it. */
  const waiting = new Map<WindowContainer, {lines: LogLine[]; readonly release: () => void}>();

  const openHole = (): void => {
    window.dropUpTo(shownLast);
    // The hole has a number of its own, which `dropped` then names.
    last += 1;
    window.raiseDropped(last);
  };

  const addContainer = (podKey: number): WindowContainer => {
    let lastOwn = 0;
    const put = (lines: readonly LogLine[]): void => {
      for (const {stamp, line} of lines) {
        last += 1;
        window.add({sequence: last, podKey, stamp, line});
      }
      lastOwn = lines.length > 0 ? last : lastOwn;
    };
    const release = (): void => {
      const held = waiting.get(container);
      if (held) {
        waiting.delete(container);
        openHole();
        put(held.lines);
      }
    };
    const container: WindowContainer = {
      add: lines => {
        const held = waiting.get(container);
        if (!held) {
          put(lines);
          return;
        }
        held.lines = held.lines.concat(lines);
        if (held.lines.length > windowLines) {
          release();
        }
      },
      noteHole: () => {
        release();
        if (lastOwn > shownLast) {
          waiting.set(container, {lines: [], release});
        } else {
          openHole();
        }
      },
    };
    return container;
  };

  const showLines = (): readonly string[] => {
    const kept = window.lines();
    if (shown.kept !== kept) {
      shown = {kept, lines: kept.map(({line}) => line)};
    }
    return shown.lines;
  };

  return {
    addContainer,
    endGathering: () => window.endGathering(),
    show: () => {
      shownLast = last;
      const answer = {
        lines: showLines(),
        cut: windowPerPod ? ('pod' as const) : ('branch' as const),
        arrivals: {series, last, dropped: window.dropped()},
      };
      for (const {release} of waiting.values()) {
        release();
      }
      return answer;
    },
    dropPod: window.dropPod,
    heldBytes: window.heldBytes,
    shrink: window.shrink,
  };
};
