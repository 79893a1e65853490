import {randomBytes} from 'node:crypto';
import {setNewest} from '#base/bounds.ts';
import type {SourceName} from '#log/line/entry.ts';
import {type Instant, latestOf} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import {sourceKey} from '#log/words/source-words.ts';
import type {LinesWindow} from '#service/backend/backend.ts';
import {createLineWindow, type KeptLine} from '#service/window/line-window.ts';
import {createLineNumbers} from '#service/window/numbered-lines.ts';
import type {NotedLoss} from '#service/window/window-losses.ts';
import type {LogLine} from '../log-lines.ts';

/** Names of pods and containers that came and went: past this, a known name may become a source of its own. */
const sourcesMax = 10_000;
/** Lines of the first reads are sorted when they take so many times what may be held. */
const gatheredFactor = 1.25;

/** The bounds of what a branch holds: the last lines to arrive, except those that do not fit. */
export type WindowBounds = {
  readonly linesMax: number;
  readonly bytesMax: number;
  /** Each pod has `linesMax` lines to itself. */
  readonly isPerPod: boolean;
  /** Lines of an answer to a reader that has the ones before. */
  readonly answerLinesMax: number;
};

/** Where the lines of one container go. */
export type WindowContainer = {
  add(lines: readonly LogLine[]): void;
  /** Records that lines may be missing after those added so far. */
  noteLoss(why: string): void;
  /** Records that its last lines may not have been read, and never will be. */
  noteUnread(why: string): void;
  /**
   * Records that its log holds, or held, lines before those that are read, which reach back to `from`; undefined: to
   * the first one added. Others may reach further back, so for readers that know no numbers the containers count as cut
   * each on its own until what answers show by then has left.
   */
  noteCutFront(why: HeldFrom['why'], from: Instant | undefined): void;
};

type Arrived = Omit<KeptLine, 'sequence'> & {readonly losses?: readonly NotedLoss[] | undefined};

