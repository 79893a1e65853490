import {expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {groupRecord} from '#app/record/record-fields.ts';
import {Secret} from '#base/secret.ts';
import {type FakeRecord, makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';

/** `group / label: value`, as the pane shows it; a secret as its mask. */
const fieldsOf = (record: FakeRecord): readonly string[] => {
  const [branch] = decodeBranches([record]).value;
  return branch === undefined
    ? []
    : groupRecord(branch).flatMap(({title, fields}) =>
        fields.map(({label, prefix = '', summary, value}) => `${title} / ${label}: ${prefix}${summary ?? value}`),
      );
};

test('a null field is shown as null, wherever it is in the record', () => {
  const fields = fieldsOf(
    makeBuiltBranch('b', 'main', {
      elb: null,
      lockPassword: null,
      appserverTag: null,
      futureField: null,
      lastActivity: {action: null, taskName: null},
    }),
  );
  expect(fields.filter(field => field.includes('null'))).toEqual([
    'Last activity / action: null',
    'Last activity / task: null',
    'Hostnames / own domain: null',
    'Hostnames / before: null',
    'Hostnames / balancer: null',
    'Hostnames / not indexed: null',
    'Deployment / app server: php:null',
    'Deployment / backups: null',
    'Deployment / database from: null',
    'Deployment / copied from: null',
    'Deployment / copied: null',
    'Deployment / database copy: null',
    'Deployment / files copy: null',
    'Access / lock password: null',
    'Other fields / futureField: null',
  ]);
});

test('a table that is null is one null field, and a status of null says what it means', () => {
  const fields = fieldsOf(makeBranch('b', 'main', {lastActivity: null, appSettings: null, deploymentConfig: null}));
  expect(fields.filter(field => field.includes('null'))).toEqual([
    'Status / status: null, not built out',
    'Last activity / activity: null',
    'Hostnames / not indexed: null',
    'Deployment / settings: null',
    'Deployment / config: null',
  ]);
});

test('malformed fields are named at the top, and each stays in its place as received', () => {
  const fields = fieldsOf({_id: 'b', name: 5, status: 7, lock: 'yes', customDomains: [{domain: 'a'}, {domain: null}]});
  expect(fields).toEqual([
    'Not as the interface describes / name: not as described',
    'Not as the interface describes / status: not as described',
    'Not as the interface describes / lock: not as described',
    'Not as the interface describes / customDomains[1].domain: not as described',
    'Branch / name: 5',
    'Branch / id: b',
    'Status / status: 7',
    'Hostnames / custom: a',
    'Hostnames / custom: null',
    'Custom domains / domain: a',
    'Custom domains / domain: null',
    'Access / locked: yes',
  ]);
});

test('a field that the service leaves out has no row', () => {
  const fields = fieldsOf({_id: 'b', name: 'main', status: 'X'});
  expect(fields).toEqual(['Branch / name: main', 'Branch / id: b', 'Status / status: X']);
});

test('every field of a custom domain is there: empty ones too, and those that the interface does not name', () => {
  const fields = fieldsOf(
    makeBuiltBranch('b', 'main', {
      customDomains: [
        {
          _id: 'domain-1',
          domain: 'www.example.com',
          createdBy: 'user-7',
          workspace: 'workspace-1',
          application: 'b',
          privateKey: 'secret-key',
          sslCertificate: `-----BEGIN CERTIFICATE-----${'x'.repeat(973)}`,
          createdAt: '2025-01-02T03:04:05.678Z',
          updatedAt: null,
          isWildcard: false,
        },
        {domain: 'shop.example.com', privateKey: '', sslCertificate: ''},
      ],
    }),
  );
  expect(fields).toContain('Hostnames / custom: www.example.com');
  const from = fields.indexOf('Custom domains / domain: www.example.com');
  expect(fields.slice(from, from + 13)).toEqual([
    'Custom domains / domain: www.example.com',
    'Custom domains /   id: domain-1',
    'Custom domains /   by: user-7',
    'Custom domains /   workspace: workspace-1',
    'Custom domains /   branch: b',
    'Custom domains /   private key: ********',
    'Custom domains /   certificate: there, 1000 characters',
    'Custom domains /   created: 2025-01-02T03:04:05.678Z',
    'Custom domains /   changed: null',
    'Custom domains /   isWildcard: no',
    'Custom domains / domain: shop.example.com',
    'Custom domains /   private key: ""',
    'Custom domains /   certificate: ""',
  ]);
});

test('a text that holds a secret is masked, not missing', () => {
  const [branch] = decodeBranches([makeBuiltBranch('b', 'main', {elb: 'Password=hunter2', replicas: 'two'})]).value;
  const fields = branch === undefined ? [] : groupRecord(branch).flatMap(group => group.fields);
  expect(fields.find(({key}) => key === 'elb')?.value).toBeInstanceOf(Secret);
  // A value of another type is shown as it came.
  expect(fields.find(({key}) => key === 'replicas')?.value).toBe('two');
});
