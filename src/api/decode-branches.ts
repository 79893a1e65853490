import {ApiError} from './api-error.ts';
import type {AppSettings, Branch, BranchDetails, CustomDomain} from './branch.ts';
import {decodeDeploymentConfig} from './decode-deployment-config.ts';
import {decodeLastActivity} from './decode-last-activity.ts';
import {createFieldProblems, describeType, type FieldProblems} from './field-problems.ts';
import {createFieldReader, type FieldReader, isTable, type Table} from './field-reader.ts';
import {maskRecord} from './mask-record.ts';
import {Secret} from './secret.ts';

/** The fields of sections 2.1; what else a record has is kept in `unknownFields`. */
const knownFields: ReadonlySet<string> = new Set(
  `_id isEnableEditor isEnablePMA lock doNotIndex secureConnection project name branchType originBranch createdAt
  updatedAt customDomains status appSettings applicationName appserverImage appserverTag webserverImage webserverTag
  backupInterval copyDatabaseFilesApplication copyDatabaseFilesType copyDatabaseUrl copyFilesUrl customDomain dbName
  dbUser dbPassword deployedBy deploymentConfig editorHostname editorPwd environment fromApplicationName fromDB hostname
  isEnablePolymorphing isEnablePolyscripting lockPassword lockUsername namespace oldHostname pmaHostname replicas
  lastActivity elb`.split(/\s+/),
);

/**
 * Decodes the array of the branch listings (section 4). A record without a usable `_id`, `name` or `status` is skipped, any
 * other field of a wrong type is left out; both are noted in `skipped` with their path.
 * Throws an `ApiError` of kind `notInterface` where the answer is no array.
 */
export const decodeBranches = (json: unknown): {value: readonly Branch[]; skipped: readonly string[]} => {
  if (!Array.isArray(json)) {
    throw new ApiError(
      'notInterface',
      `the answer is not a list of branches: expected an array, got ${describeType(json)}`,
    );
  }
  const problems = createFieldProblems();
  const value = json
    .map((item, index) => decodeBranch(item, `[${index}]`, problems))
    .filter(branch => branch !== undefined);
  return {value, skipped: problems.list()};
};

const decodeBranch = (item: unknown, path: string, problems: FieldProblems): Branch | undefined => {
  if (!isTable(item)) {
    problems.add(path, 'an object', item);
    return undefined;
  }
  const {_id, name, status = null} = item;
  if (typeof _id !== 'string' || _id === '') {
    problems.add(`${path}._id`, 'a string that is not empty', _id);
    return undefined;
  }
  if (typeof name !== 'string') {
    problems.add(`${path}.name`, 'a string', name);
    return undefined;
  }
  // A status of another type must not read as null: that would say "not built out" of a branch that may well run.
  if (status !== null && typeof status !== 'string') {
    problems.add(`${path}.status`, 'a string or null', status);
    return undefined;
  }
  const record = maskRecord(item, path, problems);
  if (!isTable(record)) {
    return undefined;
  }
  const read = createFieldReader(record, path, problems);
  return {
    _id,
    name,
    status,
    branchType: read.text('branchType') ?? '',
    isEnableEditor: read.flag('isEnableEditor'),
    isEnablePMA: read.flag('isEnablePMA'),
    lock: read.flag('lock'),
    doNotIndex: read.flagOrNull('doNotIndex'),
    secureConnection: read.flag('secureConnection'),
    project: read.text('project'),
    originBranch: read.text('originBranch'),
    createdAt: read.text('createdAt'),
    updatedAt: read.text('updatedAt'),
    customDomains: decodeCustomDomains(read, problems),
    ...decodeDetails(record, read, problems),
    unknownFields: Object.fromEntries(Object.entries(record).filter(([key]) => !knownFields.has(key))),
    record,
  };
};

const decodeDetails = (record: Table, read: FieldReader, problems: FieldProblems): BranchDetails => ({
  appSettings: decodeAppSettings(read, problems),
  applicationName: read.text('applicationName'),
  appserverImage: read.text('appserverImage'),
  appserverTag: read.text('appserverTag'),
  webserverImage: read.text('webserverImage'),
  webserverTag: read.text('webserverTag'),
  backupInterval: record.backupInterval,
  copyDatabaseFilesApplication: record.copyDatabaseFilesApplication,
  copyDatabaseFilesType: record.copyDatabaseFilesType,
  copyDatabaseUrl: record.copyDatabaseUrl,
  copyFilesUrl: record.copyFilesUrl,
  customDomain: record.customDomain,
  dbName: read.text('dbName'),
  dbUser: read.text('dbUser'),
  dbPassword: read.secret('dbPassword'),
  deployedBy: read.text('deployedBy'),
  deploymentConfig: decodeDeploymentConfig(read.table('deploymentConfig'), read.pathOf('deploymentConfig'), problems),
  editorHostname: read.text('editorHostname'),
  editorPwd: read.secret('editorPwd'),
  environment: read.text('environment'),
  fromApplicationName: read.text('fromApplicationName'),
  fromDB: record.fromDB,
  hostname: read.text('hostname'),
  isEnablePolymorphing: read.flag('isEnablePolymorphing'),
  isEnablePolyscripting: read.flag('isEnablePolyscripting'),
  lockPassword: record.lockPassword === null ? null : read.secret('lockPassword'),
  lockUsername: record.lockUsername,
  namespace: read.text('namespace'),
  oldHostname: record.oldHostname,
  pmaHostname: read.text('pmaHostname'),
  replicas: read.number('replicas'),
  lastActivity: decodeLastActivity(read.table('lastActivity'), read.pathOf('lastActivity'), problems),
  elb: read.text('elb'),
});

const decodeAppSettings = (parent: FieldReader, problems: FieldProblems): AppSettings | undefined => {
  const table = parent.table('appSettings');
  if (!table) {
    return undefined;
  }
  const read = createFieldReader(table, parent.pathOf('appSettings'), problems);
  return {type: read.text('type'), adminUser: read.text('adminUser'), adminPassword: read.secret('adminPassword')};
};

const decodeCustomDomains = (parent: FieldReader, problems: FieldProblems): readonly CustomDomain[] => {
  const path = parent.pathOf('customDomains');
  const domains: CustomDomain[] = [];
  for (const [index, item] of parent.items('customDomains').entries()) {
    if (!isTable(item)) {
      problems.add(`${path}[${index}]`, 'an object', item);
      continue;
    }
    const {domain} = item;
    if (typeof domain !== 'string') {
      problems.add(`${path}[${index}].domain`, 'a string', domain);
      continue;
    }
    const read = createFieldReader(item, `${path}[${index}]`, problems);
    const certificate = item.sslCertificate;
    domains.push({
      _id: read.text('_id'),
      domain,
      createdBy: read.text('createdBy'),
      workspace: read.text('workspace'),
      application: read.text('application'),
      privateKey: read.secret('privateKey'),
      sslCertificate: certificate instanceof Secret ? certificate : read.text('sslCertificate'),
      createdAt: read.text('createdAt'),
      updatedAt: read.text('updatedAt'),
    });
  }
  return domains;
};
