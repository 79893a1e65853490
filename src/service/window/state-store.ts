import {existsSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {KeptLine, WindowChanges, WindowPast} from './line-window.ts';
import {clearSql, databaseName, insertBranchSql, openDatabase, openMemoryDatabase} from './state/open-database.ts';
import {
  formatLosses,
  type KnownSources,
  readBranchRow,
  readFileRow,
  readLineRow,
  readNumber,
} from './state/state-rows.ts';
import {withState} from './state/with-state.ts';
import type {ClockState, StoredBranch, StoredCursor, StoredFile} from './stored-state.ts';

/**
 * Says beside the state whether it lacks something that was served, because it could not be written. A file that is
 * there from the beginning is renamed for it: that takes no room on a full disk.
 */
export const createStateMark = (stateFolder: string) => {
  const current = join(stateFolder, 'state.current');
  const behind = join(stateFolder, 'state.behind');

  const write = (path: string): void => {
    try {
      writeFileSync(path, '', {mode: 0o600});
    } catch {
      // Then there is no mark, and a restart may show lines again.
    }
  };

  if (!existsSync(current) && !existsSync(behind)) {
    write(current);
  }
  return {
    isBehind: (): boolean => existsSync(behind),
    /** Does nothing where the folder cannot be written at all. */
    setBehind: (isBehind: boolean): void => {
      const [from, to] = isBehind ? [current, behind] : [behind, current];
      try {
        renameSync(from, to);
      } catch {
        if (!existsSync(to)) {
          write(to);
        }
      }
    },
  };
};

/** SQLite's own files beside the database. */
const databaseFiles = ['', '-wal', '-shm'].map(suffix => `${databaseName}${suffix}`);

/**
 * Moves what cannot be read as a state aside, in place of what was moved before, and marks that lines were served that
 * no state has.
 */
const moveStateAside = (stateFolder: string): void => {
  createStateMark(stateFolder).setBehind(true);
  for (const name of databaseFiles) {
    const path = join(stateFolder, name);
    rmSync(`${path}.damaged`, {recursive: true, force: true});
    if (existsSync(path)) {
      renameSync(path, `${path}.damaged`);
    }
  }
};

/** `anew`: what is there is moved aside; `inMemory`: nothing is written. */
type StateOpening = 'kept' | 'anew' | 'inMemory';

/** All changes of one batch of lines; written completely or not at all. */
export type StateBatch = {
  readonly branchKey: number;
  readonly clock: ClockState;
  readonly series: string;
  readonly past: WindowPast;
  readonly changes: WindowChanges;
  readonly files: readonly StoredFile[];
  readonly forgottenFileKeys: readonly number[];
  /** Pods whose first window has just been looked for. */
  readonly startedPodKeys: readonly number[];
  readonly cursors: readonly StoredCursor[];
  /** All lines of the window, if the stored ones may differ after a failed write. */
  readonly allLines: readonly KeptLine[] | undefined;
};

export type StateStore = {
  /** Lines served before are not in the state, because it could not be written or read: the log begins with a loss. */
  readonly isAnew: boolean;
  findOrAddBranch(siteId: string, branchId: string, record: string, nowMs: number): StoredBranch;
  findOrAddPod(branchKey: number, name: string, nowMs: number): {key: number; createdAtMs: number; isNew: boolean};
  /** Removes all branches and pods that are not among these: they have left the configuration. */
  keepOnly(branchKeys: ReadonlySet<number>, podKeys: ReadonlySet<number>): void;
  readLines(branchKey: number): readonly KeptLine[];
  readFiles(podKey: number): readonly StoredFile[];
  /** Returns what the pod's source stored of how far it read; undefined before it first did. */
  readCursor(podKey: number): string | undefined;
  nextFileKey(): number;
  write(batch: StateBatch): void;
  close(): void;
};

/** Finds runs of consecutive numbers: lines mostly leave in the order in which they came. */
const findRuns = (sequences: readonly number[]): readonly {readonly first: number; readonly last: number}[] => {
  const runs: {first: number; last: number}[] = [];
  for (const sequence of sequences.toSorted((left, right) => left - right)) {
    const run = runs.at(-1);
    if (run?.last === sequence - 1) {
      run.last = sequence;
    } else {
      runs.push({first: sequence, last: sequence});
    }
  }
  return runs;
};

/**
 * Opens the state: the lines that a window can still show, and the reading position of each file. A state that lacks
 * what was served is emptied. It and all its methods throw a `StateError` if the
 * folder cannot be written, another process holds it, or its content is not a state; `write` throws any error.
 */
export const openStateStore = (stateFolder: string, how: StateOpening = 'kept'): StateStore => {
  const guarded =
    <Given extends readonly unknown[], Result>(act: (...given: Given) => Result) =>
    (...given: Given): Result =>
      withState(stateFolder, () => act(...given));
  const store = guarded(openStore)(stateFolder, how);
  return {
    ...store,
    findOrAddBranch: guarded(store.findOrAddBranch),
    findOrAddPod: guarded(store.findOrAddPod),
    keepOnly: guarded(store.keepOnly),
    readLines: guarded(store.readLines),
    readFiles: guarded(store.readFiles),
    readCursor: guarded(store.readCursor),
  };
};

const openStore = (stateFolder: string, how: StateOpening): StateStore => {
  const isInMemory = how === 'inMemory';
  if (how === 'anew') {
    moveStateAside(stateFolder);
  }
  const hadState = existsSync(join(stateFolder, databaseName));
  const database = isInMemory ? openMemoryDatabase() : openDatabase(stateFolder);
  const mark = createStateMark(stateFolder);
  const isAnew = mark.isBehind() || (isInMemory && hadState);
  if (isInMemory) {
    mark.setBehind(true);
  } else if (isAnew) {
    try {
      database.exec(clearSql);
    } catch (error) {
      database.close();
      throw error;
    }
  }
  /** Branches whose last write failed, and pods of which the state has nothing yet: the state lacks these. */
  const failing = new Set<number>();
  const unstarted = new Set<number>();
  const noteWritten = ({branchKey, startedPodKeys}: StateBatch): void => {
    const wasBehind = failing.size + unstarted.size > 0;
    failing.delete(branchKey);
    for (const key of startedPodKeys) {
      unstarted.delete(key);
    }
    if (wasBehind && failing.size + unstarted.size === 0 && !isInMemory) {
      mark.setBehind(false);
    }
  };
  const noteFailed = (branchKey: number): void => {
    if (failing.size === 0) {
      mark.setBehind(true);
    }
    failing.add(branchKey);
  };
  const highest = (table: string, column: string): number =>
    readNumber(database.prepare(`SELECT coalesce(max(${column}), 0) AS highest FROM ${table}`).get() ?? {}, 'highest');
  let fileKey = highest('file', 'key');
  const prepareWide = (sql: string) => {
    const statement = database.prepare(sql);
    // Nanoseconds since 1970 do not fit a number.
    statement.setReadBigInts(true);
    return statement;
  };
  const insertLine = database.prepare('INSERT OR REPLACE INTO line VALUES (?, ?, ?, ?, ?, ?)');
  const deleteRun = database.prepare('DELETE FROM line WHERE branch = ? AND sequence BETWEEN ? AND ?');
  const deleteLines = database.prepare('DELETE FROM line WHERE branch = ?');
  const upsertFile = database.prepare('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const deleteFile = database.prepare('DELETE FROM file WHERE key = ?');
  const updateBranch = database.prepare(
    'UPDATE branch SET last_stamp = ?, highest_stamp = ?, series = ?, last_sequence = ?, dropped = ?, loss_count = ?, losses = ? WHERE key = ?',
  );
  const startPod = database.prepare('UPDATE pod SET is_started = 1 WHERE key = ?');
  const updateCursor = database.prepare('UPDATE pod SET cursor = ? WHERE key = ?');
  const selectBranch = prepareWide('SELECT * FROM branch WHERE site = ? AND id = ?');
  const selectPod = database.prepare('SELECT * FROM pod WHERE branch = ? AND name = ?');

  const formatSource = once(createWeakCache<SourceName, string>(), source => JSON.stringify(source));

  const inTransaction = (act: () => void): void => {
    database.exec('BEGIN IMMEDIATE');
    try {
      act();
      database.exec('COMMIT');
    } catch (error) {
      // A failed COMMIT may already have ended the transaction.
      if (database.isTransaction) {
        database.exec('ROLLBACK');
      }
      throw error;
    }
  };

  const writeBatch = (batch: StateBatch): void =>
    inTransaction(() => {
      if (batch.allLines) {
        deleteLines.run(batch.branchKey);
      }
      for (const line of batch.allLines ?? batch.changes.added) {
        insertLine.run(batch.branchKey, line.sequence, line.podKey, line.stamp, line.line, formatSource(line.source));
      }
      for (const {first, last} of batch.allLines ? [] : findRuns(batch.changes.removed)) {
        deleteRun.run(batch.branchKey, first, last);
      }
      for (const {key, podKey, path, device, inode, print, held, stamps, isFollowed} of batch.files) {
        const heldText = JSON.stringify(held, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
        const [head, tail] = [print.head, print.tail];
        const ids = [String(device), String(inode)] as const;
        const followed = isFollowed ? 1 : 0;
        const {format = '', last = null} = stamps;
        const stampValues = [format, last, stamps.isBacklog ? 1 : 0] as const;
        upsertFile.run(key, podKey, path, ...ids, print.position, head, tail, heldText, followed, ...stampValues);
      }
      for (const key of batch.forgottenFileKeys) {
        deleteFile.run(key);
      }
      for (const key of batch.startedPodKeys) {
        startPod.run(key);
      }
      for (const {podKey, cursor} of batch.cursors) {
        updateCursor.run(cursor, podKey);
      }
      const {clock, series, past, branchKey} = batch;
      const numbers = [series, past.last, past.dropped, past.lossCount, formatLosses(past.losses)] as const;
      updateBranch.run(clock.last, clock.highest, ...numbers, branchKey);
    });

  return {
    isAnew,
    findOrAddBranch: (siteId, branchId, record, nowMs) => {
      database.prepare(insertBranchSql).run(siteId, branchId, record, nowMs, nowMs);
      const row = selectBranch.get(siteId, branchId) ?? {};
      const stored = readBranchRow(row);
      if (row.record === record) {
        return stored;
      }
      database.prepare('UPDATE branch SET record = ?, updated_ms = ? WHERE key = ?').run(record, nowMs, stored.key);
      return {...stored, updatedAtMs: nowMs};
    },
    findOrAddPod: (branchKey, name, nowMs) => {
      const row = selectPod.get(branchKey, name);
      if (row) {
        const [key, createdAtMs] = [readNumber(row, 'key'), readNumber(row, 'created_ms')];
        return {key, createdAtMs, isNew: readNumber(row, 'is_started') === 0};
      }
      const {lastInsertRowid} = database
        .prepare('INSERT INTO pod (branch, name, created_ms, is_started) VALUES (?, ?, ?, 0)')
        .run(branchKey, name, nowMs);
      if (isAnew) {
        unstarted.add(Number(lastInsertRowid));
      }
      return {key: Number(lastInsertRowid), createdAtMs: nowMs, isNew: true};
    },
    keepOnly: (branchKeys, podKeys) =>
      inTransaction(() => {
        for (const {key} of database.prepare('SELECT key FROM branch').all()) {
          if (!branchKeys.has(Number(key))) {
            failing.delete(Number(key));
            deleteLines.run(Number(key));
            database.prepare('DELETE FROM branch WHERE key = ?').run(Number(key));
          }
        }
        for (const {key} of database.prepare('SELECT key FROM pod').all()) {
          if (!podKeys.has(Number(key))) {
            unstarted.delete(Number(key));
            database.prepare('DELETE FROM line WHERE pod = ?').run(Number(key));
            database.prepare('DELETE FROM file WHERE pod = ?').run(Number(key));
            database.prepare('DELETE FROM pod WHERE key = ?').run(Number(key));
          }
        }
      }),
    readLines: branchKey => {
      const sources: KnownSources = new Map();
      return prepareWide('SELECT * FROM line WHERE branch = ? ORDER BY sequence')
        .all(branchKey)
        .map(row => readLineRow(row, sources));
    },
    readFiles: podKey => prepareWide('SELECT * FROM file WHERE pod = ? ORDER BY key').all(podKey).map(readFileRow),
    readCursor: podKey => {
      const {cursor} = database.prepare('SELECT cursor FROM pod WHERE key = ?').get(podKey) ?? {};
      return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
    },
    nextFileKey: () => {
      fileKey += 1;
      return fileKey;
    },
    write: batch => {
      try {
        writeBatch(batch);
      } catch (error) {
        noteFailed(batch.branchKey);
        throw error;
      }
      noteWritten(batch);
    },
    close: () => database.close(),
  };
};
