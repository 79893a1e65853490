import type {BranchLines} from '../../branch-lines.ts';
import {UnavailableError} from '../../errors/unavailable-error.ts';
import type {ContainerPlace} from '../container-place.ts';
import type {SeenLines} from '../log/seen-lines.ts';
import {type BranchWindow, createBranchWindow} from './branch-window.ts';
import {followContainer} from './follow-container.ts';
import type {FollowedContainer, FollowShared} from './followed-container.ts';

/** The first answer waits this long for the first reads, milliseconds, so that a first look is full. */
const firstAnswerMsMax = 2_000;
/**
 * How long a pod that went is remembered, milliseconds: should it come back, its lines are known. With windows per pod,
 * they stay as long.
 */
const goneMemoryMs = 600_000;

export type BranchFeedOptions = FollowShared & {
  /** For messages. */
  readonly name: string;
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  /** Counts a stream. Returns whether there may be one more. */
  readonly takeStream: () => boolean;
  readonly releaseStream: () => void;
  readonly onClose: () => void;
};

/** The lines of one branch, followed. */
export type BranchFeed = BranchLines<ContainerPlace> & {
  readonly window: BranchWindow;
  /** Called about once a second. */
  tick(): void;
};

type KnownPod = {readonly key: number; goneAtMs: number | undefined};

const keyOf = ({podUid, container}: ContainerPlace): string => `${podUid}/${container}`;

/** Creates the feed of one branch. Follows nothing before its places are set. */
export const createBranchFeed = (options: BranchFeedOptions): BranchFeed => {
  const {name, windowLines, windowPerPod, monotonicMs, warn} = options;
  const window = createBranchWindow({windowLines, windowPerPod});
  const followed = new Map<string, FollowedContainer>();
  /** Of pods that are gone: the rest of their logs is read, then they are remembered for a while. */
  const gone = new Map<string, FollowedContainer>();
  /** By uid. Keys begin at 1. */
  const pods = new Map<string, KnownPod>();
  let lastPodKey = 0;
  let hasPlaces = false;
  let hasAnswered = false;
  /** Pods with containers beyond the bound of streams. */
  let unfollowed: ReadonlySet<string> = new Set();
  let lastPlaces: readonly ContainerPlace[] = [];
  /** Left out of the last answer. */
  let leftOut: ReadonlySet<string> = new Set();
  let firstReads: Promise<void> | undefined;

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
    const container = window.addContainer(podKeyOf(place.podUid));
    return followContainer({
      ...options,
      place,
      seen,
      isLate: hasPlaces,
      shareLines,
      onLines: container.add,
      onHole: container.noteHole,
      onUnread: window.noteUnread,
      onCutFront: () => {
        window.noteCutFront();
        // Readers were told how far back the log reaches, and this container's may reach less far.
        if (hasAnswered) {
          window.noteUnread();
        }
      },
      onClose: options.releaseStream,
    });
  };

  /** A StatefulSet's new pod has the name of the one before, and with it its path. */
  const takeOver = (next: ContainerPlace): SeenLines | undefined => {
    let seen: SeenLines | undefined;
    for (const before of gone.values()) {
      const place = before.place();
      if (place.podName === next.podName && place.container === next.container) {
        seen = before.handOver(next) ?? seen;
      }
    }
    return seen;
  };

  /** Follows a container that is not followed yet. Returns undefined if there are too many. */
  const begin = (key: string, place: ContainerPlace, shareLines: number): FollowedContainer | undefined => {
    const before = gone.get(key);
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

  const shareOf = (place: ContainerPlace, places: readonly ContainerPlace[]): number => {
    const sharing = windowPerPod ? places.filter(({podUid}) => podUid === place.podUid) : places;
    return Math.ceil(windowLines / sharing.length);
  };

  const waitForFirstReads = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>(resolve => {
      timer = setTimeout(resolve, firstAnswerMsMax);
    });
    await Promise.race([Promise.all([...followed.values()].map(({firstRead}) => firstRead)), limit]);
    clearTimeout(timer);
    options.inbox.flush();
    window.endGathering();
  };

  const setPlaces = (places: readonly ContainerPlace[]): void => {
    const wanted = new Map(places.map(place => [keyOf(place), place]));
    for (const [key, container] of followed) {
      if (!wanted.has(key)) {
        followed.delete(key);
        gone.set(key, container);
        container.leave();
      }
    }
    const beyond = new Set<string>();
    for (const [key, place] of wanted) {
      const known = followed.get(key);
      known?.setPlace(place);
      const container = known ?? begin(key, place, shareOf(place, places));
      if (container) {
        followed.set(key, container);
      } else {
        beyond.add(place.podName);
      }
    }
    const present = new Set(places.map(({podName}) => podName));
    if ([...unfollowed].some(podName => !present.has(podName))) {
      window.noteUnread();
    }
    unfollowed = beyond;
    lastPlaces = places;
    if (places.length > 0) {
      hasPlaces = true;
      firstReads ??= waitForFirstReads();
    }
  };

  const noteUnreadable = (): ReadonlySet<string> | undefined => {
    const unreadable = new Set(unfollowed);
    const failures: string[] = [];
    let readable = 0;
    for (const container of followed.values()) {
      const failure = container.failure();
      if (failure !== undefined) {
        warn(failure);
        failures.push(failure);
        unreadable.add(container.place().podName);
      } else if (container.isLive()) {
        readable += 1;
      }
    }
    // Containers that have not started or have ended say nothing of the rest.
    if (failures.length > 0 && readable === 0) {
      const [first] = failures;
      const others = failures.length > 1 ? ` Nor can ${failures.length - 1} more of branch ${name}.` : '';
      throw new UnavailableError(`${first}${others}`);
    }
    if ([...unreadable].some(podName => !leftOut.has(podName))) {
      window.noteUnread();
    }
    leftOut = unreadable;
    return unreadable.size > 0 ? unreadable : undefined;
  };

  const findFinishing = (): ReadonlySet<string> | undefined => {
    const finishing = [...followed.values(), ...gone.values()].filter(container => container.isFinishing());
    return finishing.length > 0 ? new Set(finishing.map(container => container.place().podName)) : undefined;
  };

  const forgetPods = (): void => {
    const present = new Set([...followed.values()].map(container => container.place().podUid));
    for (const [uid, pod] of pods) {
      pod.goneAtMs = present.has(uid) ? undefined : (pod.goneAtMs ?? monotonicMs());
      if (pod.goneAtMs !== undefined && monotonicMs() - pod.goneAtMs >= goneMemoryMs) {
        pods.delete(uid);
        if (windowPerPod) {
          window.dropPod(pod.key);
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
    noteLostSpell: () => {
      warn(`The log of branch ${name} may lack pods that came and went while the cluster could not be watched.`);
      // What has come so far is before the hole.
      options.inbox.flush();
      window.noteHole();
    },
    readWindow: async () => {
      await firstReads;
      const unreadablePods = noteUnreadable();
      options.inbox.flush();
      hasAnswered = true;
      return {...window.show(), unreadablePods, finishingPods: findFinishing()};
    },
    heldBytes: () => window.heldBytes(),
    tick: () => {
      for (const container of [...followed.values(), ...gone.values()]) {
        container.tick();
      }
      forgetPods();
      if (unfollowed.size > 0) {
        // There may be room now.
        setPlaces(lastPlaces);
      }
    },
    close: async () => {
      for (const container of [...followed.values(), ...gone.values()]) {
        container.close();
      }
      followed.clear();
      gone.clear();
      options.onClose();
    },
  };
};
