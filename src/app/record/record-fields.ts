import type {Branch} from '../../api/decode/branch.ts';
import type {CustomDomain} from '../../api/decode/branch-fields.ts';
import type {EnvironmentVariable} from '../../api/decode/decode-deployment-config.ts';
import {Secret} from '../../api/secret.ts';
import type {Tone} from '../rows/tones.ts';
import {describeStatus} from '../words/describe-status.ts';

/** A field of a branch's record. */
export type RecordField = {
  /** Unique in the record, and the same in every record that has the field. */
  readonly key: string;
  readonly label: string;
  /** As received: untrusted text. A secret stays a `Secret`. */
  readonly value: string | Secret;
  /** Shown before a secret's mask or text. */
  readonly prefix?: string;
  /** Shown instead of a value that is too long to read here. */
  readonly summary?: string;
  /** The value is an ISO 8601 time. */
  readonly isTime?: boolean;
  /** The value is a host name that can be opened. */
  readonly isHost?: boolean;
  readonly tone?: Tone;
};

export type RecordGroup = {readonly title: string; readonly fields: readonly RecordField[]};

type Extras = Pick<RecordField, 'isTime' | 'isHost' | 'tone'>;

/** Returns a field of any type; none if there is no value. Secrets inside an object convert to their masks. */
const field = (key: string, label: string, value: unknown, extras: Extras = {}): readonly RecordField[] => {
  if (value === undefined || value === null || value === '') {
    return [];
  }
  const text =
    value instanceof Secret || typeof value === 'string'
      ? value
      : typeof value === 'boolean'
        ? value
          ? 'yes'
          : 'no'
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value);
  return [{key, label, value: text, ...extras}];
};

const image = (name: string | undefined, tag: string | undefined): string =>
  [name, tag].filter(word => word !== undefined && word !== '').join(':');

const environment = (
  key: string,
  label: string,
  variables: readonly EnvironmentVariable[] | undefined,
): readonly RecordField[] => {
  const counts = new Map<string, number>();
  return (variables ?? []).map(({name, value}, index) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return {
      // Keyed by name, so that the highlight stays when others are added; a name may occur twice.
      key: `${key}.${count}.${name}`,
      label: index === 0 ? label : '',
      ...(value instanceof Secret ? {value, prefix: `${name}=`} : {value: `${name}=${value}`}),
    };
  });
};

const domainFields = (domain: CustomDomain, index: number): readonly RecordField[] => {
  const key = `customDomains.${index}`;
  const {sslCertificate} = domain;
  return [
    ...field(key, 'custom', domain.domain, {isHost: true}),
    ...field(`${key}.createdBy`, '  by', domain.createdBy),
    ...field(`${key}.createdAt`, '  created', domain.createdAt, {isTime: true}),
    ...field(`${key}.updatedAt`, '  changed', domain.updatedAt, {isTime: true}),
    ...field(`${key}.sslCertificate`, '  certificate', sslCertificate).map(each => ({
      ...each,
      ...(typeof sslCertificate === 'string' ? {summary: `there, ${sslCertificate.length} characters`} : {}),
    })),
    ...field(`${key}.privateKey`, '  private key', domain.privateKey),
  ];
};

/**
 * Returns a branch's record in groups: every field of section 2 of the interface specification that it has, then the
 * fields that the specification does not name. Empty groups are left out.
 */
export const groupRecord = (branch: Branch): readonly RecordGroup[] =>
  groupsOf(branch).filter(({fields}) => fields.length > 0);

