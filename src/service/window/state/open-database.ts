import {closeSync, mkdirSync, openSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {hasErrorCode, StateError} from '#service/backend/errors.ts';

/** Increase this when the tables change. A state of a version without a migration is refused, never guessed at. */
const schemaVersion = 4;

/** Numbers of different series must never be compared, so each series gets a random name. */
const newSeries = 'lower(hex(randomblob(8)))';

const lineColumns = `
  branch INTEGER NOT NULL, sequence INTEGER NOT NULL, pod INTEGER NOT NULL,
  stamp INTEGER NOT NULL, line TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (branch, sequence)
`;

/**
 * Device and inode are text: as unsigned 64-bit numbers they do not fit SQLite's integers. Stamps are nanoseconds. A
 * format is empty until it is determined, a cursor until an entry was taken. Sources and losses are JSON.
 */
const schemaSql = `
  CREATE TABLE IF NOT EXISTS branch (
    key INTEGER PRIMARY KEY, site TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, last_stamp INTEGER NOT NULL,
    highest_stamp INTEGER NOT NULL DEFAULT 0, series TEXT NOT NULL DEFAULT '',
    last_sequence INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT NULL DEFAULT 0,
    loss_count INTEGER NOT NULL DEFAULT 0, losses TEXT NOT NULL DEFAULT '[]',
    UNIQUE (site, id)
  );
  CREATE TABLE IF NOT EXISTS pod (
    key INTEGER PRIMARY KEY, branch INTEGER NOT NULL, name TEXT NOT NULL,
    created_ms INTEGER NOT NULL, is_started INTEGER NOT NULL, cursor TEXT NOT NULL DEFAULT '',
    UNIQUE (branch, name)
  );
  CREATE TABLE IF NOT EXISTS file (
    key INTEGER PRIMARY KEY, pod INTEGER NOT NULL, path TEXT NOT NULL, device TEXT NOT NULL, inode TEXT NOT NULL,
    position INTEGER NOT NULL, head BLOB NOT NULL, tail BLOB NOT NULL, held TEXT NOT NULL, is_followed INTEGER NOT NULL,
    format TEXT NOT NULL DEFAULT '', last_stamp INTEGER, is_backlog INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS file_of_pod ON file (pod);
  CREATE TABLE IF NOT EXISTS line (${lineColumns});
  PRAGMA user_version = ${schemaVersion};
`;

/** Forgets everything. */
export const clearSql = 'BEGIN; DELETE FROM line; DELETE FROM file; DELETE FROM pod; DELETE FROM branch; COMMIT;';

/** Inserts a branch that does not exist yet: site, id, record, and the time in milliseconds twice. */
export const insertBranchSql = `
  INSERT OR IGNORE INTO branch (site, id, record, created_ms, updated_ms, last_stamp, series)
  VALUES (?, ?, ?, ?, ?, 0, ${newSeries})
`;

/**
 * The steps from the tables of one version to those of the next. Version 1 did not record which of its numbers it had
 * dropped. Up to version 3, lines were numbered over all branches, with holes, so each branch gets new numbers.
 */
const migrations: Readonly<Record<number, string>> = {
  1: `
    ALTER TABLE branch ADD COLUMN highest_stamp INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE branch ADD COLUMN series TEXT NOT NULL DEFAULT '';
    ALTER TABLE branch ADD COLUMN last_sequence INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE branch ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
    UPDATE branch SET highest_stamp = last_stamp, series = ${newSeries},
      last_sequence = (SELECT coalesce(max(sequence), 0) FROM line WHERE line.branch = branch.key);
    UPDATE branch SET dropped = last_sequence;
    ALTER TABLE file ADD COLUMN format TEXT NOT NULL DEFAULT '';
    ALTER TABLE file ADD COLUMN last_stamp INTEGER;
    ALTER TABLE file ADD COLUMN is_backlog INTEGER NOT NULL DEFAULT 0;
  `,
  2: `
    ALTER TABLE pod ADD COLUMN cursor TEXT NOT NULL DEFAULT '';
  `,
  3: `
    ALTER TABLE branch ADD COLUMN loss_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE branch ADD COLUMN losses TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE line RENAME TO old_line;
    CREATE TABLE line (${lineColumns});
    INSERT INTO line SELECT branch, row_number() OVER (PARTITION BY branch ORDER BY sequence), pod, stamp, line,
      coalesce((SELECT json_object('pod', name) FROM pod WHERE pod.key = old_line.pod), '{}') FROM old_line;
    DROP TABLE old_line;
    UPDATE branch SET series = ${newSeries}, dropped = 0, last_sequence = min(last_sequence,
      max(1, (SELECT count(*) FROM line WHERE line.branch = branch.key)));
  `,
};

/** The file of the state in its folder. */
export const databaseName = 'lines.sqlite';

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

/**
 * Opens the embedded database of a state folder for this process alone. Throws file system errors, those of SQLite, and
 * a `StateError` for a state of another version.
 */
export const openDatabase = (stateFolder: string): DatabaseSync => {
  const path = join(stateFolder, databaseName);
  mkdirSync(stateFolder, {recursive: true, mode: 0o700});
  try {
    // SQLite gives its other files the mode of this one. Log lines are private.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) {
      throw error;
    }
  }
  if (!statSync(path).isFile()) {
    throw new StateError('damaged', 'it is not a file');
  }
  const {DatabaseSync} = loadSqlite();
  const database = new DatabaseSync(path, {timeout: 0});
  try {
    // The kernel holds the lock until the process ends in any way: no stale lock file, no second process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec('BEGIN EXCLUSIVE; COMMIT;');
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
    const steps = listMigrations(version);
    if (!steps) {
      throw new StateError('damaged', 'another version of the program wrote it');
    }
    // Nothing is written where nothing changes: the disk may be full.
    if (version !== schemaVersion) {
      database.exec(`BEGIN; ${steps.join('')} ${schemaSql} COMMIT;`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
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
