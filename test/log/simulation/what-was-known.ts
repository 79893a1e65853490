import type {Instant} from '#log/line/instant.ts';
import {countOf} from './judge-log.ts';
import {type ClusterLine, type ClusterOptions, second} from './simulated-cluster.ts';
import type {Watched, WatchedLook} from './watch-looks.ts';

/** What could be known at an answer: by the lines in it and before it, and not by those that nobody saw. */
export type Known = {
  readonly index: number;
  readonly look: WatchedLook;
  /** The last answer before it that had lines. */
  readonly before: WatchedLook | undefined;
  readonly came: readonly ClusterLine[];
  /** The first line with a stamp, in the order by which the service cuts, was shown before. */
  readonly isFrontHeld: boolean;
  /** That line is older than that of the answer before: a late one, or one of a slow clock. */
  readonly isFrontLate: boolean;
  readonly span: bigint;
  /** The newest stamp that an answer before this one showed, of those that are a clock's; -1 before the first. */
  readonly newestBefore: Instant;
  /** The same with this answer. */
  readonly newestShown: Instant;
  /** The greatest lateness that was seen shortly before it, by what was held then… */
  readonly lateness: bigint;
  /** …and ever, this answer's lines among them, by what was held when they came. */
  readonly latenessEver: bigint;
  /** The newest stamp of each source that an answer before this one showed… */
  readonly newestOf: ReadonlyMap<string, Instant>;
  /** …and the most that a line was older than one of its source that came before it, this answer's lines among them. */
  readonly latenessInSource: bigint;
  /** The same by all that came with the late lines. */
  readonly latenessBeside: bigint;
  /**
   * New lines that nobody can know to be new: copies of others, and those without a timestamp that follow another
   * source's line.
   */
  readonly hiddenCount: number;
  /**
   * A line had left though it lay after one that stayed, at this answer or before: for sure, or maybe for another
   * reason.
   */
  readonly holeSeen: boolean;
  readonly holeMaybeSeen: boolean;
  /**
   * A line left though a line that came before it stayed, at this answer, and no pod went: in the service's order and
   * in the answer's.
   */
  readonly hasHole: boolean;
  /** Lines left that no limit can have pushed out: too few follow them. */
  readonly hasVanished: boolean;
  /** Lines of the answer before are in this one. */
  readonly hasKept: boolean;
  /** Its oldest line is a late one that is new: lines that were later still may have been cut off. */
  readonly cutsLateLines: boolean;
  /** The clocks of which lines were shown before. */
  readonly clocks: ReadonlySet<string>;
  /** All that left lay ahead of all that stayed. */
  readonly leftAhead: boolean;
  /** A line left a window, at this answer or before, and no copy stands in its place: windows have a bound. */
  readonly hasLeft: boolean;
  /** Lines that are missing and that no answer before this one could tell; it tells them itself where a line came. */
  readonly lost: readonly ClusterLine[];
};

const latenessRememberedLooks = 5;
/** An empty list of pods tells nothing. */
const podsAssumed = 3;
/** The interface names three kinds of sources. */
const sourcesAssumed = 3;

/**
 * How many parts a window has at the most, as far as anybody can say. Where nobody says how many sources a pod has,
 * three are assumed, or as many as asked for.
 */
export const countParts = (
  {options}: Watched,
  {look, holeMaybeSeen}: Known,
  sourcesUntold: number = sourcesAssumed,
): number => {
  const pods = look.window.pods.length === 0 ? podsAssumed : look.window.pods.length;
  if (options.says === 'nothing' || options.says === undefined) {
    return sourcesUntold * pods;
  }
  switch (options.cut.per) {
    case 'branch':
      return 1;
    case 'pod':
      return podsOfOne(pods, holeMaybeSeen);
    default:
      return options.sources === 1 ? podsOfOne(pods, holeMaybeSeen) : pods * (options.sources ?? sourcesUntold);
  }
};

/** One pod in the list is no proof of one once a line left after one that stayed. */
const podsOfOne = (pods: number, holeMaybeSeen: boolean): number => (pods === 1 && holeMaybeSeen ? podsAssumed : pods);

/**
 * Are lines less than the smallest part that lost lines can show, of which they would be all? A part that is cut by
 * characters shows less than the limit by up to a line.
 */
export const isBelowShare = (
  watched: Watched,
  known: Known,
  {count, characters}: {readonly count: number; readonly characters: number},
): boolean => {
  const {shown} = known.look;
  const parts = countParts(watched, known);
  const longest = shown.reduce((most, {raw}) => Math.max(most, raw.length), 0);
  return count < shown.length / parts && characters < charactersOf(shown) / parts - longest;
};

