import type {BranchRecord} from '../backend.ts';
import type {ServedBranch} from './served-settings.ts';

const isMaster = (name: string): boolean => name === 'master' || name === 'main';

/** Section 2.2, with nothing set. */
const emptyDeploymentConfig = {application: {storage: ''}, images: {nginx: {env: []}, php: {env: []}}};

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Given values win, table by table, so that a table with only one given field has the others too. */
export const fillIn = (given: unknown, neutral: unknown): unknown =>
  isTable(given) && isTable(neutral)
    ? Object.fromEntries(
        [...Object.entries(neutral), ...Object.entries(given)].map(([key, value]) => [
          key,
          fillIn(value, neutral[key]),
        ]),
      )
    : given;

/** Section 2.4, with nothing set. */
const makeCustomDomain = (branch: ServedBranch, createdAt: string, updatedAt: string) => ({
  _id: '',
  domain: '',
  createdBy: '',
  workspace: '',
  application: branch.id,
  privateKey: '',
  sslCertificate: '',
  createdAt,
  updatedAt,
});

const makeBaseFields = (siteId: string, branch: ServedBranch, createdAt: string, updatedAt: string) => ({
  isEnableEditor: false,
  isEnablePMA: false,
  lock: false,
  doNotIndex: null,
  secureConnection: false,
  project: siteId,
  branchType: isMaster(branch.name) ? 'MASTER' : 'BRANCH',
  originBranch: isMaster(branch.name) ? branch.name : 'master',
  createdAt,
  updatedAt,
});

const makeBuiltFields = (siteId: string, branch: ServedBranch, createdAt: string, updatedAt: string) => ({
  appSettings: {type: '', adminUser: '', adminPassword: ''},
  applicationName: branch.name,
  appserverImage: '',
  appserverTag: '',
  webserverImage: '',
  webserverTag: '',
  backupInterval: null,
  copyDatabaseFilesApplication: null,
  copyDatabaseFilesType: null,
  copyDatabaseUrl: null,
  copyFilesUrl: null,
  customDomain: null,
  dbName: '',
  dbUser: '',
  dbPassword: '',
  deployedBy: '',
  deploymentConfig: emptyDeploymentConfig,
  editorHostname: '',
  editorPwd: '',
  environment: '',
  fromApplicationName: '',
  fromDB: null,
  hostname: '',
  isEnablePolymorphing: false,
  isEnablePolyscripting: false,
  lockPassword: null,
  lockUsername: null,
  namespace: siteId,
  oldHostname: null,
  pmaHostname: '',
  replicas: branch.pods.length,
  lastActivity: {
    _id: '',
    action: '',
    createdBy: '',
    workspace: '',
    project: siteId,
    application: branch.id,
    environment: '',
    status: '',
    createdAt,
    updatedAt,
    lastResponse: {id: '', status: '', payload: {}, task: ''},
    taskName: null,
  },
  elb: '',
});

/**
 * Creates a branch record, interface specification sections 2.1 to 2.4. The configuration overrides these neutral
 * values, except for the four fields of the branch's identity and status: `_id`, `name`, `status`, `project`. A branch
 * that is not built out has only the base fields and what the configuration adds. A table or custom domain given in
 * part gets neutral values for the rest.
 */
export const makeBranchRecord = (
  siteId: string,
  branch: ServedBranch,
  known: {readonly createdAtMs: number; readonly updatedAtMs: number},
): BranchRecord => {
  const createdAt = new Date(known.createdAtMs).toISOString();
  const updatedAt = new Date(known.updatedAtMs).toISOString();
  const neutral = new Map<string, unknown>(
    Object.entries({
      ...makeBaseFields(siteId, branch, createdAt, updatedAt),
      ...(branch.status === null ? {} : makeBuiltFields(siteId, branch, createdAt, updatedAt)),
    }),
  );
  const {customDomains} = branch.fields;
  const domains = Array.isArray(customDomains)
    ? customDomains.map((domain: unknown) => fillIn(domain, makeCustomDomain(branch, createdAt, updatedAt)))
    : [];
  return {
    ...Object.fromEntries(neutral),
    ...Object.fromEntries(Object.entries(branch.fields).map(([key, value]) => [key, fillIn(value, neutral.get(key))])),
    customDomains: domains,
    project: siteId,
    _id: branch.id,
    name: branch.name,
    status: branch.status,
  };
};
