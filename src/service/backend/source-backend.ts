import {instantToMs} from '#log/line/instant.ts';
import type {
  Backend,
  BranchLines,
  BranchRecord,
  Deps,
  Directory,
  DirectoryBranch,
  LineSupply,
  PodRecord,
} from './backend.ts';
import {describeError, UnavailableError} from './errors.ts';
import {createPulseCounter} from './pulse-counter.ts';

/** A branch is followed this long after the last request: its reader may look at another one and come back. */
const idleMs = 10 * 60_000;
/** A branch costs streams and a window, however quiet it is. */
const openBranchesMaxDefault = 200;
/** Clients poll at least every half minute: a branch without a request for this long has no reader. */
const readMsMax = 60_000;
/** Interval between two checks for branches without requests. */
const checkIntervalMs = 10_000;
/**
 * A branch that is gone is served for this long, milliseconds, if it is being read: the last lines of a Job or a pod
 * that is deleted come when the directory knows it no more.
 */
const goneMsMax = 15_000;

/** The same array each time: nothing has changed. */
const noPlaces: readonly never[] = [];

export type SourceBackendOptions<Place> = Omit<Deps, 'random'> & {
  readonly directory: Directory<Place>;
  readonly lines: LineSupply<Place>;
  /** Branches that are followed at once; 200 by default. */
  readonly openBranchesMax?: number;
};

type OpenBranch<Place> = {
  readonly siteId: string;
  readonly branchId: string;
  readonly record: BranchRecord;
  readonly lines: BranchLines<Place>;
  places: readonly Place[];
  watchOutages: number;
  /** The pods of the last answer. */
  pods: readonly PodRecord[];
  askedMs: number;
  /** It has been read for the first time. */
  hasAnswered: boolean;
  /** Why not all could be read for the last answer. */
  fault: string | undefined;
  /** Since when the directory has not known it. */
  goneMs: number | undefined;
};

