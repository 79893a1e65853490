import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {readBranchFields} from '#api/client/branch-fields.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {createFieldProblems, createFieldReader} from '#api/client/field-reader.ts';
import {Secret} from '#base/secret.ts';

const base = {
  _id: 'b1',
  isEnableEditor: true,
  isEnablePMA: false,
  lock: false,
  doNotIndex: null,
  secureConnection: true,
  project: 'shop',
  name: 'master',
  branchType: 'MASTER',
  originBranch: '',
  createdAt: '2026-01-02T03:04:05.006Z',
  updatedAt: '2026-01-02T03:04:05.007Z',
  customDomains: [],
  status: null,
};

const trouble = {reason: 'Evicted', state: 'whatever'};

const full = {
  ...base,
  status: 'DEPLOY_APPLICATION_SUCCESS',
  appSettings: {type: 'wordpress', adminUser: 'root', adminPassword: 'canary-admin'},
  applicationName: 'shop-master',
  appserverImage: 'php',
  appserverTag: '8',
  webserverImage: 'nginx',
  webserverTag: '1',
  backupInterval: null,
  copyDatabaseFilesApplication: null,
  copyDatabaseFilesType: null,
  copyDatabaseUrl: 'mysql://u:canary-url@db/x',
  copyFilesUrl: 'https://files.example/a?X-Amz-Signature=canary-signed',
  customDomain: null,
  dbName: 'db',
  dbUser: 'dbu',
  dbPassword: 'canary-db',
  deployedBy: 'u1',
  deploymentConfig: {
    'application.storage': '5Gi',
    'images.nginx.env': [{name: 'NGINX_SERVER_ROOT', value: '/var/www'}],
    'images.php.env': [
      {name: 'APP_ROOT', value: '/app'},
      {name: 'SMTP_PASSWORD', value: 'canary-smtp'},
    ],
  },
  editorHostname: 'editor.example',
  editorPwd: 'canary-editor',
  environment: 'e1',
  fromApplicationName: 'x',
  fromDB: null,
  hostname: 'shop.example.com',
  isEnablePolymorphing: false,
  isEnablePolyscripting: true,
  lockPassword: 'canary-lock',
  lockUsername: 'guest',
  namespace: 'ns',
  oldHostname: null,
  pmaHostname: 'pma.example',
  replicas: 2,
  lastActivity: {
    _id: 'a1',
    action: 'UPDATE_CONFIG_APPLICATION',
    createdBy: 'u1',
    workspace: 'w',
    project: 'shop',
    application: 'b1',
    environment: 'e1',
    status: 'SUCCESS',
    createdAt: '2026-01-02T03:04:05.006Z',
    updatedAt: '2026-01-02T03:04:05.006Z',
    lastResponse: {id: 'r', status: 'ok', payload: {apiKey: 'canary-payload'}, task: 't'},
    taskName: null,
  },
  elb: 'lb.example',
  customDomains: [
    {
      _id: 'd1',
      domain: 'shop.example',
      createdBy: 'u1',
      workspace: 'w',
      application: 'b1',
      privateKey: 'canary-key',
      sslCertificate: '-----BEGIN PRIVATE KEY----- canary-pem',
      createdAt: '2026-01-02T03:04:05.006Z',
      updatedAt: '2026-01-02T03:04:05.006Z',
    },
    {domain: 'plain.example', privateKey: '', sslCertificate: ''},
  ],
  webhookSecret: 'canary-unknown',
  futureField: {deep: [1, {password: 123456}]},
};

const decodeOne = (item: unknown): Branch => {
  const [branch] = decodeBranches([item]).value;
  if (!branch) {
    throw new Error('The record was skipped.');
  }
  return branch;
};

