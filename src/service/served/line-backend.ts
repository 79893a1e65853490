import {waitAtMost} from '#base/bounds.ts';
import {instantToMs} from '#log/line/instant.ts';
import type {Backend, BranchRecord, PodRecord} from '#service/backend/backend.ts';
import {createWarnOnce, describeError, StateError, UnavailableError} from '#service/backend/errors.ts';
import {createPulseCounter} from '#service/backend/pulse-counter.ts';
import {createLineSink} from '#service/window/line-sink.ts';
import {openStateStore, type StateStore} from '#service/window/state-store.ts';
import type {StoredBranch} from '#service/window/stored-state.ts';
import type {LineSourceContext} from './line-source.ts';
import {type ReadingLoop, startReadingLoop} from './reading-loop.ts';
import {createServedLog, type ServedLog} from './served-log.ts';
import {
  type LineBackendOptions,
  makeBranchRecord,
  makePodRecord,
  type ServedBranch,
  type ServedContent,
  type ServedPod,
  type ServedSite,
} from './served-records.ts';
import {createFolderWatch} from './watch-folders.ts';

/** At most five looks a second while lines come: fresh enough for windows between answers. */
const pollIntervalMsDefault = 200;
/**
 * The system reports changes in local folders, so this look is only for what it forgets to report. A hundred branches
 * that look every second take 2 to 8 % of a core.
 */
const idlePollIntervalMsDefault = 10_000;
/** Changes that the system cannot report are noticed this late: in some folders, or the end of a command. */
const unwatchedPollIntervalMsDefault = 1_000;
/**
 * nginx's workers write to a renamed file until they have reopened their logs; the last lines of a quiet one may come
 * late.
 */
const rotationGraceMsDefault = 30_000;
/**
 * If a disk or a network folder stalls, an answer waits this long for fresh lines, then goes out with what is known.
 */
const freshenMsMax = 2_000;

/** A reading that takes longer is held up by a disk or a network folder. */
const readingMsMax = 30_000;

/** Logs that take longer to open, all together, are opened while answers go out: folders with thousands of files. */
const startMsMax = 700;

/** The backend over line sources. */
export type LineBackend = Backend & {
  /**
   * Serves this content from now on. Branches whose log is read as before go on reading; the others are opened where
   * they were left. Calls must not overlap.
   */
  reload(content: ServedContent): Promise<void>;
};

/** The reader of a branch's log. */
type Reader = {
  /** Everything that reading depends on, as JSON. */
  readonly settings: string;
  readonly log: ServedLog;
  readonly measure: ServedLog['measure'];
  readonly loop: ReadingLoop;
  /** When the last reading ended, milliseconds since 1970. */
  readToMs(): number;
  /** False until everything was found for the first time: the lines have no order before. */
  isOpen(): boolean;
  close(): Promise<void>;
};

type OpenBranch = {
  readonly record: BranchRecord;
  readonly podRecords: readonly PodRecord[];
  readonly reader: Reader | undefined;
};

/** A branch as configured, with what the state knows of it. */
type KnownBranch = {
  readonly site: ServedSite;
  readonly branch: ServedBranch;
  readonly stored: StoredBranch;
  readonly record: BranchRecord;
  readonly pods: readonly KnownPod[];
  /** Undefined: a branch that is not built out has no log, whatever the configuration says. */
  readonly settings: string | undefined;
};

type KnownPod = {readonly pod: ServedPod; readonly key: number; readonly createdAtMs: number; readonly isNew: boolean};

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' && value ? value : otherwise);

/**
 * Creates the backend over line sources: lines are stamped as they are read, kept in the state, and served as windows.
 */