/** Its stamp can be read, and a clock gave it when it came: a late line shows one that is behind. */
export const showsClock = ({isStamped, isForged, at, arrivedAt, clockNanos}: ClusterLine): boolean =>
  isStamped && !isForged && arrivedAt + clockNanos - at <= second;

export const charactersOf = (lines: readonly ClusterLine[]): number =>
  lines.reduce((sum, {raw}) => sum + raw.length, 0);

/** Goes through the answers and says of each what could be known when it came. */
export const whatWasKnown = (watched: Watched): readonly Known[] => {
  const {options, arrived, looks} = watched;
  const seen = new Set<ClusterLine>();
  const identities = new Set<string>();
  const atOnce = new Map<string, number>();
  const copies = countOf(arrived.map(({key}) => key));
  const latenessOf: bigint[] = [];
  const clocks = new Set<string>();
  const firstCount = looks[0]?.arrivedCount ?? arrived.length;
  let newestOf: ReadonlyMap<string, Instant> = new Map();
  let latenessInSource = 0n;
  let latenessEver = 0n;
  let latenessBeside = 0n;
  let before: WatchedLook | undefined;
  let beforeLook: WatchedLook | undefined;
  let countedTo = firstCount;
  let newestBefore = -1n;
  let holeSeen = false;
  let holeMaybeSeen = false;
  let hasLeft = false;
  let lost: readonly ClusterLine[] = [];
  return looks.map((look, index): Known => {
    const now = new Set(look.shown);
    const came = comeNew(look.shown, atOnce);
    const inOrder = ordered(options, look.shown);
    const inOrderBefore = ordered(options, before?.shown ?? []);
    // Lines that stayed at the front though lines after them left are no front: they are like a banner.
    const prefix = commonPrefix(inOrderBefore, inOrder);
    const didLeave = before?.shown.some(line => !now.has(line)) === true;
    const didLeaveSurely = haveLeft(before?.shown ?? [], look.shown);
    const front = inOrder.slice(didLeave ? prefix : 0).find(({isStamped}) => isStamped);
    const frontBefore = inOrderBefore.find(({isStamped}) => isStamped);
    // A line without a stamp shows no time.
    const times = look.shown.filter(({isForged, isStamped}) => !isForged && isStamped).map(({at}) => at);
    const left = leftAfter(before?.shown ?? [], now);
    const leavers = left.filter(({pod}) => look.truePods.includes(pod));
    const leaversInOrder = leftAfter(inOrderBefore, now).filter(({pod}) => look.truePods.includes(pod));
    const didPodsGo = [before, beforeLook].some(each => each?.truePods.some(pod => !look.truePods.includes(pod)));
    const isOld = look.isLagging || before?.isLagging === true;
    holeMaybeSeen ||= left.length > 0 || (didLeave && looksLikeHole(options, before?.shown ?? [], now));
    hasLeft ||= didLeaveSurely;
    holeSeen ||= !isOld && leavers.length > 0;
    const cameLate = came.filter(({at, isForged, isStamped}) => isStamped && !isForged && at < newestBefore);
    latenessOf.push(maxOf(cameLate.map(({at}) => newestBefore - at)));
    latenessEver = maxOf([latenessEver, latenessOf.at(-1) ?? 0n]);
    const newestShown = maxOf([newestBefore, ...times]);
    const newestOfBefore = newestOf;
    const newestNow = new Map(newestOf);
    for (const {source, at, isForged, isStamped} of came.toSorted((a, b) => a.seq - b.seq)) {
      if (isStamped && !isForged) {
        const newest = newestNow.get(source) ?? at;
        latenessInSource = maxOf([latenessInSource, newest - at]);
        newestNow.set(source, maxOf([newest, at]));
      }
    }
    newestOf = newestNow;
    const isFrontSeen = front !== undefined && seen.has(front) && copies.get(front.key) === 1;
    const unseenCount = look.shown.filter(line => !seen.has(line)).length;
    for (const line of look.shown) {
      seen.add(line);
      identities.add(line.identity);
    }
    lost = [
      ...lost,
      ...arrived
        .slice(countedTo, Math.max(countedTo, look.arrivedCount))
        .filter(line => !(line.isResent && identities.has(line.identity))),
    ].filter(line => !seen.has(line) && !look.noStrings.includes(line));
    countedTo = Math.max(countedTo, look.arrivedCount);
    const known: Known = {
      index,
      look,
      before,
      came,
      isFrontHeld: isFrontSeen,
      isFrontLate: front !== undefined && frontBefore !== undefined && front.at < frontBefore.at,
      span: maxOf(times) - minOf(times),
      newestBefore,
      newestShown,
      lateness: maxOf(latenessOf.slice(-1 - latenessRememberedLooks, -1)),
      latenessEver,
      newestOf: newestOfBefore,
      latenessInSource,
      latenessBeside,
      hiddenCount: unseenCount - came.length + countStray(look, came),
      holeSeen,
      holeMaybeSeen,
      hasHole: !isOld && !didPodsGo && leavers.length > 0 && leaversInOrder.length > 0,
      hasVanished: false,
      hasKept: before?.shown.some(line => now.has(line)) === true,
      cutsLateLines: cameLate.some(line => line.at === minOf(times)),
      clocks: new Set(clocks),
      leftAhead: leavers.length === 0,
      hasLeft,
      lost,
    };
    const vanished = known.hasHole && isFollowedByFew(watched, known, inOrderBefore);
    latenessBeside = maxOf([latenessBeside, ...cameLate.map(({at}) => newestShown - at)]);
    for (const {clock} of look.shown.filter(showsClock)) {
      clocks.add(clock);
    }
    newestBefore = newestShown;
    lost = came.length > 0 || look.gap !== undefined ? [] : lost;
    before = look.shown.length > 0 ? look : before;
    beforeLook = look;
    return {...known, hasVanished: vanished};
  });
};

