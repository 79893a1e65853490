import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {errorCodeOf} from '#base/error-code.ts';
import type {Clock} from '#cli/io/io.ts';
import {describeStateFault, readStateFile, takeStateFile, writeStateFile} from '#config/memory/state-file.ts';
import {
  type GuardRecord,
  historyShape,
  type StoredGuard,
  seenShape,
  silencesShape,
  storedShape,
} from './guard/stored.ts';

/** 200 branches with 20 incidents each. */
const bytesMax = 16 * 1024 * 1024;
/** The newest of what was told: more than a week of shifts. */
export const historyMax = 500;
/** A page must not wait for a disk that hangs, milliseconds. */
const diskMs = 5000;
/** A simulation's clock runs quicker than a disk: this it has in any case, milliseconds. */
const realDiskMs = 250;

type GuardKey = {readonly contextName: string; readonly siteId: string};

/** Opens the files of a site's guard in the state folder. */
export const openGuardFiles = (stateFolder: string, {contextName, siteId}: GuardKey, clock: Clock) => {
  const name = createHash('sha256')
    .update(JSON.stringify([contextName, siteId]))
    .digest('hex')
    .slice(0, 16);
  const paths = {
    state: join(stateFolder, 'guard', `${name}.json`),
    silences: join(stateFolder, 'guard', `${name}.silence`),
    history: join(stateFolder, 'guard', `${name}.history`),
    seen: join(stateFolder, 'guard', `${name}.seen`),
  };

  /** Those that the disk has not done with in time: nothing waits behind them. */
  const hanging = new Set<string>();
  const take = async <Result>(path: string, use: () => Promise<Result>): Promise<Result> => {
    const isOver = new AbortController();
    const used = hanging.has(path) ? undefined : takeStateFile(path, use);
    const late =
      used &&
      Promise.all([clock.sleep(diskMs, isOver.signal), setTimeout(realDiskMs, undefined, isOver)]).then(
        () => undefined,
      );
    try {
      const result = await Promise.race([used?.then(value => ({value})), late]);
      if (result) {
        return result.value;
      }
    } catch (error) {
      throw new GuardFileError(`${describeStateFault(error)}: ${path}`);
    } finally {
      isOver.abort();
    }
    hanging.add(path);
    used?.catch(() => {}).finally(() => hanging.delete(path));
    throw new GuardFileError(`no answer of the disk for ${diskMs / 1000} s: ${path}`);
  };
  const read = async (path: string): Promise<unknown> => {
    const {text} = await take(path, async () => {
      try {
        return {text: (await readStateFile(path, bytesMax)) ?? ''};
      } catch (error) {
        if (errorCodeOf(error) === 'ENOENT') {
          return {};
        }
        throw error;
      }
    });
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch (error) {
      throw new GuardFileError(`it is not JSON: ${path}`, {cause: error});
    }
  };
  const write = (path: string, value: unknown): Promise<void> =>
    take(path, () => writeStateFile(path, `${JSON.stringify(value)}\n`));

  const readHistory = async (): Promise<readonly GuardRecord[]> =>
    historyShape.safeParse(await read(paths.history)).data ?? [];

  return {
    /** Undefined if there is none. Throws a `GuardFileError`, also by the other ones. */
    readState: async (): Promise<StoredGuard | undefined> => {
      const value = await read(paths.state);
      const {data, error} = value === undefined ? {} : storedShape.safeParse(value);
      if (error) {
        throw new GuardFileError(`it is of another version: ${paths.state}`);
      }
      return data;
    },
    writeState: (state: StoredGuard) => write(paths.state, state),
    readSilences: async (): Promise<Readonly<Record<string, number>>> =>
      silencesShape.safeParse(await read(paths.silences)).data ?? {},
    writeSilences: (silences: Readonly<Record<string, number>>) => write(paths.silences, silences),
    readHistory,
    addHistory: async (records: readonly GuardRecord[]): Promise<void> =>
      write(paths.history, [...(await readHistory().catch(noneIfDamaged)), ...records].slice(-historyMax)),
    /**
     * How often trouble was reported since somebody looked, by the name of the branch; `looked`: the branches that are
     * being looked at now.
     */
    readUnseen: async (looked: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const seen = seenShape.safeParse(await read(paths.seen)).data ?? {};
      const told = (await readHistory()).filter(({what}) => what === 'found' || what === 'more' || what === 'blind');
      const unseen = new Map<string, number>();
      const now = new Map<string, string>();
      for (const {branch, at} of told) {
        if (branch === null || at <= (seen[branch] ?? '')) {
          continue;
        }
        if (looked.includes(branch)) {
          now.set(branch, at);
        } else {
          unseen.set(branch, (unseen.get(branch) ?? 0) + 1);
        }
      }
      if (now.size > 0) {
        const known = Object.entries(seen).filter(([name]) => told.some(({branch}) => branch === name));
        await write(paths.seen, Object.fromEntries([...known, ...now]));
      }
      return unseen;
    },
  };
};

/** Its place is taken by a file that is good. */
const noneIfDamaged = (error: unknown): readonly GuardRecord[] => {
  if (error instanceof GuardFileError && error.cause instanceof SyntaxError) {
    return [];
  }
  throw error;
};

export type GuardFiles = ReturnType<typeof openGuardFiles>;

/** A file cannot be read, though it is there, or not be written. */
export class GuardFileError extends Error {
  override readonly name = 'GuardFileError';
}
