import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {runCommand} from '../cli/run-command.ts';
import {builtProgram, compiledOnce, executable} from '../support/built-program.ts';
import {startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {isThorough} from '../support/thorough.ts';
import {waitFor} from '../support/wait-for.ts';

const {command: builtCommand, launcher} = builtProgram;
const isRoot = process.geteuid?.() === 0;

let folder: TempFolder;
let children: ChildProcess[];
beforeEach(() => {
  folder = createTempFolder('paths');
  children = [];
});
afterEach(() => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  folder.remove();
});

const at = (name: string): string => join(folder.path, name);

const write = (name: string, text: string, mode = 0o600): string => {
  writeFileSync(at(name), text);
  chmodSync(at(name), mode);
  return at(name);
};

/** Both what the screens and what `serve` read, with a command that leaves a trace. */
const writeConfig = (mode = 0o600): string =>
  write(
    'config.toml',
    `[contexts.c]
base_url = "http://127.0.0.1:1/dev-v1"
tenant = "t"
auth_mode = "a"
token_command = ["sh", "-c", "touch '${folder.path}/ran'; echo canary"]
`,
    mode,
  );

const writeServeConfig = (): string =>
  write('serve.toml', 'listen = "127.0.0.1:0"\ntenant = "t"\nstate = "state"\n[[sites]]\nid = "s"\n');

