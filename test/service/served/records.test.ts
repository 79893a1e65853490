import {expect, test} from 'vitest';
import {makeBranchRecord, makePodRecord} from '#service/served/served-records.ts';
import {openSample} from '../../demo/open-sample.ts';

const known = {createdAtMs: Date.UTC(2025, 0, 1), updatedAtMs: Date.UTC(2025, 0, 2)};

test('a branch that is not built out has the base fields and what the configuration adds', () => {
  const branch = {id: 'b', name: 'feature', status: null, fields: {lock: true, own: 1, project: 'other'}, pods: []};
  expect(makeBranchRecord('shop', branch, known)).toEqual({
    _id: 'b',
    isEnableEditor: false,
    isEnablePMA: false,
    lock: true,
    doNotIndex: null,
    secureConnection: false,
    project: 'shop',
    name: 'feature',
    branchType: 'BRANCH',
    originBranch: 'master',
    createdAt: '2025-01-01T00:00:00.000Z',
    updatedAt: '2025-01-02T00:00:00.000Z',
    customDomains: [],
    status: null,
    own: 1,
  });
});

test('a built-out branch has every field of the interface', () => {
  const branch = {id: 'b', name: 'main', status: 'UP', fields: {hostname: 'h.example'}, pods: []};
  const record = makeBranchRecord('shop', branch, known);
  expect(record).toMatchObject({branchType: 'MASTER', hostname: 'h.example', replicas: 0, lockPassword: null});
  const additional =
    'appSettings applicationName appserverImage appserverTag webserverImage webserverTag backupInterval copyDatabaseFilesApplication copyDatabaseFilesType copyDatabaseUrl copyFilesUrl customDomain dbName dbUser dbPassword deployedBy deploymentConfig editorHostname editorPwd environment fromApplicationName fromDB hostname isEnablePolymorphing isEnablePolyscripting lockPassword lockUsername namespace oldHostname pmaHostname replicas lastActivity elb';
  expect(additional.split(' ').filter(field => !(field in record))).toEqual([]);
});

test('a part of a table or of a custom domain has the neutral values in the rest', () => {
  const fields = {
    deploymentConfig: {application: {storage: '5Gi'}, images: {php: {env: [{name: 'APP_ROOT', value: '/app'}]}}},
    customDomains: [{domain: 'a.example'}],
    lastActivity: {action: 'UPDATE_CONFIG_APPLICATION'},
  };
  const record = makeBranchRecord('shop', {id: 'b', name: 'main', status: 'UP', fields, pods: []}, known);
  expect(record.deploymentConfig).toEqual({
    application: {storage: '5Gi'},
    images: {nginx: {env: []}, php: {env: [{name: 'APP_ROOT', value: '/app'}]}},
  });
  expect(record.customDomains).toEqual([
    {
      _id: '',
      domain: 'a.example',
      createdBy: '',
      workspace: '',
      application: 'b',
      privateKey: '',
      sslCertificate: '',
      createdAt: '2025-01-01T00:00:00.000Z',
      updatedAt: '2025-01-02T00:00:00.000Z',
    },
  ]);
  expect(record.lastActivity).toMatchObject({action: 'UPDATE_CONFIG_APPLICATION', application: 'b', taskName: null});
});

test("deploymentConfig has the same shape as the demo's", async () => {
  const built = makeBranchRecord('shop', {id: 'b', name: 'main', status: 'UP', fields: {}, pods: []}, known);
  const {branchNamed} = openSample('day');
  const shapeOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
      : Array.isArray(value)
        ? 'array'
        : typeof value;
  expect(shapeOf(built.deploymentConfig)).toEqual(shapeOf((await branchNamed('master')).deploymentConfig));
});

test('a pod has every key of the metadata, the same at every start, and others than another pod', () => {
  const place = {
    siteId: 's',
    branchId: 'b',
    applicationName: 'app',
    namespace: 'ns',
    source: 'files',
    createdAtMs: known.createdAtMs,
  };
  const pod = makePodRecord({...place, name: 'web-0'});
  expect(Object.keys(pod.metadata).toSorted()).toEqual([
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
  expect(pod.metadata).toMatchObject({creationTimestamp: '2025-01-01T00:00:00.000Z', generateName: 'web-'});
  expect(makePodRecord({...place, name: 'web-0'})).toEqual(pod);
  expect(makePodRecord({...place, name: 'web-1'}).metadata.uid).not.toBe(pod.metadata.uid);
});
