import type {FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {earliestOf, type Instant, instantToMs} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {Backend, ServedWindow} from '#service/backend/backend.ts';
import {createWarnOnce} from '#service/backend/errors.ts';
import {createServedLog} from '#service/served/served-log.ts';
import {makeBranchRecord} from '#service/served/served-records.ts';
import {createFolderWatch} from '#service/served/watch-folders.ts';
import {createLineSink, type LineSink} from '#service/window/line-sink.ts';
import type {PodReading} from '#service/window/line-stamper.ts';
import {readOwnTime} from '#service/window/read-own-time.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {createFileOpener, type FileScope} from './disk/open-file.ts';
import {hasSeveralFiles} from './find-opened.ts';
import {createFileParts, type NewestFile} from './opened/file-parts.ts';
import {createArrivalTimes, createOpenedPods, createWakeSignal, type OpenedSource} from './opened/opened-pods.ts';
import {createPassingState} from './opened/passing-state.ts';
import {createRangeReader, type HeldFile} from './opened/range-reader.ts';
import {goodEnds} from './opened/stream-source.ts';

export {goodEnds};

/** Text of an answer, after which the rest comes with the next, in bytes: some 10,000 lines. */
const answerBytesMax = 2 * 1024 * 1024;
/** An answer waits this long for more of a log that is being read, milliseconds: a key must not wait for it. */
const answerMsMax = 40;
/** Text that is put in order before the first screen, in bytes: compressed files are read whole. */
const gatheredBytesMax = 32 * 1024 * 1024;
/** Text that is kept for a reader who asks for all again, in bytes. */
const readBytesMax = 1024 * 1024;
/** Where the system reports no changes, files are read after this time, milliseconds. */
const lookMs = 1_000;
/** Lines within this many milliseconds are one answer. */
const gatherMs = 200;
/** How long a file that was moved away must be quiet before it is closed, milliseconds. */
const rotationGraceMs = 30_000;

/** Past this share of what may be held, nothing is read back: the oldest lines would only go again. */
const goalShareMax = 0.9;

/** The ids of what was opened: one site with one branch. */
export const openedId = 'open';

export type OpenedBackendOptions = {
  /** Names the log. */
  readonly name: string;
  readonly sources: readonly OpenedSource[];
  readonly scope?: FileScope | undefined;
  /** Returns where reading of a file begins. */
  readonly beginsAt: (handle: FileHandle, path: string) => Promise<number>;
  /** How far back files are read after the first answer, as far as that fits into `firstBytesMax`. */
  readonly goal?: {readonly since?: Instant | undefined; readonly lines?: number | undefined} | undefined;
  /** Text that is held before the first answer, in bytes, and read back after it. */
  readonly firstBytesMax: number;
  /** Lines that the first answer has at most, the newest ones; undefined: all. */
  readonly firstLinesMax?: number | undefined;
  /**
   * The first answer has all that there is, put in order by time, streams to their end; otherwise streams come after
   * it, and each answer has what is there.
   */
  readonly isAllAtOnce: boolean;
  /** The log goes on: what is appended to files is read, and an answer waits for a change. */
  readonly follows: boolean;
  readonly now: () => Instant;
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
};

export type OpenedBackend = Backend & {
  /** Whether all that there is has been read, and no stream is still open. */
  isReadToEnd(): boolean;
  /** Whether something could not be read at the last answer. */
  isIncomplete(): boolean;
  /** Whether a command or a stream ended with a fault. */
  hasFailed(): boolean;
  /** How far back the log was read. */
  heldFrom(): HeldFrom;
};

/**
 * Creates the backend over what was opened by name, as one branch of one site. It reads only when it is asked, and only
 * as much as was taken: nothing is lost on the way to a slow reader, and whoever writes to a pipe waits. There is no
 * state: what was opened leaves nothing behind.
 */
export const createOpenedBackend = (options: OpenedBackendOptions): OpenedBackend => {
  const {name, sources: opened, isAllAtOnce, follows, now, monotonicMs} = options;
  const {warn, forget} = createWarnOnce(options.warn);
  const bell = createWakeSignal();
  const watch = createFolderWatch(bell.ring);
  const store = createPassingState();
  const openedAt = now();
  const openedAtMs = instantToMs(openedAt);
  const branch = store.findOrAddBranch(openedId, openedId, name, openedAtMs);
  const keyed = opened.map(source => ({
    ...source,
    podKey: store.findOrAddPod(branch.key, source.name, openedAtMs).key,
  }));
  const podReadings: ReadonlyMap<number, PodReading> = new Map(
    keyed.map(({podKey, name: podName, setup}) => [
      podKey,
      {name: podName, format: setup.format, hasNamedFiles: setup.hasFiles},
    ]),
  );
  const createSink = (toStore = store, toBranch = branch): LineSink =>
    createLineSink({
      ...{store: toStore, branch: toBranch, pods: podReadings},
      windowLines: Number.POSITIVE_INFINITY,
      firstWindowLines: options.firstLinesMax,
      windowPerPod: false,
      windowBytes: isAllAtOnce ? options.firstBytesMax : Math.min(options.firstBytesMax, gatheredBytesMax),
      now,
      warn,
    });
  const sink = createSink();
  /** How streams ended, by name. */
  const outcomes = new Map<string, string>();
  let readsFiles = true;
  const isGathered = (kind: OpenedSource['kind']): boolean =>
    isAllAtOnce || (kind === 'kept' && hasSeveralFiles(opened));
  let isShort = false;
  const back = createRangeReader(sink);
  const openFile = createFileOpener(options.scope ?? 'named');
  const files: Omit<NewestFile, 'from' | 'head'>[] = [];
  const parts = createFileParts({
    branchId: openedId,
    // Each was read back as far as was asked for meanwhile.
    files: () =>
      files.map(file => {
        const {from = 0, head} = back.ranges().find(({path}) => path === file.path) ?? {};
        return {...file, from, head};
      }),
    newestFrom: () => findHeldFrom().at,
    createSink: () => {
      const passing = createPassingState();
      return createSink(passing, passing.findOrAddBranch(openedId, openedId, name, openedAtMs));
    },
    readTime: line => readTime(line),
    arrivalsFrom: () => arrivals.from(),
  });

  const sources = new Map(
    keyed.map(({podKey, name: podName, setup, kind}) => {
      const source = setup.open({
        podName,
        podKey,
        isNew: true,
        firstLines: 0,
        isOpened: true,
        beginsAt: async (handle, path) => {
          const from = await options.beginsAt(handle, path);
          const {dev, ino, size, mtimeNs} = await handle.stat({bigint: true});
          const openAgain = async (): Promise<HeldFile | undefined> => {
            const again = await openFile(path).catch(() => undefined);
            const there = await again?.stat({bigint: true});
            if (again === undefined || there?.ino !== ino || there.dev !== dev) {
              await again?.close();
              return undefined;
            }
            return {handle: again, close: () => again.close()};
          };
          const held = from > 0 ? await openAgain() : undefined;
          if (held !== undefined) {
            // What is not read is no later than the file was written.
            const at = BigInt(from) === size ? (earliestOf([mtimeNs, now()]) ?? mtimeNs) : now();
            await back.add({podKey, path, file: held, from, to: from, until: from, firstAt: at, lastAt: at});
          }
          const shared = held && {handle: held.handle, close: async () => undefined};
          files.push({
            podKey,
            path,
            name: setup.hasFiles ? basename(path) : podName,
            descriptor: held?.handle.fd,
            open: async () => shared ?? openAgain(),
          });
          return from;
        },
        windowLines: Number.POSITIVE_INFINITY,
        sink,
        store,
        wake: bell.ring,
        markRenames: watch.markRenames,
        rotationGraceMs,
        now,
        // Where nothing follows, the end of a line is not waited for.
        monotonicMs: () => (follows || readsFiles ? monotonicMs() : Number.POSITIVE_INFINITY),
        warn,
        warnAlways: options.warn,
      });
      if (kind === 'files') {
        return [podName, source];
      }
      const turn = async (): Promise<boolean> => {
        if (!isGathered(kind) && sink.window.isGathering()) {
          return false;
        }
        const hasMore = await source.turn();
        const outcome = source.outcome?.();
        if (outcome !== undefined) {
          const isNew = !outcomes.has(podName);
          outcomes.set(podName, outcome);
          if (isNew && kind === 'kept' && !goodEnds.includes(outcome)) {
            sink.noteLoss({podKey, stamps: emptyStreamStamps, held: {}}, `the file ${outcome}`);
          }
          return false;
        }
        if (!hasMore && sink.window.isGathering()) {
          await bell.wait(lookMs);
        }
        return hasMore || sink.window.isGathering();
      };
      return [podName, {...source, turn}];
    }),
  );
  const log = createServedLog({
    sources,
    cut: 'branch',
    sink,
    scanIntervalMs: gatherMs,
    // A single file is in order as it is read.
    firstTurns: isAllAtOnce || hasSeveralFiles(opened) ? Number.POSITIVE_INFINITY : 1,
    monotonicMs,
    warn,
  });

  const record = makeBranchRecord(
    openedId,
    {id: openedId, name, status: 'OPEN', fields: {}, pods: []},
    {createdAtMs: openedAtMs, updatedAtMs: openedAtMs},
  );
  /** Where nothing can follow, it is reported only if something went wrong. */
  const isEndTold = (podName: string): boolean => {
    const outcome = outcomes.get(podName);
    return outcome !== undefined && (follows || !goodEnds.includes(outcome));
  };
  const pods = createOpenedPods({id: openedId, name, sources: opened, startedAtMs: openedAtMs, isEndTold});

  const readTime = (text: string): Instant | undefined => readOwnTime(text, {now: now()});
  const arrivals = createArrivalTimes(openedAt, readTime);

  const findHeldFrom = (): HeldFrom => ({
    ...(back.readFrom() ?? {at: sink.window.lines()[0]?.stamp ?? 0n, why: isShort ? 'memory' : 'start'}),
    arrivalsFrom: arrivals.from(),
  });

  const streamCount = opened.filter(({kind}) => kind !== 'files').length;
  const areStreamsOpen = (): boolean => outcomes.size < streamCount;
  const isWaiting = (): boolean => [...sources.values()].some(source => source.isWaiting?.());
  const canGrow = (): boolean => areStreamsOpen() || (follows ? streamCount < opened.length : isWaiting());
  /** Compressed files are still being read. */
  const areKeptOpen = (): boolean => opened.some(({kind, name: podName}) => kind === 'kept' && !outcomes.has(podName));

  let isIncomplete = false;
  let firstLineCount = 0;
  const isGoalAhead = (): boolean => {
    const {since, lines = 0} = options.goal ?? {};
    const readFrom = back.readFrom()?.at;
    const isAhead = readFrom !== undefined && ((since !== undefined && readFrom > since) || firstLineCount < lines);
    return isAhead && back.hasMore('earlier') && back.heldBytes() < goalShareMax * options.firstBytesMax;
  };

  /** All that the files had when they were opened has been read. */
  let isCaughtUp = opened.every(({kind}) => kind === 'live');
  const noteThere = (): void => {
    if (!isCaughtUp) {
      arrivals.noteThere(sink.window.newestStamp());
      isCaughtUp = !readsFiles && !isWaiting() && !areKeptOpen();
    }
  };

  /** Old lines come soon, and a log that is not followed need not be there at once: answers are then few. */
  const isMoreSoon = (): boolean => (follows ? areKeptOpen() : areStreamsOpen());

  const isMoreThere = (): boolean => readsFiles || areKeptOpen() || isGoalAhead() || pods.isEndAhead();

  const pump = async (): Promise<void> => {
    const endMs = monotonicMs() + answerMsMax;
    for (;;) {
      readsFiles = await log.turn();
      // Streams bring more only between turns.
      await nextTurn();
      const leftMs = readsFiles || isMoreSoon() ? endMs - monotonicMs() : 0;
      if (leftMs <= 0 || sink.window.heldBytes() >= answerBytesMax) {
        break;
      }
      if (!readsFiles) {
        // Whatever rings is read, so that it is not missed.
        await bell.wait(leftMs);
      }
    }
    noteThere();
  };

  /** One answer after the other: a turn must not overlap with another one. */
  let answering: Promise<unknown> = Promise.resolve();

  const answer = async (after: ReadUpTo | undefined): Promise<ServedWindow> => {
    const hasNothingNew = (): boolean => after !== undefined && after.last === sink.window.last();
    if (hasNothingNew()) {
      sink.window.shrink(readBytesMax);
    }
    await pump();
    // Who waits for earlier lines does not wait for what is written meanwhile.
    const wantsEarlier = (after?.wants === 'earlier' || isGoalAhead()) && back.hasMore('earlier');
    if (hasNothingNew() && !wantsEarlier && !readsFiles && canGrow()) {
      if (follows) {
        await watch.update(log.folders());
      }
      await bell.wait(lookMs);
      await pump();
    } else if (!hasNothingNew() && follows && after !== undefined && !readsFiles) {
      await bell.wait(gatherMs);
    }
    if (hasNothingNew() && wantsEarlier) {
      firstLineCount += await back.readBlock('earlier');
    }
    const window = log.window(after);
    if (isIncomplete && window.unreadable === undefined) {
      // A part that cannot be read again is reported again.
      forget();
    }
    isIncomplete = window.unreadable !== undefined;
    arrivals.look(window.lines);
    return {
      pods: pods.show(),
      endings: outcomes,
      heldFrom: findHeldFrom(),
      ...window,
      // Also if the answer that had them did not arrive.
      areEarlier: after !== undefined && back.hasEarlierAfter(after.last),
      next: window.next === 'there' || isMoreThere() ? 'there' : canGrow() ? 'awaited' : undefined,
    };
  };

  return {
    start: async () => {
      if (follows) {
        // Before the first look: what takes a file's place from then on is known to be the only one.
        await watch.update(log.folders());
      }
      await log.start();
      // Maximum first lines that are held.
      isShort = sink.window.dropped() > 0;
      back.begin();
      firstLineCount = sink.window.lines().length;
    },
    listBranches: async siteId => (siteId === openedId ? [record] : undefined),
    readWindow: async (siteId, branchId, after) => {
      if (siteId !== openedId) {
        return Promise.resolve(undefined);
      }
      if (branchId !== openedId) {
        const window = await parts.readWindow(branchId, after);
        return window && {pods: pods.show(), endings: outcomes, ...window};
      }
      const answered = answering.then(() => answer(after));
      answering = answered.catch(() => undefined);
      return answered;
    },
    unread: parts,
    heldFrom: findHeldFrom,
    isIncomplete: () => isIncomplete,
    hasFailed: () =>
      opened.some(({kind, name: podName}) => kind === 'live' && !goodEnds.includes(outcomes.get(podName) ?? 'ended')),
    isReadToEnd: () => !readsFiles && !areStreamsOpen(),
    close: async () => {
      watch.close();
      await parts.close();
      await back.close();
      await log.close();
    },
  };
};