/** A reader may learn the order in which a service always gives its lines. */
const ordered = ({show, cut}: ClusterOptions, lines: readonly ClusterLine[]): readonly ClusterLine[] =>
  show === 'reversed' || show === 'pods' || show === 'sources'
    ? lines.toSorted((a, b) => (cut.by === 'stamp' ? compareStamps(a, b) : a.seq - b.seq))
    : lines;

/**
 * By their stamps lines left though older ones stayed, in windows that list one part after another; or a line stays
 * ahead of all that leave, and nobody can tell a banner from a line of a quiet source.
 */
const looksLikeHole = (
  {show, banner}: ClusterOptions,
  before: readonly ClusterLine[],
  now: ReadonlySet<ClusterLine>,
): boolean => banner === 'constant' || (show === 'parts' && leftAfter(before.toSorted(compareStamps), now).length > 0);

/** A limit takes a line only where as many follow it as the limit is. */
const isFollowedByFew = (watched: Watched, known: Known, inOrderBefore: readonly ClusterLine[]): boolean => {
  const {look, before, came} = known;
  const now = new Set(look.shown);
  const parts = countParts(watched, known);
  const isFew = (lines: readonly ClusterLine[]): boolean => {
    const following = lines.slice(lines.findLastIndex(line => !now.has(line)) + 1).length + came.length;
    return following < lines.length / parts;
  };
  return isFew(inOrderBefore) && isFew(before?.shown ?? []);
};

const leftAfter = (lines: readonly ClusterLine[], now: ReadonlySet<ClusterLine>): readonly ClusterLine[] => {
  const firstStayed = lines.findIndex(line => now.has(line));
  return firstStayed === -1 ? [] : lines.slice(firstStayed).filter(line => !now.has(line));
};

/** The lines that are new: copies of which an answer showed as many before tell nobody that they are others. */
const comeNew = (shown: readonly ClusterLine[], atOnce: Map<string, number>): readonly ClusterLine[] => {
  const counts = new Map<string, number>();
  return shown.filter(line => {
    const {key} = line;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const isNew = count > (atOnce.get(key) ?? 0);
    atOnce.set(key, Math.max(count, atOnce.get(key) ?? 0));
    return isNew;
  });
};

/** Did lines leave, whether or not others have their time and text? */
const haveLeft = (before: readonly ClusterLine[], shown: readonly ClusterLine[]): boolean => {
  const counts = countOf(shown.map(({key}) => key));
  return [...countOf(before.map(({key}) => key))].some(([key, count]) => count > (counts.get(key) ?? 0));
};

/** Lines without a timestamp that follow one of another source: they may be any that was held. */
const countStray = ({shown}: WatchedLook, came: readonly ClusterLine[]): number => {
  const isNew = new Set(came);
  return shown.filter((line, index) => !line.isStamped && isNew.has(line) && shown[index - 1]?.source !== line.source)
    .length;
};

const commonPrefix = (a: readonly ClusterLine[], b: readonly ClusterLine[]): number => {
  const end = a.findIndex((line, index) => line !== b[index]);
  return end === -1 ? a.length : end;
};

const compareStamps = (a: ClusterLine, b: ClusterLine): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.seq - b.seq);

const maxOf = (values: readonly Instant[]): Instant =>
  values.reduce((most, value) => (value > most ? value : most), 0n);
const minOf = (values: readonly Instant[]): Instant =>
  values.reduce((least, value) => (value < least ? value : least), values[0] ?? 0n);