/** Creates a backend from its two halves. A branch is followed from its first request until requests stop. */
export const createSourceBackend = <Place>(options: SourceBackendOptions<Place>): Backend => {
  const {directory, lines, monotonicMs, now, warn, openBranchesMax = openBranchesMaxDefault} = options;
  /** By site and branch; the one that was asked for last comes last. */
  const open = new Map<string, OpenBranch<Place>>();
  const pulses = createPulseCounter(monotonicMs);
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  const closeBranch = async (key: string, branch: OpenBranch<Place>): Promise<void> => {
    open.delete(key);
    try {
      await branch.lines.close();
    } catch (error) {
      warn(`The log of branch ${branch.record.name} was not closed properly: ${describeError(error)}.`);
    }
  };

  const closeIdle = (): void => {
    for (const [key, branch] of open) {
      if (monotonicMs() - branch.askedMs >= idleMs) {
        void closeBranch(key, branch);
      }
    }
  };

  /** Returns whether there is room for one more; if necessary closes the branch with the oldest last request. */
  const makeRoom = (): boolean => {
    const [oldest] = open;
    if (open.size < openBranchesMax || !oldest) {
      return true;
    }
    const [key, branch] = oldest;
    const hasReader = monotonicMs() - branch.askedMs < readMsMax;
    if (!hasReader) {
      void closeBranch(key, branch);
    }
    return !hasReader;
  };

  const passPlaces = (
    branch: OpenBranch<Place>,
    {places, watchOutages = 0}: Pick<DirectoryBranch<Place>, 'places' | 'watchOutages'>,
  ): void => {
    if (watchOutages > branch.watchOutages) {
      branch.lines.noteWatchOutage?.();
    }
    branch.watchOutages = Math.max(branch.watchOutages, watchOutages);
    if (branch.places !== places) {
      branch.places = places;
      branch.lines.setPlaces(places);
    }
  };

  const passChanges = (): void => {
    for (const branch of open.values()) {
      try {
        const found = directory.findBranch(branch.siteId, branch.branchId);
        branch.goneMs = found ? undefined : (branch.goneMs ?? monotonicMs());
        // A branch that is gone may come back soon, when its workload is created again: its lines are kept for it.
        passPlaces(branch, found ?? {places: noPlaces});
      } catch (error) {
        // While the directory is unavailable, the last known places can still be read.
        if (!(error instanceof UnavailableError)) {
          throw error;
        }
      }
    }
  };

  const findGone = (siteId: string, branchId: string): DirectoryBranch<Place> | undefined => {
    const branch = open.get(JSON.stringify([siteId, branchId]));
    const isRecent = branch && monotonicMs() - (branch.goneMs ?? monotonicMs()) < goneMsMax;
    return isRecent && directory.listBranches(siteId) ? {record: branch.record, pods: [], places: noPlaces} : undefined;
  };

  const openBranch = (siteId: string, branchId: string, found: DirectoryBranch<Place>): OpenBranch<Place> => {
    const {record, watchOutages = 0} = found;
    const key = JSON.stringify([siteId, branchId]);
    const known = open.get(key);
    if (!known && !makeRoom()) {
      throw new UnavailableError(
        `The service follows ${open.size} branches and has no room for another: ask again in a minute.`,
      );
    }
    const branch = known ?? {
      siteId,
      branchId,
      record,
      lines: lines.open(record.name),
      places: [],
      watchOutages,
      pods: [],
      askedMs: 0,
      hasAnswered: false,
      fault: undefined,
      goneMs: undefined,
    };
    open.delete(key);
    open.set(key, branch);
    branch.askedMs = monotonicMs();
    passPlaces(branch, found);
    return branch;
  };

  return {
    start: async () => {
      stopListening = directory.onChange(passChanges);
      timer = setInterval(closeIdle, checkIntervalMs).unref();
      await directory.start();
    },
    listBranches: async siteId => {
      await directory.wake?.(siteId);
      return directory.listBranches(siteId);
    },
    listDeployed: async siteId => {
      await directory.wake?.(siteId);
      return directory.listDeployed(siteId);
    },
    readWindow: async (siteId, branchId, after) => {
      await directory.wake?.(siteId);
      const known = directory.findBranch(siteId, branchId);
      const found = known ?? findGone(siteId, branchId);
      if (!found) {
        return undefined;
      }
      const {record, pods, outage, endings} = found;
      if (record.status === null) {
        return {pods: [], lines: []};
      }
      const branch = openBranch(siteId, branchId, found);
      branch.goneMs = known ? undefined : (branch.goneMs ?? monotonicMs());
      const {unreadablePods, finishingPods, ...window} = await branch.lines
        .readWindow(after)
        .catch((error: unknown) => {
          branch.fault = describeError(error);
          throw error;
        });
      const readable = unreadablePods?.size ? pods.filter(({name}) => !unreadablePods.has(name)) : pods;
      const unreadCount = pods.length - readable.length;
      const [why = ''] = unreadablePods?.values() ?? [];
      branch.hasAnswered = true;
      branch.fault = outage ?? (unreadCount > 0 ? why : undefined);
      const finishing = branch.pods.filter(
        ({name}) => finishingPods?.has(name) && !pods.some(pod => pod.name === name),
      );
      branch.pods = finishing.length > 0 ? [...readable, ...finishing] : readable;
      return {
        pods: branch.pods,
        ...window,
        ...(endings && {endings}),
        ...((unreadCount > 0 || outage !== undefined) && {
          unreadable: {
            pods: unreadCount,
            of: pods.length,
            why: outage ?? why,
            ...(outage !== undefined && {isBlind: true as const}),
          },
        }),
      };
    },
    // Who asks for the errors of all branches reads none: one that nobody reads is closed all the same.
    countErrors: async siteId =>
      directory.listBranches(siteId) &&
      pulses.count(
        siteId,
        [...open.values()]
          .filter(branch => branch.siteId === siteId && branch.hasAnswered && branch.fault === undefined)
          .map(({branchId, lines: own}) => ({
            id: branchId,
            read: async after => {
              const {unreadablePods, ...window} = await own.readWindow(after);
              return {...window, isPartial: unreadablePods !== undefined && unreadablePods.size > 0};
            },
            readToMs: () => instantToMs(now()),
          })),
      ),
    measure: () =>
      [...open.values()].map(({siteId, record, lines: own, fault, askedMs}) => ({
        siteId,
        branchName: record.name,
        ...own.totals(),
        windowBytes: own.heldBytes(),
        // Nothing is known of a branch any more that nobody has asked for since.
        fault: monotonicMs() - askedMs < readMsMax ? fault : undefined,
      })),
    close: async () => {
      clearInterval(timer);
      stopListening?.();
      await directory.close();
      await Promise.all([...open].map(([key, branch]) => closeBranch(key, branch)));
      await lines.close();
    },
  };
};
