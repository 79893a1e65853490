import {execFileSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {commands, everywhereFlags} from '../../src/cli/commands.ts';
import {runCommand} from './run-command.ts';

const scriptOf = async (shell: string): Promise<string> => {
  const {code, stdout} = await runCommand(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
};

test.each(['bash', 'zsh', 'fish'])('the script for %s knows every command and flag of the table', async shell => {
  const script = await scriptOf(shell);
  for (const {word, flags} of commands) {
    expect(script).toContain(word ?? 'branchlog');
    for (const {name} of [...flags, ...everywhereFlags]) {
      expect(script).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`);
    }
  }
});

describe('in bash', () => {
  /** What is offered when the last of the words is being typed; `branchlog sites` answers with two sites. */
  const offer = async (
    words: readonly string[],
    sites = '{"id":"5f3c","name":"shop"}\n{"id":"77b1","name":null}\n',
  ) => {
    const script = `${await scriptOf('bash')}
branchlog() { printf '%s' "$SITES"; }
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_branchlog
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', script, 'bash', 'branchlog', ...words], {
      encoding: 'utf8',
      env: {...process.env, SITES: sites},
    });
    return out.split('\n').filter(Boolean);
  };

  test.each<readonly [string, readonly string[]]>([
    ['lo', ['logs']],
    ['logs s', ['shop']],
    ['logs 7', ['77b1']],
    ['logs --format ', ['text', 'json', 'raw']],
    ['branches --format ', ['table', 'json', 'ndjson']],
    ['--context prod logs shop --fo', ['--follow', '--format']],
    ['logs --tail ', []],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['shop logs --fo', []],
    ['demo bu', ['burst']],
  ])('after "branchlog %s"', async (line, expected) => {
    expect(await offer(line.split(' '))).toEqual(expected);
  });

  test('a site whose name is a command of the shell is left out, and not carried out', async () => {
    expect(await offer(['logs', ''], '{"id":"a","name":"$(echo gotcha)"}\n{"id":"b","name":"`id`"}\n')).toEqual([]);
  });
});