describe('a full record', () => {
  const branch = decodeOne(JSON.parse(JSON.stringify(full)));

  test('is typed field by field, and nothing of it is skipped', () => {
    expect(decodeBranches([full, base]).skipped).toEqual([]);
    expect(branch).toMatchObject({
      _id: 'b1',
      status: 'DEPLOY_APPLICATION_SUCCESS',
      doNotIndex: null,
      replicas: 2,
      hostname: 'shop.example.com',
      appSettings: {type: 'wordpress', adminUser: 'root'},
      lastActivity: {action: 'UPDATE_CONFIG_APPLICATION', taskName: null, lastResponse: {id: 'r', task: 't'}},
      deploymentConfig: {applicationStorage: '5Gi', nginxEnv: [{name: 'NGINX_SERVER_ROOT', value: '/var/www'}]},
    });
  });

  test('keeps its secrets as Secret, each with its value', () => {
    const secrets = [
      branch.appSettings?.adminPassword,
      branch.dbPassword,
      branch.editorPwd,
      branch.lockPassword,
      branch.copyDatabaseUrl,
      branch.copyFilesUrl,
      branch.customDomains[0]?.privateKey,
      branch.customDomains[0]?.sslCertificate,
      branch.deploymentConfig?.phpEnv[1]?.value,
      branch.lastActivity?.lastResponse?.payload?.apiKey,
      branch.unknownFields.webhookSecret,
    ];
    expect(secrets.map(secret => (secret instanceof Secret ? secret.reveal() : secret))).toEqual([
      'canary-admin',
      'canary-db',
      'canary-editor',
      'canary-lock',
      'mysql://u:canary-url@db/x',
      'https://files.example/a?X-Amz-Signature=canary-signed',
      'canary-key',
      '-----BEGIN PRIVATE KEY----- canary-pem',
      'canary-smtp',
      'canary-payload',
      'canary-unknown',
    ]);
    expect(branch.customDomains[1]?.privateKey).toBeUndefined();
  });

  test('shows no secret however it is printed', () => {
    for (const text of [JSON.stringify(branch), inspect(branch, {depth: 20, showHidden: true})]) {
      expect(text).not.toMatch(/canary|123456/);
    }
    expect(JSON.stringify(branch.record)).toContain('"dbPassword":"********"');
  });

  test('has no field twice: whatever the reader is asked for is no longer unknown', () => {
    const shown = Object.keys(branch).filter(key => key !== 'unknownFields' && key !== 'record');
    expect(shown.filter(key => key in branch.unknownFields)).toEqual([]);

    // As if `futureField` had been added to the fields that are read.
    const read = createFieldReader(branch.record, '', createFieldProblems());
    const fields = {...readBranchFields(read, createFieldProblems()), futureField: read.table('futureField')};
    expect(Object.keys(fields.futureField ?? {})).toEqual(['deep']);
    expect(Object.keys(read.rest(['_id', 'name', 'status']))).toEqual(['webhookSecret']);
  });

  test('keeps unknown fields and the whole record', () => {
    expect(Object.keys(branch.unknownFields)).toEqual(['webhookSecret', 'futureField']);
    expect(Object.keys(branch.record)).toEqual(Object.keys(full));
  });
});

describe('deploymentConfig', () => {
  const env = [{name: 'APP_ROOT', value: '/app'}];
  test.each([
    ['dotted', {'application.storage': '5Gi', 'images.php.env': env}],
    ['nested', {application: {storage: '5Gi'}, images: {php: {env}}}],
    ['mixed', {application: {storage: '5Gi'}, 'images.php': {env}}],
    ['mixed the other way', {'application.storage': '5Gi', images: {'php.env': env}}],
  ])('%s is read as the same', (_, deploymentConfig) => {
    expect(decodeOne({...base, deploymentConfig}).deploymentConfig).toEqual({
      applicationStorage: '5Gi',
      nginxEnv: [],
      phpEnv: env,
    });
  });
});

