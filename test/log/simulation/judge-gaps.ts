import type {Faults} from './find-faults.ts';
import {findMovedItems} from './moved-items.ts';
import type {ClusterLine} from './simulated-cluster.ts';
import type {Watched} from './watch-looks.ts';
import {charactersOf, countParts, type Known} from './what-was-known.ts';

/** A share is guessed from windows that grow and shrink; well below it no gap may stand. */
const surely = 0.75;
/**
 * A pod with a mesh, a log shipper and a proxy has so many sources. Where nobody says how many there are, no gap is
 * false where one of so many may have lost lines.
 */
const sourcesMost = 8;
/** Answers from which the order of the lines in a window can be learned. */
const looksToLearnOrder = 2;

/**
 * Gaps where all that is known says that nothing is missing, of a service that does not number its lines. One that
 * grows is one gap, and lost something if any answer did that made it grow, or the answer before.
 */
export const findNeedless = (watched: Watched, known: readonly Known[], family: 'said' | 'inferred'): Faults => {
  const haveItemsMoved = findMovedItems(watched.looks);
  return groupGaps(known).flatMap(gap => {
    if (gap.some(({index, lost}) => lost.length > 0 || (known[index - 1]?.lost.length ?? 0) > 0)) {
      return [];
    }
    return gap
      .filter(each => haveItemsMoved[each.index] !== true && isKnownWhole(watched, each, known, family))
      .slice(0, 1)
      .map(
        ({index, look, came}) =>
          `a gap at answer ${index} that lost nothing, ${came.length} of ${look.window.lines.length} lines new, ${look.gap?.reason}`,
      );
  });
};

/** Gaps that lost nothing, whether anybody could know that or not. */
export const countNeedless = (known: readonly Known[]): number =>
  groupGaps(known).filter(gap =>
    gap.every(({index, lost}) => lost.length === 0 && (known[index - 1]?.lost.length ?? 0) === 0),
  ).length;

/** The answers that brought gaps: those that made one grow together. */
const groupGaps = (known: readonly Known[]): readonly (readonly Known[])[] => {
  const groups: Known[][] = [];
  for (const each of known.slice(1)) {
    const {gap} = each.look;
    const last = groups.at(-1);
    if (gap?.grows && last !== undefined) {
      last.push(each);
    } else if (gap !== undefined) {
      groups.push([each]);
    }
  }
  return groups;
};

const isKnownWhole = (watched: Watched, each: Known, all: readonly Known[], family: 'said' | 'inferred'): boolean => {
  const {look, span, latenessBeside, index, isFrontHeld, isFrontLate} = each;
  const {cut, show} = watched.options;
  const isNew = (line: ClusterLine): boolean => !all.slice(0, index).some(({look}) => look.noStrings.includes(line));
  if (
    // Where a window spans less than lines were late, late ones may never be shown.
    (look.gap?.reason === 'short-window' && span <= latenessBeside) ||
    // Lines left that too few follow: what a container wrote before it started anew went with them.
    each.hasVanished ||
    look.noStrings.some(isNew) ||
    (show !== 'stamp' && show !== 'arrival' && index < looksToLearnOrder) ||
    // Lines of one time may be listed in any order.
    (show === 'reversed' && !all.slice(0, index + 1).some(({look: {shown}}) => doTimesFall(shown)))
  ) {
    return false;
  }
  const isJoined = isFrontHeld && !isFrontLate;
  if (family === 'inferred') {
    const pods = Math.max(3, look.window.pods.length);
    const mayBeBySource = each.holeMaybeSeen || watched.options.says === 'cut';
    return isJoined && isLessThan(each, mayBeBySource ? countParts(watched, each, sourcesMost) : pods);
  }
  if (cut.per === 'branch') {
    return isJoined;
  }
  const isOnePod =
    (cut.per === 'pod' || (cut.per === 'source' && watched.options.sources === 1)) && look.window.pods.length === 1;
  return isOnePod
    ? isJoined && (!each.holeMaybeSeen || isLessThan(each, countParts(watched, each)))
    : isLessThan(each, countParts(watched, each));
};

const doTimesFall = (lines: readonly ClusterLine[]): boolean =>
  lines.some(({at, isStamped}, index) => isStamped && at < (lines[index - 1]?.at ?? at));

/**
 * Is what came less than one of so many parts of the window, in lines and in characters? A part that is cut by
 * characters holds less than its share by up to a line.
 */
const isLessThan = ({came, look}: Known, parts: number): boolean => {
  // Lines stamped later than all that comes now, of a clock that was set back or of none, stay where they are and take
  // room.
  const newestCome = came.reduce((most, {at}) => (at > most ? at : most), 0n);
  const moving = look.shown.filter(({at}) => at <= newestCome);
  const characters = charactersOf(moving) / parts;
  const longest = moving.reduce((most, {raw}) => Math.max(most, raw.length), 0);
  return (
    came.length < (moving.length / parts) * surely &&
    charactersOf(came) < Math.min(characters * surely, characters - longest)
  );
};
