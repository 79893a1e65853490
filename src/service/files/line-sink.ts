import {formatInstant, type Instant} from '../../log/instant.ts';
import {joinContainerLine, parseContainerLine, releaseHeldPieces} from './container-line.ts';
import {describeError} from './file-error.ts';
import {type FollowedFile, storeFile} from './followed-file.ts';
import {createLineWindow, type LineWindow, windowBytesMax} from './line-window.ts';
import {createStampClock} from './stamp-clock.ts';
import type {StateBatch, StateStore} from './state-store.ts';
import type {StoredBranch, StoredFile} from './stored-state.ts';

/** Where a branch's lines end up: stamped, in the window, and in the state together with how far their file was read. */
export type LineSink = {
  /** Takes lines of a file that already stands behind them. With `endsHere`, pieces that wait for their rest go out too. */
  take(file: FollowedFile, lines: readonly string[], options?: TakeOptions): void;
  /** Writes changes of files and pods alone. */
  store(changes: Partial<Pick<StateBatch, 'files' | 'forgottenFileKeys' | 'startedPodKeys'>>): void;
  /** Lines may be missing here: drops from the window every line that an answer has shown, and takes one arrival number for the loss. */
  noteLoss(): void;
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
  readonly podKeys: ReadonlySet<number>;
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  readonly now: () => Instant;
  readonly warn: (message: string) => void;
};

const restoreLines = ({store, branch, podKeys}: LineSinkOptions, window: LineWindow): readonly number[] => {
  const stored = store.readLines(branch.key);
  for (const line of stored.filter(line => podKeys.has(line.podKey))) {
    window.add(line);
  }
  window.takeChanges();
  // Nobody knows any more which of them were shown.
  window.show();
  // The configured window may have become smaller, or lost a pod.
  const kept = new Set(window.lines().map(line => line.sequence));
  return stored.filter(line => !kept.has(line.sequence)).map(line => line.sequence);
};

/** Restores the lines that the state holds. A state that cannot be written is warned of; the lines are served all the same. */
export const createLineSink = (options: LineSinkOptions): LineSink => {
  const {store, branch, warn} = options;
  const window = createLineWindow({
    linesMax: options.windowLines,
    bytesMax: windowBytesMax,
    isPerPod: options.windowPerPod,
  });
  const clock = createStampClock(options.now, branch.lastStamp);
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
        lastStamp: clock.last(),
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
    write({files: [], forgottenFileKeys: [], startedPodKeys: []});
  }

  const add = (podKey: number, stamp: Instant, text: string): void =>
    window.add({sequence: store.nextSequence(), podKey, stamp, line: `${formatInstant(stamp)} ${text}`});

  const addHeld = (file: FollowedFile): void => {
    for (const {stamp, text} of releaseHeldPieces(file.held)) {
      add(file.podKey, stamp, text);
    }
    file.held = {};
  };

  return {
    take: (file, lines, {endsHere = false, isFollowed = true, others = []} = {}) => {
      for (const line of lines) {
        const containerLine = parseContainerLine(line);
        if (!containerLine) {
          add(file.podKey, clock.next(), line);
          continue;
        }
        const {held, whole} = joinContainerLine(file.held, containerLine);
        file.held = held;
        for (const {stamp, text} of whole) {
          add(file.podKey, stamp, text);
        }
      }
      if (endsHere) {
        addHeld(file);
      }
      write({files: [storeFile(file, isFollowed), ...others], forgottenFileKeys: [], startedPodKeys: []});
    },
    store: ({files = [], forgottenFileKeys = [], startedPodKeys = []}) =>
      write({files, forgottenFileKeys, startedPodKeys}),
    noteLoss: () => {
      window.letGoShown();
      store.nextSequence();
    },
    window,
  };
};
