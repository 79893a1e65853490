import {expect, test} from 'vitest';
import {openSample} from '../open-sample.ts';

const baseFields = [
  '_id',
  'isEnableEditor',
  'isEnablePMA',
  'lock',
  'doNotIndex',
  'secureConnection',
  'project',
  'name',
  'branchType',
  'originBranch',
  'createdAt',
  'updatedAt',
  'customDomains',
  'status',
];

const fullFields = [
  ...baseFields,
  'appSettings',
  'applicationName',
  'appserverImage',
  'appserverTag',
  'webserverImage',
  'webserverTag',
  'backupInterval',
  'copyDatabaseFilesApplication',
  'copyDatabaseFilesType',
  'copyDatabaseUrl',
  'copyFilesUrl',
  'customDomain',
  'dbName',
  'dbUser',
  'dbPassword',
  'deployedBy',
  'deploymentConfig',
  'editorHostname',
  'editorPwd',
  'environment',
  'fromApplicationName',
  'fromDB',
  'hostname',
  'isEnablePolymorphing',
  'isEnablePolyscripting',
  'lockPassword',
  'lockUsername',
  'namespace',
  'oldHostname',
  'pmaHostname',
  'replicas',
  'lastActivity',
  'elb',
];

const keysOf = (value: unknown): string[] => Object.keys(Object(value)).sort();
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a branch not built out has the base fields and no other', async () => {
  const record = await openSample('day').branchNamed('feature/new-theme');
  expect(keysOf(record)).toEqual([...baseFields].sort());
  expect(record).toMatchObject({status: null, doNotIndex: null, customDomains: [], isEnableEditor: false});
});

test('a branch that is built out has every field of the interface', async () => {
  const records = await openSample('day').listBranches();
  const built = records.filter(({status}) => status !== null);
  expect(built.length).toBe(9);
  for (const record of built) {
    expect(keysOf(record)).toEqual([...fullFields].sort());
  }
});

test('the objects within a record have every field of theirs', async () => {
  const record = await openSample('day').branchNamed('master');
  const lastActivity = Object(record.lastActivity);
  expect(keysOf(record.appSettings)).toEqual(['adminPassword', 'adminUser', 'type']);
  expect(keysOf(lastActivity)).toEqual([
    '_id',
    'action',
    'application',
    'createdAt',
    'createdBy',
    'environment',
    'lastResponse',
    'project',
    'status',
    'taskName',
    'updatedAt',
    'workspace',
  ]);
  expect(keysOf(lastActivity.lastResponse)).toEqual(['id', 'payload', 'status', 'task']);
  expect(lastActivity).toMatchObject({action: 'UPDATE_CONFIG_APPLICATION', status: 'SUCCESS', taskName: null});
  expect(keysOf(Object(record.customDomains)[0])).toEqual([
    '_id',
    'application',
    'createdAt',
    'createdBy',
    'domain',
    'privateKey',
    'sslCertificate',
    'updatedAt',
    'workspace',
  ]);
});

test('the deployment configuration names the variables of the interface', async () => {
  const record = await openSample('day').branchNamed('master');
  const {application, images} = Object(record.deploymentConfig);
  const namesOf = (env: {name: string}[]) => env.map(({name}) => name);
  expect(application).toEqual({storage: '20Gi'});
  expect(namesOf(images.nginx.env)).toEqual([
    'NGINX_SERVER_ROOT',
    'NGINX_VHOST_PRESET',
    'NGINX_BACKEND_HOST',
    'NGINX_SET_REAL_IP_FROM',
  ]);
  expect(namesOf(images.php.env)).toEqual(['APP_ROOT', 'WEB_ROOT']);
});

test('the secrets are set: passwords on every built-out branch, a lock password, one private key', async () => {
  const records = await openSample('day').listBranches();
  const master = Object(records[0]);
  for (const secret of [master.appSettings.adminPassword, master.dbPassword, master.editorPwd]) {
    expect(secret).toMatch(/^\S{20}$/);
  }
  expect(new Set([master.appSettings.adminPassword, master.dbPassword, master.editorPwd]).size).toBe(3);
  expect(Object(records[1]).lockPassword).toMatch(/^\S{20}$/);
  expect(master.lockPassword).toBeNull();
  expect(master.customDomains[0].privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  expect(master.customDomains[1].privateKey).toBe('');
});

test('timestamps are ISO 8601 in UTC with milliseconds, and nothing changed before it was made', async () => {
  for (const record of await openSample('day').listBranches()) {
    const [createdAt, updatedAt] = [String(record.createdAt), String(record.updatedAt)];
    expect(createdAt).toMatch(timestamp);
    expect(updatedAt).toMatch(timestamp);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(updatedAt));
  }
});

test('a pod has every field of the orchestrator', async () => {
  const {pods} = await openSample('day').readWindow();
  expect(pods.length).toBe(2);
  expect(keysOf(pods[0])).toEqual(['metadata', 'name', 'resourceVersion']);
  const metadata = Object(pods[0]?.metadata);
  expect(keysOf(metadata)).toEqual([
    'annotations',
    'creationTimestamp',
    'generateName',
    'labels',
    'managedFields',
    'name',
    'namespace',
    'ownerReferences',
    'resourceVersion',
    'selfLink',
    'uid',
  ]);
  expect(keysOf(metadata.managedFields[0])).toEqual([
    'apiVersion',
    'fieldsType',
    'fieldsV1',
    'manager',
    'operation',
    'time',
  ]);
  expect(keysOf(metadata.ownerReferences[0])).toEqual([
    'apiVersion',
    'blockOwnerDeletion',
    'controller',
    'kind',
    'name',
    'uid',
  ]);
  expect(metadata.name.startsWith(metadata.generateName)).toBe(true);
  expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a pod has the labels that a deployment gives it: what they have in common, and the hash of its template', async () => {
  const {pods} = await openSample('day').readWindow();
  const [, template] = /^(.*)-[^-]+$/.exec(pods[0]?.name ?? '') ?? [];
  const hash = template?.split('-').at(-1);
  expect(hash).toMatch(/^[a-z0-9]{5,10}$/);
  expect(pods[0]?.metadata).toMatchObject({generateName: `${template}-`, labels: {'pod-template-hash': hash}});
});
