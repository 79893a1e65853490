import type {BranchMemory} from '#config/memory/branch-memory.ts';
import type {BranchState} from '#config/memory/branch-state.ts';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import type {LogKey, LogMemory} from '#log/overview/log-memory.ts';

/** Trying out keys must not cause a disk write for each of them. */
const rememberAfterMs = 2000;

export type LogMemoriesOptions = {
  readonly branchMemory: BranchMemory;
  /** Returns a function that cancels the timer. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** Called with a notice when something could not be stored. */
  readonly say: (notice: string) => void;
};

/**
 * Stores the view settings of logs in the state folder, a while after they changed, and on `flush` before the program
 * ends.
 */
export const createLogMemories = ({branchMemory, setTimer, say}: LogMemoriesOptions) => {
  let waiting: {readonly key: LogKey; readonly memory: LogMemory} | undefined;
  let cancelTimer: (() => void) | undefined;

  const flush = async (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    const due = waiting;
    waiting = undefined;
    const notice = due && (await branchMemory.remember(due.key, toStored(due.memory)));
    if (notice !== undefined) {
      say(notice);
    }
  };

  return {
    recall: async (key: LogKey) => {
      await flush();
      const {state, notice} = await branchMemory.recall(key);
      return {memory: state && fromStored(state), notice};
    },
    remember: (key: LogKey, memory: LogMemory): void => {
      if (waiting !== undefined && !isSameKey(waiting.key, key)) {
        void flush();
      }
      waiting = {key, memory};
      cancelTimer ??= setTimer(() => void flush(), rememberAfterMs);
    },
    /** Stores what is still waiting; resolves when that is done. */
    flush,
  };
};

const isSameKey = (a: LogKey, b: LogKey): boolean =>
  a.contextName === b.contextName && a.siteId === b.siteId && a.branchId === b.branchId;

/** Returns the settings of a view as they are stored. */
export const toStored = ({marks, watched, lastSeenAt, ...others}: LogMemory): BranchState => ({
  ...others,
  ...(watched && {watched: {...watched, since: formatInstant(watched.since)}}),
  marks: marks.map(({at, ...mark}) => ({...mark, at: formatInstant(at)})),
  lastSeenAt: lastSeenAt === undefined ? undefined : formatInstant(lastSeenAt),
});

const fromStored = ({marks, watched, lastSeenAt, ...others}: BranchState): LogMemory => ({
  ...others,
  watched: watched && readWatched(watched),
  lastSeenAt: lastSeenAt === undefined ? undefined : parseInstant(lastSeenAt),
  marks: marks.flatMap(({at, ...mark}) => {
    const instant = parseInstant(at);
    return instant === undefined ? [] : [{...mark, at: instant}];
  }),
});

const readWatched = ({since, ...watched}: NonNullable<BranchState['watched']>): LogMemory['watched'] => {
  const at = parseInstant(since);
  return at === undefined ? undefined : {...watched, since: at};
};
