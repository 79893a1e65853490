import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawn} from '@lydell/node-pty';

/**
 * Runs the bundled program in a pseudo-terminal, through the sites and the branches to a log, so that its code cache
 * holds what a start needs. The run stores the cache in `folder` and ends by itself.
 */
export const train = async (folder: string): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'branchlog-train-'));
  const pty = spawn(process.execPath, [join(folder, 'train.cjs'), 'demo'], {
    name: 'xterm-256color',
    cols: 100,
    rows: 30,
    env: {PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state'), LANG: 'C.UTF-8'},
  });
  const ended = new Promise(resolve => pty.onExit(resolve));
  pty.onData(() => {});
  for (const key of ['\r', '\r', 'k']) {
    await sleep(350);
    pty.write(key);
  }
  await ended;
  rmSync(home, {recursive: true, force: true});
  statSync(join(folder, 'program.cache'));
};
