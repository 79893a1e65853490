import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {growthFlag} from '#cli/io/heap-keeper.ts';

/** What src/cli/io/heap-keeper.ts would otherwise set, and so make V8 reject code caches. */
export const heapFlags = [growthFlag];

/** A config as users have it. No request is sent: the run ends at the sites. */
const config = `[contexts.trained]
base_url = "http://127.0.0.1:9/dev-v1"
tenant = "trained"
auth_mode = "trained"

[[contexts.trained.sites]]
id = "site-1"
name = "shop"
`;

/**
 * Runs the bundled program in a pseudo-terminal, so that code caches hold what its chunks need: first to the sites, with
 * a config; then in the demo through the branches to a log, for the chunks that the first run did not load. More in the
 * caches of the first screen would delay it. The runs store the caches in `folder` and end by themselves; trained again,
 * they are the same bytes. `node` is the command that starts the executable's Node.
 */
export const train = async (folder: string, node: readonly string[]): Promise<void> => {
  const [command = '', ...emulated] = node;
  // Nothing of V8 is left to chance.
  const before = [...emulated, ...heapFlags, '--predictable'];
  const home = mkdtempSync(join(tmpdir(), 'branchlog-train-'));
  mkdirSync(join(home, '.config/branchlog'), {recursive: true});
  writeFileSync(join(home, '.config/branchlog/config.toml'), config, {mode: 0o600});
  const run = async (args: readonly string[], trainingMs: number, keys: string): Promise<void> => {
    const pty = spawn(command, [...before, join(folder, 'train.cjs'), ...args], {
      name: 'xterm-256color',
      cols: 100,
      rows: 30,
      env: {
        PATH: '/usr/bin:/bin',
        TZ: 'UTC',
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_STATE_HOME: join(home, 'state'),
        LANG: 'C.UTF-8',
        BRANCHLOG_TOKEN: 'a.b.c',
        TRAINING_MS: String(trainingMs),
        TRAINING_KEYS: keys,
      },
    });
    const ended = new Promise(resolve => pty.onExit(resolve));
    pty.onData(() => {});
    await ended;
  };
  await run([], 900, '');
  await run(['demo'], 1700, '\r\rk');
  execFileSync(command, [...before, join(folder, 'even-out.cjs')]);
  rmSync(home, {recursive: true, force: true});
};
