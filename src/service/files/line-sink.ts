import {formatInstant, type Instant} from '../../log/instant.ts';
import type {Arrivals} from '../../log/window-cut.ts';
import {joinContainerLine, parseContainerLine, releaseHeldPieces} from './container-line.ts';
import {describeError} from './file-error.ts';
import type {PodReading} from './file-settings.ts';
import type {FileStamps, LineFormat} from './file-stamps.ts';
import {type FollowedFile, storeFile} from './followed-file.ts';
import {tellFormat} from './line-format.ts';
import {createLineWindow, type LineWindow, windowBytesMax} from './line-window.ts';
import {planStamps} from './own-time/plan-stamps.ts';
import {readOwnTime} from './own-time/read-own-time.ts';
import type {LocalMs} from './own-time/wall-time.ts';
import {aheadNsMax, createStampClock} from './stamp-clock.ts';
import type {StateBatch, StateStore} from './state-store.ts';
import type {StoredBranch, StoredFile} from './stored-state.ts';

/** Where a branch's lines end up: stamped, in the window, and in the state together with how far their file was read. */
export type LineSink = {
  /** Takes lines of a file that already stands behind them. With `endsHere`, pieces that wait for their rest go out too. */
  take(file: FollowedFile, lines: readonly string[], options?: TakeOptions): void;
  /** Writes changes of files and pods alone. */
  store(changes: Partial<Pick<StateBatch, 'files' | 'forgottenFileKeys' | 'startedPodKeys'>>): void;
  /**
   * Whether lines of a file find their place in a first window by times of their own. `head` are the file's first
   * bytes, `lines` some of its last.
   */
  isPlacedByTime(podKey: number, head: Buffer, lines: readonly string[]): boolean;
  /**
   * Lines may be missing here. Drops every line that an answer has already shown, so that any client marks a gap, and
   * takes one arrival number for the loss itself, which `dropped` then names.
   */
  noteLoss(): void;
  /** The window's lines for an answer. No arrivals while the state cannot be written: a restart would forget them. */
  show(): {readonly lines: readonly string[]; readonly arrivals: Arrivals | undefined};
  readonly window: LineWindow;
};

export type TakeOptions = {
  readonly endsHere?: boolean;
  /** False: the file is let go with these lines. */
  readonly isFollowed?: boolean;
  /** Other files that change with these lines. */
  readonly others?: readonly StoredFile[];
};

export type LineSinkOptions = {
  readonly store: StateStore;
  readonly branch: StoredBranch;
  /** By the pod's key in the state. */
  readonly pods: ReadonlyMap<number, PodReading>;
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  readonly now: () => Instant;
  readonly warn: (message: string) => void;
};

/** A time without a zone is the machine's. */
const machineMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
  new Date(year, monthIndex, day, hour, minute, second).getTime();

const noChanges = {files: [], forgottenFileKeys: [], startedPodKeys: []};

/** Fills the window with what the state holds. Answers the numbers of lines that are to be removed from the state. */
const restoreLines = ({store, branch, pods}: LineSinkOptions, window: LineWindow): readonly number[] => {
  const stored = store.readLines(branch.key);
  for (const line of stored.filter(line => pods.has(line.podKey))) {
    window.add(line);
  }
  window.takeChanges();
  // The configured window may have become smaller, or lost a pod.
  const kept = new Set(window.lines().map(line => line.sequence));
  const leftOver = stored.filter(line => !kept.has(line.sequence)).map(line => line.sequence);
  window.raiseDropped(branch.dropped);
  // Without a line left, all that was numbered is gone: the state lets go of a pod's lines with the pod.
  window.raiseDropped(kept.size === 0 ? branch.lastSequence : (leftOver.at(-1) ?? 0));
  return leftOver;
};

