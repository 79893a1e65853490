/** Increase this when the tables change. A state of a version without a migration is refused, never guessed at. */
export const schemaVersion = 4;

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
export const schemaSql = `
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
export const migrations: Readonly<Record<number, string>> = {
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
