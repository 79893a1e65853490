import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {compiledOnce, installProgram} from '../support/built-program.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {fakeToken, startFakeService} from '../support/fake-service.ts';
import {createTempFolder} from '../support/temp-folder.ts';

const [, block = ''] = /^## In pipes\n.*?```sh\n(.*?)```/ms.exec(readFileSync('docs/commands.md', 'utf8')) ?? [];

test('the pipes of docs/commands.md with jq, nl and xargs do what they say, with names that a shell would take apart', async () => {
  const service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  const folder = createTempFolder('recipes');
  onTestFinished(async () => {
    await service.close();
    folder.remove();
  });
  const names = ['master', `it's "$(date)" two`];
  service.setBranches(
    'shop',
    names.map(name => makeBuiltBranch(name, name)),
  );
  for (const name of names) {
    service.setLog(name, () => ({
      lines: [`2026-11-21T14:00:00Z first of ${name}`, `2026-11-21T14:00:01Z last of ${name}`],
    }));
  }
  const env = {
    ...{PATH: `${installProgram(folder.path)}:${process.env.PATH}`, HOME: folder.path, ...compiledOnce},
    ...{BRANCHLOG_BASE_URL: service.baseUrl, BRANCHLOG_TENANT: 'acme', BRANCHLOG_AUTH_MODE: 'idp'},
    BRANCHLOG_TOKEN: fakeToken,
  };
  const printed: string[] = [];
  for (const line of block.trim().split('\n')) {
    const {stdout, stderr} = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', line], {env});
    expect([line, stderr]).toEqual([line, '']);
    printed.push(stdout.replaceAll(/^ +/gm, ''));
  }
  const [first = '', second = ''] = names;
  expect(printed).toEqual([
    `${first}\n${second}\n`,
    `2026-11-21T14:00:01Z last of ${first}\n2026-11-21T14:00:01Z last of ${second}\n`,
    `first of ${first}\nlast of ${first}\n`,
    `1\t2026-11-21T14:00:00Z first of ${first}\n2\t2026-11-21T14:00:01Z last of ${first}\n`,
  ]);
});
