import {workloadKinds} from '#base/workload-kinds.ts';
import {stringifySafe} from '#log/text/escape-json.ts';

/** A right in one namespace. The empty group is the core group, which has pods. */
export type ClusterRight = {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly verb: 'get' | 'list' | 'watch';
  /** The consequence of lacking it; undefined if branchlog cannot do without it. */
  readonly without?: string;
};

const listed = (group: string, version: string, resource: string, without?: string): readonly ClusterRight[] =>
  (['list', 'watch'] as const).map(verb => ({group, version, resource, verb, ...(without !== undefined && {without})}));

/** Needed kinds of workloads; of the others, a namespace may have none. */
const neededKinds = ['deployment', 'statefulset'];

const kindRights = workloadKinds
  .filter(({kind}) => kind !== 'pod')
  .flatMap(({kind, plural, title, group, version}) =>
    listed(group, version, plural, neededKinds.includes(kind) ? undefined : `${title}s are not shown`),
  );

/** Every right that branchlog uses, and no other. */
export const clusterRights: readonly ClusterRight[] = [
  ...listed('', 'v1', 'pods'),
  {group: '', version: 'v1', resource: 'pods/log', verb: 'get'},
  ...listed('', 'v1', 'events', 'events are not among the lines'),
  ...kindRights,
  ...listed('apps', 'v1', 'replicasets', 'the last activity of a branch must come from the config'),
  ...listed('networking.k8s.io', 'v1', 'ingresses', 'host names must come from the config'),
];

/** JSON strings are YAML. */
const formatList = (texts: readonly string[]): string => `[${texts.map(stringifySafe).join(', ')}]`;

/** One rule for the resources of a group that are needed, and one for those that are not. */
const formatRules = (): string => {
  const lists = clusterRights.filter(({verb}) => verb === 'list');
  const groups = Map.groupBy(lists, ({group, without}) => JSON.stringify([group, without === undefined]));
  const rules = [...groups.values()].map(rights => {
    const [{group, without} = {group: '', without: undefined}] = rights;
    const lacks = rights.map(each => each.without).join('; ');
    const comment = without === undefined ? '' : `  # Optional: without it, ${lacks}.\n`;
    const resources = formatList(rights.map(({resource}) => resource));
    return `${comment}  - apiGroups: ["${group}"]\n    resources: ${resources}\n    verbs: ["list", "watch"]\n`;
  });
  return rules.toSpliced(1, 0, '  - apiGroups: [""]\n    resources: ["pods/log"]\n    verbs: ["get"]\n').join('');
};

/**
 * Returns the Role with these rights and, if the user's name is known, the RoleBinding that gives it to them, as YAML
 * for `kubectl apply -f -`. `user` is as the API server names it, such as `system:serviceaccount:ops:branchlog`.
 */
export const formatClusterRole = (namespace: string, user: string | undefined): string => {
  const metadata = `metadata:\n  name: branchlog\n  namespace: ${stringifySafe(namespace)}\n`;
  const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n${metadata}rules:\n${formatRules()}`;
  if (user === undefined) {
    return `${role}# Bind it to a user: kubectl create rolebinding branchlog -n NAMESPACE --role branchlog --user USER\n`;
  }
  return `${role}---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
${metadata}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: branchlog
subjects:
${formatSubject(user)}`;
};

const formatSubject = (user: string): string => {
  const [, accountNamespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return accountNamespace === undefined || account === undefined
    ? `  - kind: User\n    name: ${stringifySafe(user)}\n    apiGroup: rbac.authorization.k8s.io\n`
    : `  - kind: ServiceAccount\n    name: ${stringifySafe(account)}\n    namespace: ${stringifySafe(accountNamespace)}\n`;
};

/** The Role that gives branchlog its rights in a cluster. */
export type RoleWanted = {
  /** YAML; undefined until the rights have been checked. */
  role?: string;
  isMissing?: boolean;
};
