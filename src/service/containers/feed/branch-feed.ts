import {setImmediate} from 'node:timers/promises';
import {waitAtMost} from '#base/bounds.ts';
import {type Instant, instantToMs} from '#log/line/instant.ts';
import {finishWork, type Work} from '#log/work.ts';
import type {BranchLines} from '#service/backend/backend.ts';
import {AbsentError, UnavailableError} from '#service/backend/errors.ts';
import {type ContainerPlace, isContainerPlace, nameContainerSource, unitOf} from '../container-logs.ts';
import {followContainer} from '../follow/follow-container.ts';
import {clockSkewMsMax, type FollowedContainer, type FollowShared, isSameState} from '../followed-container.ts';
import type {SeenLines} from '../log/seen-lines.ts';
import type {LogLine} from '../log-lines.ts';
import {type BranchWindow, createBranchWindow, type WindowBounds, type WindowContainer} from './branch-window.ts';
import {readPrevious} from './read-previous.ts';

/** The source of the events, which no container is: those are of pods. */
const eventsSource = 'events';
/** Where each pod has a window of its own, events have one, too. Keys of pods begin at 1. */
const eventsKey = 0;
/**
 * How long a pod that went is remembered, milliseconds: should it come back, its lines are known. With windows per pod,
 * they stay as long.
 */
const goneMemoryMs = 600_000;
/** So many containers are followed before the first of them are opened: 2,000 would take a tenth of a second. */
const sliceContainers = 50;

/** Lines that no container writes, such as events of a cluster. */
export type EventLines<Place> = {
  setPlaces(places: readonly Place[]): void;
  /** Gives what is new. */
  flush(): void;
  /** Resolves when what there is has been given, or cannot be for a while. */
  firstRead(): Promise<void>;
};

export type OpenEventLines<Place> = (branch: {
  /** Whether the branch has, or had, a pod with this uid. */
  readonly hasPod: (uid: string) => boolean;
  readonly onLines: (lines: readonly LogLine[]) => void;
}) => EventLines<Place>;

export type BranchFeedOptions<Place> = FollowShared & {
  /** For messages. */
  readonly name: string;
  /** Lines of the branch that are read at first; with windows per pod, of each pod. */
  readonly windowLines: number;
  readonly bounds: WindowBounds;
  readonly now: () => Instant;
  /** How long the first answer waits once the first lines have come, milliseconds; undefined: for all first reads. */
  readonly firstLinesMs?: number | undefined;
  /** The logs of the instances before the present ones are read, and nothing else. */
  readonly isPrevious?: boolean | undefined;
  /** The reader gets the warnings: what answers say is not said there, too. */
  readonly readerIsOperator?: boolean | undefined;
  /** Counts a stream. Returns whether there may be one more. */
  readonly takeStream: () => boolean;
  readonly releaseStream: () => void;
  readonly onClose: () => void;
  readonly openEvents?: OpenEventLines<Place> | undefined;
};

/** The lines of one branch, followed. */
export type BranchFeed<Place> = BranchLines<Place> & {
  readonly window: BranchWindow;
  /** Called about once a second. */
  tick(): void;
};

type KnownPod = {readonly key: number; goneAtMs: number | undefined};

const keyOf = ({podUid, container}: ContainerPlace): string => `${podUid}/${container}`;

