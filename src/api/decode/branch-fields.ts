import {Secret} from '../secret.ts';
import {decodeDeploymentConfig} from './decode-deployment-config.ts';
import {decodeLastActivity} from './decode-last-activity.ts';
import type {FieldProblems} from './field-problems.ts';
import {createFieldReader, type FieldReader, isJsonObject} from './field-reader.ts';

/**
 * Reads the fields of a masked branch record (sections 2.1 to 2.4), except those without which the record is skipped.
 * Both the type of `Branch` and the set of unknown fields (those never requested from the reader) follow from this
 * function. A field that the service leaves out is undefined unless its comment says otherwise.
 */
export const readBranchFields = (read: FieldReader, problems: FieldProblems) => ({
  // Base fields, "present on every branch record"
  /** `MASTER` for the master branch; other values are not listed. Empty if it is missing. */
  branchType: read.text('branchType') ?? '',
  /** Empty if there are none. */
  customDomains: decodeCustomDomains(read, problems),
  /** The in-browser code editor is enabled. */
  isEnableEditor: read.flag('isEnableEditor'),
  /** The database administration tool is enabled. */
  isEnablePMA: read.flag('isEnablePMA'),
  /** Access lock on the branch. */
  lock: read.flag('lock'),
  /** Asks search engines not to index the branch; null occurs. */
  doNotIndex: read.flagOrNull('doNotIndex'),
  secureConnection: read.flag('secureConnection'),
  /** Identifier of the owning site. */
  project: read.text('project'),
  /** Name of the branch this one derives from. */
  originBranch: read.text('originBranch'),
  createdAt: read.text('createdAt'),
  updatedAt: read.text('updatedAt'),

  // Additional fields on the full record of a built-out branch
  appSettings: decodeAppSettings(read.within('appSettings')),
  /** Deployment name of the branch. */
  applicationName: read.text('applicationName'),
  appserverImage: read.text('appserverImage'),
  appserverTag: read.text('appserverTag'),
  webserverImage: read.text('webserverImage'),
  webserverTag: read.text('webserverTag'),
  // The specification gives no type for fields that are read with `value`.
  backupInterval: read.value('backupInterval'),
  copyDatabaseFilesApplication: read.value('copyDatabaseFilesApplication'),
  copyDatabaseFilesType: read.value('copyDatabaseFilesType'),
  copyDatabaseUrl: read.value('copyDatabaseUrl'),
  copyFilesUrl: read.value('copyFilesUrl'),
  customDomain: read.value('customDomain'),
  dbName: read.text('dbName'),
  dbUser: read.text('dbUser'),
  dbPassword: read.secret('dbPassword'),
  /** Identifier of the user that deployed. */
  deployedBy: read.text('deployedBy'),
  deploymentConfig: decodeDeploymentConfig(read.table('deploymentConfig'), read.pathOf('deploymentConfig'), problems),
  /** Hostname of the code editor. */
  editorHostname: read.text('editorHostname'),
  /** Password of the code editor. */
  editorPwd: read.secret('editorPwd'),
  /** Environment identifier. */
  environment: read.text('environment'),
  fromApplicationName: read.text('fromApplicationName'),
  fromDB: read.value('fromDB'),
  /** Hostname of the branch. */
  hostname: read.text('hostname'),
  isEnablePolymorphing: read.flag('isEnablePolymorphing'),
  isEnablePolyscripting: read.flag('isEnablePolyscripting'),
  lockPassword: read.value('lockPassword') === null ? null : read.secret('lockPassword'),
  lockUsername: read.value('lockUsername'),
  namespace: read.text('namespace'),
  oldHostname: read.value('oldHostname'),
  /** Hostname of the database administration tool. */
  pmaHostname: read.text('pmaHostname'),
  /** Number of replicas, an integer. */
  replicas: read.number('replicas'),
  lastActivity: decodeLastActivity(read.within('lastActivity')),
  /** Hostname of the load balancer in front of the branch. */
  elb: read.text('elb'),

  // Not of the specification: services over a cluster add them
  /** What makes its pods: `deployment/web`. Empty if nothing is known. */
  workloads: decodeWorkloads(read.value('workloads')),
  /** What keeps the branch's pods from working, the worst first. Empty if nothing is known. */
  troubles: decodeTroubles(read.value('troubles')),
});

