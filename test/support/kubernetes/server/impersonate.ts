import {forbidden} from '../kube-status.ts';
import type {Access, KubeRequest, User} from './access.ts';

/** Each line of a header; Node joins those of the same name. */
const linesOf = (request: KubeRequest, name: string): readonly string[] => {
  const raw = request.rawHeaders;
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
};

/**
 * Returns the user that a request acts as: by Impersonate-User and its like, if that is allowed. Throws the refusal.
 * Source: `staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation.go`.
 */
export const impersonate = (access: Access, request: KubeRequest, user: User): User => {
  const [name] = linesOf(request, 'impersonate-user');
  const groups = linesOf(request, 'impersonate-group');
  if (name === undefined) {
    return user;
  }
  const wanted = [['users', name] as const, ...groups.map(group => ['groups', group] as const)];
  for (const [resource, each] of wanted) {
    if (!access.isAllowed(user, {verb: 'impersonate', group: '', resource, namespace: ''})) {
      throw forbidden({
        user: user.name,
        verb: 'impersonate',
        resource,
        subresource: '',
        group: '',
        namespace: '',
        name: each,
      });
    }
  }
  return {name, groups: [...groups, 'system:authenticated']};
};