const writeKubeconfig = (): string =>
  write(
    'kubeconfig',
    JSON.stringify({
      'current-context': 'c',
      clusters: [{name: 'c', cluster: {server: 'http://127.0.0.1:1'}}],
      users: [
        {
          name: 'u',
          user: {
            exec: {apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', interactiveMode: 'Never'},
          },
        },
      ],
      contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
    }),
  );

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(builtCommand, [launcher, ...args], {
    cwd: folder.path,
    env: {PATH: process.env.PATH, ...compiledOnce, HOME: folder.path, ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', text => out.push(text));
  child.stderr.setEncoding('utf8').on('data', text => err.push(text));
  const ended = new Promise<number | NodeJS.Signals | null>(resolve =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  return {child, ended, stdout: () => out.join(''), stderr: () => err.join('')};
};

type Refusal = readonly [code: unknown, words: string];

/** The exit code and what is written to standard error, in this process. The test's folder is `/T` in it. */
const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Refusal> => {
  const {code, stderr} = await runCommand(args, {env, homeFolder: folder.path});
  return [code, stderr.replaceAll(folder.path, '/T')];
};

/** The same of the built program. */
const runProgram = async (args: readonly string[]): Promise<Refusal> => {
  const {ended, stderr} = start(args);
  return [await ended, stderr().replaceAll(folder.path, '/T')];
};

/** Each command that reads a file which decides what runs, and how its message names the file. */
const readers: readonly (readonly [string, (path: string) => readonly string[], string])[] = [
  ['branches', path => ['branches', 's', '--config', path], 'the config file'],
  ['serve', path => ['serve', path], 'the config file'],
  ['branches --kube', path => ['branches', 'n', '--kube', '--kubeconfig', path], 'The kubeconfig'],
];

describe.each(readers)('%s', (_name, argsFor, title) => {
  test.each([0o666, 0o622, 0o602])('refuses a file of mode %o before anything in it is run', async mode => {
    const path = writeConfig(mode);
    expect(await run(argsFor(path))).toEqual([
      2,
      `branchlog: ${title} /T/config.toml may be written by others: run chmod go-w /T/config.toml\n`,
    ]);
    expect(existsSync(at('ran'))).toBe(false);
  });

  test('refuses a FIFO, a device, a folder and a file without end', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    truncateSync(write('large', ''), 2 ** 40);
    expect(await run(argsFor(at('fifo')))).toEqual([2, `branchlog: ${title} /T/fifo is a FIFO, not a file\n`]);
    expect(await run(argsFor('/dev/zero'))).toEqual([2, `branchlog: ${title} /dev/zero is a device, not a file\n`]);
    expect(await run(argsFor(folder.path))).toEqual([2, `branchlog: ${title} /T is a folder, not a file\n`]);
    expect(await run(argsFor(at('large')))).toEqual([2, `branchlog: ${title} /T/large is larger than 1 MB\n`]);
  });

  test('refuses a link in a folder in which others may replace it', async () => {
    writeConfig();
    mkdirSync(at('open'));
    chmodSync(at('open'), 0o777);
    symlinkSync('../config.toml', at('open/link'));
    expect(await runProgram(argsFor(at('open/link')))).toEqual([
      2,
      `branchlog: ${title} /T/open/link is reached by a link in /T/open, where others may replace it: run chmod o-w /T/open\n`,
    ]);
  });

  test.runIf(isRoot)('refuses a file of another user', async () => {
    const path = writeConfig(0o644);
    chownSync(path, 12_345, 12_345);
    expect(await run(argsFor(path))).toEqual([
      2,
      `branchlog: ${title} /T/config.toml belongs to user 12345, not to you or root: use a file of your own\n`,
    ]);
    expect(existsSync(at('ran'))).toBe(false);
  });
});

test('every kubeconfig of KUBECONFIG is checked', async () => {
  writeKubeconfig();
  write('open', '{}', 0o666);
  expect(await run(['branches', 'n', '--kube'], {KUBECONFIG: `${at('kubeconfig')}:${at('open')}`})).toEqual([
    2,
    'branchlog: The kubeconfig /T/open may be written by others: run chmod go-w /T/open\n',
  ]);
});

test('a plugin and a token_command that others may write to are not run', async () => {
  const script = `#!/bin/sh\ntouch '${folder.path}/ran'\necho canary\n`;
  write('plugin', script, 0o775);
  expect(await run(['branches', 'n', '--kube', '--kubeconfig', writeKubeconfig()])).toEqual([
    2,
    'branchlog: "exec" of user "u" of /T/kubeconfig (plugin) may be written by others: run chmod go-w /T/plugin\n',
  ]);
  write(
    'config.toml',
    `[contexts.c]\nbase_url = "http://127.0.0.1:1/dev-v1"\ntenant = "t"\nauth_mode = "a"\ntoken_command = ["${at('plugin')}"]\n`,
  );
  expect(await run(['branches', 's', '--config', at('config.toml')])).toEqual([
    2,
    'branchlog: token_command (/T/plugin) may be written by others: run chmod go-w /T/plugin\n',
  ]);
  expect(existsSync(at('ran'))).toBe(false);
});

test('serve does not start with a kubeconfig or a token that others may write to', async () => {
  const path = write(
    'serve.toml',
    'listen = "127.0.0.1:0"\ntenant = "t"\n[kubernetes]\nkubeconfig = "open"\n[[sites]]\nid = "s"\n[sites.kubernetes]\nnamespace = "n"\n',
  );
  write('open', '{}', 0o622);
  expect(await run(['serve', path])).toEqual([
    2,
    'branchlog: The kubeconfig /T/open may be written by others: run chmod go-w /T/open\n',
  ]);
  chmodSync(at('token'), 0o606);
  expect(await run(['serve', path])).toEqual([
    2,
    'branchlog: The token file /T/token is open to every user: run chmod 600 /T/token\n',
  ]);
});

test.each(readers)('a message of %s about a path cannot act on the terminal', async (_name, argsFor) => {
  const [code, words] = await run(argsFor(write('\u001b]0;title\u0007', '', 0o666)));
  expect(code).toBe(2);
  expect(words).toContain('may be written by others');
  expect(words).not.toMatch(/[\u001b\u0007]/);
});

// The executable takes no options of Node's, and so loads no hooks of ours.
describe.skipIf(executable !== undefined)('while a file system does not answer', () => {
  /** Opening the path never ends. The file `trace` is there once the program has begun to. */
  const hangAt = (path: string): NodeJS.ProcessEnv => {
    execFileSync('mkfifo', [at('fifo')]);
    const hook = join(import.meta.dirname, 'fixtures/hang-a-path.ts');
    return {
      NODE_OPTIONS: `--no-warnings --import ${hook}`,
      HANGING_PATH: path,
      HANGING_FIFO: at('fifo'),
      HANGING_TRACE: at('trace'),
    };
  };

  const untilItHangs = (): Promise<boolean> =>
    waitFor(() => existsSync(at('trace')), {what: 'the program to open the path'});

  test.each([
    ...readers.flatMap(([name, argsFor], index) =>
      (['SIGINT', 'SIGTERM'] as const)
        .filter((_, number) => isThorough || number === index % 2)
        .map(signal => [name, signal, argsFor] as const),
    ),
    ['logs --token-file', 'SIGINT', (path: string) => ['logs', 's', 'b', '--token-file', path]] as const,
    ['logs --replay', 'SIGTERM', (path: string) => ['logs', 's', 'b', '--replay', path]] as const,
  ])('%s ends on %s', async (_name, signal, argsFor) => {
    writeConfig();
    const {child, ended} = start([...argsFor(at('hanging'))], {
      ...hangAt(at('hanging')),
      BRANCHLOG_BASE_URL: 'http://127.0.0.1:1/dev-v1',
      BRANCHLOG_TENANT: 't',
      BRANCHLOG_AUTH_MODE: 'a',
    });
    await untilItHangs();
    child.kill(signal);
    const codes = signal === 'SIGINT' ? [130, 'SIGINT'] : [143, 'SIGTERM'];
    expect(codes).toContain(await ended);
  });

  test('the screens end on Ctrl+C', async () => {
    const program = startPtyProgram({
      command: builtCommand,
      args: [launcher, '--config', at('hanging')],
      env: {HOME: folder.path, ...hangAt(at('hanging'))},
    });
    try {
      await untilItHangs();
      program.press('Ctrl+C');
      // By the signal itself, or by the code that a shell makes of it.
      expect([0, 130]).toContain(await program.exitCode());
    } finally {
      await program.close();
    }
  });

  test('a service that reloads its config ends on SIGTERM', async () => {
    const path = writeServeConfig();
    const {child, ended, stdout} = start(['serve', path], {...hangAt(path), HANGING_AFTER: '1'});
    await waitFor(() => stdout().includes('Listening on'), {what: 'the service'});
    child.kill('SIGHUP');
    await untilItHangs();
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
  });
});
