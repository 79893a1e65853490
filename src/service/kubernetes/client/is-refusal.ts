import type {KubeError} from './kube-client.ts';

/** Checks whether the cluster refuses the call: a person has to change credentials or permissions. */
export const isRefusal = ({kind, status}: Pick<KubeError, 'kind' | 'status'>): boolean =>
  kind === 'auth' || status === 401 || status === 403;