const groupsOf = (branch: Branch): readonly RecordGroup[] => {
  const look = describeStatus(branch.status);
  const {lastActivity, deploymentConfig, appSettings} = branch;
  return [
    {
      title: 'Branch',
      fields: [
        ...field('name', 'name', branch.name),
        ...field('_id', 'id', branch._id),
        ...field('branchType', 'type', branch.branchType),
        ...field('originBranch', 'from', branch.originBranch),
        ...field('project', 'site', branch.project),
        ...field('createdAt', 'created', branch.createdAt, {isTime: true}),
        ...field('updatedAt', 'changed', branch.updatedAt, {isTime: true}),
      ],
    },
    {
      title: 'Status',
      fields: [
        ...field('status', 'status', branch.status ?? look.words, {tone: look.tone}),
        ...field('replicas', 'pods', branch.replicas),
        ...field('environment', 'environment', branch.environment),
        ...field('namespace', 'namespace', branch.namespace),
        ...field('applicationName', 'application', branch.applicationName),
        ...field('deployedBy', 'deployed by', branch.deployedBy),
      ],
    },
    {
      title: 'Last activity',
      fields: [
        ...field('lastActivity.action', 'action', lastActivity?.action),
        ...field('lastActivity.status', 'outcome', lastActivity?.status),
        ...field('lastActivity.createdBy', 'by', lastActivity?.createdBy),
        ...field('lastActivity.createdAt', 'began', lastActivity?.createdAt, {isTime: true}),
        ...field('lastActivity.updatedAt', 'touched', lastActivity?.updatedAt, {isTime: true}),
        ...field('lastActivity.taskName', 'task', lastActivity?.taskName),
        ...field('lastActivity._id', 'id', lastActivity?._id),
        ...field('lastActivity.workspace', 'workspace', lastActivity?.workspace),
        ...field('lastActivity.project', 'site', lastActivity?.project),
        ...field('lastActivity.application', 'branch', lastActivity?.application),
        ...field('lastActivity.environment', 'environment', lastActivity?.environment),
        ...field('lastActivity.lastResponse', 'response', lastActivity?.lastResponse),
      ],
    },
    {
      title: 'Hostnames',
      fields: [
        ...field('hostname', 'branch', branch.hostname, {isHost: true}),
        ...branch.customDomains.flatMap(domainFields),
        ...field('customDomain', 'own domain', branch.customDomain),
        ...field('editorHostname', 'editor', branch.editorHostname, {isHost: true}),
        ...field('pmaHostname', 'database', branch.pmaHostname, {isHost: true}),
        ...field('oldHostname', 'before', branch.oldHostname),
        ...field('elb', 'balancer', branch.elb),
        ...field('secureConnection', 'secure', branch.secureConnection),
        ...field('doNotIndex', 'not indexed', branch.doNotIndex),
      ],
    },
    {
      title: 'Deployment',
      fields: [
        ...field('appSettings.type', 'type', appSettings?.type),
        ...field('webserverImage', 'web server', image(branch.webserverImage, branch.webserverTag)),
        ...field('appserverImage', 'app server', image(branch.appserverImage, branch.appserverTag)),
        ...field('deploymentConfig.storage', 'storage', deploymentConfig?.applicationStorage),
        ...environment('deploymentConfig.nginx', 'web server env', deploymentConfig?.nginxEnv),
        ...environment('deploymentConfig.php', 'app server env', deploymentConfig?.phpEnv),
        ...field('isEnablePolymorphing', 'polymorphing', branch.isEnablePolymorphing),
        ...field('isEnablePolyscripting', 'polyscripting', branch.isEnablePolyscripting),
        ...field('backupInterval', 'backups', branch.backupInterval),
        ...field('fromApplicationName', 'made from', branch.fromApplicationName),
        ...field('fromDB', 'database from', branch.fromDB),
        ...field('copyDatabaseFilesApplication', 'copied from', branch.copyDatabaseFilesApplication),
        ...field('copyDatabaseFilesType', 'copied', branch.copyDatabaseFilesType),
        ...field('copyDatabaseUrl', 'database copy', branch.copyDatabaseUrl),
        ...field('copyFilesUrl', 'files copy', branch.copyFilesUrl),
      ],
    },
    {
      title: 'Access',
      fields: [
        ...field('lock', 'locked', branch.lock),
        ...field('lockUsername', 'lock user', branch.lockUsername),
        ...field('lockPassword', 'lock password', branch.lockPassword),
        ...field('appSettings.adminUser', 'admin', appSettings?.adminUser),
        ...field('appSettings.adminPassword', 'admin password', appSettings?.adminPassword),
        ...field('isEnableEditor', 'editor', branch.isEnableEditor),
        ...field('editorPwd', 'editor password', branch.editorPwd),
        ...field('isEnablePMA', 'database tool', branch.isEnablePMA),
        ...field('dbName', 'database', branch.dbName),
        ...field('dbUser', 'database user', branch.dbUser),
        ...field('dbPassword', 'db password', branch.dbPassword),
      ],
    },
    {
      title: 'Other fields',
      fields: Object.entries(branch.unknownFields).flatMap(([name, value]) => field(`other.${name}`, name, value)),
    },
  ];
};
