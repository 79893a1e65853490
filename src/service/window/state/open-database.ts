import {closeSync, existsSync, mkdirSync, openSync} from 'node:fs';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {describeError, hasErrorCode} from '#service/errors/describe-fault.ts';
import {ServiceError} from '#service/errors/service-error.ts';
import {migrations, schemaSql, schemaVersion} from '../../state/state-schema.ts';

/** The file of the state in its folder. */
export const databaseName = 'lines.sqlite';

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

/** Opens a database in memory, for a service that cannot write its state. */
export const openMemoryDatabase = (): DatabaseSync => {
  const {DatabaseSync} = loadSqlite();
  const database = new DatabaseSync(':memory:');
  database.exec(schemaSql);
  return database;
};

/** Opens the embedded database of a state folder for this process alone. Throws a ServiceError if that fails. */
export const openDatabase = (stateFolder: string): DatabaseSync => {
  const path = join(stateFolder, databaseName);
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
    // Nothing is written where nothing changes: the disk may be full.
    if (version !== schemaVersion) {
      database.exec(`BEGIN; ${steps.join('')} ${schemaSql} COMMIT;`);
    }
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

/**
 * Loads Node's own SQLite, only when the service starts. Node releases that still call it experimental warn on stderr
 * when it loads; that one warning is suppressed, all others pass.
 */
const loadSqlite = (): typeof import('node:sqlite') => {
  const emitWarning = process.emitWarning;
  const pass = (...values: unknown[]): void => {
    const [warning, second] = values;
    const text = warning instanceof Error ? warning.message : String(warning);
    const isAboutSqlite = second === 'ExperimentalWarning' && text.startsWith('SQLite');
    if (!isAboutSqlite) {
      Reflect.apply(emitWarning, process, values);
    }
  };
  process.emitWarning = pass;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};
