import type {BranchRecord} from '#service/backend/backend.ts';
import {
  applicationNameOf,
  type BranchSetting,
  type CodeBase,
  hostnameOf,
  namespaceOf,
  type Release,
  releaseBefore,
} from './plan/plans.ts';
import {createRandom, makeId, makeUuid} from './seed/random.ts';

/** The status of a branch at a moment. */
type BranchStatus = {
  readonly status: string | null;
  /** When it got this status, milliseconds since the demo's start. */
  readonly sinceMs: number;
  /** The release that caused it; undefined if that was before the demo's releases. */
  readonly release: Release | undefined;
};

/**
 * Returns the status of a branch at a moment, `demoMs` milliseconds after the demo's start (interface specification,
 * section 3).
 */
const branchStatusAt = (setting: BranchSetting, demoMs: number): BranchStatus => {
  const {course, changedAgoMs} = setting.branch;
  const release = releaseBefore(setting, demoMs);
  if (!release) {
    const status = course.kind === 'settled' ? course.status : 'DEPLOY_APPLICATION_SUCCESS';
    return {status: course.kind === 'unbuilt' ? null : status, sinceMs: -changedAgoMs, release};
  }
  if (demoMs < release.builtMs) {
    return {status: 'BUILD_APPLICATION_RUNNING', sinceMs: release.startMs, release};
  }
  if (demoMs < release.endMs) {
    return {status: 'DEPLOY_APPLICATION_RUNNING', sinceMs: release.builtMs, release};
  }
  const status = release.succeeds ? 'DEPLOY_APPLICATION_SUCCESS' : 'DEPLOY_APPLICATION_FAILED';
  return {status, sinceMs: release.endMs, release};
};

/** The organisation that owns all of the demo's sites. */
const organisationId = makeId('organisation');

const usersMax = 6;

/** Returns the user who did `idSeed` on a branch: one of a few. */
const userIdOf = ({branchId}: Pick<BranchSetting, 'branchId'>, idSeed: string): string =>
  makeId('user', createRandom(branchId, idSeed).integer(1, usersMax));

const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_.!';

