import type {BranchRecord} from '../../backend.ts';
import {applicationNameOf} from '../plan/application-name.ts';
import {branchStatusAt} from '../plan/branch-status.ts';
import {environmentIdOf} from '../plan/environment.ts';
import {hostnameOf} from '../plan/hostname.ts';
import {namespaceOf} from '../plan/namespace.ts';
import {userIdOf} from '../plan/people.ts';
import type {BranchSetting} from '../plan/plans.ts';
import {createRandom} from '../seed/random.ts';
import {makeCustomDomain} from './custom-domain.ts';
import {makeDeploymentConfig} from './deployment-config.ts';
import {makeLastActivity} from './last-activity.ts';

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
    environment: environmentIdOf(siteId),
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
