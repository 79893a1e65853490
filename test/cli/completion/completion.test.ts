import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {builtProgram} from '../../support/built-program.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {type PtyProgram, startPtyProgram} from '../../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {isThorough} from '../../support/thorough.ts';
import {runCommand} from '../run-command.ts';

let folder: TempFolder;
let service: FakeService;
let env: NodeJS.ProcessEnv;

const config = (baseUrl: string): string => `default_context = "prod"
[contexts.prod]
base_url = "${baseUrl}"
tenant = "acme"
auth_mode = "local"
token_file = "${join(folder.path, 'token')}"
sites = [
  {id = "5f3c", name = "shop"},
  {id = "s2", name = "Müllers Laden"},
  {id = "77b1"},
  {id = "evil", name = "\\u001b]0;gotcha"},
  {id = "cost", name = "$(echo gotcha) 'it''s' \\"x\\""},
  {id = "home", name = "~root"},
  {id = "back", name = 'one\\two'},
  {id = "dash", name = "-rf"},
]
[contexts.stage]
base_url = "https://stage.example.com/dev-v1"
tenant = "acme"
auth_mode = "local"
token_command = ["touch", "${join(folder.path, 'asked')}"]
sites = [{id = "a1", name = "staged"}]
`;

/** The contexts, sites and branches of one machine; the branches were listed once. */
const prepare = async (): Promise<void> => {
  folder = createTempFolder('completion');
  service = await startFakeService();
  env = {XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path};
  mkdirSync(join(folder.path, 'branchlog'));
  writeFileSync(join(folder.path, 'token'), service.env.BRANCHLOG_TOKEN ?? '', {mode: 0o600});
  writeFileSync(
    join(folder.path, 'branchlog/config.toml'),
    config(service.env.BRANCHLOG_BASE_URL ?? '')
      .replace('tenant = "acme"', `tenant = "${service.env.BRANCHLOG_TENANT}"`)
      .replace('auth_mode = "local"', `auth_mode = "${service.env.BRANCHLOG_AUTH_MODE}"`),
  );
  service.setBranches('5f3c', [
    makeBuiltBranch('b-1', 'master'),
    makeBuiltBranch('b-2', 'für später'),
    makeBranch('b-3', 'twice'),
    makeBranch('b-4', 'twice'),
  ]);
  const listed = await runCommand(['branches', 'shop'], {env});
  expect(listed.stderr).toBe('');
};

beforeAll(prepare);
afterAll(async () => {
  await service.close();
  folder.remove();
});

describe('typed into a real shell', () => {
  const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
  let program: PtyProgram;
  afterEach(() => program.close());

  const starts = {
    bash: {args: ['--norc', '--noprofile', '-i'], setUp: (script: string) => `PS1='ready> '; source ${script}`},
    zsh: {
      args: ['-f', '-i'],
      setUp: (script: string) => `PS1='ready> '; autoload -U compinit; compinit -D; source ${script}`,
    },
    fish: {
      args: ['--no-config', '-i'],
      setUp: (script: string) => `function fish_prompt; echo 'ready> '; end; source ${script}`,
    },
  } as const;

  /** The shell with the script loaded, and `branchlog` in its path. */
  const startShell = async (shell: keyof typeof starts): Promise<void> => {
    const bin = join(folder.path, 'bin');
    const launcher = join(bin, 'branchlog');
    const script = join(folder.path, `completion.${shell}`);
    mkdirSync(bin, {recursive: true});
    // The built program: from source, each Tab takes four times as long.
    writeFileSync(launcher, `#!/bin/sh\nexec ${builtProgram.command} ${builtProgram.launcher} "$@"\n`);
    chmodSync(launcher, 0o755);
    writeFileSync(script, (await runCommand(['completion', shell])).stdout);
    const {args, setUp} = starts[shell];
    program = startPtyProgram({command: shell, args, env: {...env, PATH: `${bin}:${process.env.PATH}`}, columns: 160});
    program.send(`${setUp(script)}; clear\r`);
    await program.waitFor(rows => /^ready>\s*$/.test(rows[0] ?? ''), {what: `the prompt of ${shell}`});
  };

  /** Types a line, asks for completion, and waits for the line to read so. */
  const expectLine = async (typed: string, line: string): Promise<void> => {
    program.send(`${typed}\t`);
    // The screen is read without the blank that ends a word.
    await program.waitFor(line.trimEnd());
    program.send('\u0015');
    await program.waitFor(rows => !rows.join('').includes(typed), {
      what: 'an empty line',
    });
  };

  type Line = readonly [typed: string, line: string];

  /** Each Tab starts the program: three lines of each shell are enough for every day, all of them before a release. */
  const expectLines = async (...lines: readonly Line[]): Promise<void> => {
    for (const [typed, line] of isThorough ? lines : lines.slice(0, 3)) {
      await expectLine(typed, line);
    }
  };

  test.skipIf(!isInstalled('bash'))(
    'bash completes names with blanks and umlauts, quoted or not, and what follows = ',
    async () => {
      await startShell('bash');
      await expectLines(
        ['branchlog logs M', 'branchlog logs Müllers\\ Laden '],
        ['branchlog logs \\$', 'branchlog logs \\$\\(echo\\ gotcha\\)'],
        ['branchlog logs shop --format=te', 'branchlog logs shop --format=text '],
        ['branchlog lo', 'branchlog logs '],
        ['branchlog logs M\\', 'branchlog logs Müllers\\ Laden '],
        ['branchlog logs Müllers\\ L', 'branchlog logs Müllers\\ Laden '],
        ['branchlog logs "Müllers L', 'branchlog logs "Müllers Laden" '],
        ["branchlog logs 'Müll", "branchlog logs 'Müllers Laden' "],
        ['branchlog logs shop f', 'branchlog logs shop für\\ später '],
        [`branchlog --config ${folder.path}/comp`, `branchlog --config ${folder.path}/completion.bash `],
        ['branchlog logs \\~', 'branchlog logs \\~root '],
        ['branchlog logs one', 'branchlog logs one\\\\two '],
      );
    },
  );

  /** What zsh and fish complete alike. */
  const sameLines: readonly Line[] = [
    ['branchlog logs M', 'branchlog logs Müllers\\ Laden '],
    ['branchlog logs \\$', 'branchlog logs \\$\\(echo\\ gotcha\\)'],
    ['branchlog logs shop --format=te', 'branchlog logs shop --format=text '],
    ['branchlog lo', 'branchlog logs '],
    ['branchlog logs \\~', 'branchlog logs \\~root '],
    ['branchlog logs one', 'branchlog logs one\\\\two '],
    ['branchlog logs "Müllers L', 'branchlog logs "Müllers Laden" '],
    ['branchlog logs shop f', 'branchlog logs shop für\\ später '],
  ];

  test.skipIf(!isInstalled('zsh'))('zsh does', async () => {
    await startShell('zsh');
    await expectLines(
      ...sameLines,
      [`branchlog --config ${folder.path}/completion.z`, `branchlog --config ${folder.path}/completion.zsh `],
      [`branchlog --config=${folder.path}/completion.z`, `branchlog --config=${folder.path}/completion.zsh `],
    );
  });

  test.skipIf(!isInstalled('fish'))('fish does', async () => {
    await startShell('fish');
    await expectLines(...sameLines, [
      `branchlog --config ${folder.path}/completion.f`,
      `branchlog --config ${folder.path}/completion.fish `,
    ]);
  });
});
