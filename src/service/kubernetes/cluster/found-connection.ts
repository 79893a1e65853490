import type {KubeConnection} from '../transport/kube-connection.ts';

/** A cluster, and who we are there. */
export type FoundConnection = {
  readonly connection: KubeConnection;
  readonly origin: 'service account' | 'kubeconfig';
  /** Undefined for a ServiceAccount. */
  readonly contextName: string | undefined;
  /** Of the context or the pod; `default` if it names none. */
  readonly namespace: string;
};
