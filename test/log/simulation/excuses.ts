import {partOf} from './cluster-cut.ts';
import type {ClusterLine} from './simulated-cluster.ts';
import type {Watched} from './watch-looks.ts';
import {charactersOf, countParts, isBelowShare, type Known} from './what-was-known.ts';

/** Why nobody could know something of a line that was lost, at the answer after which it was missing. */
type Excuse = (line: ClusterLine, known: Known, watched: Watched) => boolean;

/** Its stamp is no clock's, and no range can hold it. */
const isForged: Excuse = line => line.isForged;

/** Neither it nor a line before it in its source has a stamp: it has no place in time. */
const isUndated: Excuse = line => !line.isDated;

/** No line of that setting of its pod's clock was shown before: nobody can know how far off it is. */
const isOfUnknownClock: Excuse = (line, {clocks}) => !clocks.has(line.clock);

/**
 * It is stamped further before the newest line shown than any line was that came by then: nobody can know that lines
 * may be so late.
 */
const isLaterThanEverSeen: Excuse = (line, {newestBefore, latenessEver}) => newestBefore - line.at > latenessEver;

/** It is stamped after all that was shown by then: nobody can know how far its clock went on. */
const isAheadOfAllShown: Excuse = (line, {newestShown}) => line.at > newestShown;

/** What keeps a lost line out of the range of the marker that tells the loss, and nobody can help it. */
const rangeExcuses: readonly Excuse[] = [isForged, isUndated, isOfUnknownClock, isLaterThanEverSeen, isAheadOfAllShown];

export const mayBeOutsideRange: Excuse = (line, known, watched) =>
  rangeExcuses.some(excuse => excuse(line, known, watched));

/** Its pod came and went between two answers. */
const isOfUnseenPod: Excuse = ({pod}, {look, before}) =>
  !look.truePods.includes(pod) && before?.truePods.includes(pod) !== true;

/**
 * It was too old for a window that is cut by stamp when it came, so that no answer could show it. That can be known
 * only where windows span less than lines were seen to be late, or where late lines come that reach down to the front.
 */
const isBornBelow: Excuse = (line, {look, span, lateness, cutsLateLines, hasLeft}, {options: {cut, show}, arrived}) => {
  const isShort = span < lateness && line.lateNanos <= lateness;
  // Until a line left, a late line at the front may be the oldest there is.
  const isAtFront = cutsLateLines && hasLeft && cut.per === 'branch';
  // Of parts that are listed one after another, nobody can tell where one begins.
  const isUnclear = show === 'parts' && cut.per !== 'branch';
  if (cut.by !== 'stamp' || (isShort && !isUnclear) || isAtFront) {
    return false;
  }
  const part = partOf(cut, line);
  const isOfPart = (other: ClusterLine): boolean => partOf(cut, other) === part;
  return (
    arrived.slice(0, line.seq).some(other => other.at > line.at && isOfPart(other)) &&
    !look.shown.some(other => other.at < line.at && isOfPart(other))
  );
};

/**
 * No line had left a window, or none that was not replaced by a copy: nobody can know that windows have a bound, and
 * nothing is missing of a part whose lines are all there.
 */
const isOfUnboundedPart: Excuse = (line, known, watched) =>
  !known.hasLeft && (known.hiddenCount > 0 || isPartNew(line, known, watched));

/** So many of the lines that came are copies of others, or may be, that what is surely new is less than a share. */
const isHiddenByCopies: Excuse = (_line, known, watched) => {
  const {came, hiddenCount} = known;
  const count = came.length - hiddenCount;
  const characters = charactersOf(came) * Math.max(0, count / came.length);
  return watched.options.cut.per !== 'branch' && hiddenCount > 0 && isBelowShare(watched, known, {count, characters});
};

/**
 * No limit took it: its container started anew. Nothing tells that where lines of others stay, but lines that left
 * though too few follow them and no pod went.
 */
const isTakenUnnoticed: Excuse = (line, {hasVanished, hasKept}, {removed}) =>
  removed.has(line) && hasKept && !hasVanished;

/**
 * The list has one pod, which makes a cut by pod a cut of the branch, until a line is seen to leave after one that
 * stays.
 */
const isOfOneListedPod: Excuse = (_line, {look, holeSeen, isFrontHeld}, {options}) =>
  options.cut.per === 'pod' && look.window.pods.length === 1 && !holeSeen && isFrontHeld;

/**
 * Of a part that never was in an answer nobody can know that its first lines are missing, where nothing left but at the
 * front.
 */
const isStartOfNewPart: Excuse = (line, known, watched) =>
  watched.options.cut.per !== 'branch' && known.leftAhead && isPartNew(line, known, watched);

/**
 * Until a line is seen to leave after one that stays, windows look as those do that are cut as one: what follows the
 * front is all there.
 */
const looksCutAsOne: Excuse = (_line, {holeSeen, isFrontHeld, came, look}, {options}) =>
  options.cut.per !== 'branch' &&
  !holeSeen &&
  isFrontHeld &&
  came.length < look.window.lines.length / Math.max(2, look.window.pods.length);

/**
 * There are more sources or pods than anybody says, each of which holds less than is taken for a share, and less than
 * that came.
 */
const isOfUntoldParts: Excuse = ({seq}, known, watched) => {
  const {cut, says} = watched.options;
  const {look, came, isFrontHeld} = known;
  const parts = new Set(
    watched.arrived.flatMap(line => (line.seq <= seq && look.truePods.includes(line.pod) ? [partOf(cut, line)] : [])),
  );
  const told = countParts(watched, known);
  return (
    (isFrontHeld || says === 'cut') &&
    parts.size > told &&
    isBelowShare(watched, known, {count: came.length, characters: charactersOf(came)})
  );
};

const isPartNew: Excuse = (line, {before}, {arrived, options: {cut}}) => {
  const part = partOf(cut, line);
  const shown = new Set(before?.shown);
  return !arrived.slice(0, line.seq).some(other => partOf(cut, other) === part && shown.has(other));
};

const saidExcuses: readonly Excuse[] = [
  isOfUnseenPod,
  isBornBelow,
  isOfUnboundedPart,
  isHiddenByCopies,
  isTakenUnnoticed,
  isOfOneListedPod,
  isOfUntoldParts,
];
const inferredExcuses: readonly Excuse[] = [...saidExcuses, isStartOfNewPart, looksCutAsOne];

/** Nobody could know that the line was lost, by a service that does not number its lines. */
export const mayBeLostUnnoticed =
  (family: 'said' | 'inferred'): Excuse =>
  (line, known, watched) =>
    (family === 'said' ? saidExcuses : inferredExcuses).some(excuse => excuse(line, known, watched));
