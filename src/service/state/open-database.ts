import {closeSync, existsSync, mkdirSync, openSync} from 'node:fs';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {describeError, hasErrorCode} from '../errors/describe-fault.ts';
import {ServiceError} from '../errors/service-error.ts';
import {loadSqlite} from './load-sqlite.ts';
import {migrations, schemaSql, schemaVersion} from './state-schema.ts';

const sqliteBusy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;

/**
 * Returns the steps from a state of this version, 0 for a new one, to the current version; undefined if there are none.
 */
const listMigrations = (version: number): readonly string[] | undefined => {
  const steps: string[] = [];
  for (let from = version; from !== 0 && from !== schemaVersion; from += 1) {
    const step = migrations[from];
    if (step === undefined) {
      return undefined;
    }
    steps.push(step);
  }
  return steps;
};

/** Opens the embedded database of a state folder for this process alone. Throws a ServiceError if that fails. */
export const openDatabase = (stateFolder: string): DatabaseSync => {
  const path = join(stateFolder, 'lines.sqlite');
  try {
    mkdirSync(stateFolder, {recursive: true, mode: 0o700});
    // SQLite gives its other files the mode of this one. Log lines are private.
    if (!existsSync(path)) {
      closeSync(openSync(path, 'wx', 0o600));
    }
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST') || !existsSync(path)) {
      throw new ServiceError(`The state folder ${stateFolder} cannot be written: ${describeError(error)}.`, {
        cause: error,
      });
    }
  }
  const {DatabaseSync} = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, {timeout: 0});
    // The kernel holds the lock until the process ends in any way: no stale lock file, no second process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec('BEGIN EXCLUSIVE; COMMIT;');
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
    const steps = listMigrations(version);
    if (!steps) {
      throw new ServiceError(
        `The state in ${path} was written by another version of the program: move it away to start with a new one.`,
      );
    }
    database.exec(`BEGIN; ${steps.join('')} ${schemaSql} COMMIT;`);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ServiceError) {
      throw error;
    }
    throw new ServiceError(
      isBusy(error)
        ? `The state folder ${stateFolder} is in use by another process: stop that process, or choose another state folder.`
        : `The state in ${path} cannot be used (${describeError(error)}): move it away to start with a new one.`,
      {cause: error},
    );
  }
};
