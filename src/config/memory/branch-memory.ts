import {join} from 'node:path';
import {type BranchKey, type BranchState, decodeBranchState} from './branch-state.ts';
import {errorCodeOf, readStateFile, writeStateFile} from './state-file.ts';

/** Branches that are remembered; whoever was not looked at for longest goes first. */
export const rememberedBranchesMax = 200;

/** 200 branches come to some 100 KB; only long notes make more, and then the oldest branches go. */
export const memoryBytesMax = 1024 * 1024;

export type BranchMemory = {
  /** What was remembered of a branch. Never throws: what cannot be read is nothing, and a notice for the status line. */
  recall(key: BranchKey): Promise<{readonly state: BranchState | undefined; readonly notice: string | undefined}>;
  /** Writes what is to be remembered, one call after the other. Never throws: answers a notice where it could not be written. */
  remember(key: BranchKey, state: BranchState): Promise<string | undefined>;
};

/** A record of the file as it stands. Fields that this version does not know stay with it. */
type StoredBranch = Readonly<Record<string, unknown>>;

type Memory = {
  /** The file's other fields, kept for a version that knows them. */
  readonly others: Readonly<Record<string, unknown>>;
  /** Those looked at last come first. */
  readonly branches: readonly StoredBranch[];
};

const empty: Memory = {others: {}, branches: []};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOf = (branch: StoredBranch, {contextName, siteId, branchId}: BranchKey): boolean =>
  branch.contextName === contextName && branch.siteId === siteId && branch.branchId === branchId;

/** Like all notices here with the file's name at its end: a long one is cut off there, and takes nothing else with it. */
const damaged = (path: string, why: string): string => `how branches were looked at is forgotten, as ${why}: ${path}`;

type Read = {
  readonly memory: Memory;
  readonly notice: string | undefined;
  /** There is a file, and what it holds cannot be known: it must not be replaced. */
  readonly isUnreadable: boolean;
};

const readMemory = async (path: string): Promise<Read> => {
  try {
    const text = await readStateFile(path, memoryBytesMax);
    const json: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isRecord(json) && Array.isArray(json.branches)) {
      const {branches, ...others} = json;
      return {memory: {others, branches: branches.filter(isRecord)}, notice: undefined, isUnreadable: false};
    }
    return {memory: empty, notice: damaged(path, 'this is no list of branches'), isUnreadable: false};
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return {memory: empty, notice: undefined, isUnreadable: false};
    }
    if (error instanceof SyntaxError) {
      return {memory: empty, notice: damaged(path, 'this is not JSON'), isUnreadable: false};
    }
    const notice = `cannot read how branches were looked at (${errorCodeOf(error)}): ${path}`;
    return {memory: empty, notice, isUnreadable: true};
  }
};

/** As many of the newest branches as fit into the file. */
const formatMemory = ({others, branches}: Memory): string => {
  const parts: string[] = [];
  let bytes = Buffer.byteLength(JSON.stringify({...others, branches: []})) + 2;
  for (const branch of branches.slice(0, rememberedBranchesMax)) {
    const part = JSON.stringify(branch);
    // Each stands in a row of its own, after a comma.
    bytes += Buffer.byteLength(part) + 2;
    if (bytes > memoryBytesMax) {
      break;
    }
    parts.push(part);
  }
  const head = JSON.stringify({...others, branches: []}).slice(0, -2);
  return `${head}${parts.join(',\n')}]}\n`;
};

/**
 * Remembers how branches were looked at, in `branch-state.json` of the state folder. `stateFolder` is undefined on a
 * machine without a home folder, where nothing is remembered. Each notice is told once. Two programs that write at the same moment lose one of the two.
 */
export const createBranchMemory = (stateFolder: string | undefined): BranchMemory => {
  const path = stateFolder === undefined ? undefined : join(stateFolder, 'branch-state.json');
  const told = new Set<string>();
  let lastWrite: Promise<unknown> = Promise.resolve();

  const tellOnce = (notice: string | undefined): string | undefined => {
    if (notice === undefined || told.has(notice)) {
      return undefined;
    }
    told.add(notice);
    return notice;
  };
  const homeless = 'no home folder: how branches are looked at is not remembered';

  const write = async (file: string, key: BranchKey, state: BranchState): Promise<string | undefined> => {
    const {memory, notice, isUnreadable} = await readMemory(file);
    if (isUnreadable) {
      return notice;
    }
    const before = memory.branches.find(branch => isOf(branch, key));
    const others = memory.branches.filter(branch => !isOf(branch, key));
    // Read back by the rules for reading, so that nothing is written that would be left out again.
    const branch = {...before, ...key, ...decodeBranchState(state)};
    try {
      await writeStateFile(file, formatMemory({...memory, branches: [branch, ...others]}));
      return undefined;
    } catch (error) {
      return `cannot remember how the branch was looked at (${errorCodeOf(error)}): ${file}`;
    }
  };

  return {
    async recall(key) {
      if (path === undefined) {
        return {state: undefined, notice: tellOnce(homeless)};
      }
      await lastWrite;
      const {memory, notice} = await readMemory(path);
      const branch = memory.branches.find(candidate => isOf(candidate, key));
      return {state: branch && decodeBranchState(branch), notice: tellOnce(notice)};
    },
    async remember(key, state) {
      if (path === undefined) {
        return tellOnce(homeless);
      }
      const written = lastWrite.then(() => write(path, key, state));
      lastWrite = written;
      return tellOnce(await written);
    },
  };
};
