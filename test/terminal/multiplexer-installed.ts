import {spawnSync} from 'node:child_process';

/** Whether a program can be run here; says so where it can't, so that a skipped test is no secret. */
export const isInstalled = (program: 'tmux' | 'screen'): boolean => {
  const {error} = spawnSync(program, [program === 'tmux' ? '-V' : '--version'], {stdio: 'ignore'});
  if (error !== undefined) {
    console.warn(`${program} is not installed: what runs inside it is not tried.`);
  }
  return error === undefined;
};
