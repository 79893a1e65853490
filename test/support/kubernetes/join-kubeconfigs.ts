import type {KubeDouble, Login} from './start-kube-double.ts';

/** Returns one kubeconfig for several doubles, each in a context of its own; the first is the current one. */
export const joinKubeconfigs = (
  doubles: Readonly<Record<string, {readonly double: KubeDouble; readonly login?: Login}>>,
): string => {
  const entries = Object.entries(doubles).map(([name, {double, login}]) => {
    const {contexts, clusters, users} = JSON.parse(double.kubeconfig(login));
    return {
      context: {name, context: {...contexts[0].context, cluster: name, user: name}},
      cluster: {...clusters[0], name},
      user: {...users[0], name},
    };
  });
  return JSON.stringify({
    'current-context': entries[0]?.context.name,
    contexts: entries.map(({context}) => context),
    clusters: entries.map(({cluster}) => cluster),
    users: entries.map(({user}) => user),
  });
};
