import {randomBytes} from 'node:crypto';
import type {LinesWindow} from '../../branch-lines.ts';
import {createLineWindow, type KeptLine, windowBytesMax} from '../../lines/line-window.ts';
import type {LogLine} from '../log/log-lines.ts';

/** Holes of a container that wait for answers. Each answer shows the lines up to one. */
const waitingPartsMax = 10;

/** The window of one branch, in memory only. */
export type BranchWindow = {
  /** Adds a container of a pod. Returns where its lines go. */
  addContainer(podKey: number): WindowContainer;
  /** Records that lines may be missing of containers that were never added. */
  noteHole(): void;
  /** Records that a pod leaves the answers whose last lines may not have been read. */
  noteUnread(): void;
  /**
   * Records that a container's first line here is not the first of its log: others may reach further back. The log is
   * whole from the last of these lines on only, so the containers count as cut each on its own until what answers show
   * by then has left.
   */
  noteCutFront(): void;
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

const unknownSource = {};

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
    tracksChanges: false,
  });
  // Numbers begin anew with each window, so they must not be compared with those of another.
  const series = randomBytes(8).toString('hex');
  let last = 0;
  let shownLast = 0;
  let unread: number | undefined;
  let containerCount = 0;
  let hasNewCutFront = false;
  /** Lines up to this number may reach back unevenly. */
  let unevenThrough = 0;
  let shown: {readonly kept: readonly KeptLine[]; readonly lines: readonly string[]} = {kept: [], lines: []};

  /** By container: lines behind holes, a part behind each, until an answer has shown what is before it. */
  const waiting = new Map<WindowContainer, {parts: LogLine[][]; readonly release: (upTo: number) => void}>();

  const openHole = (upTo: number): void => {
    window.dropUpTo(upTo);
    // The hole has a number of its own, which `dropped` then names.
    last += 1;
    window.raiseDropped(last);
  };

  const addContainer = (podKey: number): WindowContainer => {
    containerCount += 1;
    let lastOwn = 0;
    const put = (lines: readonly LogLine[]): void => {
      for (const {stamp, line} of lines) {
        last += 1;
        window.add({sequence: last, podKey, source: unknownSource, stamp, line});
      }
      lastOwn = lines.length > 0 ? last : lastOwn;
    };
    const release = (upTo: number): void => {
      const held = waiting.get(container);
      const part = held?.parts.shift();
      if (held?.parts.length === 0) {
        waiting.delete(container);
      }
      openHole(upTo);
      put(part ?? []);
    };
    /** Where nobody asks for so long, what was not shown becomes a part of the hole. */
    const limitWaiting = (): void => {
      for (let held = waiting.get(container); held; held = waiting.get(container)) {
        const lines = held.parts.reduce((sum, part) => sum + part.length, 0);
        if (lines <= windowLines && held.parts.length <= waitingPartsMax) {
          return;
        }
        release(lastOwn);
      }
    };
    const container: WindowContainer = {
      add: lines => {
        const part = waiting.get(container)?.parts.at(-1);
        if (!part) {
          put(lines);
          return;
        }
        for (const line of lines) {
          part.push(line);
        }
        limitWaiting();
      },
      noteHole: () => {
        const parts = waiting.get(container)?.parts;
        if (!parts && lastOwn > shownLast) {
          waiting.set(container, {parts: [[]], release});
        } else if (!parts) {
          openHole(shownLast);
        } else if (parts.at(-1)?.length !== 0) {
          parts.push([]);
          limitWaiting();
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
    noteHole: () => openHole(shownLast),
    noteUnread: () => {
      last += 1;
      unread = last;
    },
    noteCutFront: () => {
      hasNewCutFront = true;
    },
    endGathering: () => window.endGathering(),
    show: () => {
      shownLast = last;
      unevenThrough = hasNewCutFront ? last : unevenThrough;
      hasNewCutFront = false;
      const answer: ReturnType<BranchWindow['show']> = {
        lines: showLines(),
        cut: containerCount > 1 && window.dropped() < unevenThrough ? 'source' : windowPerPod ? 'pod' : 'branch',
        arrivals: {series, last, dropped: window.dropped(), ...(unread !== undefined && {unread})},
      };
      for (const {release} of waiting.values()) {
        release(shownLast);
      }
      return answer;
    },
    dropPod: window.dropPod,
    heldBytes: window.heldBytes,
    shrink: window.shrink,
  };
};
