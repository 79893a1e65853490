import {instantToMs} from '#log/line/instant.ts';
import type {Deps, LineSupply} from '#service/backend/backend.ts';
import {windowBytesMax} from '#service/window/line-window.ts';
import {type BranchFeed, type BranchFeedOptions, createBranchFeed} from './feed/branch-feed.ts';
import type {WindowBounds} from './feed/branch-window.ts';
import type {FirstRead} from './followed-container.ts';
import {createLogInbox} from './log/log-read.ts';
import {createOpenQueue} from './open-queue.ts';

/** Text of the windows of all branches, in bytes. A branch of access lines holds 0.4 MB, a loud one up to 24 MB. */
const heldBytesMaxDefault = 192 * 1024 * 1024;
/** Streams of all branches: twice what a cluster's branches that are watched at once were measured with. */
const streamsMaxDefault = 2_000;
/** So that a first look is full, but answers soon. */
const firstReadMsDefault = 2_000;
/** A first read is in when nothing more comes for this long, milliseconds; the shorter, where soon is better. */
const [quietMsPatient, quietMsEager] = [100, 30];
/** How often streams are looked after, milliseconds. */
const tickMs = 1_000;

export type ContainerSupplyOptions<Place> = Deps &
  Pick<BranchFeedOptions<Place>, 'logs' | 'openEvents' | 'firstLinesMs' | 'isPrevious' | 'readerIsOperator'> & {
    /** Lines of a branch that are read at first, of each container its share; and, without `holds`, lines held. */
    readonly windowLines: number;
    readonly windowPerPod: boolean;
    /** Left out: a window. */
    readonly holds?: Pick<WindowBounds, 'linesMax' | 'bytesMax' | 'answerLinesMax'> | undefined;
    readonly firstRead?: FirstRead | undefined;
    /** The longest time that the first answer waits for the first reads, milliseconds; 2 s by default. */
    readonly firstReadMsMax?: number | undefined;
    readonly heldBytesMax?: number;
    readonly streamsMax?: number;
  };

/** Creates the lines of containers: one stream each, of the branches that are open. */
export const createContainerSupply = <Place extends object>(
  options: ContainerSupplyOptions<Place>,
): LineSupply<Place> => {
  const {heldBytesMax = heldBytesMaxDefault, streamsMax = streamsMaxDefault, warn} = options;
  const inbox = createLogInbox();
  const {windowLines, windowPerPod, firstRead = {}, firstReadMsMax = firstReadMsDefault, holds} = options;
  const window = {linesMax: windowLines, bytesMax: windowBytesMax, answerLinesMax: Number.POSITIVE_INFINITY};
  const shared = {
    ...options,
    firstRead,
    firstReadMsMax,
    firstQuietMs: options.firstLinesMs === undefined ? quietMsPatient : quietMsEager,
    bounds: {...(holds ?? window), isPerPod: windowPerPod},
    nowMs: () => instantToMs(options.now()),
    queue: createOpenQueue(),
    inbox,
    finds: {count: 0},
    outOfReach: new Set<() => void>(),
  };
  const feeds = new Set<BranchFeed<Place>>();
  let streams = 0;
  let timer: NodeJS.Timeout | undefined;

  const takeStream = (): boolean => {
    if (streams >= streamsMax) {
      warn(
        `No more than ${streamsMax} containers can be followed at once: the logs of some are left out until others are closed. Choose fewer containers, or serve branches from several services.`,
      );
      return false;
    }
    streams += 1;
    return true;
  };

  /** Lets the largest windows go first, so that a loud branch pays for itself. */
  const limitBytes = (): void => {
    let over = [...feeds].reduce((sum, feed) => sum + feed.heldBytes(), 0) - heldBytesMax;
    const bySize = [...feeds].sort((left, right) => right.heldBytes() - left.heldBytes());
    for (const [index, feed] of bySize.entries()) {
      if (over <= 0) {
        return;
      }
      // Down to the size of the next one, and to half of it at most, before another has to give.
      const next = bySize[index + 1]?.heldBytes() ?? 0;
      const before = feed.heldBytes();
      feed.window.shrink(Math.max(before - over, Math.min(next, before / 2)));
      over -= before - feed.heldBytes();
    }
  };

  const tick = (): void => {
    inbox.flush();
    for (const feed of feeds) {
      feed.tick();
    }
    limitBytes();
  };

  return {
    open: name => {
      const feed = createBranchFeed({
        ...shared,
        name,
        takeStream,
        releaseStream: () => {
          streams -= 1;
        },
        onClose: () => {
          feeds.delete(feed);
          if (feeds.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
        },
      });
      feeds.add(feed);
      timer ??= setInterval(tick, tickMs).unref();
      return feed;
    },
    close: async () => {
      await Promise.all([...feeds].map(feed => feed.close()));
    },
  };
};
