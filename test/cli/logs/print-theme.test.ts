import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createGrowingLog} from '../../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {startFakeService} from '../../support/fake-service.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

/**
 * A failed branch and an error of two branches as they are printed on a terminal of 256 colours with this theme in the
 * config.
 */
const print = async (theme: string): Promise<{readonly table: string; readonly line: string}> => {
  const service = await startFakeService();
  const folder = createTempFolder('theme');
  try {
    const log = createGrowingLog();
    log.emitLines('2026-11-21T14:00:00.000000000Z ERROR it broke');
    service.setLog('b-1', log.log);
    service.setBranches('s', [
      makeBuiltBranch('b-1', 'main'),
      makeBuiltBranch('b-2', 'qa'),
      {...makeBranch('b-3', 'old'), status: 'DEPLOY_APPLICATION_FAILED'},
    ]);
    const config = join(folder.path, 'config.toml');
    writeFileSync(config, `[ui]\ntheme = "${theme}"\n`);
    const options = {env: {...service.env, BRANCHLOG_CONFIG: config}, stdoutIsTerminal: true};
    const {stdout} = await runCommand(['branches', 's'], options);
    const logs = await runCommand(['logs', 's', 'main', 'qa', '--grep', 'broke'], options);
    return {
      table: stdout.split('\n').find(row => row.includes('FAILED')) ?? '',
      line: logs.stdout,
    };
  } finally {
    await service.close();
    folder.remove();
  }
};

test.each<readonly [string, string, string, string, string]>([
  ['dark', '38;5;210', '38;5;116', '38;5;247', '38;5;210'],
  ['light', '38;5;160', '38;5;23', '38;5;241', '38;5;160'],
])('the theme %s of the config colours branches and logs too', async (theme, failed, branch, time, error) => {
  const {table, line} = await print(theme);
  expect(table).toContain(`\x1b[${failed}mDEPLOY_APPLICATION_FAILED\x1b[0m`);
  expect(line).toBe(
    `\x1b[${branch}mmain\x1b[0m \x1b[${time}m2026-11-21T14:00:00.000000000Z \x1b[0m\x1b[${error}mERROR it broke\x1b[0m\n`,
  );
});

test('on an unknown background an error is told by its time, white on red, and branches by their background', async () => {
  const {table, line} = await print('16');
  expect(table).toContain('\x1b[1;97;41mDEPLOY_APPLICATION_FAILED\x1b[0m');
  expect(line).toBe(
    '\x1b[30;46mmain\x1b[0m \x1b[1;97;41m2026-11-21T14:00:00.000000000Z\x1b[0m \x1b[1mERROR it broke\x1b[0m\n',
  );
});

test('the plain theme has emphasis and no colour', async () => {
  const {table, line} = await print('plain');
  expect(table).toContain('\x1b[1mDEPLOY_APPLICATION_FAILED\x1b[0m');
  expect(line).toBe('main \x1b[2m2026-11-21T14:00:00.000000000Z \x1b[0m\x1b[1mERROR it broke\x1b[0m\n');
});
