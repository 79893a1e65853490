import {chmodSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase, openMemoryDatabase} from '#service/window/state/open-database.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const makeFolder = (): string => {
  const folder = createTempFolder('state');
  onTestFinished(folder.remove);
  return folder.path;
};

const open = (folder: string): DatabaseSync => {
  const database = openDatabase(folder);
  onTestFinished(() => {
    if (database.isOpen) {
      database.close();
    }
  });
  return database;
};

const versionOf = (database: DatabaseSync): unknown => database.prepare('PRAGMA user_version').get()?.user_version;

test('a new state is for its owner alone, whatever the folders above it are', () => {
  const folder = join(makeFolder(), 'a/b');
  const database = open(folder);
  expect([statSync(folder).mode & 0o777, versionOf(database)]).toEqual([0o700, 4]);
  const modes = readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777);
  expect([modes.length > 0, modes.filter(mode => mode !== 0o600)]).toEqual([true, []]);
});

test('a state is opened again as it was', () => {
  const folder = makeFolder();
  const first = open(folder);
  first.exec("INSERT INTO pod (branch, name, created_ms, is_started) VALUES (1, 'web', 5, 0)");
  first.close();
  const rows = open(folder).prepare('SELECT name, created_ms FROM pod').all();
  expect(rows.map(row => ({...row}))).toEqual([{name: 'web', created_ms: 5}]);
});

test('a state that somebody has open is refused', () => {
  const folder = makeFolder();
  open(folder);
  expect(() => openDatabase(folder)).toThrow('database is locked');
});

test.each([5, 99])('a state of version %i, which has no way to this one, is refused', version => {
  const folder = makeFolder();
  const database = open(folder);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  expect(() => openDatabase(folder)).toThrow('another version of the program wrote it');
  // It is let go of.
  new DatabaseSync(join(folder, 'lines.sqlite')).close();
});

test('a file that is no database is refused', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'lines.sqlite'), 'not a database, and long enough to be sure of it '.repeat(100));
  expect(() => openDatabase(folder)).toThrow('file is not a database');
});

test('a folder that cannot be made is refused', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(() => openDatabase(join(folder, 'file/state'))).toThrow('ENOTDIR: not a directory');
  expect(() => openDatabase(join(folder, 'file'))).toThrow('EEXIST: file already exists');
});

test('lines are numbered anew by branch when a state of version 3 is opened', () => {
  const folder = makeFolder();
  const old = new DatabaseSync(join(folder, 'lines.sqlite'));
  old.exec(`
    CREATE TABLE branch (key INTEGER PRIMARY KEY, site TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL,
      created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, last_stamp INTEGER NOT NULL, highest_stamp INTEGER NOT
      NULL DEFAULT 0, series TEXT NOT NULL DEFAULT '', last_sequence INTEGER NOT NULL DEFAULT 0, dropped INTEGER NOT
      NULL DEFAULT 0, UNIQUE (site, id));
    CREATE TABLE pod (key INTEGER PRIMARY KEY, branch INTEGER NOT NULL, name TEXT NOT NULL, created_ms INTEGER NOT
      NULL, is_started INTEGER NOT NULL, cursor TEXT NOT NULL DEFAULT '', UNIQUE (branch, name));
    CREATE TABLE line (sequence INTEGER PRIMARY KEY, branch INTEGER NOT NULL, pod INTEGER NOT NULL, stamp INTEGER NOT
      NULL, line TEXT NOT NULL);
    INSERT INTO branch (key, site, id, record, created_ms, updated_ms, last_stamp, series, last_sequence, dropped)
      VALUES (1, 's', 'a', '{}', 0, 0, 0, 'old', 9, 5), (2, 's', 'b', '{}', 0, 0, 0, 'old', 9, 5);
    INSERT INTO pod (key, branch, name, created_ms, is_started) VALUES (1, 1, 'web', 0, 1);
    INSERT INTO line (sequence, branch, pod, stamp, line) VALUES (6, 1, 1, 60, 'six'), (9, 1, 7, 90, 'nine');
    PRAGMA user_version = 3;
  `);
  old.close();
  const database = open(folder);
  const read = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(row => Object.values(row));
  expect(versionOf(database)).toBe(4);
  expect(read('SELECT branch, sequence, pod, stamp, line, source FROM line ORDER BY sequence')).toEqual([
    [1, 1, 1, 60, 'six', '{"pod":"web"}'],
    [1, 2, 7, 90, 'nine', '{}'],
  ]);
  expect(read('SELECT last_sequence, dropped, loss_count, losses FROM branch ORDER BY key')).toEqual([
    [2, 0, 0, '[]'],
    [1, 0, 0, '[]'],
  ]);
  expect(read("SELECT key FROM branch WHERE series = 'old' OR length(series) <> 16")).toEqual([]);
});

test('a database in memory has the same tables, and leaves no file', () => {
  const database = openMemoryDatabase();
  onTestFinished(() => database.close());
  expect([versionOf(database), database.location()]).toEqual([4, null]);
});

test('a folder that may not be written is refused', context => {
  if (process.getuid?.() === 0) {
    context.skip();
  }
  const folder = makeFolder();
  chmodSync(folder, 0o500);
  expect(() => openDatabase(folder)).toThrow('EACCES: permission denied');
});
