/**
 * Node's own SQLite, loaded when the service starts and not before. Node releases that still call it experimental
 * say so on stderr at loading; that one warning is held back, every other passes.
 */
export const loadSqlite = (): typeof import('node:sqlite') => {
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
