/** A right in one namespace. The empty group is the core group, which has pods. */
export type ClusterRight = {
  readonly group: '' | 'apps' | 'networking.k8s.io';
  readonly resource: string;
  readonly verb: 'get' | 'list' | 'watch';
  /** What is missing without the right; undefined if branchlog needs it. */
  readonly gives?: string;
};

const listed = (group: ClusterRight['group'], resource: string, gives?: string): readonly ClusterRight[] =>
  (['list', 'watch'] as const).map(verb => ({group, resource, verb, ...(gives !== undefined && {gives})}));

/** Every right that branchlog uses. */
export const clusterRights: readonly ClusterRight[] = [
  ...listed('', 'pods'),
  {group: '', resource: 'pods/log', verb: 'get'},
  ...listed('apps', 'deployments'),
  ...listed('apps', 'replicasets', 'the last activity of a branch'),
  ...listed('apps', 'statefulsets'),
  ...listed('networking.k8s.io', 'ingresses', 'host names'),
];

/** `get` comes with `list`, so that the same account can look at one object with kubectl. */
const readVerbs = '["get", "list", "watch"]';

/** JSON strings are YAML. */
const quote = (text: string): string => JSON.stringify(text);

/**
 * Returns the Role with these rights and, if the user's name is known, the RoleBinding that gives it to them, as YAML
 * for `kubectl apply -f -`. `user` is as the API server names it, such as `system:serviceaccount:ops:branchlog`.
 */
export const formatClusterRole = (namespace: string, user: string | undefined): string => {
  const metadata = `metadata:\n  name: branchlog\n  namespace: ${quote(namespace)}\n`;
  const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
${metadata}rules:
  - apiGroups: [""]
    resources: ["pods"]
    verbs: ${readVerbs}
  - apiGroups: [""]
    resources: ["pods/log"]
    verbs: ["get"]
  - apiGroups: ["apps"]
    resources: ["deployments", "replicasets", "statefulsets"]
    verbs: ${readVerbs}
  - apiGroups: ["networking.k8s.io"]
    resources: ["ingresses"]
    verbs: ${readVerbs}
`;
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
    ? `  - kind: User\n    name: ${quote(user)}\n    apiGroup: rbac.authorization.k8s.io\n`
    : `  - kind: ServiceAccount\n    name: ${quote(account)}\n    namespace: ${quote(accountNamespace)}\n`;
};

/** The Role that gives branchlog its rights in a cluster. */
export type RoleWanted = {
  /** YAML; undefined until the rights have been checked. */
  role?: string;
  isMissing?: boolean;
};
