import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import type {Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
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

export type Screens = {
  readonly program: IPty;
  /** Ends the program, and closes the service. */
  close(): void;
};

/**
 * Starts a service on a port of this machine, and at it the built program at 200×60, in a home of its own. `nodeArgs`
 * gets that folder.
 */
export const startScreens = async (
  server: Server,
  {bufferMb, nodeArgs = () => []}: {readonly bufferMb: number; readonly nodeArgs?: (home: string) => readonly string[]},
): Promise<Screens> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
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
  const program = spawn(process.execPath, [...nodeArgs(folder), 'bin/branchlog.js', 's1'], {
    cols: 200,
    rows: 60,
    env: {...process.env, XDG_STATE_HOME: folder, BRANCHLOG_CONFIG: config, TERM: 'xterm-256color'},
  });
  return {
    program,
    close: () => {
      program.kill('SIGTERM');
      server.close();
      server.closeAllConnections();
      rmSync(folder, {recursive: true, force: true, maxRetries: 5});
    },
  };
};