export const createLineBackend = (options: LineBackendOptions): LineBackend => {
  const {now, monotonicMs} = options;
  const pollIntervalMs = options.pollIntervalMs ?? pollIntervalMsDefault;
  const idlePollIntervalMs = options.pollIntervalMs ?? idlePollIntervalMsDefault;
  const unwatchedPollIntervalMs = options.pollIntervalMs ?? unwatchedPollIntervalMsDefault;
  const {warn, forget} = createWarnOnce(options.warn);
  let sites: ReadonlyMap<string, ReadonlyMap<string, OpenBranch>> = new Map();
  const pulses = createPulseCounter(monotonicMs);
  let store: StateStore | undefined;

  const knowBranch = (
    store: StateStore,
    {windowLines, windowPerPod, stamps}: ServedContent,
    site: ServedSite,
    branch: ServedBranch,
  ): KnownBranch => {
    const configured = JSON.stringify([branch.name, branch.status, branch.fields]);
    const nowMs = instantToMs(now());
    const stored = store.findOrAddBranch(site.id, branch.id, configured, nowMs);
    const isBuilt = branch.status !== null;
    return {
      site,
      branch,
      stored,
      record: makeBranchRecord(site.id, branch, stored),
      pods: isBuilt ? branch.pods.map(pod => ({pod, ...store.findOrAddPod(stored.key, pod.name, nowMs)})) : [],
      settings: isBuilt ? JSON.stringify([windowLines, windowPerPod, stamps, branch.pods]) : undefined,
    };
  };

  const createLog = (
    store: StateStore,
    {windowLines, windowPerPod, stamps}: ServedContent,
    {stored, pods}: KnownBranch,
    signals: Pick<LineSourceContext, 'wake' | 'markRenames'>,
  ): ServedLog => {
    const readings = new Map(
      pods.map(({pod, key}) => {
        const {format, hasFiles} = pod.source;
        return [key, {name: pod.name, format, hasFiles, stamps: pod.stamps ?? stamps}];
      }),
    );
    const sink = createLineSink({store, branch: stored, pods: readings, windowLines, windowPerPod, now, warn});
    const shared = {
      // A new pod takes only its share: the lines of the other pods arrived earlier and would leave first.
      firstLines: windowPerPod ? windowLines : Math.ceil(windowLines / Math.max(1, pods.length)),
      windowLines,
      store,
      sink,
      ...signals,
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
      cut: windowPerPod ? 'pod' : 'branch',
      sink,
      scanIntervalMs: pollIntervalMs,
      monotonicMs,
      warn,
    });
  };

  /** Restores the lines of a branch, and returns what starts to read more. */
  const prepareReader = (store: StateStore, content: ServedContent, known: KnownBranch) => {
    let loop: ReadingLoop | undefined;
    const wake: ReadingLoop['wake'] = how => loop?.wake(how);
    const watch = createFolderWatch(() => wake());
    const log = createLog(store, content, known, {wake, markRenames: watch.markRenames});
    return async (deadlineMs: number): Promise<Reader> => {
      let isOpen = false;
      const open = async (): Promise<void> => {
        // Before the first look: what takes a file's place from then on is known to be the only one.
        await watch.update(log.folders());
        await log.start();
        isOpen = true;
      };
      const opened = open();
      await waitAtMost(opened, deadlineMs - performance.now());
      let isWatched = await watch.update(log.folders());
      let readingSinceMs: number | undefined;
      let readToMs = instantToMs(now());
      const started = startReadingLoop({
        read: async () => {
          readingSinceMs = monotonicMs();
          await opened;
          const hasMore = await log.turn();
          isWatched = await watch.update(log.folders());
          readingSinceMs = undefined;
          readToMs = instantToMs(now());
          return hasMore;
        },
        intervalMs: pollIntervalMs,
        idleMs: () => (isWatched && log.isAtRest() ? idlePollIntervalMs : unwatchedPollIntervalMs),
        onError: error => warn(`Reading the log of branch ${known.branch.name} failed: ${describeError(error)}.`),
      });
      loop = started;
      return {
        settings: known.settings ?? '',
        log,
        measure: () => {
          const isHeldUp = readingSinceMs !== undefined && monotonicMs() - readingSinceMs > readingMsMax;
          const measured = log.measure();
          const fault = isHeldUp ? 'a disk or a network folder does not answer' : measured.fault;
          return {...measured, fault, isOpening: !isOpen};
        },
        readToMs: () => readToMs,
        isOpen: () => isOpen,
        loop: started,
        close: async () => {
          await opened;
          await started.stop();
          watch.close();
          await log.close();
        },
      };
    };
  };

  const makePodRecords = ({site, branch, record, pods}: KnownBranch): readonly PodRecord[] =>
    pods.map(({pod, createdAtMs}) =>
      makePodRecord({
        siteId: site.id,
        branchId: branch.id,
        applicationName: textOf(record.applicationName, branch.name),
        namespace: textOf(record.namespace, site.id),
        name: pod.name,
        source: pod.source.kind,
        createdAtMs,
      }),
    );

  const allReaders = (): readonly Reader[] =>
    [...sites.values()]
      .flatMap(branches => [...branches.values()])
      .map(({reader}) => reader)
      .filter(reader => reader !== undefined);

  const serveContent = async (store: StateStore, content: ServedContent): Promise<void> => {
    const all = content.sites.flatMap(site => site.branches.map(branch => knowBranch(store, content, site, branch)));
    const readerOf = ({site, branch, settings}: KnownBranch): Reader | undefined => {
      const reader = sites.get(site.id)?.get(branch.id)?.reader;
      return reader?.settings === settings ? reader : undefined;
    };
    const kept = new Set(all.map(readerOf));
    for (const reader of allReaders().filter(each => !kept.has(each))) {
      await reader.close();
    }
    // Restored before the state forgets the pods that are gone: their lines count as dropped.
    const prepared = new Map(
      all
        .filter(known => known.settings !== undefined && !readerOf(known))
        .map(known => [known, prepareReader(store, content, known)]),
    );
    store.keepOnly(
      new Set(all.map(({stored}) => stored.key)),
      new Set(all.flatMap(({pods}) => pods.map(({key}) => key))),
    );
    const started = new Map<KnownBranch, Reader>();
    const deadlineMs = performance.now() + startMsMax;
    try {
      for (const [known, start] of prepared) {
        started.set(known, await start(deadlineMs));
      }
    } catch (error) {
      await Promise.all([...started.values()].map(reader => reader.close()));
      throw error;
    }
    const opened = new Map<string, Map<string, OpenBranch>>(content.sites.map(({id}) => [id, new Map()]));
    for (const known of all) {
      const {site, branch, record} = known;
      const reader = started.get(known) ?? readerOf(known);
      opened.get(site.id)?.set(branch.id, {record, podRecords: makePodRecords(known), reader});
    }
    sites = opened;
  };

  const close = async (): Promise<void> => {
    for (const reader of allReaders()) {
      await reader.close();
    }
    store?.close();
    store = undefined;
  };

  /** Serves what the logs have, whatever the state is, unless another process has it. */
  const open = async (content: ServedContent, how: 'kept' | 'anew' | 'inMemory' = 'kept'): Promise<void> => {
    const {stateFolder} = options;
    try {
      store = openStateStore(stateFolder, how);
      if (store.isAnew && how === 'kept') {
        options.warn(
          'The state lacks lines that were served before, because it could not be written: the service begins a new one with what the logs have, and readers see a gap.',
        );
      }
      await serveContent(store, content);
    } catch (error) {
      await close();
      if (!(error instanceof StateError) || error.fault === 'busy' || how === 'inMemory') {
        throw error;
      }
      const isDamaged = error.fault === 'damaged' && how === 'kept';
      options.warn(
        isDamaged
          ? `The state in ${stateFolder} cannot be read (${error.message}): it is moved aside there, as *.damaged, and the service begins a new one with what the logs have; readers see a gap.`
          : `The state in ${stateFolder} cannot be used (${error.message}): the service starts without it and numbers lines in memory; readers see a gap.`,
      );
      await open(content, isDamaged ? 'anew' : 'inMemory');
    }
  };

  return {
    // Without a branch nothing is written, and the folder may not be there: a pod of a cluster needs none.
    start: async () => {
      if (options.sites.length > 0) {
        await open(options);
      }
    },
    reload: async content => {
      forget();
      if (store) {
        await serveContent(store, content);
      } else if (content.sites.length > 0) {
        await open(content);
      }
    },
    listBranches: async siteId => {
      const branches = sites.get(siteId);
      return branches && [...branches.values()].map(branch => branch.record);
    },
    readWindow: async (siteId, branchId, after) => {
      const branch = sites.get(siteId)?.get(branchId);
      if (!branch) {
        return undefined;
      }
      const {reader, podRecords} = branch;
      if (!reader) {
        return {pods: [], lines: []};
      }
      await waitAtMost(reader.loop.freshen(), freshenMsMax);
      if (!reader.isOpen()) {
        throw new UnavailableError('The log is being opened: it has many files. Try again in a few seconds.');
      }
      return {pods: podRecords, ...reader.log.window(after)};
    },
    countErrors: async siteId => {
      const branches = sites.get(siteId);
      const read = [...(branches ?? [])].flatMap(([id, {reader}]) => (reader?.isOpen() ? [{id, reader}] : []));
      return (
        branches &&
        pulses.count(
          siteId,
          read.map(({id, reader: {log, readToMs}}) => ({
            id,
            read: async after => {
              const {unreadable, ...window} = log.window(after);
              return {...window, isPartial: unreadable !== undefined};
            },
            readToMs,
          })),
        )
      );
    },
    measure: () =>
      [...sites].flatMap(([siteId, branches]) =>
        [...branches.values()].flatMap(({record, reader}) =>
          reader ? [{siteId, branchName: record.name, ...reader.measure()}] : [],
        ),
      ),
    close,
  };
};
