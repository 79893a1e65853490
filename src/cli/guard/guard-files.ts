import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {describeStateFault, readStateFile, takeStateFile, writeStateFile} from '#config/memory/state-file.ts';
import {type StoredGuard, silencesShape, storedShape} from './step/stored.ts';

/** 200 branches with 20 incidents each. */
const bytesMax = 16 * 1024 * 1024;

type GuardKey = {readonly contextName: string; readonly siteId: string};

/** Opens the files of a site's guard in the state folder. */
export const openGuardFiles = (stateFolder: string, {contextName, siteId}: GuardKey) => {
  const name = createHash('sha256')
    .update(JSON.stringify([contextName, siteId]))
    .digest('hex')
    .slice(0, 16);
  const paths = {
    state: join(stateFolder, 'guard', `${name}.json`),
    silences: join(stateFolder, 'guard', `${name}.silence`),
  };

  const read = async (path: string): Promise<unknown> => {
    try {
      return JSON.parse((await takeStateFile(path, () => readStateFile(path, bytesMax))) ?? '');
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') {
        return undefined;
      }
      throw new GuardFileError(
        error instanceof SyntaxError ? `it is not JSON: ${path}` : `${describeStateFault(error)}: ${path}`,
      );
    }
  };
  const write = (path: string, value: unknown): Promise<void> =>
    takeStateFile(path, () => writeStateFile(path, `${JSON.stringify(value)}\n`));

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
  };
};

/** A file that is there cannot be read. */
export class GuardFileError extends Error {
  override readonly name = 'GuardFileError';
}
