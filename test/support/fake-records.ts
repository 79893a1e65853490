/** Records as interface specification section 2 describes them, for tests. Written from the document, not from our decoders. */
export type FakeRecord = Readonly<Record<string, unknown>>;

export type FakePod = {readonly name: string; readonly createdAt?: string};

const instant = '2025-01-02T03:04:05.678Z';

/** A branch that is not built out: the base fields of section 2.1, status null. */
export const makeBranch = (id: string, name: string, changes: FakeRecord = {}): FakeRecord => ({
  _id: id,
  isEnableEditor: false,
  isEnablePMA: false,
  lock: false,
  doNotIndex: null,
  secureConnection: true,
  project: 'site-1',
  name,
  branchType: 'MASTER',
  originBranch: 'main',
  createdAt: instant,
  updatedAt: instant,
  customDomains: [],
  status: null,
  ...changes,
});

/** A branch that is built out and deployed: every field of sections 2.1 to 2.3, the secrets among them easy to find again. */
export const makeBuiltBranch = (id: string, name: string, changes: FakeRecord = {}): FakeRecord => ({
  ...makeBranch(id, name),
  status: 'DEPLOY_APPLICATION_SUCCESS',
  appSettings: {type: 'shop', adminUser: 'admin', adminPassword: `secret-admin-${id}`},
  applicationName: `app-${name}`,
  appserverImage: 'php',
  appserverTag: '8.3',
  webserverImage: 'nginx',
  webserverTag: '1.27',
  backupInterval: null,
  copyDatabaseFilesApplication: null,
  copyDatabaseFilesType: null,
  copyDatabaseUrl: null,
  copyFilesUrl: null,
  customDomain: null,
  dbName: `db-${id}`,
  dbUser: `user-${id}`,
  dbPassword: `secret-db-${id}`,
  deployedBy: 'user-7',
  deploymentConfig: {
    application: {storage: '10Gi'},
    images: {
      nginx: {env: [{name: 'NGINX_SERVER_ROOT', value: '/srv'}]},
      php: {env: [{name: 'APP_ROOT', value: '/srv/app'}]},
    },
  },
  editorHostname: `${name}-editor.example.com`,
  editorPwd: `secret-editor-${id}`,
  environment: 'env-1',
  fromApplicationName: 'app-origin',
  fromDB: null,
  hostname: `${name}.example.com`,
  isEnablePolymorphing: false,
  isEnablePolyscripting: false,
  lockPassword: `secret-lock-${id}`,
  lockUsername: 'locker',
  namespace: `ns-${id}`,
  oldHostname: null,
  pmaHostname: `${name}-pma.example.com`,
  replicas: 2,
  lastActivity: {
    _id: `activity-${id}`,
    action: 'UPDATE_CONFIG_APPLICATION',
    createdBy: 'user-7',
    workspace: 'workspace-1',
    project: 'site-1',
    application: id,
    environment: 'env-1',
    status: 'SUCCESS',
    createdAt: instant,
    updatedAt: instant,
    lastResponse: {id: 'response-1', status: 'SUCCESS', payload: {}, task: 'task-1'},
    taskName: null,
  },
  elb: 'elb.example.com',
  customDomains: [
    {
      _id: `domain-${id}`,
      domain: `www.${name}.example.com`,
      createdBy: 'user-7',
      workspace: 'workspace-1',
      application: id,
      privateKey: `secret-key-${id}`,
      sslCertificate: '',
      createdAt: instant,
      updatedAt: instant,
    },
  ],
  ...changes,
});

/** A pod record of section 2.5 with its orchestrator metadata. */
export const makePodRecord = ({name, createdAt = '2025-01-02T03:04:05Z'}: FakePod): FakeRecord => ({
  name,
  resourceVersion: '4711',
  metadata: {
    annotations: {'example.com/note': 'none'},
    creationTimestamp: createdAt,
    generateName: `${name.slice(0, -1)}-`,
    labels: {app: 'shop'},
    managedFields: [
      {
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: {'f:metadata': {}},
        manager: 'm',
        operation: 'Update',
        time: createdAt,
      },
    ],
    name,
    namespace: 'ns-1',
    ownerReferences: [
      {apiVersion: 'apps/v1', blockOwnerDeletion: true, controller: true, kind: 'ReplicaSet', name: 'rs', uid: 'uid-1'},
    ],
    resourceVersion: '4711',
    selfLink: `/api/v1/pods/${name}`,
    uid: `uid-${name}`,
  },
});

/** A log answer of section 2.5. */
export const makeLogAnswer = (lines: readonly unknown[], pods: readonly FakePod[]): FakeRecord => ({
  podNamesList: pods.map(makePodRecord),
  data: lines,
  events: lines.map(message => ({message})),
  sessionId: 'session-1',
});
