/**
 * The branch record of the interface (specification, sections 2.1 to 2.4), field by field: what decodes it, shows it,
 * checks it in the configuration of `serve` and fills it in there follows from these lists. They are in the order in
 * which the record's pane shows the fields.
 */

/**
 * The type of a field. `time`: a text, ISO 8601 in UTC. `secret`: a text that is masked. `any`: the specification gives
 * no type. `object`: whatever fields it has. `variables`: a list of `{name, value}`. `own`: every reader of the record
 * has a rule of its own for it.
 */
export type SimpleType =
  | 'text'
  | 'textOrNull'
  | 'flag'
  | 'flagOrNull'
  | 'count'
  | 'time'
  | 'secret'
  | 'secretOrNull'
  | 'any'
  | 'object'
  | 'variables'
  | 'own';

export type RecordFieldSpec = {
  readonly is: SimpleType | {readonly table: RecordFields} | {readonly list: RecordFields};
  /** Its label where it is shown; the field's name if it has none. */
  readonly label?: string;
  /** The part of the record that it is shown in. Only for fields of the record itself. */
  readonly group?: RecordGroupTitle;
  /** Present on every record, not only on those of branches that are built out. */
  readonly isBase?: true;
  /** Only clusters add it: it is not of the specification. */
  readonly isAdded?: true;
  /** The value is a host name that can be opened. */
  readonly isHost?: true;
  /** Its rows are not just its label and its value. */
  readonly hasOwnRows?: true;
};

/** A field of this type, whose rows are its label and its value, or its own. */
export type Field<Is extends RecordFieldSpec['is']> = RecordFieldSpec & {readonly is: Is};
export type OwnField<Is extends RecordFieldSpec['is']> = Field<Is> & {readonly hasOwnRows: true};

const field = <const Is extends RecordFieldSpec['is']>(
  is: Is,
  rest: Omit<RecordFieldSpec, 'is' | 'hasOwnRows'> = {},
): Field<Is> => ({...rest, is});

const ownField = <const Is extends RecordFieldSpec['is']>(
  is: Is,
  rest: Omit<RecordFieldSpec, 'is' | 'hasOwnRows'>,
): OwnField<Is> => ({...rest, is, hasOwnRows: true});

export type RecordFields = {readonly [field: string]: RecordFieldSpec};

/** The parts of a record, in order. */
export const recordGroupTitles = [
  'Branch',
  'Status',
  'Last activity',
  'Hostnames',
  'Deployment',
  'Custom domains',
  'Access',
] as const;

export type RecordGroupTitle = (typeof recordGroupTitles)[number];

/** Section 2.3. */
const lastActivity = {
  /** `UPDATE_CONFIG_APPLICATION` occurs; the full list is not specified. */
  action: field('text', {label: 'action'}),
  /** `SUCCESS` occurs; the full list is not specified. */
  status: field('text', {label: 'outcome'}),
  /** User identifier. */
  createdBy: field('text', {label: 'by'}),
  createdAt: field('time', {label: 'began'}),
  updatedAt: field('time', {label: 'touched'}),
  taskName: field('textOrNull', {label: 'task'}),
  _id: field('text', {label: 'id'}),
  workspace: field('text', {label: 'workspace'}),
  /** Site identifier. */
  project: field('text', {label: 'site'}),
  /** Branch identifier. */
  application: field('text', {label: 'branch'}),
  environment: field('text', {label: 'environment'}),
  lastResponse: field(
    {table: {id: field('text'), status: field('text'), payload: field('object'), task: field('text')}},
    {label: 'response'},
  ),
};

/** Section 2.4. `domain` is the only required one. */
const customDomain = {
  domain: field('text', {label: 'domain', isHost: true}),
  _id: field('text', {label: 'id'}),
  /** User identifier. */
  createdBy: field('text', {label: 'by'}),
  workspace: field('text', {label: 'workspace'}),
  /** Branch identifier. */
  application: field('text', {label: 'branch'}),
  /** Never shown, not even on request. */
  privateKey: field('secret', {label: 'private key'}),
  /** May be an empty string. A secret only if it contains a private key. */
  sslCertificate: field('text', {label: 'certificate'}),
  createdAt: field('time', {label: 'created'}),
  updatedAt: field('time', {label: 'changed'}),
};

const appSettings = {
  /** Application type. */
  type: field('text', {label: 'type'}),
  adminUser: field('text', {label: 'admin'}),
  adminPassword: field('secret', {label: 'admin password'}),
};

/** Section 2.2. */
const deploymentConfig = {
  application: field({table: {storage: field('text')}}),
  images: field({
    table: {nginx: field({table: {env: field('variables')}}), php: field({table: {env: field('variables')}})},
  }),
};

