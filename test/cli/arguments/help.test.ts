import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {formatFlag} from '#cli/arguments/command-spec.ts';
import {commands} from '#cli/arguments/commands.ts';
import {everywhereFlags} from '#cli/arguments/shared-flags.ts';
import {runCommand} from '../run-command.ts';

const everyHelp: readonly (readonly string[])[] = [
  ['--help'],
  ['help'],
  ...commands.flatMap(({word}) =>
    word
      ? [
          [word, '--help'],
          ['help', word],
        ]
      : [],
  ),
];

test.each(everyHelp.map(argv => [argv.join(' '), argv] as const))(
  '%s fits 80 columns and ends with 0',
  async (_, argv) => {
    const {code, stdout, stderr} = await runCommand(argv);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.split('\n').filter(row => row.length > 80)).toEqual([]);
  },
);

test('the general help names every command, every flag that all take, and every exit code', async () => {
  const {stdout} = await runCommand(['help']);
  for (const {word} of commands) {
    expect(stdout).toContain(`\n  ${word ?? '[SITE [BRANCH]]'} `);
  }
  for (const flag of everywhereFlags) {
    expect(stdout).toContain(`\n  ${formatFlag(flag)} `);
  }
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 143]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${code} +\\w`, 'm'));
  }
});

test('the help of a command that has nothing to do with a service leaves out the flags that name one', async () => {
  const kube = (await runCommand(['help', 'kube'])).stdout;
  expect([kube.includes('--config PATH'), kube.includes('--base-url')]).toEqual([true, false]);
  expect((await runCommand(['help', 'logs'])).stdout).toContain('--base-url');
});

test('--help fits a screen, with examples; help says it all', async () => {
  const rowsOf = async (...argv: readonly string[]) => (await runCommand(argv)).stdout.trimEnd().split('\n');
  expect((await rowsOf('--help')).length).toBeLessThanOrEqual(24);
  // Twenty flags take more than 24 rows, but no more than a laptop's screen has.
  expect((await rowsOf('logs', '--help')).length).toBeLessThanOrEqual(50);
  expect((await rowsOf('logs', '--help')).join('\n')).toContain('Examples\n  branchlog logs shop master');
  expect((await rowsOf('help', 'logs')).length).toBeGreaterThan(80);
});

test("a command's help names all its flags, and the choices of their values; what goes only with another flag is in the whole help", async () => {
  for (const command of commands) {
    if (command.word) {
      const short = (await runCommand([command.word, '--help'])).stdout;
      const whole = (await runCommand(['help', command.word])).stdout;
      for (const flag of command.flags) {
        const stdout = flag.onlyWith === undefined ? short : whole;
        expect(stdout).toContain(`\n  ${formatFlag(flag)} `);
        for (const choice of flag.choices ?? []) {
          expect(stdout).toContain(choice);
        }
      }
    }
  }
});

test('the help of kube fits a screen', async () => {
  const {stdout} = await runCommand(['kube', '--help']);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
});

test('the help of demo lists its scenarios', async () => {
  const {stdout} = await runCommand(['demo', '--help']);
  expect(stdout).toMatch(/^ {2}burst +\w/m);
  expect(stdout).toMatch(/^ {2}errors +\w/m);
});

test('--version prints the version of package.json', async () => {
  const {version} = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(await runCommand(['--version'])).toEqual({code: 0, stdout: `branchlog ${version}\n`, stderr: ''});
});
