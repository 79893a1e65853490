import type {LogMemories} from '../../app/effect-runner.ts';
import type {LogKey, LogMemory, RememberedMark} from '../../app/parts/log-memory.ts';
import type {BranchMemory} from '../../config/memory/branch-memory.ts';
import type {BranchState, StoredMark} from '../../config/memory/branch-state.ts';
import {formatInstant, parseInstant} from '../../log/line/instant.ts';

/** Whoever tries keys out shall not have the disk work for each of them. */
const rememberAfterMs = 2000;

export type LogMemoriesOptions = {
  readonly branchMemory: BranchMemory;
  /** Answers how to call it off. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** Hears that something could not be kept. */
  readonly say: (notice: string) => void;
};

/** Keeps how logs are looked at in the state folder, a while after it changed, and what is left when the program ends. */
export const createLogMemories = ({
  branchMemory,
  setTimer,
  say,
}: LogMemoriesOptions): LogMemories & {
  /** Keeps what waits to be kept; it resolves when that is done. */
  readonly flush: () => Promise<void>;
} => {
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
    async recall(key) {
      await flush();
      const {state, notice} = await branchMemory.recall(key);
      return {memory: state && fromStored(state), notice};
    },
    remember(key, memory) {
      if (waiting !== undefined && !isSameKey(waiting.key, key)) {
        void flush();
      }
      waiting = {key, memory};
      cancelTimer ??= setTimer(() => void flush(), rememberAfterMs);
    },
    flush,
  };
};

const isSameKey = (a: LogKey, b: LogKey): boolean =>
  a.contextName === b.contextName && a.siteId === b.siteId && a.branchId === b.branchId;

const toStored = ({marks, ...others}: LogMemory): BranchState => ({
  ...others,
  marks: marks.map(({at, ...mark}): StoredMark => ({...mark, at: formatInstant(at)})),
  lastSeenAt: undefined,
});

const fromStored = ({marks, lastSeenAt: _, ...others}: BranchState): LogMemory => ({
  ...others,
  marks: marks.flatMap(({at, ...mark}): readonly RememberedMark[] => {
    const instant = parseInstant(at);
    return instant === undefined ? [] : [{...mark, at: instant}];
  }),
});
