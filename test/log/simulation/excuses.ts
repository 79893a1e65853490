import {partOf} from './cluster-cut.ts';
import {type ClusterLine, type ClusterOptions, second} from './simulated-cluster.ts';
import type {Watched, WatchedLook} from './watch-looks.ts';
import {charactersOf, countParts, isBelowShare, type Known, showsClock} from './what-was-known.ts';

/** By what a log is judged: the number of each line, how many came, how windows are cut, or nothing that is said. */
export type JudgedAs = 'numbered' | 'counted' | 'said' | 'inferred';

export const judgedAs = ({says = 'nothing', cut, sources}: ClusterOptions): JudgedAs => {
  switch (says) {
    case 'numbers':
      return 'numbered';
    case 'arrivals':
      return 'counted';
    case 'cut':
      return cut.per === 'source' && sources === undefined ? 'inferred' : 'said';
    case 'nothing':
      return 'inferred';
    default:
      return says satisfies never;
  }
};

type Holds = (line: ClusterLine, known: Known, watched: Watched) => boolean;

/** Why nobody could know something of a line that was lost, at the answer after which it was missing. */
type Excuse = {
  readonly name: string;
  readonly reason: string;
  /** What it excuses: that no marker tells the loss, or that the range of the marker does not hold the line. */
  readonly of: 'loss' | 'range';
  readonly families: readonly JudgedAs[];
  readonly holds: Holds;
};

const everywhere: readonly JudgedAs[] = ['numbered', 'counted', 'said', 'inferred'];
const uncounted: readonly JudgedAs[] = ['said', 'inferred'];

const isPartNew: Holds = (line, {before}, {arrived, options: {cut}}) => {
  // Of a log that was empty everything is new, and the time of the empty answer is known.
  if (before === undefined) {
    return false;
  }
  const part = partOf(cut, line);
  const shown = new Set(before.shown);
  return !arrived.slice(0, line.seq).some(other => partOf(cut, other) === part && shown.has(other));
};

const isOfUnknownClock: Holds = ({clock, clockNanos}, {clocks, look}, {options}) =>
  !clocks.has(clock) &&
  !(clockNanos === 0n && look.window.serviceAt !== undefined && options.says === 'numbers') &&
  !(look.window.numbering !== undefined && look.shown.some(other => other.clock === clock && showsClock(other)));

