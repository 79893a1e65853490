import {existsSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

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
