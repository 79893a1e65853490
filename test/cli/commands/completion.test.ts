import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, describe, test} from 'vitest';
import {installProgram} from '../../support/built-program.ts';
import type {FakeService} from '../../support/fake-service.ts';
import {type PtyProgram, startPtyProgram} from '../../support/pty-program.ts';
import type {TempFolder} from '../../support/temp-folder.ts';
import {isThorough} from '../../support/thorough.ts';
import {runCommand} from '../run-command.ts';
import {prepareMachine} from './completion/prepare-machine.ts';

let folder: TempFolder;
let service: FakeService;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  ({folder, service, env} = await prepareMachine());
});
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
    // From source, each Tab takes four times as long.
    const bin = installProgram(folder.path);
    const script = join(folder.path, `completion.${shell}`);
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
