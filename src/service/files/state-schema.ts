/** Raised when the tables change; a state of another version is refused, never guessed at. */
export const schemaVersion = 1;

/** Device and inode are text: as unsigned 64-bit numbers they do not fit SQLite's integers. Stamps are nanoseconds. */
export const schemaSql = `
  CREATE TABLE IF NOT EXISTS branch (
    key INTEGER PRIMARY KEY, site TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, last_stamp INTEGER NOT NULL,
    UNIQUE (site, id)
  );
  CREATE TABLE IF NOT EXISTS pod (
    key INTEGER PRIMARY KEY, branch INTEGER NOT NULL, name TEXT NOT NULL,
    created_ms INTEGER NOT NULL, is_started INTEGER NOT NULL,
    UNIQUE (branch, name)
  );
  CREATE TABLE IF NOT EXISTS file (
    key INTEGER PRIMARY KEY, pod INTEGER NOT NULL, path TEXT NOT NULL, device TEXT NOT NULL, inode TEXT NOT NULL,
    position INTEGER NOT NULL, head BLOB NOT NULL, tail BLOB NOT NULL, held TEXT NOT NULL, is_followed INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS file_of_pod ON file (pod);
  CREATE TABLE IF NOT EXISTS line (
    sequence INTEGER PRIMARY KEY, branch INTEGER NOT NULL, pod INTEGER NOT NULL,
    stamp INTEGER NOT NULL, line TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS line_of_branch ON line (branch);
  PRAGMA user_version = ${schemaVersion};
`;
