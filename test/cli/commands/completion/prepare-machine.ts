import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../../../support/fake-records.ts';
import {startFakeService} from '../../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {runCommand} from '../../run-command.ts';

const config = (baseUrl: string, folder: TempFolder): string => `default_context = "prod"
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
export const prepareMachine = async () => {
  const folder = createTempFolder('completion');
  const service = await startFakeService();
  const env: NodeJS.ProcessEnv = {XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path};
  mkdirSync(join(folder.path, 'branchlog'));
  writeFileSync(join(folder.path, 'token'), service.env.BRANCHLOG_TOKEN ?? '', {mode: 0o600});
  writeFileSync(
    join(folder.path, 'branchlog/config.toml'),
    config(service.env.BRANCHLOG_BASE_URL ?? '', folder)
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
  return {folder, service, env};
};
