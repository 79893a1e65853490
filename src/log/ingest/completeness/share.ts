import {firstIndexWhere} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import {measureTexts} from '#log/window/texts.ts';
import type {WindowCut} from '#log/window/window-claims.ts';
import type {ReadWindow} from '#log/window/window-line.ts';

/** A size of log, in lines and in characters. */
export type Extent = {readonly lines: number; readonly characters: number};

/** How the service cuts its windows, as far as that is said, and what the log has shown of it. */
export type KnownCut = {
  readonly cut: WindowCut | undefined;
  /** How many sources a pod has; undefined if nobody says. */
  readonly sources: number | undefined;
  /** How many pods the answer lists. */
  readonly podCount: number;
  /** Lines left out of turn at some poll: each source is cut on its own. */
  readonly sawHole: boolean;
};

/** The interface names three: application server, code editor, web server (section 2.5). */
const sourcesUsual = 3;
/** With a mesh's proxy, a log shipper, and standard error apart, a pod rarely has more. */
const sourcesAssumed = 8;
/** Number of pods to assume if the list is empty, or names one although lines of others were seen. */
const podsAssumed = 3;
/** No realistic service has a source that holds no more than this. */
export const shareLinesMin = 3;

export const noExtent: Extent = {lines: 0, characters: 0};

/** Returns the larger of two sizes, in each of their dimensions. */
export const largerExtent = (a: Extent, b: Extent): Extent => ({
  lines: Math.max(a.lines, b.lines),
  characters: Math.max(a.characters, b.characters),
});

/** Returns what a window holds, without lines later than `through`: those may stay forever. */
export const extentOf = ({lines}: ReadWindow, through?: Instant): Extent => {
  const count =
    through === undefined
      ? lines.length
      : firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? through) > through);
  return {lines: count, characters: measureTexts(lines.raws, 0, count).characters};
};

/** Checks whether the branch's log is known to be cut as one. A list of one pod proves nothing once a hole was seen. */
export const isCutAsOne = ({cut, sources, podCount, sawHole}: KnownCut): boolean =>
  cut === 'branch' || (podCount === 1 && !sawHole && hasOneSource({cut, sources}));

/** Checks whether a pod's log is known to be cut as one. */
const hasOneSource = ({cut, sources}: Pick<KnownCut, 'cut' | 'sources'>): boolean =>
  cut === 'pod' || (cut === 'source' && sources === 1);

/**
 * Returns into how many parts windows are cut at most, so that the largest recent window divided by it is a *share*:
 * the least that a full part holds. A part that lost lines shows a share of new ones, so if fewer came, none lost any.
 */
export const windowParts = ({cut, sources, podCount, sawHole}: KnownCut): number => {
  const pods = podCount === 0 || (podCount === 1 && sawHole && hasOneSource({cut, sources})) ? podsAssumed : podCount;
  switch (cut) {
    case 'branch':
      return 1;
    case 'pod':
      return pods;
    case 'source':
      return pods * (sources ?? sourcesAssumed);
    case undefined:
      return sawHole ? pods * sourcesAssumed : Math.max(sourcesUsual, pods);
    default:
      return cut satisfies never;
  }
};

/** Returns the share of a part, from the largest recent window. */
export const shareOf = (capacity: Extent, said: KnownCut): Extent => ({
  lines: capacity.lines / windowParts(said),
  characters: capacity.characters / windowParts(said),
});

/** Returns the share of a part of a usual pod, where nobody says how many sources one has. */
export const usualShareOf = (capacity: Extent, said: KnownCut): Extent =>
  shareOf(
    capacity,
    said.sources === undefined && (said.cut === undefined || said.cut === 'source')
      ? {...said, cut: 'source', sources: sourcesUsual}
      : said,
  );

/**
 * Checks whether less came than a part can hold. Parts may be cut by bytes, and then fewer long lines fill one, unless
 * windows were seen to be cut by lines.
 */
export const isLessThanShare = (
  share: Extent,
  came: Extent & {readonly longest: number},
  isCutByLines: boolean,
): boolean =>
  came.lines < shareLinesMin ||
  // A part that is cut by bytes has room for less than one more line.
  (came.lines < share.lines && (isCutByLines || came.characters + came.longest < share.characters));

/**
 * Checks whether a window holds clearly less than others did. Then lines leave by age: a full window always holds the
 * same amount.
 */
export const showsClearlyLess = (most: Extent, now: ReadWindow): boolean => {
  const extent = extentOf(now);
  return extent.lines * 2 <= most.lines && extent.characters * 2 <= most.characters;
};