/** Creates an empty window. */
export const createBranchWindow = (
  {linesMax, bytesMax, isPerPod, answerLinesMax}: WindowBounds,
  now: () => Instant,
) => {
  const window = createLineWindow({linesMax, bytesMax, isPerPod, tracksChanges: false});
  const numbers = createLineNumbers(window, answerLinesMax);
  // Numbers begin again with each window, so they must not be compared with those of another.
  const series = randomBytes(8).toString('hex');
  const sources = new Map<string, SourceName>();
  /** Lines of the first reads; undefined once these are in. */
  let gathered: Arrived[] | undefined = [];
  let gatheredBytes = 0;
  let unread: number | undefined;
  let isUnreadWaiting = false;
  let containerCount = 0;
  let hasNewCutFront = false;
  /** Lines up to this number may reach back unevenly. */
  let unevenThrough = 0;
  let held: HeldFrom | undefined;

  const sourceOf = (name: SourceName): SourceName => {
    const key = sourceKey(name);
    const source = sources.get(key) ?? name;
    setNewest(sources, key, source, sourcesMax);
    return source;
  };

  const raiseHeld = (at: Instant, why: HeldFrom['why']): void => {
    held = held && held.at >= at ? held : {at, why};
  };

  const put = ({losses = [], ...line}: Arrived): void => {
    losses.forEach(window.noteLoss);
    window.add({...line, sequence: window.last() + 1});
  };

  /** Lets go of the oldest lines that do not fit. */
  const trim = (lines: Arrived[]): Arrived[] => {
    const sorted = lines.sort((left, right) => (left.stamp < right.stamp ? -1 : left.stamp > right.stamp ? 1 : 0));
    let start = isPerPod ? 0 : Math.max(0, sorted.length - linesMax);
    let bytes = sorted.slice(start).reduce((sum, {line}) => sum + line.length, 0);
    for (let line = sorted[start]; line && bytes > bytesMax; line = sorted[start]) {
      bytes -= line.line.length;
      start += 1;
    }
    const first = sorted[start];
    if (start > 0 && first) {
      raiseHeld(first.stamp, 'memory');
    }
    gatheredBytes = bytes;
    return start === 0 ? sorted : sorted.slice(start);
  };

  const arrive = (line: Arrived): void => {
    if (!gathered) {
      put(line);
      return;
    }
    gathered.push(line);
    gatheredBytes += line.line.length;
    const isOver = gatheredBytes > bytesMax * gatheredFactor || gathered.length > linesMax * gatheredFactor + 1;
    if (isOver && !isPerPod) {
      gathered = trim(gathered);
    }
  };

  /** Losses for which no line has come yet while lines are gathered. */
  const waiting = new Map<SourceName | undefined, NotedLoss[]>();

  const noteLoss = (loss: NotedLoss): void => {
    if (gathered) {
      waiting.set(loss.source, [...(waiting.get(loss.source) ?? []), loss]);
    } else {
      window.noteLoss(loss);
    }
  };

  const noteUnread = (loss: NotedLoss): void => {
    // A log that could not be read and is gone now was lost once.
    if (!window.losses().some(({number, source}) => number > window.last() && source === loss.source)) {
      noteLoss(loss);
    }
    isUnreadWaiting = gathered !== undefined;
    unread = isUnreadWaiting ? unread : window.arrivals().last;
  };

  return {
    /** Adds a container of a pod, or a source that is of no pod. Returns where its lines go. */
    addContainer: (podKey: number, name: SourceName): WindowContainer => {
      const source = sourceOf(name);
      /** By stream, of which there are two at most. */
      const streams = new Map<string | undefined, SourceName>([[undefined, source]]);
      const streamOf = (stream: string): SourceName => {
        const own = sourceOf({...name, stream});
        streams.set(stream, own);
        return own;
      };
      let after: Instant | undefined;
      let cut: HeldFrom['why'] | undefined;
      containerCount += 1;
      return {
        add: lines => {
          if (!gathered) {
            window.tally.arriveAt(now());
          }
          for (const {stamp, line, stream} of lines) {
            if (cut) {
              raiseHeld(stamp, cut);
              cut = undefined;
            }
            const losses = waiting.get(source);
            waiting.delete(source);
            const own = stream === undefined ? source : (streams.get(stream) ?? streamOf(stream));
            arrive({podKey, source: own, stamp, line, losses});
            after = after === undefined ? stamp : latestOf([after, stamp]);
          }
        },
        noteLoss: why => noteLoss({source, podKey, after, why}),
        noteUnread: why => noteUnread({source, podKey, after, why}),
        noteCutFront: (why, from) => {
          hasNewCutFront = true;
          if (from === undefined) {
            cut = why;
          } else {
            raiseHeld(from, why);
          }
        },
      };
    },
    /** Records that lines may be missing of containers that were never added. */
    noteLoss: (why: string): void => noteLoss({why}),
    /** Records that a pod leaves the answers whose last lines may not have been read. */
    noteUnread: (podName: string, why: string): void => noteUnread({source: sourceOf({pod: podName}), why}),
    /** The first reads are in: their lines get numbers by their stamps, those that come later as they arrive. */
    endGathering: (): void => {
      const lines = trim(gathered ?? []);
      gathered = undefined;
      lines.forEach(put);
      [...waiting.values()].flat().forEach(window.noteLoss);
      waiting.clear();
      unread = isUnreadWaiting ? window.arrivals().last : unread;
    },
    /** Returns the window for an answer, or what arrived after a place. */
    show: (after?: ReadUpTo): Omit<LinesWindow, 'unreadablePods' | 'finishingPods'> => {
      unevenThrough = hasNewCutFront ? window.last() : unevenThrough;
      hasNewCutFront = false;
      return {
        ...numbers.show(series, after),
        cut: containerCount > 1 && window.dropped() < unevenThrough ? 'source' : isPerPod ? 'pod' : 'branch',
        arrivals: {series, ...window.arrivals(), ...(unread !== undefined && {unread})},
        heldFrom: held,
      };
    },
    /** Lets go of a pod that has been gone for long, where each pod has a window of its own. */
    dropPod: window.dropPod,
    heldBytes: window.heldBytes,
    /** Returns what arrived, and how many losses there were. */
    totals: () => ({totals: window.tally.totals(), losses: window.lossCount()}),
    /** Lets go of the oldest lines until there are at most this many bytes. */
    shrink: window.shrink,
  };
};

/** The window of one branch, in memory only. */
export type BranchWindow = ReturnType<typeof createBranchWindow>;