/** Restores the lines that the state holds. A state that cannot be written is warned of; the lines are served all the same. */
export const createLineSink = (options: LineSinkOptions): LineSink => {
  const {store, branch, pods, now, warn} = options;
  const isNew = branch.lastSequence === 0;
  const window = createLineWindow({
    linesMax: options.windowLines,
    bytesMax: windowBytesMax,
    isPerPod: options.windowPerPod,
    isGathering: isNew,
  });
  const clock = createStampClock(branch.clock);
  let lastSequence = branch.lastSequence;
  // Which lines the process before this one showed is not known: it may have been all.
  let shownSequence = lastSequence;
  let leftOver = restoreLines(options, window);
  // What a failed write held is not written again by the next: all of it is, once writing works again.
  let failed: {files: Map<number, StoredFile | undefined>; startedPodKeys: readonly number[]} | undefined;

  const write = (batch: Pick<StateBatch, 'files' | 'forgottenFileKeys' | 'startedPodKeys'>): void => {
    const changes = window.takeChanges();
    const files = new Map<number, StoredFile | undefined>(failed?.files);
    for (const file of batch.files) {
      files.set(file.key, file);
    }
    for (const key of batch.forgottenFileKeys) {
      files.set(key, undefined);
    }
    const startedPodKeys = [...(failed?.startedPodKeys ?? []), ...batch.startedPodKeys];
    try {
      store.write({
        branchKey: branch.key,
        clock: clock.state(),
        lastSequence,
        dropped: window.dropped(),
        changes: {added: changes.added, removed: [...leftOver, ...changes.removed]},
        files: [...files.values()].filter(file => file !== undefined),
        forgottenFileKeys: [...files].filter(([, file]) => file === undefined).map(([key]) => key),
        startedPodKeys,
        allLines: failed ? window.lines() : undefined,
      });
      leftOver = [];
      failed = undefined;
    } catch (error) {
      failed = {files, startedPodKeys};
      warn(
        `The state cannot be written (${describeError(error)}): lines are still served, but a restart may show some again under another timestamp.`,
      );
    }
  };

  if (leftOver.length > 0) {
    write(noChanges);
  }

  const takeSequence = (): number => {
    lastSequence = store.nextSequence();
    return lastSequence;
  };

  const setStamps = (file: FollowedFile, stamps: Partial<FileStamps>): void => {
    file.stamps = {...file.stamps, ...stamps};
  };

  const add = (file: FollowedFile, sequence: number, stamp: Instant, text: string): void => {
    setStamps(file, {last: stamp});
    window.add({sequence, podKey: file.podKey, stamp, line: `${formatInstant(stamp)} ${text}`});
  };

  const addAsRead = (file: FollowedFile, text: string, readAt: Instant): void => {
    const sequence = takeSequence();
    add(file, sequence, clock.next({now: readAt, after: file.stamps.last, sequence}), text);
  };

  /** A line of a container keeps its stamp, unless that lies ahead: whoever can forge a line can forge its stamp. */
  const addContainerText = (file: FollowedFile, text: string, stamp: Instant, readAt: Instant): void => {
    if (stamp > readAt + aheadNsMax) {
      addAsRead(file, text, readAt);
    } else {
      add(file, takeSequence(), stamp, text);
    }
  };

  const addHeld = (file: FollowedFile, readAt: Instant): void => {
    for (const {stamp, text} of releaseHeldPieces(file.held)) {
      addContainerText(file, text, stamp, readAt);
    }
    file.held = {};
  };

  const takeContainerLines = (file: FollowedFile, lines: readonly string[], readAt: Instant): void => {
    for (const line of lines) {
      const containerLine = parseContainerLine(line);
      if (!containerLine) {
        addContainerText(file, line, file.stamps.last ?? readAt, readAt);
        continue;
      }
      const {held, whole} = joinContainerLine(file.held, containerLine);
      file.held = held;
      for (const {stamp, text} of whole) {
        addContainerText(file, text, stamp, readAt);
      }
    }
  };

  const takePlainLines = (file: FollowedFile, lines: readonly string[], readAt: Instant): void => {
    const readTime = (line: string): Instant | undefined =>
      pods.get(file.podKey)?.stamps === 'read' ? undefined : readOwnTime(line, {now: readAt, localMs: machineMs});
    const wasBacklog = file.stamps.isBacklog;
    const {plans, isBacklog} = planStamps(lines, {now: readAt, oldNs: aheadNsMax, isBacklog: wasBacklog, readTime});
    for (const [index, text] of lines.entries()) {
      const plan = plans[index] ?? 'read';
      // A stamp from a clock that was ahead must not hold up what comes after the clock was set right.
      const before = (file.stamps.last ?? readAt) <= readAt + aheadNsMax ? file.stamps.last : undefined;
      if (plan === 'read' || (plan === 'behind' && before === undefined)) {
        addAsRead(file, text, readAt);
        continue;
      }
      const own = plan === 'behind' ? undefined : plan;
      const next = before === undefined ? own : before + 1n;
      add(file, takeSequence(), own === undefined || (next !== undefined && next > own) ? (next ?? readAt) : own, text);
    }
    setStamps(file, {isBacklog});
  };

  const settleFormat = (file: FollowedFile, lines: readonly string[]): LineFormat => {
    const known = pods.get(file.podKey)?.format ?? file.stamps.format;
    if (known) {
      return known;
    }
    const {format, isSettled} = tellFormat(file.print.head, lines);
    setStamps(file, {format: isSettled ? format : undefined});
    return format;
  };

  const takeLines = (file: FollowedFile, lines: readonly string[], readAt: Instant): void => {
    if (lines.length === 0) {
      return;
    }
    if (settleFormat(file, lines) === 'container') {
      takeContainerLines(file, lines, readAt);
      return;
    }
    // Its first line alone looked like a container's.
    addHeld(file, readAt);
    takePlainLines(file, lines, readAt);
  };

  return {
    take: (file, lines, {endsHere = false, isFollowed = true, others = []} = {}) => {
      const readAt = now();
      takeLines(file, lines, readAt);
      if (endsHere) {
        addHeld(file, readAt);
      }
      write({...noChanges, files: [storeFile(file, isFollowed), ...others]});
    },
    store: changes => write({...noChanges, ...changes}),
    isPlacedByTime: (podKey, head, lines) => {
      if (!isNew) {
        return false;
      }
      const pod = pods.get(podKey);
      if ((pod?.format ?? tellFormat(head, lines).format) === 'container') {
        return true;
      }
      const context = {now: now(), localMs: machineMs};
      return pod?.stamps !== 'read' && lines.some(line => readOwnTime(line, context) !== undefined);
    },
    noteLoss: () => {
      window.dropUpTo(shownSequence);
      window.raiseDropped(takeSequence());
      write(noChanges);
    },
    show: () => {
      shownSequence = lastSequence;
      return {
        lines: window.lines().map(line => line.line),
        arrivals: failed ? undefined : {series: branch.series, last: lastSequence, dropped: window.dropped()},
      };
    },
    window,
  };
};
