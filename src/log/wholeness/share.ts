import {firstIndexWhere} from '../buffer/buffer.ts';
import type {Instant} from '../line/instant.ts';
import type {WindowCut} from '../line/window-cut.ts';
import type {ReadWindow} from '../line/window-line.ts';

/** How much of a log, in lines and in characters. */
export type Extent = {readonly lines: number; readonly characters: number};

/** The least that one source can hold. A source that lost lines shows as much as it can hold, all of it new; so while less than that came, none did. */
export type Share = {
  readonly lines: number;
  /** One pod runs, so that a window cut for each pod is cut as one. */
  readonly isOnePod: boolean;
};

/** What windows were seen to hold, the most of each. */
export type Capacity = {
  readonly window: Extent;
  /** Lines of a window divided by its pods, but at least by the three kinds of sources that the interface names (section 2.5). */
  readonly earlyLines: number;
  /** Lines of a window divided by its pods. */
  readonly podLines: number;
};

/** So few that no service can be thought of whose source holds no more. */
const shareLinesMin = 3;
/** Application server, code editor, web server: interface specification, section 2.5. */
export const sourcesPerPod = 3;
/** An empty list of pods tells nothing; so many are then assumed. */
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

/** What a window holds; lines that are not believed may be there for good, and show nothing of what it can hold. */
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
      : firstIndexWhere(lines.length, index => (lines[index]?.at ?? through) > through);
  let characters = 0;
  for (let index = 0; index < count; index++) {
    characters += lines[index]?.raw.length ?? 0;
  }
  return {lines: count, characters};
};

/** The share of a source, from the most that windows were seen to hold lately, this one included. */
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

/** Is the branch's log cut as one, as far as anybody says? */
export const isCutAsOne = (cut: WindowCut | undefined, {isOnePod}: Share): boolean =>
  cut === 'branch' || (cut === 'pod' && isOnePod);

/** Is what came less than one source can hold? */
export const isLessThanShare = (share: Share, cameCount: number): boolean =>
  cameCount < shareLinesMin || cameCount < share.lines;

/** Does a window hold clearly less than others were seen to hold? Then its lines leave by age: a full one always holds as much. */
export const showsClearlyLess = ({window: most}: Capacity, now: ReadWindow): boolean => {
  const extent = extentOf(now);
  return extent.lines * 2 <= most.lines && extent.characters * 2 <= most.characters;
};
