import type {Instant} from '../../../src/log/line/instant.ts';
import type {Faults} from './find-faults.ts';
import {
  countOf,
  findDropped,
  findInverted,
  findMisplaced,
  findSilentlyLost,
  findTwice,
  findUnseen,
} from './judge-log.ts';
import type {ClusterLine} from './simulated-cluster.ts';
import type {Watched, WatchedLook} from './watch-looks.ts';

export type Judgement = {
  /** What must never be. */
  readonly faults: Faults;
  /** Gaps, or growths of one, and those of them that had lost nothing. */
  readonly gapCount: number;
  readonly needlessGapCount: number;
  readonly pollCount: number;
  readonly lostCount: number;
};

/** What could be known at an answer: by the lines in it and before it, and not by those that nobody saw. */
type Known = {
  readonly look: WatchedLook;
  /** The last answer before it that had lines. */
  readonly before: WatchedLook | undefined;
  readonly came: readonly ClusterLine[];
  /** Its first line with a stamp was shown before. */
  readonly isFrontHeld: boolean;
  /** Its first line with a stamp is older than that of the answer before: a late one, or one of a slow clock. */
  readonly isFrontLate: boolean;
  readonly span: bigint;
  /** The greatest lateness that was seen shortly before it, by what was held then… */
  readonly lateness: bigint;
  /** …and ever, by all that came with the late lines. */
  readonly latenessEver: bigint;
  /** New lines that nobody can know to be new: copies of others, and those without a timestamp that follow another source's line. */
  readonly hiddenCount: number;
  /** A line had left though it lay behind one that stayed, at this answer or before: for sure, or maybe for another reason. */
  readonly holeSeen: boolean;
  readonly holeMaybeSeen: boolean;
  /** The clocks of which lines were shown before. */
  readonly clocks: ReadonlySet<string>;
  /** All that left lay ahead of all that stayed. */
  readonly leftAhead: boolean;
  /** A line left a window, at this answer or before: windows have a bound. */
  readonly hasLeft: boolean;
  /** Lines that arrived since the answer before and are in none. */
  readonly lostSince: boolean;
};

const latenessRememberedLooks = 5;
/** An empty list of pods tells nothing. */
const podsAssumed = 3;

const learn = (watched: Watched): readonly Known[] => {
  const seen = new Set<ClusterLine>();
  const atOnce = new Map<string, number>();
  const copies = countOf(watched.arrived.map(identityWithTime));
  const latenessOf: bigint[] = [];
  let latenessEver = 0n;
  let before: WatchedLook | undefined;
  let previousArrived = 0;
  let newestSeen = -1n;
  let holeSeen = false;
  let holeMaybeSeen = false;
  let hasLeft = false;
  const clocks = new Set<string>();
  return watched.looks.map((look): Known => {
    const now = new Set(look.shown);
    const came = comeNew(look.shown, atOnce);
    // Lines that stayed at the front though lines after them left are no front: they are like a banner.
    const prefix = commonPrefix(before?.shown ?? [], look.shown);
    const didLeave = before?.shown.some(line => !now.has(line)) === true;
    const front = look.shown.slice(didLeave ? prefix : 0).find(({isStamped}) => isStamped);
    const frontBefore = before?.shown.find(({isStamped}) => isStamped);
    const times = look.shown.filter(({isForged}) => !isForged).map(({at}) => at);
    const stayed = before?.shown.map(line => now.has(line)) ?? [];
    const firstStayed = stayed.indexOf(true);
    const leftBehind = (before?.shown ?? []).filter(
      (_line, index) => !stayed[index] && firstStayed !== -1 && index > firstStayed,
    );
    holeMaybeSeen ||= leftBehind.length > 0;
    hasLeft ||= stayed.includes(false);
    const leavers = leftBehind.filter(({pod}) => look.truePods.includes(pod));
    holeSeen ||= !(look.isLagging || before?.isLagging) && leavers.length > 0;
    const lostSince = watched.arrived
      .slice(previousArrived, Math.max(previousArrived, look.arrivedCount))
      .some(line => !now.has(line));
    const known: Known = {
      look,
      before,
      came,
      isFrontHeld: front !== undefined && seen.has(front) && copies.get(identityWithTime(front)) === 1,
      isFrontLate: front !== undefined && frontBefore !== undefined && front.at < frontBefore.at,
      span: times.length === 0 ? 0n : maxOf(times) - minOf(times),
      lateness: maxOf(latenessOf.slice(-latenessRememberedLooks)),
      latenessEver,
      hiddenCount: look.shown.filter(line => !seen.has(line)).length - came.length + countStray(look, came),
      holeSeen,
      holeMaybeSeen,
      clocks: new Set(clocks),
      leftAhead: leavers.length === 0,
      hasLeft,
      lostSince,
    };
    latenessOf.push(maxOf(came.map(({at}) => (newestSeen > at ? newestSeen - at : 0n))));
    const newest = maxOf([newestSeen, ...times]);
    latenessEver = maxOf([latenessEver, ...came.map(({at}) => (newestSeen > at ? newest - at : 0n))]);
    for (const line of look.shown) {
      seen.add(line);
      clocks.add(line.clock);
    }
    newestSeen = newest;
    // What is lost is told with the next line that comes: where none comes there is no place for a marker.
    previousArrived =
      came.length > 0 || !lostSince || look.gap !== undefined
        ? Math.max(previousArrived, look.arrivedCount)
        : previousArrived;
    before = look.shown.length > 0 ? look : before;
    return known;
  });
};

