import {instantToMs} from '../../log/instant.ts';
import type {Backend, BranchRecord} from '../backend.ts';
import {type BranchLog, createBranchLog} from './branch-log.ts';
import {makeBranchRecord} from './branch-record.ts';
import {describeError} from './file-error.ts';
import type {FileBackendOptions, FileBranch, FileSite} from './file-settings.ts';
import {createLineSink} from './line-sink.ts';
import {createPodFiles} from './pod-files.ts';
import {makePodRecord} from './pod-record.ts';
import {type ReadingLoop, startReadingLoop} from './reading-loop.ts';
import {openStateStore, type StateStore} from './state-store.ts';
import type {StoredBranch} from './stored-state.ts';
import {createFolderWatch, type FolderWatch} from './watch-folders.ts';

/** Five looks a second at most while files change: fresh enough for windows between answers. */
const lookIntervalMsDefault = 200;
/** Where notifications fail to come (network folders, containers on other systems) this is how late a change is noticed. */
const idleLookIntervalMsDefault = 1_000;
/** nginx's workers write to a renamed file until they have reopened their logs, a quiet one's last lines may come late. */
const rotationGraceMsDefault = 30_000;
/** An answer waits no longer than this for fresh lines where a disk or a network folder stalls; what is known goes out. */
const freshenMsMax = 2_000;
/** Different warnings kept to say each once. */
const warningsMax = 1_000;

type ServedBranch = {
  readonly record: BranchRecord;
  readonly log: BranchLog | undefined;
  loop?: ReadingLoop;
  watch?: FolderWatch;
};

const waitAtMost = async (work: Promise<void>, limitMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
};

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' && value ? value : otherwise);

/** The backend over log files: their lines, followed as they are written, rotated and truncated, and served as windows. */
export const createFileBackend = (options: FileBackendOptions): Backend => {
  const {now, monotonicMs} = options;
  const lookIntervalMs = options.lookIntervalMs ?? lookIntervalMsDefault;
  const idleLookIntervalMs = Math.max(lookIntervalMs, options.lookIntervalMs ?? idleLookIntervalMsDefault);
  const sites = new Map<string, Map<string, ServedBranch>>();
  const warned = new Set<string>();
  let store: StateStore | undefined;

  const warn = (message: string): void => {
    if (!warned.has(message) && warned.size < warningsMax) {
      warned.add(message);
      options.warn(message);
    }
  };

  const createLog = (
    store: StateStore,
    site: FileSite,
    branch: FileBranch,
    stored: StoredBranch,
    record: BranchRecord,
    allPodKeys: Set<number>,
  ): BranchLog => {
    const {windowLines, windowPerPod} = options;
    const pods = branch.pods.map(pod => {
      const known = store.findOrAddPod(stored.key, pod.name, instantToMs(now()));
      allPodKeys.add(known.key);
      return {pod, ...known};
    });
    const readings = new Map(
      pods.map(({pod, key}) => [key, {format: pod.format, stamps: pod.stamps ?? options.stamps}]),
    );
    const sink = createLineSink({store, branch: stored, pods: readings, windowLines, windowPerPod, now, warn});
    // A new pod takes its share: the lines of the others arrived before, and would leave first.
    const firstLines = windowPerPod ? windowLines : Math.ceil(windowLines / Math.max(1, pods.length));
    return createBranchLog({
      podFiles: pods.map(({pod, key, isNew}) =>
        createPodFiles({pod, podKey: key, isNew, firstLines, windowLines, store, sink, monotonicMs, warn}),
      ),
      podRecords: pods.map(({pod, createdAtMs}) =>
        makePodRecord({
          siteId: site.id,
          branchId: branch.id,
          applicationName: textOf(record.applicationName, branch.name),
          namespace: textOf(record.namespace, site.id),
          name: pod.name,
          createdAtMs,
        }),
      ),
      cut: windowPerPod ? 'pod' : 'branch',
      sink,
      scanIntervalMs: lookIntervalMs,
      rotationGraceMs: options.rotationGraceMs ?? rotationGraceMsDefault,
      monotonicMs,
      warn,
      warnOfLoss: options.warn,
    });
  };

  const openBranches = (store: StateStore): void => {
    const [branchKeys, podKeys] = [new Set<number>(), new Set<number>()];
    for (const site of options.sites) {
      const branches = new Map<string, ServedBranch>();
      for (const branch of site.branches) {
        const configured = JSON.stringify([branch.name, branch.status, branch.fields]);
        const stored = store.findOrAddBranch(site.id, branch.id, configured, instantToMs(now()));
        branchKeys.add(stored.key);
        const record = makeBranchRecord(site.id, branch, stored);
        // A branch that is not built out has no pods, whatever the configuration says.
        const log = branch.status === null ? undefined : createLog(store, site, branch, stored, record, podKeys);
        branches.set(branch.id, {record, log});
      }
      sites.set(site.id, branches);
    }
    store.keepOnly(branchKeys, podKeys);
  };

  const startReading = async (branch: ServedBranch): Promise<void> => {
    const {log} = branch;
    if (!log) {
      return;
    }
    await log.start();
    const watch = createFolderWatch(() => branch.loop?.wake());
    let isWatched = await watch.update(log.folders());
    branch.watch = watch;
    branch.loop = startReadingLoop({
      read: async () => {
        const hasMore = await log.turn();
        isWatched = await watch.update(log.folders());
        return hasMore;
      },
      intervalMs: lookIntervalMs,
      idleMs: () => (isWatched ? idleLookIntervalMs : lookIntervalMs),
      onError: error => warn(`The log of branch ${branch.record.name} cannot be read on: ${describeError(error)}.`),
    });
  };

  const allBranches = (): readonly ServedBranch[] => [...sites.values()].flatMap(branches => [...branches.values()]);

  const close = async (): Promise<void> => {
    for (const branch of allBranches()) {
      await branch.loop?.stop();
      branch.watch?.close();
      await branch.log?.close();
    }
    store?.close();
    store = undefined;
  };

  return {
    start: async () => {
      store = openStateStore(options.stateFolder);
      try {
        openBranches(store);
        for (const branch of allBranches()) {
          await startReading(branch);
        }
      } catch (error) {
        await close();
        throw error;
      }
    },
    listBranches: async siteId => {
      const branches = sites.get(siteId);
      return branches && [...branches.values()].map(branch => branch.record);
    },
    readWindow: async (siteId, branchId) => {
      const branch = sites.get(siteId)?.get(branchId);
      if (!branch) {
        return undefined;
      }
      if (branch.loop) {
        await waitAtMost(branch.loop.freshen(), freshenMsMax);
      }
      return branch.log?.window() ?? {pods: [], lines: []};
    },
    close,
  };
};