describe('records that are not exact', () => {
  test('those without an id are skipped with their path and counted, and the others stay', () => {
    const {value, skipped, withoutId} = decodeBranches([
      {...base, _id: 5},
      null,
      {...base, name: undefined},
      {...base, status: 7},
      {...base, _id: ''},
      {...base, _id: 'good'},
    ]);
    expect(value.map(({_id, name, status, malformed}) => [_id, name, status, malformed])).toEqual([
      ['b1', 'b1', null, ['name']],
      ['b1', 'master', undefined, ['status']],
      ['good', 'master', null, []],
    ]);
    expect(withoutId).toBe(3);
    expect(skipped).toEqual([
      '[0]._id: expected a string that is not empty, got a number',
      '[1]: expected an object, got null',
      '[2].name: expected a string, got nothing',
      '[3].status: expected a string or null, got a number',
      '[4]._id: expected a string that is not empty, got a string',
    ]);
  });

  test('mistyped fields are left out and noted with their path', () => {
    const {value, skipped} = decodeBranches([
      {
        ...base,
        lock: 'yes',
        replicas: '2',
        customDomains: [{domain: null}, {domain: 'a', createdBy: 3}],
        lastActivity: {lastResponse: []},
        dbPassword: true,
      },
    ]);
    const [branch] = value;
    expect([branch?.lock, branch?.replicas, branch?.dbPassword, branch?.customDomains.length]).toEqual([
      undefined,
      undefined,
      undefined,
      1,
    ]);
    expect([...(branch?.malformed ?? [])].sort()).toEqual([
      'customDomains[0].domain',
      'customDomains[1].createdBy',
      'dbPassword',
      'lastActivity.lastResponse',
      'lock',
      'replicas',
    ]);
    expect([...skipped].sort()).toEqual([
      '[0].customDomains[0].domain: expected a string, got null',
      '[0].customDomains[1].createdBy: expected a string, got a number',
      '[0].dbPassword: expected a string, got a boolean',
      '[0].lastActivity.lastResponse: expected an object, got an array',
      '[0].lock: expected a boolean, got a string',
      '[0].replicas: expected a number, got a string',
    ]);
  });

  test('of the items of a list, the first with each malformed field is named', () => {
    const domains = [...Array.from({length: 5000}, () => 0), {domain: 1}, {domain: 'a', createdBy: 2}, {domain: 3}];
    const {malformed} = decodeOne({...base, customDomains: domains, deploymentConfig: {'images.php.env': [{}, {}]}});
    expect(malformed).toEqual([
      'customDomains[0]',
      'customDomains[5000].domain',
      'customDomains[5001].createdBy',
      'deploymentConfig.images.php.env[0].name',
    ]);
  });

  test('a malformed name or status is neither shown nor taken for another', () => {
    const branch = decodeOne({...base, name: {canary: 1}, status: ['canary']});
    expect([branch.name, branch.status, branch.malformed]).toEqual(['b1', undefined, ['name', 'status']]);
    expect(Object.keys(branch.unknownFields)).toEqual([]);
  });

  test('a record of identifier and name is enough, and a status that is missing is null', () => {
    const branch = decodeOne({_id: 'b', name: 'n'});
    expect([branch.status, branch.branchType, branch.customDomains]).toEqual([null, '', []]);
  });

  test('unknown words are kept as they are', () => {
    expect(decodeOne({...base, status: 'BUILD_PENDING', branchType: 'FEATURE'})).toMatchObject({
      status: 'BUILD_PENDING',
      branchType: 'FEATURE',
    });
  });

  test('prototypes and depth do no harm', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const json: unknown = JSON.parse(
      `[{"_id":"b","name":"n","__proto__":{"status":"x","polluted":1},"constructor":{"prototype":{"polluted":1}},"deep":${deep}}]`,
    );
    const {value, skipped} = decodeBranches(json);
    expect(value[0]?.status).toBeNull();
    expect(Object.getPrototypeOf(value[0]?.record)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(() => JSON.stringify(value)).not.toThrow();
    expect(skipped[0]).toBe('[0].__proto__: dropped');
    expect(skipped[1]).toMatch(/^\[0\]\.deep(\.a)+: nested deeper than 40, cut$/);
  });

  test('a value 39 levels down is kept, one level more is cut', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    // The record itself is one level.
    const whole = decodeBranches([{...base, deep: nested(39)}]);
    const cut = decodeBranches([{...base, deep: nested(40)}]);
    expect(whole.skipped).toEqual([]);
    expect(JSON.stringify(whole.value[0]?.unknownFields.deep)).toBe(JSON.stringify(nested(39)));
    expect(cut.skipped).toEqual([`[0].deep${'.a'.repeat(39)}: nested deeper than 40, cut`]);
  });

  test('notes are bounded and the rest is counted', () => {
    const {skipped} = decodeBranches(Array.from({length: 5000}, () => 1));
    expect([skipped.length, skipped.at(-1)]).toEqual([101, 'and 4900 more']);
  });

  test('of troubles and workloads the first hundred are kept; a trouble without a reason is none', () => {
    const troubles = [
      {reason: 'OOMKilled', state: 'past'},
      {pod: 'web-0'},
      ...Array.from({length: 200}, () => trouble),
    ];
    const workloads = Array.from({length: 200}, (_, index) => `web-${index}`);
    const [branch] = decodeBranches([{...base, troubles, workloads}]).value;
    expect(branch?.troubles).toHaveLength(99);
    expect(branch?.troubles.slice(0, 2)).toMatchObject([
      {reason: 'OOMKilled', state: 'past'},
      {reason: 'Evicted', state: 'now'},
    ]);
    expect([branch?.workloads.length, branch?.workloads.at(-1)]).toEqual([100, 'web-99']);
  });

  test.each([
    [null, 'null'],
    [{}, 'an object'],
    ['canary', 'a string'],
  ])('%j is no list of branches', (json, got) => {
    expect(() => decodeBranches(json)).toThrow(`the answer is not a list of branches: expected an array, got ${got}`);
  });
});
