import {type KubeObject, kubeResources, type ResourceName} from '../kube-object.ts';

/** Answers what kubectl asks before it asks for anything: versions, groups, and a group's resources. */
export const discover = (
  path: string,
  minor: number,
  lacks: ReadonlySet<ResourceName> = new Set(),
): Readonly<Record<string, unknown>> | undefined => {
  const groups = groupsBut(lacks);
  if (path === '/version') {
    return {
      major: '1',
      minor: String(minor),
      gitVersion: `v1.${minor}.0`,
      gitCommit: '0'.repeat(40),
      gitTreeState: 'clean',
      buildDate: '2025-01-01T00:00:00Z',
      goVersion: 'go1.23.0',
      compiler: 'gc',
      platform: 'linux/amd64',
    };
  }
  if (path === '/api') {
    return {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1'}],
    };
  }
  if (path === '/apis') {
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: [...groups].map(([name, version]) => {
        const named = {groupVersion: `${name}/${version}`, version};
        return {name, versions: [named], preferredVersion: named};
      }),
    };
  }
  if (path === '/api/v1') {
    return resourceList('', 'v1', lacks);
  }
  const [, group = '', version = ''] = /^\/apis\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return groups.get(group) === version ? resourceList(group, version, lacks) : undefined;
};

/** The one version of each group. */
const groupsBut = (lacks: ReadonlySet<ResourceName>): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(kubeResources)
      .filter(([name, {group}]) => group !== '' && !lacks.has(name as ResourceName))
      .map(([, {group, version}]) => [group, version] as const),
    ['authorization.k8s.io', 'v1'],
  ]);

const resourceList = (
  group: string,
  version: string,
  lacks: ReadonlySet<ResourceName>,
): Readonly<Record<string, unknown>> => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: group === '' ? version : `${group}/${version}`,
  resources: [
    ...(Object.keys(kubeResources) as ResourceName[])
      .filter(name => kubeResources[name].group === group && !lacks.has(name))
      .map(name => ({
        name,
        singularName: kubeResources[name].kind.toLowerCase(),
        namespaced: kubeResources[name].isNamespaced,
        kind: kubeResources[name].kind,
        verbs: ['get', 'list', 'watch'],
        shortNames: kubeResources[name].shortNames,
        categories: ['namespaces', 'ingresses', 'events'].includes(name) ? [] : ['all'],
      })),
    ...(group === '' ? [{name: 'pods/log', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get']}] : []),
    ...(group === 'authorization.k8s.io'
      ? [
          {
            name: 'selfsubjectaccessreviews',
            singularName: 'selfsubjectaccessreview',
            namespaced: false,
            kind: 'SelfSubjectAccessReview',
            verbs: ['create'],
          },
        ]
      : []),
  ],
});

type Column = {
  readonly name: string;
  readonly type: string;
  readonly cell: (object: KubeObject, nowMs: number) => unknown;
};

type Statuses = readonly {
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: Readonly<Record<string, {readonly reason?: string}>>;
}[];

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((held, key) => (held as Readonly<Record<string, unknown>> | undefined)?.[key], value);

const statusesOf = (pod: KubeObject): Statuses =>
  (at(pod, 'status', 'containerStatuses') as Statuses | undefined) ?? [];

/** `5s`, `3m20s`, `2d5h`, as kubectl's columns have an age. */
export const formatAge = (ageMs: number): string => {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 120) {
    return `${seconds}s`;
  }
  if (minutes < 10) {
    return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  }
  if (hours < 3) {
    return `${minutes}m`;
  }
  if (hours < 8) {
    return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  }
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
};

const podStatus = (pod: KubeObject): unknown => {
  if (pod.metadata.deletionTimestamp !== undefined) {
    return 'Terminating';
  }
  const reasons = statusesOf(pod).flatMap(({state = {}}) => state.waiting?.reason ?? state.terminated?.reason ?? []);
  return at(pod, 'status', 'reason') ?? reasons.at(-1) ?? at(pod, 'status', 'phase');
};

const count = (object: KubeObject, ...path: readonly string[]): unknown => at(object, ...path) ?? 0;

const nameColumn: Column = {name: 'Name', type: 'string', cell: ({metadata}) => metadata.name};
const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  cell: ({metadata}, nowMs) => formatAge(nowMs - Date.parse(metadata.creationTimestamp)),
};

