import type {Backend, PodRecord} from '../backend.ts';
import type {BranchLines, LineSupply} from '../branch-lines.ts';
import type {Directory, DirectoryBranch} from '../directory.ts';
import {describeError} from '../errors/describe-fault.ts';
import {UnavailableError} from '../errors/unavailable-error.ts';

/** A branch is followed this long after the last request: its reader may look at another one and come back. */
const idleMs = 10 * 60_000;
/** A branch costs streams and a window, however quiet it is. */
const openBranchesMaxDefault = 200;
/** Clients poll at least every half minute: a branch without a request for this long has no reader. */
const readMsMax = 60_000;
/** Interval between two checks for branches without requests. */
const checkIntervalMs = 10_000;

export type SourceBackendOptions<Place> = {
  readonly directory: Directory<Place>;
  readonly lines: LineSupply<Place>;
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
  /** Branches that are followed at once; 200 by default. */
  readonly openBranchesMax?: number;
};

type OpenBranch<Place> = {
  readonly siteId: string;
  readonly branchId: string;
  readonly name: string;
  readonly lines: BranchLines<Place>;
  places: readonly Place[];
  lostSpells: number;
  /** Of the last answer. */
  pods: readonly PodRecord[];
  askedMs: number;
};

/** Creates a backend from its two halves. A branch is followed from its first request until requests stop. */
export const createSourceBackend = <Place>(options: SourceBackendOptions<Place>): Backend => {
  const {directory, lines, monotonicMs, warn, openBranchesMax = openBranchesMaxDefault} = options;
  /** By site and branch; the one that was asked for last comes last. */
  const open = new Map<string, OpenBranch<Place>>();
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  const closeBranch = async (key: string, branch: OpenBranch<Place>): Promise<void> => {
    open.delete(key);
    try {
      await branch.lines.close();
    } catch (error) {
      warn(`The log of branch ${branch.name} was not closed properly: ${describeError(error)}.`);
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
    {places, lostSpells = 0}: Pick<DirectoryBranch<Place>, 'places' | 'lostSpells'>,
  ): void => {
    if (lostSpells > branch.lostSpells) {
      branch.lines.noteLostSpell?.();
    }
    branch.lostSpells = Math.max(branch.lostSpells, lostSpells);
    if (branch.places !== places) {
      branch.places = places;
      branch.lines.setPlaces(places);
    }
  };

  const passChanges = (): void => {
    for (const branch of open.values()) {
      try {
        // A branch that is gone may come back soon, when its workload is created again: its lines are kept for it.
        passPlaces(branch, directory.findBranch(branch.siteId, branch.branchId) ?? {places: []});
      } catch (error) {
        // While the directory is unavailable, the last known places can still be read.
        if (!(error instanceof UnavailableError)) {
          throw error;
        }
      }
    }
  };

  const openBranch = (siteId: string, branchId: string, found: DirectoryBranch<Place>): OpenBranch<Place> => {
    const {name} = found.record;
    const {lostSpells = 0} = found;
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
      name,
      lines: lines.open(name),
      places: [],
      lostSpells,
      pods: [],
      askedMs: 0,
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
    listBranches: async siteId => directory.listBranches(siteId),
    listDeployed: async siteId => directory.listDeployed(siteId),
    readWindow: async (siteId, branchId, after) => {
      const found = directory.findBranch(siteId, branchId);
      if (!found) {
        return undefined;
      }
      const {record, pods} = found;
      if (record.status === null) {
        return {pods: [], lines: []};
      }
      const branch = openBranch(siteId, branchId, found);
      const {unreadablePods, finishingPods, ...window} = await branch.lines.readWindow(after);
      const readable = unreadablePods?.size ? pods.filter(({name}) => !unreadablePods.has(name)) : pods;
      const unreadCount = pods.length - readable.length;
      const [why = ''] = unreadablePods?.values() ?? [];
      const finishing = branch.pods.filter(
        ({name}) => finishingPods?.has(name) && !pods.some(pod => pod.name === name),
      );
      branch.pods = finishing.length > 0 ? [...readable, ...finishing] : readable;
      return {
        pods: branch.pods,
        ...window,
        ...(unreadCount > 0 && {unreadable: {pods: unreadCount, of: pods.length, why}}),
      };
    },
    close: async () => {
      clearInterval(timer);
      stopListening?.();
      await directory.close();
      await Promise.all([...open].map(([key, branch]) => closeBranch(key, branch)));
      await lines.close();
    },
  };
};
