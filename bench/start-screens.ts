import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type IPty, spawn} from '@lydell/node-pty';

/** The branches of a service with one branch. */
export const listing = JSON.stringify([
  {
    _id: 'b1',
    name: 'master',
    status: 'DEPLOY_APPLICATION_SUCCESS',
    project: 's1',
    branchType: 'MASTER',
    customDomains: [],
  },
]);

/** Starts the built program at 200×60, at a service on a port of this machine. The folder is its home. */
export const startScreens = (
  folder: string,
  port: number,
  {bufferMb, nodeArgs = []}: {readonly bufferMb: number; readonly nodeArgs?: readonly string[]},
): IPty => {
  const config = join(folder, 'config.toml');
  writeFileSync(join(folder, 'token'), 'bench', {mode: 0o600});
  writeFileSync(
    config,
    [
      '[contexts.bench]',
      `base_url = "http://127.0.0.1:${port}/dev-v1"`,
      'tenant = "t"',
      'auth_mode = "x"',
      `token_file = "${join(folder, 'token')}"`,
      '[log]',
      `buffer_mb = ${bufferMb}`,
    ].join('\n'),
    {mode: 0o600},
  );
  return spawn(process.execPath, [...nodeArgs, 'bin/branchlog.js', 's1'], {
    cols: 200,
    rows: 60,
    env: {...process.env, XDG_STATE_HOME: folder, BRANCHLOG_CONFIG: config, TERM: 'xterm-256color'},
  });
};
