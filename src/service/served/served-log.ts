import type {Unreadable} from '#log/line/entry.ts';
import type {ReadUpTo, WindowCut} from '#log/window/window-claims.ts';
import type {BranchMeasure, Deps, ServedWindow} from '#service/backend/backend.ts';
import {describeError} from '#service/backend/errors.ts';
import type {LineSink} from '#service/window/line-sink.ts';
import type {LineSource} from './line-source.ts';

/** Scanning takes at most one part in this of the time, as long as new files are found within seconds. */
const scanCostDivisor = 20;
/** However large the folders are, or how busy the machine was during one scan, the next comes this soon. */
const scanPauseMsMax = 3_000;

/** Turns before the first answer: enough for the largest window, whatever is appended meanwhile. */
const firstTurnsMax = 128;

export type ServedLogOptions = Pick<Deps, 'monotonicMs' | 'warn'> & {
  /** By pod name. */
  readonly sources: ReadonlyMap<string, LineSource>;
  readonly cut: WindowCut;
  readonly sink: LineSink;
  readonly scanIntervalMs: number;
  /** Turns before the first answer at most; by default what fills the largest window. */
  readonly firstTurns?: number | undefined;
};

/** Creates the log of one branch. An error in one source causes a warning and never stops the others. */
export const createServedLog = (options: ServedLogOptions) => {
  const {sources, cut, sink, scanIntervalMs, monotonicMs, warn} = options;
  let nextScanMs = Number.NEGATIVE_INFINITY;
  /** A turn came too early for a scan. It may have come because of a new file. */
  let isScanOwed = false;

  const forgive = async <Result>(podName: string, work: Promise<Result> | undefined): Promise<Result | undefined> => {
    try {
      return await work;
    } catch (error) {
      warn(`The lines of ${podName} cannot be read (${describeError(error)}): some may be missing until they can be.`);
      return undefined;
    }
  };

  const scan = async (): Promise<void> => {
    const startedMs = monotonicMs();
    isScanOwed = startedMs < nextScanMs;
    if (isScanOwed) {
      return;
    }
    for (const [podName, source] of sources) {
      await forgive(podName, source.scan?.());
    }
    const endedMs = monotonicMs();
    const pauseMs = Math.min((endedMs - startedMs) * scanCostDivisor, scanPauseMsMax);
    nextScanMs = endedMs + Math.max(scanIntervalMs, pauseMs);
  };

  /** The same object while it says the same: what is made of it is kept. */
  let unreadable: Unreadable | undefined;
  const findUnreadable = (): Unreadable | undefined => {
    const faults = [...sources.values()].map(source => source.unreadable?.()).filter(why => why !== undefined);
    const [why = ''] = faults;
    if (faults.length === 0) {
      unreadable = undefined;
    } else if (unreadable?.pods !== faults.length || unreadable.why !== why) {
      unreadable = {pods: faults.length, of: sources.size, why};
    }
    return unreadable;
  };

  const turn = async (): Promise<boolean> => {
    await scan();
    let hasMore = false;
    for (const [podName, source] of sources) {
      const hasMoreHere = (await forgive(podName, source.turn())) ?? false;
      hasMore ||= hasMoreHere;
    }
    return hasMore;
  };

  return {
    /** Opens what was read before a restart, and reads for the first time. */
    start: async (): Promise<void> => {
      for (const [podName, source] of sources) {
        await forgive(podName, source.start());
      }
      let hasMore = true;
      for (let turns = 0; turns < (options.firstTurns ?? firstTurnsMax) && hasMore; turns += 1) {
        hasMore = await turn();
      }
      sink.window.endGathering();
    },
    /** Reads what is new in the sources. Returns whether there is more to read at once. Turns must not overlap. */
    turn,
    /** Returns the folders to watch for changes. */
    folders: (): ReadonlySet<string> =>
      new Set([...sources.values()].flatMap(source => [...(source.folders?.() ?? [])])),
    /** Whether the next turn is not needed before something in these folders changes. */
    isAtRest: (): boolean =>
      !isScanOwed && sources.values().every(source => source.folders !== undefined && !source.isWaiting?.()),
    measure: (): Omit<BranchMeasure, 'siteId' | 'branchName'> => ({
      totals: sink.window.tally.totals(),
      losses: sink.window.lossCount(),
      windowBytes: sink.window.heldBytes(),
      fault: findUnreadable()?.why,
    }),
    /** Returns the window, or what arrived after a reader's place. */
    window: (after?: ReadUpTo): Omit<ServedWindow, 'pods'> => ({
      cut,
      ...sink.show(after),
      unreadable: findUnreadable(),
    }),
    close: async (): Promise<void> => {
      await Promise.all([...sources].map(([podName, source]) => forgive(podName, source.close())));
      sink.store({});
    },
  };
};

/** The log of one branch, read from its pods' sources. */
export type ServedLog = ReturnType<typeof createServedLog>;
