const kinds: Readonly<Record<string, string>> = {
  users: 'user',
  groups: 'group',
  serviceaccounts: 'ServiceAccount',
  uids: 'uid',
};

/**
 * Reads the API server's sentence that refuses to let a user act as another one: who is logged in, and who is wanted,
 * such as `user jane` or `group admins`, not sanitised; undefined for any other sentence.
 * Source: `groups "admins" is forbidden: User "dev" cannot impersonate resource "groups" in API group "" at the cluster
 * scope`, of the filter for impersonation.
 */
export const readRefusedImpersonation = (serverMessage: string | undefined) => {
  const [, resource = '', name, user] =
    /^([^" ]+) "([^"]*)" is forbidden: User "([^"]+)" cannot impersonate resource /.exec(
      // A resource outside the core group is written with its group: `uids.authentication.k8s.io`.
      serverMessage ?? '',
    ) ?? [];
  if (name === undefined || user === undefined) {
    return undefined;
  }
  return {user, wanted: `${kinds[resource.split('.')[0] ?? ''] ?? resource} ${name}`};
};