const isBornBelow: Holds = (line, {look, span, lateness, cutsLateLines, hasLeft}, {options: {cut, show}, arrived}) => {
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

const isHiddenByCopies: Holds = (_line, known, watched) => {
  const {came, hiddenCount} = known;
  const count = came.length - hiddenCount;
  const characters = charactersOf(came) * Math.max(0, count / came.length);
  return watched.options.cut.per !== 'branch' && hiddenCount > 0 && isBelowShare(watched, known, {count, characters});
};

const isOfUntoldParts: Holds = ({seq}, known, watched) => {
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

const endsWithLateLine: Holds = ({seq, source, at, isToldLost}, {newestOf}, {arrived}) => {
  const next = arrived.find(
    other => other.seq > seq && other.source === source && other.isStamped && !other.isToldLost,
  );
  return isToldLost && next !== undefined && at > next.at && next.at >= (newestOf.get(source) ?? next.at);
};

/** Do more lines come than numbers were given, or newer ones when these go back? Then the answers are of no one history. */
const isCountDisproved = (looks: readonly WatchedLook[]): boolean => {
  const seen = new Set<ClusterLine>();
  let last: number | undefined;
  return looks.some(({shown, window: {arrivals}}) => {
    const cameCount = shown.filter(line => !seen.has(line)).length;
    for (const line of shown) {
      seen.add(line);
    }
    const given = arrivals === undefined || last === undefined ? undefined : arrivals.last - last;
    last = arrivals?.last ?? last;
    return given !== undefined && cameCount > Math.max(0, given);
  });
};

/** All that a lost line is excused by. What the numbers of a service tell, told losses too, nothing excuses but a time that no clock gives. */
export const excuses: readonly Excuse[] = [
  {
    name: 'forged',
    reason: 'its stamp is no clock’s, and no range can hold it',
    of: 'range',
    families: everywhere,
    holds: ({isForged}) => isForged,
  },
  {
    name: 'undated',
    reason: 'neither it nor a line before it in its source has a stamp: it has no place in time',
    of: 'range',
    families: everywhere,
    holds: ({isDated}) => !isDated,
  },
  {
    name: 'unknown clock',
    reason:
      'no line of that setting of its pod’s clock was shown: nobody can know how far off it is, but for a right one by the service’s time',
    of: 'range',
    families: everywhere,
    holds: isOfUnknownClock,
  },
  {
    name: 'later than ever seen in its source',
    reason:
      'it is stamped further before the newest line of its source, or before its time where none with a stamp was shown, than any line was: nobody can know that lines may be so late',
    of: 'range',
    families: ['numbered'],
    holds: ({source, at, arrivedAt, clockNanos}, {newestOf, latenessInSource, newestBefore}) =>
      (newestOf.get(source) ?? (newestBefore <= 0n ? arrivedAt + clockNanos : newestBefore)) - at >
      latenessInSource + (newestBefore <= 0n ? second : 0n),
  },
  {
    name: 'ended by a late line',
    reason:
      'its loss ends with the line after it in its source, as the service tells, which is older than it, and shows no clock that was set back',
    of: 'range',
    families: ['numbered'],
    holds: endsWithLateLine,
  },
  {
    name: 'later than ever seen',
    reason:
      'it is stamped further before the newest line shown than any line was that came by then: nobody can know that lines may be so late',
    of: 'range',
    families: ['counted', 'said', 'inferred'],
    holds: ({at}, {newestBefore, latenessEver}) => newestBefore - at > latenessEver,
  },
  {
    name: 'ahead of all shown',
    reason:
      'it is stamped after all that was shown by then, and the service does not tell the time: nobody can know how far its clock went on',
    of: 'range',
    families: ['counted', 'said', 'inferred'],
    holds: ({at}, {newestShown, look}) => at > newestShown && look.window.serviceAt === undefined,
  },
  {
    name: 'undated start',
    reason: 'no answer before showed a line or told a time: nobody can know when the log was empty',
    of: 'range',
    families: everywhere,
    holds: (_line, {before, look}) => before === undefined && look.window.serviceAt === undefined,
  },
  {
    name: 'a lie not told yet',
    reason:
      'no answer before had a line, and the numbers of this one are those of a log that begins with it: nobody can know yet that they are not',
    of: 'loss',
    families: ['inferred'],
    holds: (_line, {before}, {options}) => before === undefined && options.numbersFromOne === true,
  },
  {
    name: 'number given twice unseen',
    reason:
      'the service gave its number, or that of a line after it, a second time, and no answer has shown that yet: by the numbers nothing is missing',
    of: 'loss',
    families: ['inferred'],
    holds: (_line, {look, index}, {looks}) =>
      look.hasLied &&
      (look.window.numbering === undefined
        ? look.window.arrivals !== undefined && !isCountDisproved(looks.slice(0, index + 1))
        : !looks.slice(0, index + 1).some(each => each.isLieShown)),
  },
  {
    name: 'banner that may be a line',
    reason:
      'no answer before had anything but a banner that is always the same, and none shows yet that lines leave behind it: it may be the first line of a log of which all is there',
    of: 'loss',
    families: uncounted,
    holds: (_line, {before, hasLeft}, {options}) => options.banner === 'constant' && before === undefined && !hasLeft,
  },
  {
    name: 'sent again as a front',
    reason:
      'the answer begins with lines that the one before showed, which were sent again: it looks as if all that came after them were there',
    of: 'loss',
    families: uncounted,
    holds: (_line, {before, look}, {options}) => {
      const front = look.shown.find(({isStamped}) => isStamped);
      return (
        options.cut.per === 'branch' &&
        front?.isResent === true &&
        before?.shown.some(({identity}) => identity === front.identity) === true
      );
    },
  },
  {
    name: 'unseen pod',
    reason: 'its pod came and went between two answers',
    of: 'loss',
    families: uncounted,
    holds: ({pod}, {look, before}) => !look.truePods.includes(pod) && before?.truePods.includes(pod) !== true,
  },
  {
    name: 'born below',
    reason:
      'it was too old for a window that is cut by stamp when it came, so that no answer could show it. That can be known only where windows span less than lines were seen to be late, or where late lines come that reach down to the front',
    of: 'loss',
    families: uncounted,
    holds: isBornBelow,
  },
  {
    name: 'unbounded part',
    reason:
      'no line had left a window, or none that was not replaced by a copy: nobody can know that windows have a bound, and nothing is missing of a part whose lines are all there',
    of: 'loss',
    families: uncounted,
    holds: (line, known, watched) =>
      !known.hasLeft && known.before !== undefined && (known.hiddenCount > 0 || isPartNew(line, known, watched)),
  },
  {
    name: 'hidden by copies',
    reason:
      'so many of the lines that came are copies of others, or may be, that what is surely new is less than a share',
    of: 'loss',
    families: uncounted,
    holds: isHiddenByCopies,
  },
  {
    name: 'taken unnoticed',
    reason:
      'no limit took it: its container started anew. Nothing tells that where lines of others stay, but lines that left though too few follow them and no pod went',
    of: 'loss',
    families: uncounted,
    holds: (line, {hasVanished, hasKept}, {removed}) => removed.has(line) && hasKept && !hasVanished,
  },
  {
    name: 'one listed pod',
    reason:
      'the list has one pod, which makes a cut by pod a cut of the branch, until a line is seen to leave after one that stays',
    of: 'loss',
    families: uncounted,
    holds: (_line, {look, holeSeen, isFrontHeld}, {options}) =>
      options.cut.per === 'pod' && look.window.pods.length === 1 && !holeSeen && isFrontHeld,
  },
  {
    name: 'untold parts',
    reason:
      'there are more sources or pods than anybody says, each of which holds less than is taken for a share, and less than that came',
    of: 'loss',
    families: uncounted,
    holds: isOfUntoldParts,
  },
  {
    name: 'start of a new part',
    reason:
      'of a part that never was in an answer nobody can know that its first lines are missing, where nothing left but at the front',
    of: 'loss',
    families: ['inferred'],
    holds: (line, known, watched) =>
      watched.options.cut.per !== 'branch' && known.leftAhead && isPartNew(line, known, watched),
  },
  {
    name: 'looks cut as one',
    reason:
      'until a line is seen to leave after one that stays, windows look as those do that are cut as one: what follows the front is all there',
    of: 'loss',
    families: ['inferred'],
    holds: (_line, {holeSeen, isFrontHeld, came, look}, {options}) =>
      options.cut.per !== 'branch' &&
      !holeSeen &&
      isFrontHeld &&
      came.length < look.window.lines.length / Math.max(2, look.window.pods.length),
  },
];

const excusing =
  (of: Excuse['of']) =>
  (family: JudgedAs): Holds => {
    const all = excuses.filter(excuse => excuse.of === of && excuse.families.includes(family));
    return (line, known, watched) => all.some(({holds}) => holds(line, known, watched));
  };

/** Nobody can help it that the range of the marker that tells the loss does not hold the line. */
export const mayBeOutsideRange = excusing('range');

/** Nobody could know that the line was lost, by a service that does not number its lines. */
export const mayBeLostUnnoticed = excusing('loss');
