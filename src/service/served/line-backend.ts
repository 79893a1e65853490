import {instantToMs} from '../../log/line/instant.ts';
import type {Backend, BranchRecord} from '../backend.ts';
import {describeError} from '../errors/describe-fault.ts';
import {createLineSink} from '../sink/line-sink.ts';
import {openStateStore, type StateStore} from '../state/state-store.ts';
import type {StoredBranch} from '../state/stored-state.ts';
import {type ReadingLoop, startReadingLoop} from './reading-loop.ts';
import {makeBranchRecord} from './served-branch-record.ts';
import {createServedLog, type ServedLog} from './served-log.ts';
import {makePodRecord} from './served-pod-record.ts';
import type {LineBackendOptions, ServedBranch, ServedSite} from './served-settings.ts';
import {createFolderWatch, type FolderWatch} from './watch-folders.ts';

/** At most five looks a second while lines come: fresh enough for windows between answers. */
const lookIntervalMsDefault = 200;
/** If notifications fail to come (network folders, containers on other systems), changes are noticed this late. */
const idleLookIntervalMsDefault = 1_000;
/**
 * nginx's workers write to a renamed file until they have reopened their logs; the last lines of a quiet one may come
 * late.
 */
const rotationGraceMsDefault = 30_000;
/**
 * If a disk or a network folder stalls, an answer waits this long for fresh lines, then goes out with what is known.
 */
const freshenMsMax = 2_000;
/** Distinct warnings remembered, to give each only once. */
const warningsMax = 1_000;

type OpenBranch = {
  readonly record: BranchRecord;
  readonly log: ServedLog | undefined;
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

/**
 * Creates the backend over line sources: lines are stamped as they are read, kept in the state, and served as windows.
 */
export const createLineBackend = (options: LineBackendOptions): Backend => {
  const {now, monotonicMs} = options;
  const lookIntervalMs = options.lookIntervalMs ?? lookIntervalMsDefault;
  const idleLookIntervalMs = Math.max(lookIntervalMs, options.lookIntervalMs ?? idleLookIntervalMsDefault);
  const sites = new Map<string, Map<string, OpenBranch>>();
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
    site: ServedSite,
    branch: ServedBranch,
    stored: StoredBranch,
    record: BranchRecord,
    allPodKeys: Set<number>,
  ): ServedLog => {
    const {windowLines, windowPerPod} = options;
    const pods = branch.pods.map(pod => {
      const known = store.findOrAddPod(stored.key, pod.name, instantToMs(now()));
      allPodKeys.add(known.key);
      return {pod, ...known};
    });
    const readings = new Map(
      pods.map(({pod, key}) => [key, {format: pod.source.format, stamps: pod.stamps ?? options.stamps}]),
    );
    const sink = createLineSink({store, branch: stored, pods: readings, windowLines, windowPerPod, now, warn});
    // A new pod takes only its share: the lines of the other pods arrived earlier and would leave first.
    const firstLines = windowPerPod ? windowLines : Math.ceil(windowLines / Math.max(1, pods.length));
    const shared = {
      firstLines,
      windowLines,
      store,
      sink,
      wake: () => sites.get(site.id)?.get(branch.id)?.loop?.wake(),
      rotationGraceMs: options.rotationGraceMs ?? rotationGraceMsDefault,
      now,
      monotonicMs,
      warn,
      warnAlways: options.warn,
    };
    return createServedLog({
      sources: new Map(
        pods.map(({pod, key, isNew}) => [
          pod.name,
          pod.source.open({...shared, podName: pod.name, podKey: key, isNew}),
        ]),
      ),
      podRecords: pods.map(({pod, createdAtMs}) =>
        makePodRecord({
          siteId: site.id,
          branchId: branch.id,
          applicationName: textOf(record.applicationName, branch.name),
          namespace: textOf(record.namespace, site.id),
          name: pod.name,
          source: pod.source.kind,
          createdAtMs,
        }),
      ),
      cut: windowPerPod ? 'pod' : 'branch',
      sink,
      scanIntervalMs: lookIntervalMs,
      monotonicMs,
      warn,
    });
  };

  const openBranches = (store: StateStore): void => {
    const [branchKeys, podKeys] = [new Set<number>(), new Set<number>()];
    for (const site of options.sites) {
      const branches = new Map<string, OpenBranch>();
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

  const startReading = async (branch: OpenBranch): Promise<void> => {
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
      onError: error => warn(`Reading the log of branch ${branch.record.name} failed: ${describeError(error)}.`),
    });
  };

  const allBranches = (): readonly OpenBranch[] => [...sites.values()].flatMap(branches => [...branches.values()]);

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
