import type {WindowCut} from '../../log/window-cut.ts';
import type {PodRecord, ServedWindow} from '../backend.ts';
import {describeError} from './file-error.ts';
import {followFile} from './follow-file.ts';
import type {FollowedFile} from './followed-file.ts';
import type {LineSink} from './line-sink.ts';
import type {PodFiles} from './pod-files.ts';
import type {FollowContext} from './rotation.ts';
import {finishStored} from './succeed-file.ts';

/** Looking for new files takes at most one part in this of the time, however large the folders are. */
const scanCostDivisor = 20;
/** A file's own turn is bounded; so many follow each other at once when a file was truncated, before the next file's. */
const looksMax = 2;

/** The log of one branch, read from its pods' files. */
export type BranchLog = {
  /** Opens what was followed before a restart, and reads for the first time. */
  start(): Promise<void>;
  /** Reads what the files have gained, and answers whether there is more to read at once. Turns must not overlap. */
  turn(): Promise<boolean>;
  /** The folders in which a change is of interest. */
  folders(): ReadonlySet<string>;
  window(): ServedWindow;
  close(): Promise<void>;
};

export type BranchLogOptions = {
  readonly podFiles: readonly PodFiles[];
  readonly podRecords: readonly PodRecord[];
  readonly cut: WindowCut;
  readonly sink: LineSink;
  readonly scanIntervalMs: number;
  readonly rotationGraceMs: number;
  readonly monotonicMs: () => number;
  /** Says each message once. */
  readonly warn: (message: string) => void;
  /** Says each loss, however alike they are. */
  readonly warnOfLoss: (message: string) => void;
};

/** A fault of one file or folder is warned of and never ends the others' reading. */
export const createBranchLog = (options: BranchLogOptions): BranchLog => {
  const {podFiles, podRecords, cut, sink, scanIntervalMs, rotationGraceMs, monotonicMs, warn, warnOfLoss} = options;
  let nextScanMs = Number.NEGATIVE_INFINITY;
  /** Files whose last look failed: one fault is one loss, however often it is met. */
  const faulty = new Set<number>();

  const forgive = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      warn(`The files of a pod cannot be looked at (${describeError(error)}): lines may be missing until they can.`);
    }
  };

  const scan = async (): Promise<void> => {
    const startedMs = monotonicMs();
    if (startedMs < nextScanMs) {
      return;
    }
    for (const pod of podFiles) {
      await forgive(pod.scan());
    }
    const endedMs = monotonicMs();
    nextScanMs = endedMs + Math.max(scanIntervalMs, (endedMs - startedMs) * scanCostDivisor);
  };

  const readFile = async (file: FollowedFile, context: FollowContext): Promise<boolean> => {
    try {
      let hasMore = true;
      for (let look = 0; look < looksMax && hasMore; look += 1) {
        hasMore = await followFile(file, context);
      }
      faulty.delete(file.key);
      return hasMore;
    } catch (error) {
      if (!faulty.has(file.key)) {
        faulty.add(file.key);
        sink.noteLoss();
      }
      warn(`${file.path} cannot be read on (${describeError(error)}): lines may be missing until it can.`);
      await context.pod.release(file);
      return false;
    }
  };

  const readPod = async (pod: PodFiles): Promise<boolean> => {
    const context: FollowContext = {pod, sink, monotonicMs, rotationGraceMs, warn: warnOfLoss};
    for (const orphan of pod.takeOrphans()) {
      await forgive(finishStored(orphan, context));
    }
    let hasMore = false;
    for (const file of pod.followed.values()) {
      const hasMoreHere = await readFile(file, context);
      hasMore ||= hasMoreHere;
    }
    return hasMore;
  };

  const turn = async (): Promise<boolean> => {
    await scan();
    let hasMore = false;
    for (const pod of podFiles) {
      const hasMoreHere = await readPod(pod);
      hasMore ||= hasMoreHere;
    }
    return hasMore;
  };

  return {
    start: async () => {
      for (const pod of podFiles) {
        await forgive(pod.restore());
      }
      await turn();
      sink.window.endGathering();
    },
    turn,
    folders: () => new Set(podFiles.flatMap(pod => [...pod.folders()])),
    window: () => ({pods: podRecords, cut, ...sink.show()}),
    close: async () => {
      for (const pod of podFiles) {
        await pod.close();
      }
    },
  };
};