const makeBaseFields = (setting: BranchSetting, status: string | null, updatedAtMs: number): BranchRecord => {
  const {branch, branchId, siteId, startMs} = setting;
  return {
    _id: branchId,
    isEnableEditor: branch.editor,
    isEnablePMA: branch.branchType !== 'MASTER',
    lock: branch.locked,
    doNotIndex: status === null ? null : branch.branchType !== 'MASTER',
    secureConnection: true,
    project: siteId,
    name: branch.name,
    branchType: branch.branchType,
    originBranch: branch.originBranch,
    createdAt: new Date(startMs - branch.madeAgoMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
    customDomains: branch.customDomains.map((domain, index) => makeCustomDomain(setting, domain, index)),
    status,
  };
};

/**
 * Creates a branch's record at a moment, `demoMs` milliseconds after the demo's start (interface specification, section
 * 2.1): only the base fields if it is not built out, otherwise all of them. Passwords are random text from the seed.
 */
export const makeSampleBranch = (setting: BranchSetting, demoMs: number): BranchRecord => {
  const {site, branch, branchId, siteId, startMs, seed} = setting;
  const standing = branchStatusAt(setting, demoMs);
  const base = makeBaseFields(setting, standing.status, startMs + standing.sinceMs);
  if (standing.status === null) {
    return base;
  }
  const application = applicationNameOf(setting);
  const databaseName = application.replaceAll('-', '_');
  const password = (use: string) => createRandom(seed, branchId, 'password', use).text(passwordAlphabet, 20);
  return {
    ...base,
    appSettings: {type: site.code.applicationType, adminUser: 'admin', adminPassword: password('admin')},
    applicationName: application,
    appserverImage: `registry.${site.domain}/php`,
    appserverTag: site.code.appserverTag,
    webserverImage: `registry.${site.domain}/nginx`,
    webserverTag: '1.29-5.48.2',
    backupInterval: null,
    copyDatabaseFilesApplication: null,
    copyDatabaseFilesType: null,
    copyDatabaseUrl: null,
    copyFilesUrl: null,
    customDomain: null,
    dbName: databaseName,
    dbUser: databaseName.slice(0, 24),
    dbPassword: password('database'),
    deployedBy: userIdOf(setting, `activity ${standing.release?.number ?? 'before'}`),
    deploymentConfig: makeDeploymentConfig(site.code, branch.branchType === 'MASTER' ? '20Gi' : '5Gi'),
    editorHostname: `editor-${application}.${site.domain}`,
    editorPwd: password('editor'),
    environment: makeId('environment', siteId),
    fromApplicationName:
      branch.originBranch === ''
        ? application
        : applicationNameOf({site, branch: {...branch, name: branch.originBranch}}),
    fromDB: null,
    hostname: hostnameOf(setting),
    isEnablePolymorphing: false,
    isEnablePolyscripting: site.code.applicationType === 'wordpress',
    lockPassword: branch.locked ? password('lock') : null,
    lockUsername: branch.locked ? 'preview' : null,
    namespace: namespaceOf(setting),
    oldHostname: null,
    pmaHostname: `db-${application}.${site.domain}`,
    replicas: branch.replicas,
    lastActivity: makeLastActivity(setting, standing),
    elb: `lb-${siteId.slice(0, 10)}.eu-central.elb.${site.domain}`,
  };
};

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Creates a block in the form of RFC 7468. Its content is random: it opens nothing, but is as long as a real one and
 * looks as secret.
 */
const makePem = (label: string, seed: string): string => {
  const random = createRandom('pem', label, seed);
  const rows = Array.from({length: 25}, () => random.text(base64Alphabet, 64));
  return [`-----BEGIN ${label}-----`, ...rows, `-----END ${label}-----`, ''].join('\n');
};

/**
 * Creates a custom domain (interface specification, section 2.4). The first one of a branch has a key and a
 * certificate, others have none.
 */
const makeCustomDomain = (setting: BranchSetting, domain: string, index: number): Readonly<Record<string, string>> => {
  const {branch, branchId, startMs, seed} = setting;
  const createdAt = new Date(startMs - branch.madeAgoMs / 2).toISOString();
  return {
    _id: makeId('domain', branchId, index),
    domain,
    createdBy: userIdOf(setting, 'owner'),
    workspace: organisationId,
    application: branchId,
    privateKey: index === 0 ? makePem('PRIVATE KEY', `${seed} ${domain}`) : '',
    sslCertificate: index === 0 ? makePem('CERTIFICATE', `${seed} ${domain}`) : '',
    createdAt,
    updatedAt: createdAt,
  };
};

/**
 * Creates the deployment's configuration (interface specification, section 2.2), with every variable that the
 * specification names.
 */
const makeDeploymentConfig = (code: CodeBase, storage: string) => ({
  application: {storage},
  images: {
    nginx: {
      env: [
        {name: 'NGINX_SERVER_ROOT', value: code.webRoot},
        {name: 'NGINX_VHOST_PRESET', value: code.applicationType},
        {name: 'NGINX_BACKEND_HOST', value: 'localhost'},
        {name: 'NGINX_SET_REAL_IP_FROM', value: '10.0.0.0/8'},
      ],
    },
    php: {
      env: [
        {name: 'APP_ROOT', value: code.appRoot},
        {name: 'WEB_ROOT', value: code.webRoot},
      ],
    },
  },
});

const activityStatusOf = (status: string | null): string => {
  if (status === 'DEPLOY_APPLICATION_SUCCESS') {
    return 'SUCCESS';
  }
  return status !== null && /FAIL|ERROR/.test(status) ? 'FAILED' : 'RUNNING';
};

/**
 * Creates the last activity on a branch (interface specification, section 2.3). A release is a `DEPLOY_APPLICATION`;
 * before the demo there was a change of configuration, the only action the specification names.
 */
const makeLastActivity = (setting: BranchSetting, {status, sinceMs, release}: BranchStatus) => {
  const {branchId, siteId, startMs, branch} = setting;
  const idSeed = `activity ${release?.number ?? 'before'}`;
  const task = release ? 'deploy-application' : 'update-config-application';
  return {
    _id: makeId(idSeed, branchId),
    action: release ? 'DEPLOY_APPLICATION' : 'UPDATE_CONFIG_APPLICATION',
    createdBy: userIdOf(setting, idSeed),
    workspace: organisationId,
    project: siteId,
    application: branchId,
    environment: makeId('environment', siteId),
    status: activityStatusOf(status),
    createdAt: new Date(startMs + (release?.startMs ?? -branch.changedAgoMs - 90_000)).toISOString(),
    updatedAt: new Date(startMs + sinceMs).toISOString(),
    lastResponse: {id: makeUuid(idSeed, branchId), status: activityStatusOf(status), payload: {}, task},
    taskName: release ? task : null,
  };
};
