import type {WindowCut} from '../../log/window-cut.ts';
import type {PodRecord, ServedWindow} from '../backend.ts';
import {describeError} from './file-error.ts';
import {followFile} from './follow-file.ts';
import type {LineSink} from './line-sink.ts';
import type {PodFiles} from './pod-files.ts';

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
  readonly warn: (message: string) => void;
};

/** A fault of one file or folder is warned of and never ends the others' reading. */
export const createBranchLog = (options: BranchLogOptions): BranchLog => {
  const {podFiles, podRecords, cut, sink, scanIntervalMs, rotationGraceMs, monotonicMs, warn} = options;
  let nextScanMs = Number.NEGATIVE_INFINITY;

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

  const readPod = async (pod: PodFiles): Promise<boolean> => {
    let hasMore = false;
    for (const file of pod.followed.values()) {
      try {
        let hasMoreHere = true;
        for (let look = 0; look < looksMax && hasMoreHere; look += 1) {
          hasMoreHere = await followFile(file, {pod, sink, monotonicMs, rotationGraceMs});
        }
        hasMore ||= hasMoreHere;
      } catch (error) {
        warn(`${file.path} cannot be read on (${describeError(error)}): lines may be missing until it can.`);
        await pod.release(file);
      }
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
    window: () => ({pods: podRecords, cut, ...sink.show()}),
    close: async () => {
      for (const pod of podFiles) {
        await pod.close();
      }
    },
  };
};
