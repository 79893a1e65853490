import {join} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {isTable} from '#base/table.ts';
import type {LogKey} from '#log/overview/log-memory.ts';
import {type BranchState, decodeBranchState} from './branch-state.ts';
import {describeStateFault, readStateFile, takeStateFile, writeStateFile} from './state-file.ts';

/** The number of branches that are remembered; the one viewed longest ago is dropped first. */
export const rememberedBranchesMax = 200;

/** 200 branches take about 100 KB. Only long notes take more, and then the oldest branches are dropped. */
export const memoryBytesMax = 1024 * 1024;

export type BranchMemory = {
  /**
   * Returns what is remembered about a branch. Never throws: if it cannot be read, the state is undefined and there is
   * a notice for the status line.
   */
  recall(key: LogKey): Promise<{readonly state: BranchState | undefined; readonly notice: string | undefined}>;
  /**
   * Saves a branch's state; calls run one after the other. Never throws: returns a notice if the state could not be
   * written.
   */
  remember(key: LogKey, state: BranchState): Promise<string | undefined>;
};

/** A record as it is in the file. Fields that this version does not know are preserved. */
type StoredBranch = Readonly<Record<string, unknown>>;

type Memory = {
  /** The file's other fields, preserved for a version that knows them. */
  readonly others: Readonly<Record<string, unknown>>;
  /** Most recently viewed first. */
  readonly branches: readonly StoredBranch[];
};

const empty: Memory = {others: {}, branches: []};

const isOf = (branch: StoredBranch, {contextName, siteId, branchId}: LogKey): boolean =>
  branch.contextName === contextName && branch.siteId === siteId && branch.branchId === branchId;

/** Ends with the path, as all notices here do: a long path may then be cut off without losing anything else. */
const damaged = (path: string, why: string): string => `the remembered views were reset, because ${why}: ${path}`;

type Read = {
  readonly memory: Memory;
  readonly notice: string | undefined;
  /** The file exists but cannot be read, so it must not be replaced. */
  readonly isUnreadable: boolean;
};

const readMemory = async (path: string): Promise<Read> => {
  try {
    const text = await readStateFile(path, memoryBytesMax);
    const json: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isTable(json) && Array.isArray(json.branches)) {
      const {branches, ...others} = json;
      return {memory: {others, branches: branches.filter(isTable)}, notice: undefined, isUnreadable: false};
    }
    return {memory: empty, notice: damaged(path, 'this is not a list of branches'), isUnreadable: false};
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return {memory: empty, notice: undefined, isUnreadable: false};
    }
    if (error instanceof SyntaxError) {
      return {memory: empty, notice: damaged(path, 'this is not JSON'), isUnreadable: false};
    }
    const notice = `cannot read the remembered views (${describeStateFault(error)}): ${path}`;
    return {memory: empty, notice, isUnreadable: true};
  }
};

/** Formats as many of the newest branches as fit into the file. */
const formatMemory = ({others, branches}: Memory): string => {
  const parts: string[] = [];
  let bytes = Buffer.byteLength(JSON.stringify({...others, branches: []})) + 2;
  for (const branch of branches.slice(0, rememberedBranchesMax)) {
    const part = JSON.stringify(branch);
    // Each is on a line of its own, after a comma.
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
 * Remembers how branches were viewed, in `branch-state.json` of the state folder. `stateFolder` is undefined on a
 * machine without a home folder, where nothing is remembered. Each notice is returned once. If two programs write at
 * the same moment, one of the two changes is lost.
 */
export const createBranchMemory = (stateFolder: string | undefined): BranchMemory => {
  const path = stateFolder === undefined ? undefined : join(stateFolder, 'branch-state.json');
  const told = new Set<string>();

  const tellOnce = (notice: string | undefined): string | undefined => {
    if (notice === undefined || told.has(notice)) {
      return undefined;
    }
    told.add(notice);
    return notice;
  };
  const homeless = 'no home folder: views of branches are not remembered';

  const write = async (file: string, key: LogKey, state: BranchState): Promise<string | undefined> => {
    const {memory, notice, isUnreadable} = await readMemory(file);
    if (isUnreadable) {
      return notice;
    }
    const before = memory.branches.find(branch => isOf(branch, key));
    const others = memory.branches.filter(branch => !isOf(branch, key));
    // Decoded with the rules for reading, so that nothing is written that reading would drop.
    const branch = {...before, ...key, ...decodeBranchState(state)};
    try {
      await writeStateFile(file, formatMemory({...memory, branches: [branch, ...others]}));
      return undefined;
    } catch (error) {
      return `cannot remember the view of this branch (${errorCodeOf(error)}): ${file}`;
    }
  };

  return {
    async recall(key) {
      if (path === undefined) {
        return {state: undefined, notice: tellOnce(homeless)};
      }
      const {memory, notice} = await takeStateFile(path, () => readMemory(path));
      const branch = memory.branches.find(candidate => isOf(candidate, key));
      return {state: branch && decodeBranchState(branch), notice: tellOnce(notice)};
    },
    async remember(key, state) {
      if (path === undefined) {
        return tellOnce(homeless);
      }
      return tellOnce(await takeStateFile(path, () => write(path, key, state)));
    },
  };
};
