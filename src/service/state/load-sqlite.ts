/**
 * Loads Node's own SQLite, only when the service starts. Node releases that still call it experimental warn on stderr
 * when it loads; that one warning is suppressed, all others pass.
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