/** Creates the feed of one branch. Follows nothing before its places are set. */
export const createBranchFeed = <Place extends object>(options: BranchFeedOptions<Place>): BranchFeed<Place> => {
  const {name, windowLines, bounds, firstRead, monotonicMs, warn, logs} = options;
  const window = createBranchWindow(bounds, options.now);
  const firstLines = Promise.withResolvers<void>();
  const followed = new Map<string, FollowedContainer>();
  /** Containers of pods that are gone: the rest of their logs is read, then they are remembered for a while. */
  const gone = new Map<string, FollowedContainer>();
  /** By uid. Keys begin at 1. */
  const pods = new Map<string, KnownPod>();
  let lastPodKey = 0;
  let hasPlaces = false;
  let hasAnswered = false;
  let hasPrevious = false;
  /** Pods with containers beyond the bound of streams. */
  let unfollowed: ReadonlySet<string> = new Set();
  let lastPlaces: readonly Place[] = [];
  /** It has not been noted yet which pods went with them. */
  let areNew = false;
  /** Left out of the last answer. */
  let leftOut: ReadonlyMap<string, string> = new Map();
  let firstReads: Promise<void> | undefined;
  /** Follows the containers of the last places; undefined: all are followed. */
  let following: Work<void> | undefined;
  let allFollowed: Promise<void> | undefined;

  let eventsContainer: WindowContainer | undefined;
  const events = options.openEvents?.({
    hasPod: uid => pods.has(uid),
    onLines: lines => {
      eventsContainer ??= window.addContainer(eventsKey, {container: eventsSource});
      eventsContainer.add(lines);
      firstLines.resolve();
    },
  });

  const podKeyOf = (podUid: string): number => {
    const known = pods.get(podUid);
    if (known) {
      return known.key;
    }
    lastPodKey += 1;
    pods.set(podUid, {key: lastPodKey, goneAtMs: undefined});
    return lastPodKey;
  };

  const follow = (place: ContainerPlace, shareLines: number, seen: SeenLines | undefined): FollowedContainer => {
    const name = nameContainerSource(place);
    const source = {pod: place.podName, ...(name !== '' && {container: name})};
    const container = window.addContainer(podKeyOf(place.podUid), source);
    const isLate = hasPlaces;
    let isCutTold = false;
    return (options.isPrevious ? readPrevious : followContainer)({
      ...options,
      place,
      seen,
      isLate,
      shareLines,
      linesMax: bounds.linesMax,
      onLines: lines => {
        container.add(lines);
        firstLines.resolve();
      },
      onHole: container.noteLoss,
      onUnread: () =>
        container.noteUnread(`the ${unitOf(place)} was gone before its log was known to have been read to the end`),
      onCutFront: (why, from) => {
        if (isCutTold) {
          return;
        }
        isCutTold = true;
        container.noteCutFront(why, from);
        // Readers were told how far back the log reaches, and this container's may reach less far. Whoever takes the
        // first lines that there are knows that others come later.
        if (hasAnswered && (isLate || options.firstLinesMs === undefined)) {
          container.noteUnread('older lines of this container were not read');
        }
      },
      onClose: options.releaseStream,
    });
  };

  /** A StatefulSet's new pod has the name of the one before, and with it its path. */
  const takeOver = (next: ContainerPlace): SeenLines | undefined => {
    let seen: SeenLines | undefined;
    if (logs.hasIds) {
      return undefined;
    }
    for (const before of gone.values()) {
      const place = before.place();
      if (place.podName === next.podName && place.container === next.container) {
        seen = before.handOver(next) ?? seen;
      }
    }
    return seen;
  };

  /** Follows a container that is not followed yet. Returns undefined if there are too many. */
  const begin = (
    key: string,
    place: ContainerPlace,
    shareLines: number,
    known: FollowedContainer | undefined,
  ): FollowedContainer | undefined => {
    const before = known ?? gone.get(key);
    if (before && !before.isClosed()) {
      gone.delete(key);
      before.stay();
      before.setPlace(place);
      return before;
    }
    if (!options.takeStream()) {
      return undefined;
    }
    gone.delete(key);
    return follow(place, shareLines, before?.seen ?? takeOver(place));
  };

  /** It ended before the time from which the log is read. */
  const isPast = ({isFinished, finishedAtMs = Number.POSITIVE_INFINITY}: ContainerPlace): boolean =>
    isFinished && firstRead.since !== undefined && finishedAtMs < instantToMs(firstRead.since) - clockSkewMsMax;

  /** Returns what gives each container its share of the lines that are read at first. */
  const createShares = (places: readonly ContainerPlace[]): ((place: ContainerPlace) => number) => {
    const keyOfShare = ({podUid}: ContainerPlace): string => (bounds.isPerPod ? podUid : '');
    const sharing = Map.groupBy(
      places.filter(({isFinished}) => !isFinished),
      keyOfShare,
    );
    return place =>
      Math.max(Math.ceil(windowLines / (sharing.get(keyOfShare(place))?.length ?? 1)), firstRead.tailLines ?? 0);
  };

  const waitForFirstReads = async (): Promise<void> => {
    const {firstLinesMs, firstReadMsMax} = options;
    const readAll = async () => {
      await allFollowed;
      await Promise.all([...[...followed.values()].map(container => container.firstRead), events?.firstRead()]);
    };
    await waitAtMost(
      firstLinesMs === undefined ? readAll() : firstLines.promise.then(() => waitAtMost(readAll(), firstLinesMs)),
      firstReadMsMax,
    );
    options.inbox.flush();
    window.endGathering();
  };

  /** Follows the wanted ones of the containers, as many at a time as a slice has. */
  function* followEach(places: readonly ContainerPlace[], wanted: ReadonlyMap<string, ContainerPlace>): Work<void> {
    const shareOf = createShares(places);
    const beyond = new Set<string>();
    let begun = 0;
    for (const [key, place] of wanted) {
      const known = followed.get(key);
      // One that is closed was read to its end.
      const isOver = known?.isClosed() && !options.isPrevious && !isSameState(known.place(), place);
      const container = isOver || !known ? begin(key, place, shareOf(place), known) : known;
      if (container === known) {
        known?.setPlace(place);
      }
      if (container) {
        followed.set(key, container);
      } else {
        beyond.add(place.podName);
      }
      begun += container === known ? 0 : 1;
      if (begun === sliceContainers) {
        begun = 0;
        yield;
      }
    }
    const present = new Set(places.map(({podName}) => podName));
    for (const podName of [...unfollowed].filter(each => !present.has(each))) {
      window.noteUnread(
        podName,
        `its log was not read, and the ${logs.whole === 'cluster' ? 'pod' : 'container'} is gone`,
      );
    }
    unfollowed = beyond;
    hasPlaces ||= places.length > 0;
  }

  /** Does the first slice at once, and after each lets others have their turn. */
  const runFollowing = async (work: Work<void>): Promise<void> => {
    following = work;
    while (following === work && !work.next().done) {
      await setImmediate();
    }
    following = following === work ? undefined : following;
  };

  const setPlaces = (all: readonly Place[]): void => {
    if (following) {
      finishWork(following);
    }
    const places = all
      .filter((place): place is Place & ContainerPlace => isContainerPlace(place))
      .filter(({restartCount}) => !options.isPrevious || restartCount > 0);
    // Running containers are read first.
    const sorted = places
      .filter(place => !isPast(place))
      .toSorted((a, b) => Number(a.isFinished) - Number(b.isFinished));
    const wanted = new Map(sorted.map(place => [keyOf(place), place]));
    for (const [key, container] of followed) {
      if (!wanted.has(key)) {
        followed.delete(key);
        gone.set(key, container);
        container.leave();
      }
    }
    allFollowed = runFollowing(followEach(places, wanted));
    lastPlaces = all;
    areNew = true;
    events?.setPlaces(all);
    if (all.length > 0) {
      firstReads ??= waitForFirstReads();
    }
  };

  const noteUnreadable = (): ReadonlyMap<string, string> | undefined => {
    const unreadable = new Map([...unfollowed].map(podName => [podName, 'No more containers can be followed.']));
    const failures: string[] = [];
    let isReadable = false;
    for (const container of followed.values()) {
      const failure = container.failure();
      if (failure !== undefined) {
        if (!options.readerIsOperator) {
          warn(failure);
        }
        failures.push(failure);
        unreadable.set(container.place().podName, failure);
      } else {
        isReadable ||= container.isLive();
      }
    }
    // Containers that have not started or have ended say nothing of the rest.
    if (failures.length > 0 && !isReadable && !following) {
      const [first] = failures;
      const others = failures.length > 1 ? ` Nor can ${failures.length - 1} more of branch ${name}.` : '';
      throw new UnavailableError(`${first}${others}`);
    }
    for (const podName of [...unreadable.keys()].filter(each => !leftOut.has(each))) {
      window.noteUnread(podName, 'its log cannot be read');
    }
    leftOut = unreadable;
    return unreadable.size > 0 ? unreadable : undefined;
  };

  const findFinishing = (): ReadonlySet<string> | undefined => {
    const isFinishing = (container: FollowedContainer): boolean => container.isFinishing();
    const finishing = [...followed.values().filter(isFinishing), ...gone.values().filter(isFinishing)];
    return finishing.length > 0 ? new Set(finishing.map(container => container.place().podName)) : undefined;
  };

  const forgetPods = (): void => {
    // Of thousands, few come and go.
    if (areNew && !following) {
      areNew = false;
      const present = new Set(followed.values().map(container => container.place().podUid));
      for (const [uid, pod] of pods) {
        pod.goneAtMs = present.has(uid) ? undefined : (pod.goneAtMs ?? monotonicMs());
      }
    }
    for (const [uid, {key, goneAtMs}] of pods) {
      if (goneAtMs !== undefined && monotonicMs() - goneAtMs >= goneMemoryMs) {
        pods.delete(uid);
        if (bounds.isPerPod) {
          window.dropPod(key);
        }
      }
    }
    for (const [key, container] of gone) {
      if (!pods.has(container.place().podUid)) {
        gone.delete(key);
      }
    }
  };

  return {
    window,
    setPlaces,
    noteWatchOutage: () => {
      const unit = logs.whole === 'cluster' ? 'pods' : 'containers';
      warn(
        `The log of branch ${name} may lack ${unit} that came and went while the ${logs.whole} could not be watched.`,
      );
      // Lines that have come so far are before the hole.
      options.inbox.flush();
      window.noteLoss(`${unit} may have come and gone while the ${logs.whole} could not be watched`);
    },
    readWindow: async after => {
      await firstReads;
      const unreadablePods = noteUnreadable();
      hasPrevious ||= followed.values().some(container => container.isLive() || !container.isClosed());
      if (options.isPrevious && !hasPrevious) {
        throw new AbsentError(`No container of branch ${name} has a previous instance whose log still exists.`);
      }
      options.inbox.flush();
      events?.flush();
      hasAnswered = true;
      return {...window.show(after), unreadablePods, finishingPods: findFinishing()};
    },
    heldBytes: () => window.heldBytes(),
    totals: () => window.totals(),
    tick: () => {
      followed.forEach(container => void container.tick());
      gone.forEach(container => void container.tick());
      events?.flush();
      forgetPods();
      if (unfollowed.size > 0) {
        // There may be room now.
        setPlaces(lastPlaces);
      }
    },
    close: async () => {
      following = undefined;
      for (const container of [...followed.values(), ...gone.values()]) {
        container.close();
      }
      followed.clear();
      gone.clear();
      events?.setPlaces([]);
      options.onClose();
    },
  };
};
