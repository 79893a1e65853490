import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let service: FakeService;
let home: TempFolder;

const record = (id: string, name: string, changes: Record<string, unknown> = {}) => ({
  _id: id,
  name,
  project: 'site-1',
  branchType: 'BRANCH',
  status: 'DEPLOY_APPLICATION_SUCCESS',
  updatedAt: '2026-11-21T10:00:00.000Z',
  customDomains: [],
  ...changes,
});

beforeEach(async () => {
  service = await startFakeService();
  home = createTempFolder('cli');
});

afterEach(async () => {
  await service.close();
  home.remove();
});

const run = (argv: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(argv, {env: service.env, homeFolder: home.path, ...options});

const writeConfig = (text: string): void => {
  mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
  writeFileSync(join(home.path, '.config/branchlog/config.toml'), text);
};

const twoSites = `
[contexts.prod]
tenant = "org-1"
[[contexts.prod.sites]]
id = "site-1"
name = "shop"
[[contexts.prod.sites]]
id = "site-2"
`;

describe('branches', () => {
  beforeEach(() => {
    service.setBranches('site-1', [
      record('b-2', 'feature/new', {status: null, branchType: 'FEATURE'}),
      record('b-1', 'master', {hostname: 'shop.example.com', branchType: 'MASTER'}),
      record('b-3', 'staging', {status: 'DEPLOY_APPLICATION_FAILED'}),
    ]);
  });

  test('--fields picks fields, in any format, and names those there are', async () => {
    const {stdout} = await run(['branches', 'site-1', '--format', 'ndjson', '--fields', 'name,status']);
    expect(stdout.split('\n')[0]).toBe('{"name":"feature/new","status":null}');
    expect((await run(['branches', 'site-1', '--fields', 'status, name'])).stdout).toBe(
      [
        'STATUS                      NAME',
        '                            feature/new',
        'DEPLOY_APPLICATION_SUCCESS  master',
        'DEPLOY_APPLICATION_FAILED   staging',
        '',
      ].join('\n'),
    );
    expect(await run(['branches', 'site-1', '--fields', 'nam'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'branchlog: --fields: there is no field "nam", there are id, name, status, type, hostname, updatedAt, troubles, malformed\n',
    });
  });

  test('the table is aligned, says every status in words, and has what is not built out last', async () => {
    expect(await run(['branches', 'site-1'])).toEqual({
      code: 0,
      stdout: [
        'NAME         STATUS                     TYPE     ID   HOSTNAME          UPDATED',
        'master       deployed                   MASTER   b-1  shop.example.com  2026-11-21T10:00:00.000Z',
        'staging      DEPLOY_APPLICATION_FAILED  BRANCH   b-3                    2026-11-21T10:00:00.000Z',
        'feature/new  not built out              FEATURE  b-2                    2026-11-21T10:00:00.000Z',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(service.headerViolations()).toEqual([]);
  });

  test('JSON keeps the order of the service and has null for what is not there', async () => {
    const {stdout} = await run(['branches', 'site-1', '--format', 'json-array']);
    expect(JSON.parse(stdout)).toEqual([
      {
        id: 'b-2',
        name: 'feature/new',
        status: null,
        type: 'FEATURE',
        hostname: null,
        updatedAt: '2026-11-21T10:00:00.000Z',
      },
      {
        id: 'b-1',
        name: 'master',
        status: 'DEPLOY_APPLICATION_SUCCESS',
        type: 'MASTER',
        hostname: 'shop.example.com',
        updatedAt: '2026-11-21T10:00:00.000Z',
      },
      {
        id: 'b-3',
        name: 'staging',
        status: 'DEPLOY_APPLICATION_FAILED',
        type: 'BRANCH',
        hostname: null,
        updatedAt: '2026-11-21T10:00:00.000Z',
      },
    ]);
  });

  test('NDJSON is one object a line', async () => {
    const {stdout} = await run(['branches', 'site-1', '--format=ndjson']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(row => JSON.parse(row).id),
    ).toEqual(['b-2', 'b-1', 'b-3']);
  });

  test('--deployed asks for the deployed branches only', async () => {
    const {stdout} = await run(['branches', 'site-1', '--deployed', '--format', 'ndjson']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(row => JSON.parse(row).id),
    ).toEqual(['b-1']);
    expect(service.requests.map(({path}) => path)).toEqual(['/dev-v1/sites/site-1/deployed-branches']);
  });

  test('--full gives the whole record, unknown fields too, and masks every secret', async () => {
    service.setBranches('site-1', [
      makeBuiltBranch('b-9', 'main', {
        dbPassword: 'canary-1',
        editorPwd: 'canary-2',
        lockPassword: 'canary-3',
        appSettings: {type: 'shop', adminUser: 'admin', adminPassword: 'canary-4'},
        customDomains: [{_id: 'd', domain: 'a.example.com', privateKey: 'canary-5'}],
        apiToken: 'canary-6',
        colour: 'blue',
      }),
    ]);
    const {stdout, code} = await run(['branches', 'site-1', '--full', '--format', 'json-array']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('canary');
    const [whole] = JSON.parse(stdout);
    expect(whole).toMatchObject({
      _id: 'b-9',
      name: 'main',
      colour: 'blue',
      dbPassword: '********',
      apiToken: '********',
    });
    expect(whole.customDomains[0]).toMatchObject({domain: 'a.example.com', privateKey: '********'});
  });

  test('colour is for terminals, and NO_COLOR is heeded there', async () => {
    const onTerminal = await run(['branches', 'site-1'], {stdoutIsTerminal: true});
    expect(onTerminal.stdout).toContain('\x1b[1;38;5;196mDEPLOY_APPLICATION_FAILED\x1b[0m  BRANCH');
    const without = await run(['branches', 'site-1'], {stdoutIsTerminal: true, env: {...service.env, NO_COLOR: '1'}});
    expect(without.stdout).not.toContain('\x1b');
  });

  test('a hostile name cannot reach the terminal, nor break a JSON line', async () => {
    service.setBranches('site-1', [makeBranch('b-1', '\x1b]0;title\x07\x9b2J\u202egnp')]);
    const table = await run(['branches', 'site-1']);
    expect(table.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    const json = await run(['branches', 'site-1', '--format', 'ndjson']);
    expect(json.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(JSON.parse(json.stdout).name).toBe('\x1b]0;title\x07\x9b2J\u202egnp');
  });

  test('a site without branches is said on stderr, and JSON is an empty array', async () => {
    service.setBranches('site-1', []);
    expect(await run(['branches', 'site-1'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'branchlog: site site-1 has no branches\n',
    });
    expect((await run(['branches', 'site-1', '--format', 'json-array'])).stdout).toBe('[]\n');
  });

  describe('a record that is malformed', () => {
    const broken = makeBuiltBranch('b-1', 'master', {name: {canary: 1}, status: ['canary'], updatedAt: 5, lock: 'no'});

    test('is listed, with a word for each column that can’t be read', async () => {
      service.setBranches('site-1', [broken, makeBuiltBranch('b-2', 'main', {hostname: 7, branchType: null})]);
      const {code, stdout, stderr} = await run(['branches', 'site-1']);
      expect([code, stdout.split('\n').map(row => row.split(/ {2,}/))]).toEqual([
        0,
        [
          ['NAME', 'STATUS', 'TYPE', 'ID', 'HOSTNAME', 'UPDATED'],
          [
            'b-1 (name not as described)',
            'status not as described',
            expect.any(String),
            'b-1',
            expect.any(String),
            'not as described',
          ],
          ['main', 'deployed', 'b-2', 'not as described', expect.any(String)],
          [''],
        ],
      ]);
      expect(stderr).toBe(
        'branchlog: ignored 5 parts of the response that do not match the interface; the first is [0].name: expected a string, got an object\n',
      );
    });

    test('says in JSON which fields are null for that reason', async () => {
      service.setBranches('site-1', [broken, makeBranch('b-2', 'main')]);
      const {stdout} = await run(['branches', 'site-1', '--format', 'json-array']);
      expect(JSON.parse(stdout)).toMatchObject([
        {id: 'b-1', name: null, status: null, updatedAt: null, malformed: ['name', 'status', 'updatedAt', 'lock']},
        {id: 'b-2', name: 'main', status: null},
      ]);
      expect(JSON.parse(stdout)[1]).not.toHaveProperty('malformed');
      const full = await run(['branches', 'site-1', '--format', 'json-array', '--full']);
      expect(JSON.parse(full.stdout)[0]).toMatchObject({_id: 'b-1', status: ['canary'], lock: 'no'});
    });

    test('may be asked for by --fields where no record is', async () => {
      service.setBranches('site-1', [makeBranch('b-2', 'main')]);
      const {code, stdout} = await run(['branches', 'site-1', '--format', 'ndjson', '--fields', 'status,malformed']);
      expect([code, stdout]).toEqual([0, '{"status":null,"malformed":null}\n']);
    });

    test('has a log, by its id', async () => {
      service.setBranches('site-1', [broken]);
      service.setLog('b-1', () => ({lines: ['2026-11-21T14:00:00Z one']}));
      const {code, stdout, stderr} = await run(['logs', 'site-1', 'b-1', '--format', 'raw']);
      expect([code, stdout, stderr]).toEqual([0, '2026-11-21T14:00:00Z one\n', '']);
    });

    test('is told by doctor, and its log is looked at', async () => {
      writeConfig(twoSites);
      service.setBranches('site-1', [broken, {name: 'no id'}]);
      const {stdout} = await run(['doctor', '--context', 'prod']);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('1 branch, 0 deployed; 1 record has no id; ignored 5 parts');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('log b-1: 0 lines');
    });
  });

  test('a record that is none is left out, and that is said', async () => {
    service.setBranches('site-1', [record('b-1', 'master'), {nothing: true}]);
    const {code, stdout, stderr} = await run(['branches', 'site-1', '--format', 'ndjson']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).id).toBe('b-1');
    expect(stderr).toMatch(
      /^branchlog: ignored 1 part of the response that does not match the interface; the first is \[1\]\._id: [^\n]*\nbranchlog: 1 record has no id and can't be listed\n$/,
    );
  });

  test('a configured name stands for its id', async () => {
    writeConfig(twoSites);
    const {code} = await run(['branches', 'shop', '--context', 'prod']);
    expect(code).toBe(0);
    expect(service.requests[0]?.path).toBe('/dev-v1/sites/site-1/branches');
  });

  test('a site that nobody knows ends with 4, and a configured name that is near is offered', async () => {
    writeConfig(twoSites);
    const {code, stderr} = await run(['branches', 'shp', '--context', 'prod']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^branchlog: .*404.* Did you mean shop\?\n$/);
  });

  test('an id is escaped on its way', async () => {
    await run(['branches', 'a/b?c']);
    expect(service.requests[0]?.path).toBe('/dev-v1/sites/a%2Fb%3Fc/branches');
  });

  test('an id that would change the path is refused before any request', async () => {
    const {code} = await run(['branches', '..']);
    expect(code).toBe(2);
    expect(service.requests).toHaveLength(0);
  });
});

describe('sites', () => {
  test('lists what the config names, as table, JSON and NDJSON, and asks nobody', async () => {
    writeConfig(twoSites);
    const flags = ['--context', 'prod'];
    expect((await run(['sites', ...flags])).stdout).toBe('NAME  ID\nshop  site-1\n      site-2\n');
    expect(JSON.parse((await run(['sites', ...flags, '--format', 'json-array'])).stdout)).toEqual([
      {id: 'site-1', name: 'shop'},
      {id: 'site-2', name: null},
    ]);
    expect((await run(['sites', ...flags, '--format', 'ndjson'])).stdout).toBe(
      '{"id":"site-1","name":"shop"}\n{"id":"site-2","name":null}\n',
    );
    expect(service.requests).toHaveLength(0);
  });

  test('nothing configured is a sentence on stderr and no mistake', async () => {
    const {code, stdout, stderr} = await run(['sites']);
    expect({code, stdout}).toEqual({code: 0, stdout: ''});
    expect(stderr).toMatch(/^branchlog: context 127\.0\.0\.1 has no sites\. .* like this:\n/);
    expect((await run(['sites', '--format', 'json-array'])).stdout).toBe('[]\n');
  });

  test('the block for a site is right as pasted, also for a context that is named after an address', async () => {
    const {stderr} = await run(['sites']);
    writeConfig(stderr.slice(stderr.indexOf('\n') + 1));
    expect((await run(['sites'])).stdout).toBe('NAME  ID\nNAME  ID\n');
    // A context of the file needs only its site.
    const context = '[contexts."a b.c"]\ntenant = "t"\n';
    writeConfig(context);
    const {stderr: ofFile} = await run(['sites']);
    const block = ofFile.slice(ofFile.indexOf('\n') + 1);
    expect(block).toBe('[[contexts."a b.c".sites]]\nid = "ID"\nname = "NAME"\n');
    writeConfig(context + block);
    expect((await run(['sites'])).stdout).toBe('NAME  ID\nNAME  ID\n');
  });

  test('--fields names a field that there is, also where nothing is listed', async () => {
    const refused = {code: 2, stderr: expect.stringMatching(/no field "nme", there are id, name\n$/)};
    expect(await run(['sites', '--fields', 'nme'], {env: {}})).toMatchObject(refused);
    expect(await run(['sites', '--fields', 'nme'])).toMatchObject(refused);
    writeConfig(twoSites);
    expect(await run(['sites', '--fields', 'nme'])).toMatchObject(refused);
  });

  test('a key of a command that there is not is refused, although no key is pressed here', async () => {
    writeConfig(`${twoSites}[keys]\nopne = "o"\n`);
    for (const argv of [['sites'], ['branches', 'shop'], ['logs', 'shop', 'main']]) {
      expect(await run(argv)).toMatchObject({code: 2, stdout: '', stderr: expect.stringContaining('opne')});
    }
  });

  test('a home that is no absolute path is refused: what is kept there would be elsewhere each time', async () => {
    expect(await run(['sites'], {env: {...service.env, HOME: 'here'}})).toEqual({
      code: 2,
      stdout: '',
      stderr: 'branchlog: HOME is "here", and must be an absolute path\n',
    });
  });

  test('a machine on which nothing was set up has no sites', async () => {
    const {code, stdout, stderr} = await run(['sites'], {env: {}});
    expect({code, stdout}).toEqual({code: 0, stdout: ''});
    expect(stderr).toMatch(/^branchlog: no sites are configured, .*\n$/);
  });

  test('a config file that was named and is not there ends with 2', async () => {
    const {code, stderr} = await run(['sites', '--config', join(home.path, 'none.toml')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^branchlog: .*none\.toml.*\n$/);
  });
});

describe('a branch whose pods do not work', () => {
  const loop = {pod: 'web-1', container: 'php', state: 'now', reason: 'CrashLoopBackOff ×7', message: 'no\x1b[2J disk'};

  beforeEach(() => {
    const past = {...loop, state: 'past', reason: 'restarted ×1'};
    service.setBranches('site-1', [
      record('b-1', 'main', {troubles: [loop, past]}),
      record('b-2', 'fine'),
      record('b-3', 'before', {troubles: [past]}),
    ]);
  });

  test('has the reason beside its status, and in JSON', async () => {
    const {stdout} = await run(['branches', 'site-1']);
    expect(stdout).toMatch(/main +deployed, CrashLoopBackOff ×7 /);
    const {stdout: json} = await run(['branches', 'site-1', '--format', 'json-array']);
    const [main, fine] = JSON.parse(json) as {troubles?: unknown}[];
    expect(main?.troubles).toMatchObject([{reason: 'CrashLoopBackOff ×7'}, {reason: 'restarted ×1'}]);
    expect(fine).not.toHaveProperty('troubles');
  });

  test('says it on stderr where its log is printed, unless all work again', async () => {
    const {stderr} = await run(['logs', 'site-1', 'main']);
    expect(stderr).toMatch(
      /^branchlog: branch main: web-1\/php: CrashLoopBackOff ×7: no.* disk; 1 trouble more: see .*\n/,
    );
    expect(stderr).not.toContain('\x1b');
    expect((await run(['logs', 'site-1', 'before'])).stderr).not.toContain('restarted');
  });
});