const identityWithTime = ({at, identity}: ClusterLine): string => `${at} ${identity}`;

/** The lines that are new: copies of which an answer showed as many before tell nobody that they are others. */
const comeNew = (shown: readonly ClusterLine[], atOnce: Map<string, number>): readonly ClusterLine[] => {
  const counts = new Map<string, number>();
  return shown.filter(line => {
    const key = identityWithTime(line);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const isNew = count > (atOnce.get(key) ?? 0);
    atOnce.set(key, Math.max(count, atOnce.get(key) ?? 0));
    return isNew;
  });
};

/** Lines without a timestamp that follow one of another source: they may be any that was held. */
const countStray = ({shown}: WatchedLook, came: readonly ClusterLine[]): number => {
  const isNew = new Set(came);
  return shown.filter((line, index) => !line.isStamped && isNew.has(line) && shown[index - 1]?.source !== line.source)
    .length;
};

/** Judges what a log made of a service's answers. */
export const judgeScenario = (watched: Watched): Judgement => {
  const known = learn(watched);
  const gaps = known.slice(1).filter(({look}) => look.gap !== undefined);
  return {
    faults: [
      ...findUnknowingly(watched, known),
      ...findTwice(watched),
      ...findMisplaced(watched),
      ...findDropped(watched),
      ...findInverted(watched),
      ...findNeedless(watched, known),
      ...findEarlyWholeSince(watched),
      ...(watched.options.says === 'arrivals' ? findInexact(known) : []),
    ],
    gapCount: gaps.length,
    needlessGapCount: gaps.filter(({lostSince}) => !lostSince).length,
    pollCount: watched.looks.length,
    lostCount: findUnseen(watched).length,
  };
};

/** Lines lost without a marker, though it could be known. */
const findUnknowingly = (watched: Watched, known: readonly Known[]): Faults => {
  const copies = countOf(watched.arrived.map(({identity}) => identity));
  const shown = new Set(watched.looks.flatMap(look => look.shown.map(({identity}) => identity)));
  return findSilentlyLost(watched).flatMap(line => {
    // A loss is told with the next line that comes.
    const index = known.findIndex(({look, came}) => look.arrivedCount > line.seq && came.length > 0);
    const at = known[index];
    const isCopy = (copies.get(line.identity) ?? 0) > 1 && shown.has(line.identity);
    return at === undefined || isCopy || isUnknowable(line, at, watched)
      ? []
      : [
          at.look.gap === undefined
            ? `lost without a marker at answer ${index}: ${line.source}, ${line.raw}`
            : `lost outside the range of the marker at answer ${index}: ${line.source}, ${line.raw}`,
        ];
  });
};

const isUnknowable = (line: ClusterLine, known: Known, {options, arrived}: Watched): boolean => {
  const {look, before} = known;
  const {cut, says} = options;
  const isMarked = look.added.some(
    entry =>
      entry.kind === 'gap' ||
      entry.kind === 'quiet' ||
      (entry.kind === 'pod' && entry.change === 'gone' && entry.name === line.pod),
  );
  const isOutOfKnown = line.isForged || line.lateNanos > known.lateness || !known.clocks.has(line.clock);
  if (says === 'arrivals') {
    // Where its stamp is out of all that is known the range can't hold it, and yet there is a marker.
    return isMarked && isOutOfKnown;
  }
  // A pod that came and went between two answers.
  if (!look.truePods.includes(line.pod) && before?.truePods.includes(line.pod) !== true) {
    return true;
  }
  const partOf = ({pod, source}: ClusterLine): string => (cut.per === 'branch' ? '' : cut.per === 'pod' ? pod : source);
  const part = partOf(line);
  const isLateInPart = arrived.slice(0, line.seq).some(other => other.at > line.at && partOf(other) === part);
  const isBelow = look.shown.find(other => partOf(other) === part && other.at < line.at) === undefined;
  // Born and dropped between two answers: it was too old for a window that is cut by stamp when it came. That can be known only where
  // windows span less than lines were seen to be late.
  if (
    cut.by === 'stamp' &&
    isLateInPart &&
    isBelow &&
    !(known.span < known.lateness && line.lateNanos <= known.lateness)
  ) {
    return true;
  }
  // There is a marker; that its stamp is out of all that was known keeps it out of the range.
  if (isMarked && isOutOfKnown) {
    return true;
  }
  // Until a line left nobody can know that windows have a bound, nor how much a source that was never shown can hold.
  const isNew = !arrived.slice(0, line.seq).some(other => partOf(other) === part && isIn(other, before));
  if (isNew && !known.hasLeft) {
    return true;
  }
  const pods = look.window.pods.length === 0 ? podsAssumed : look.window.pods.length;
  if (
    known.hiddenCount > 0 &&
    cut.per !== 'branch' &&
    known.came.length - known.hiddenCount < look.window.lines.length / pods
  ) {
    // Of the lines that came so many are copies of others that the rest is less than a share.
    return true;
  }
  if (says === 'cut') {
    return false;
  }
  // Of a source that never was in an answer nobody can know that its first lines are missing, where nothing left.
  if (isNew && known.leftAhead) {
    return true;
  }
  // Until a hole was seen it looks as a log does that is cut as one.
  return (
    !known.holeSeen &&
    known.isFrontHeld &&
    known.came.length < look.window.lines.length / Math.max(2, look.window.pods.length)
  );
};