type Read = ReturnType<typeof readBranchFields>;
type Required = 'branchType' | 'customDomains' | 'troubles' | 'workloads';

/** The fields that `readBranchFields` reads; all but four may be missing. */
export type BranchFields = Readonly<Pick<Read, Required> & Partial<Omit<Read, Required>>>;

/** A branch of a label has a few. */
const workloadsMax = 100;

const decodeWorkloads = (workloads: unknown): readonly string[] =>
  (Array.isArray(workloads) ? workloads.slice(0, workloadsMax) : []).filter(
    (name: unknown): name is string => typeof name === 'string',
  );

/** Why a pod, one of its containers, or the branch itself does not work. All strings are untrusted. */
export type BranchTrouble = {
  /** `now`: it does not work. `starting`: not yet. `past`: it ended badly, and works again. */
  readonly state: 'now' | 'starting' | 'past';
  readonly pod: string | undefined;
  readonly container: string | undefined;
  /** `CrashLoopBackOff ×7, OOMKilled exit 137` */
  readonly reason: string;
  readonly message: string | undefined;
  /** ISO 8601. */
  readonly since: string | undefined;
};

/** A record with more is cut: the worst come first. */
const troublesMax = 100;

const noProblems: FieldProblems = {add: () => undefined, addNote: () => undefined, list: () => []};

/** The field is an addition to the interface: what is not as expected is passed over. */
const decodeTroubles = (troubles: unknown): readonly BranchTrouble[] =>
  (Array.isArray(troubles) ? troubles.slice(0, troublesMax) : []).flatMap((item: unknown) => {
    const read = createFieldReader(isJsonObject(item) ? item : {}, '', noProblems);
    const [reason, state] = [read.text('reason'), read.text('state')];
    return reason === undefined || reason === ''
      ? []
      : [
          {
            state: state === 'starting' || state === 'past' ? state : 'now',
            pod: read.text('pod'),
            container: read.text('container'),
            reason,
            message: read.text('message'),
            since: read.text('since'),
          },
        ];
  });

const readAppSettings = (read: FieldReader) => ({
  /** Application type. */
  type: read.text('type'),
  adminUser: read.text('adminUser'),
  adminPassword: read.secret('adminPassword'),
});

type AppSettings = Readonly<Partial<ReturnType<typeof readAppSettings>>>;

const decodeAppSettings = (read: FieldReader | undefined): AppSettings | undefined => read && readAppSettings(read);

const readCustomDomain = (read: FieldReader) => ({
  _id: read.text('_id'),
  /** User identifier. */
  createdBy: read.text('createdBy'),
  workspace: read.text('workspace'),
  /** Branch identifier. */
  application: read.text('application'),
  /** Never shown, not even on request. Missing if the record has an empty string. */
  privateKey: read.secret('privateKey'),
  /** May be an empty string. A `Secret` only if it contains a private key. */
  sslCertificate:
    read.value('sslCertificate') instanceof Secret ? read.secret('sslCertificate') : read.text('sslCertificate'),
  createdAt: read.text('createdAt'),
  updatedAt: read.text('updatedAt'),
});

/** An element of `customDomains`, section 2.4. Its domain is the only required field. */
export type CustomDomain = Readonly<{domain: string} & Partial<ReturnType<typeof readCustomDomain>>>;

const decodeCustomDomains = (parent: FieldReader, problems: FieldProblems): readonly CustomDomain[] => {
  const domains: CustomDomain[] = [];
  for (const [index, item] of parent.items('customDomains').entries()) {
    const path = `${parent.pathOf('customDomains')}[${index}]`;
    if (!isJsonObject(item)) {
      problems.add(path, 'an object', item);
    } else if (typeof item.domain !== 'string') {
      problems.add(`${path}.domain`, 'a string', item.domain);
    } else {
      domains.push({domain: item.domain, ...readCustomDomain(createFieldReader(item, path, problems))});
    }
  }
  return domains;
};