/** Section 2.1, and what clusters add. */
export const branchRecord = {
  name: field('own', {group: 'Branch', label: 'name', isBase: true}),
  _id: field('own', {group: 'Branch', label: 'id', isBase: true}),
  /** `MASTER` for the master branch; other values are not listed. */
  branchType: field('text', {group: 'Branch', label: 'type', isBase: true}),
  /** Name of the branch this one derives from. */
  originBranch: field('text', {group: 'Branch', label: 'from', isBase: true}),
  /** Identifier of the owning site. */
  project: field('text', {group: 'Branch', label: 'site', isBase: true}),
  createdAt: field('time', {group: 'Branch', label: 'created', isBase: true}),
  updatedAt: field('time', {group: 'Branch', label: 'changed', isBase: true}),

  status: ownField('own', {group: 'Status', isBase: true}),
  /** Troubles that keep the branch's pods from working, worst first. */
  troubles: ownField('own', {group: 'Status', isAdded: true}),
  /** Number of replicas, an integer. */
  replicas: field('count', {group: 'Status', label: 'pods'}),
  /** Environment identifier. */
  environment: field('text', {group: 'Status', label: 'environment'}),
  namespace: field('text', {group: 'Status', label: 'namespace'}),
  /** Deployment name of the branch. */
  applicationName: field('text', {group: 'Status', label: 'application'}),
  /** Identifier of the user that deployed. */
  deployedBy: field('text', {group: 'Status', label: 'deployed by'}),
  /** The workload that makes its pods: `deployment/web`. */
  workloads: ownField('own', {group: 'Status', isAdded: true}),
  /** The package it was installed from, and the tool, such as Helm. */
  release: ownField('own', {group: 'Status', isAdded: true}),
  releaseTool: ownField('own', {group: 'Status', isAdded: true}),

  lastActivity: ownField({table: lastActivity}, {group: 'Last activity'}),

  /** Hostname of the branch. The custom domains follow it. */
  hostname: ownField('text', {group: 'Hostnames', label: 'branch', isHost: true}),
  customDomain: field('any', {group: 'Hostnames', label: 'own domain'}),
  /** Hostname of the code editor. */
  editorHostname: field('text', {group: 'Hostnames', label: 'editor', isHost: true}),
  /** Hostname of the database administration tool. */
  pmaHostname: field('text', {group: 'Hostnames', label: 'database', isHost: true}),
  oldHostname: field('any', {group: 'Hostnames', label: 'before'}),
  /** Hostname of the load balancer in front of the branch. */
  elb: field('text', {group: 'Hostnames', label: 'balancer'}),
  secureConnection: field('flag', {group: 'Hostnames', label: 'secure', isBase: true}),
  /** Asks search engines not to index the branch; null occurs. */
  doNotIndex: field('flagOrNull', {group: 'Hostnames', label: 'not indexed', isBase: true}),

  /** The type of the application is in front of its images; the rest is with what gives access. */
  webserverImage: ownField('text', {group: 'Deployment'}),
  webserverTag: ownField('text', {group: 'Deployment'}),
  appserverImage: ownField('text', {group: 'Deployment'}),
  appserverTag: ownField('text', {group: 'Deployment'}),
  deploymentConfig: ownField({table: deploymentConfig}, {group: 'Deployment'}),
  isEnablePolymorphing: field('flag', {group: 'Deployment', label: 'polymorphing'}),
  isEnablePolyscripting: field('flag', {group: 'Deployment', label: 'polyscripting'}),
  backupInterval: field('any', {group: 'Deployment', label: 'backups'}),
  fromApplicationName: field('text', {group: 'Deployment', label: 'made from'}),
  fromDB: field('any', {group: 'Deployment', label: 'database from'}),
  copyDatabaseFilesApplication: field('any', {group: 'Deployment', label: 'copied from'}),
  copyDatabaseFilesType: field('any', {group: 'Deployment', label: 'copied'}),
  copyDatabaseUrl: field('any', {group: 'Deployment', label: 'database copy'}),
  copyFilesUrl: field('any', {group: 'Deployment', label: 'files copy'}),

  customDomains: ownField({list: customDomain}, {group: 'Custom domains', isBase: true}),

  /** Access lock on the branch. */
  lock: field('flag', {group: 'Access', label: 'locked', isBase: true}),
  lockUsername: field('any', {group: 'Access', label: 'lock user'}),
  lockPassword: field('secretOrNull', {group: 'Access', label: 'lock password'}),
  appSettings: ownField({table: appSettings}, {group: 'Access'}),
  /** The in-browser code editor is enabled. */
  isEnableEditor: field('flag', {group: 'Access', label: 'editor', isBase: true}),
  /** Password of the code editor. */
  editorPwd: field('secret', {group: 'Access', label: 'editor password'}),
  /** The database administration tool is enabled. */
  isEnablePMA: field('flag', {group: 'Access', label: 'database tool', isBase: true}),
  dbName: field('text', {group: 'Access', label: 'database'}),
  dbUser: field('text', {group: 'Access', label: 'database user'}),
  dbPassword: field('secret', {group: 'Access', label: 'db password'}),
};