/** A share is guessed from windows that grow and shrink; well below it no gap may stand. */
const surely = 0.75;

/** Is what came less than one of so many parts of the window, in lines and in characters? */
const isLessThan = ({came, look}: Known, parts: number): boolean => {
  // Lines stamped later than all that comes now, of a clock that was set back or of none, stay where they are and take room.
  const newestCome = maxOf(came.map(({at}) => at));
  const moving = look.shown.filter(({at}) => at <= newestCome).map(({raw}) => raw);
  const charactersOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);
  return (
    came.length < (moving.length / parts) * surely &&
    charactersOf(came.map(({raw}) => raw)) < (charactersOf(moving) / parts) * surely
  );
};

const isIn = (line: ClusterLine, look: WatchedLook | undefined): boolean => look?.shown.includes(line) === true;

/** Gaps where all that is known says that nothing is missing. */
const findNeedless = ({options}: Watched, known: readonly Known[]): Faults =>
  known.slice(1).flatMap((each, index) => {
    const {look, isFrontHeld, isFrontLate, span, latenessEver} = each;
    // Where a window spans less than lines were late, late ones may never be shown.
    if (look.gap === undefined || each.lostSince || (look.gap.reason === 'short-window' && span <= latenessEver)) {
      return [];
    }
    const pods = look.window.pods.length === 0 ? podsAssumed : look.window.pods.length;
    const isKnown = (() => {
      switch (options.says) {
        case 'cut':
          return options.cut.per === 'branch' || (options.cut.per === 'pod' && pods === 1)
            ? isFrontHeld && !isFrontLate
            : isLessThan(each, options.cut.per === 'pod' ? pods : 3 * pods);
        case 'nothing':
          return isFrontHeld && !isFrontLate && isLessThan(each, each.holeMaybeSeen ? 3 * pods : Math.max(3, pods));
        default:
          return true;
      }
    })();
    return isKnown
      ? [`a gap at answer ${index + 1} that lost nothing, ${each.came.length} of ${look.window.lines.length} lines new`]
      : [];
  });

/** Of a service that numbers its lines: a gap if and only if a line was dropped unseen. */
const findInexact = (known: readonly Known[]): Faults =>
  known
    .slice(1)
    .flatMap(({look, lostSince, came}, index) =>
      (lostSince ? look.gap !== undefined || came.length === 0 : look.gap === undefined)
        ? []
        : [`${lostSince ? 'no gap though lines were dropped unseen' : 'a gap though none was'} at answer ${index + 1}`],
    );

/** “Whole since” a time before a marker that says that lines may be missing. */
const findEarlyWholeSince = ({looks, marks}: Watched): Faults => {
  const wholeSince = looks.at(-1)?.wholeSince;
  return wholeSince === undefined
    ? []
    : marks
        .filter(({kind, from, to}) => wholeSince < (kind === 'gap' ? to : from))
        .map(({kind, from, to}) => `whole since ${wholeSince}, and yet a ${kind} from ${from} to ${to}`);
};

const commonPrefix = (a: readonly ClusterLine[], b: readonly ClusterLine[]): number => {
  const end = a.findIndex((line, index) => line !== b[index]);
  return end === -1 ? a.length : end;
};

const maxOf = (values: readonly Instant[]): Instant =>
  values.reduce((most, value) => (value > most ? value : most), 0n);
const minOf = (values: readonly Instant[]): Instant =>
  values.reduce((least, value) => (value < least ? value : least), values[0] ?? 0n);
