import {firstIndexWhere} from '../buffer/buffer.ts';
import type {Instant} from '../line/instant.ts';
import type {WindowCut} from '../line/window-cut.ts';
import type {ReadWindow} from '../line/window-line.ts';

/** A size of log, in lines and in characters. */
export type Extent = {readonly lines: number; readonly characters: number};

/**
 * The least that one source can hold. A source that lost lines shows as much as it can hold, all of it new; so if fewer
 * new lines than this came, no source lost any.
 */
export type Share = {
  readonly lines: number;
  /** Only one pod runs, so a window cut per pod is cut as one. */
  readonly isOnePod: boolean;
};

/** The largest sizes that windows have had. */
export type Capacity = {
  readonly window: Extent;
  /**
   * Lines of a window divided by its pods, but at least by the three kinds of sources that the interface names (section
   * 2.5).
   */
  readonly earlyLines: number;
  /** Lines of a window divided by its pods. */
  readonly podLines: number;
};

/** No realistic service has a source that holds no more than this. */
const shareLinesMin = 3;
/** Application server, code editor, web server: interface specification, section 2.5. */
export const sourcesPerPod = 3;
/** Number of pods to assume if the list of pods is empty, since an empty list says nothing. */
const podsAssumed = 3;

const nothing: Extent = {lines: 0, characters: 0};
export const noCapacity: Capacity = {window: nothing, earlyLines: 0, podLines: 0};

const larger = (a: Extent, b: Extent): Extent => ({
  lines: Math.max(a.lines, b.lines),
  characters: Math.max(a.characters, b.characters),
});

export const largerCapacity = (a: Capacity, b: Capacity): Capacity => ({
  window: larger(a.window, b.window),
  earlyLines: Math.max(a.earlyLines, b.earlyLines),
  podLines: Math.max(a.podLines, b.podLines),
});

/**
 * Returns what a window holds. Leaves out lines that are not believed: they may stay forever and say nothing about
 * capacity.
 */
export const capacityOf = (window: ReadWindow, podCount: number, believedThrough: Instant | undefined): Capacity => {
  const extent = extentOf(window, believedThrough);
  const pods = podCount === 0 ? podsAssumed : podCount;
  return {
    window: extent,
    earlyLines: extent.lines / Math.max(sourcesPerPod, pods),
    podLines: extent.lines / pods,
  };
};

const extentOf = ({lines}: ReadWindow, through?: Instant): Extent => {
  const count =
    through === undefined
      ? lines.length
      : firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? through) > through);
  let characters = 0;
  for (let index = 0; index < count; index++) {
    characters += lines.raws[index]?.length ?? 0;
  }
  return {lines: count, characters};
};

/** Returns the share of a source, from the largest recent windows including this one. */
export const shareOf = (
  capacity: Capacity,
  cut: WindowCut | undefined,
  {sawHole, podCount}: {readonly sawHole: boolean; readonly podCount: number},
): Share => {
  const isOnePod = podCount === 1;
  switch (cut) {
    case 'branch':
      return {lines: capacity.window.lines, isOnePod};
    case 'pod':
      return {lines: capacity.podLines, isOnePod};
    case 'source':
      return {lines: capacity.podLines / sourcesPerPod, isOnePod};
    case undefined:
      return {lines: sawHole ? capacity.podLines / sourcesPerPod : capacity.earlyLines, isOnePod};
    default:
      return cut satisfies never;
  }
};

/** Checks whether the branch's log is known to be cut as one. */
export const isCutAsOne = (cut: WindowCut | undefined, {isOnePod}: Share): boolean =>
  cut === 'branch' || (cut === 'pod' && isOnePod);

/** Checks whether fewer lines came than one source can hold. */
export const isLessThanShare = (share: Share, cameCount: number): boolean =>
  cameCount < shareLinesMin || cameCount < share.lines;

/**
 * Checks whether a window holds clearly less than others did. Then lines leave by age: a full window always holds the
 * same amount.
 */
export const showsClearlyLess = ({window: most}: Capacity, now: ReadWindow): boolean => {
  const extent = extentOf(now);
  return extent.lines * 2 <= most.lines && extent.characters * 2 <= most.characters;
};
