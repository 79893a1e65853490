import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

const tokens = {
  production: 'cHJvZHVjdGlvbg.cHJvZHVjdGlvbg.cHJvZHVjdGlvbg',
  staging: 'c3RhZ2luZw.c3RhZ2luZw.c3RhZ2luZw',
};
type Name = keyof typeof tokens;
const names: readonly Name[] = ['production', 'staging'];

let services: Readonly<Record<Name, FakeService>>;
let home: TempFolder;
const programs: PtyProgram[] = [];

const start = async (name: Name): Promise<FakeService> => {
  const service = await startFakeService({tokens: [tokens[name]], tenant: `org-${name}`});
  service.setBranches(`site-${name}`, [makeBuiltBranch(`branch-${name}`, `main-of-${name}`)]);
  service.setLog(`branch-${name}`, () => ({lines: [`2026-11-21T14:00:00.000000000Z a line of ${name}`]}));
  return service;
};

beforeEach(async () => {
  services = {production: await start('production'), staging: await start('staging')};
  home = createTempFolder('contexts');
  const folder = join(home.path, '.config/branchlog');
  mkdirSync(folder, {recursive: true});
  const contexts = names.map(name => {
    writeFileSync(join(home.path, `token-${name}`), tokens[name], {mode: 0o600});
    return `[contexts.${name}]
base_url = "${services[name].baseUrl}"
tenant = "org-${name}"
auth_mode = "mode-1"
token_file = "~/token-${name}"
${name === 'staging' ? 'window = "pod"\n' : ''}[[contexts.${name}.sites]]
id = "site-${name}"
name = "shop of ${name}"
`;
  });
  const wanting = '[contexts.wanting]\nbase_url = "http://127.0.0.1:9/dev-v1"\n';
  writeFileSync(join(folder, 'config.toml'), `default_context = "production"\n${contexts.join('')}${wanting}`);
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map(program => program.close()));
  await Promise.all(names.map(name => services[name].close()));
  home.remove();
});

const open = (options: Parameters<typeof startPtyProgram>[0] = {}): PtyProgram => {
  const program = startPtyProgram({home, columns: 120, rows: 24, ...options});
  programs.push(program);
  return program;
};

/** Every request has the token and the tenant of the service that it went to. */
const expectOwnHeaders = (): void => {
  for (const name of names) {
    expect(services[name].headerViolations()).toEqual([]);
    for (const {headers} of services[name].requests) {
      expect(headers.authorization).toBe(`Bearer ${tokens[name]}`);
    }
  }
};

test('Tab goes to the next context: its sites, its service, its token, and back', async () => {
  const program = open();
  await program.waitFor('▸ shop of production');
  program.press('Enter');
  await program.waitFor('▸ ● main-of-production');
  program.press('Esc');
  await program.waitFor('context 1 of 3');
  const asked = services.production.requests.length;
  program.press('Tab');
  await program.waitFor('▸ shop of staging');
  expect(program.screenText()[0]).toContain(`staging   ${new URL(services.staging.baseUrl).host}   context 2 of 3`);
  program.press('Enter');
  await program.waitFor('▸ ● main-of-staging');
  program.press('Enter');
  await program.waitFor('a line of staging');
  expect(services.production.requests.length).toBe(asked);
  program.press('i');
  await program.waitFor('joined: the service cuts each pod on its own, the context says so');
  program.press('i', 'Esc', 'Esc');
  await program.waitFor('context 2 of 3');
  const askedThere = services.staging.requests.length;
  // The third one has no token: it is passed over.
  program.press('Tab');
  await program.waitFor(/the context wanting can't be used: missing/);
  await program.waitFor('▸ shop of production');
  program.press('Enter', 'Enter');
  await program.waitFor('▸ ● main-of-production');
  program.press('Enter');
  await program.waitFor('a line of production');
  expect(services.staging.requests.length).toBe(askedThere);
  program.press('q');
  expect(await program.exitCode()).toBe(0);
  expectOwnHeaders();
  // Each site is remembered for its own context.
  const again = open({args: ['--context', 'staging']});
  await again.waitFor(/▸ shop of staging.*opened/);
  expect(again.screenText().join('')).not.toContain('shop of production');
});

test("the environment's token stays with the context that it was given for", async () => {
  const foreign = 'Zm9yZWlnbg.Zm9yZWlnbg.Zm9yZWlnbg';
  services.production.setTokens(tokens.production, foreign);
  const program = open({env: {BRANCHLOG_TOKEN: foreign}});
  await program.waitFor('▸ shop of production');
  program.press('Enter');
  await program.waitFor('▸ ● main-of-production');
  program.press('Esc', 'Tab', 'Enter');
  await program.waitFor('▸ ● main-of-staging');
  expect(services.production.requests.map(({headers}) => headers.authorization)).toContain(`Bearer ${foreign}`);
  expect(services.staging.requests.map(({headers}) => headers.authorization)).not.toContain(`Bearer ${foreign}`);
});

test('a request that is under way when the context changes is let go of', async () => {
  services.production.failAlways({kind: 'stall', at: 'headers'});
  const program = open();
  await program.waitFor('▸ shop of production');
  program.press('Enter');
  await services.production.waitForRequests(1, 'branches');
  program.press('Esc', 'Tab', 'Enter');
  await program.waitFor('▸ ● main-of-staging');
  program.press('q');
  expect(await program.exitCode()).toBe(0);
  expectOwnHeaders();
});

test('a recording says how windows were cut, whoever said so when it was made', async () => {
  const place = ['site-staging', 'main-of-staging'];
  const file = join(home.path, 'recording.ndjson');
  const recorded = open({args: [...place, '--context', 'staging', '--record', file]});
  await recorded.waitFor('a line of staging');
  recorded.press('q');
  await recorded.exitCode();
  const replayed = open({args: [...place, '--replay', file]});
  await replayed.waitFor('a line of staging');
  replayed.press('i');
  await replayed.waitFor('joined: the service cuts each pod on its own, the recording says so');
});