const columnsOf: Readonly<Record<ResourceName, readonly Column[]>> = {
  namespaces: [nameColumn, {name: 'Status', type: 'string', cell: object => at(object, 'status', 'phase')}, ageColumn],
  events: [
    {
      name: 'Last Seen',
      type: 'string',
      cell: (event, nowMs) => formatAge(nowMs - Date.parse(String(event.lastTimestamp ?? event.eventTime))),
    },
    {name: 'Type', type: 'string', cell: event => event.type},
    {name: 'Reason', type: 'string', cell: event => event.reason},
    {
      name: 'Object',
      type: 'string',
      cell: event =>
        `${String(at(event, 'involvedObject', 'kind')).toLowerCase()}/${at(event, 'involvedObject', 'name')}`,
    },
    {name: 'Message', type: 'string', cell: event => event.message},
  ],
  pods: [
    nameColumn,
    {
      name: 'Ready',
      type: 'string',
      cell: pod =>
        `${statusesOf(pod).filter(({ready}) => ready).length}/${(at(pod, 'spec', 'containers') as readonly unknown[]).length}`,
    },
    {name: 'Status', type: 'string', cell: podStatus},
    {
      name: 'Restarts',
      type: 'string',
      cell: pod => String(statusesOf(pod).reduce((sum, {restartCount = 0}) => sum + restartCount, 0)),
    },
    ageColumn,
  ],
  deployments: [
    nameColumn,
    {
      name: 'Ready',
      type: 'string',
      cell: object => `${count(object, 'status', 'readyReplicas')}/${count(object, 'spec', 'replicas')}`,
    },
    {name: 'Up-to-date', type: 'integer', cell: object => count(object, 'status', 'updatedReplicas')},
    {name: 'Available', type: 'integer', cell: object => count(object, 'status', 'availableReplicas')},
    ageColumn,
  ],
  replicasets: [
    nameColumn,
    {name: 'Desired', type: 'integer', cell: object => count(object, 'spec', 'replicas')},
    {name: 'Current', type: 'integer', cell: object => count(object, 'status', 'replicas')},
    {name: 'Ready', type: 'integer', cell: object => count(object, 'status', 'readyReplicas')},
    ageColumn,
  ],
  statefulsets: [
    nameColumn,
    {
      name: 'Ready',
      type: 'string',
      cell: object => `${count(object, 'status', 'readyReplicas')}/${count(object, 'spec', 'replicas')}`,
    },
    ageColumn,
  ],
  daemonsets: [
    nameColumn,
    {name: 'Desired', type: 'integer', cell: object => count(object, 'status', 'desiredNumberScheduled')},
    {name: 'Current', type: 'integer', cell: object => count(object, 'status', 'currentNumberScheduled')},
    {name: 'Ready', type: 'integer', cell: object => count(object, 'status', 'numberReady')},
    {name: 'Up-to-date', type: 'integer', cell: object => count(object, 'status', 'updatedNumberScheduled')},
    {name: 'Available', type: 'integer', cell: object => count(object, 'status', 'numberAvailable')},
    ageColumn,
  ],
  jobs: [
    nameColumn,
    {
      name: 'Completions',
      type: 'string',
      cell: object => `${count(object, 'status', 'succeeded')}/${count(object, 'spec', 'completions')}`,
    },
    ageColumn,
  ],
  cronjobs: [
    nameColumn,
    {name: 'Schedule', type: 'string', cell: object => at(object, 'spec', 'schedule')},
    {name: 'Active', type: 'integer', cell: object => (at(object, 'status', 'active') as readonly unknown[]).length},
    ageColumn,
  ],
  rollouts: [
    nameColumn,
    {name: 'Desired', type: 'integer', cell: object => count(object, 'spec', 'replicas')},
    {name: 'Current', type: 'integer', cell: object => count(object, 'status', 'replicas')},
    {name: 'Up-to-date', type: 'integer', cell: object => count(object, 'status', 'updatedReplicas')},
    {name: 'Available', type: 'integer', cell: object => count(object, 'status', 'availableReplicas')},
    ageColumn,
  ],
  ingresses: [
    nameColumn,
    {name: 'Class', type: 'string', cell: object => at(object, 'spec', 'ingressClassName')},
    {
      name: 'Hosts',
      type: 'string',
      cell: object =>
        (at(object, 'spec', 'rules') as readonly {readonly host: string}[]).map(({host}) => host).join(','),
    },
    {
      name: 'Address',
      type: 'string',
      cell: object => at(object, 'status', 'loadBalancer', 'ingress', '0', 'hostname') ?? '',
    },
    {name: 'Ports', type: 'string', cell: () => '80'},
    ageColumn,
  ],
};

export type TableInput = {
  readonly resource: ResourceName;
  readonly objects: readonly KubeObject[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
  /** `includeObject` of the request. */
  readonly include: string;
  readonly version: string;
  readonly hasColumns: boolean;
};

/** Rows for a person, as kubectl asks for them with `as=Table`. */
export const makeTable = ({resource, objects, metadata, nowMs, include, version, hasColumns}: TableInput) => ({
  kind: 'Table',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
  columnDefinitions: hasColumns
    ? columnsOf[resource].map(({name, type}) => ({
        name,
        type,
        format: name === 'Name' ? 'name' : '',
        description: `${name} of the object.`,
        priority: 0,
      }))
    : null,
  rows: objects.map(object => ({
    cells: columnsOf[resource].map(({cell}) => cell(object, nowMs)),
    ...(include === 'None'
      ? {}
      : {
          object:
            include === 'Object'
              ? object
              : {kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata},
        }),
  })),
});
