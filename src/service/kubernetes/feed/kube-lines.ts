import type {LineSupply} from '#service/branch-lines.ts';
import type {ContainerLogs} from '#service/containers/container-logs.ts';
import {type ContainerSupplyOptions, createContainerSupply} from '#service/containers/container-supply.ts';
import type {KubeClient} from '../kube-client.ts';
import {isEventsPlace, type KubePlace} from '../kube-place.ts';
import {createBranchEvents} from './events/branch-events.ts';
import {createEventsWatch} from './events/namespace-events.ts';

export type KubeLinesOptions = Omit<ContainerSupplyOptions<KubePlace>, 'logs' | 'openBeside'> & {
  readonly client: KubeClient;
};

/** The logs that the nodes of a cluster have. */
const createKubeLogs = (client: KubeClient): ContainerLogs => ({
  whole: 'cluster',
  open: ({namespace, podName, container}, query, options) =>
    client.open(logPathOf(namespace, podName), {
      ...options,
      query: {container, timestamps: true, ...query},
      // A kubelet may only answer for an empty log when its first line comes.
      mayBeginLate: query.follow === true,
    }),
  readFront: async ({namespace, podName, container}, limitBytes, signal) => {
    const query = {container, timestamps: true, limitBytes};
    const text = await client.get(logPathOf(namespace, podName), {query, as: 'text', signal});
    return typeof text === 'string' ? text : '';
  },
});

const logPathOf = (namespace: string, podName: string): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(podName)}/log`;

/** Creates the lines of a cluster's containers, and of its events. */
export const createKubeLines = (options: KubeLinesOptions): LineSupply<KubePlace> => {
  const open = createEventsWatch(options);
  return createContainerSupply({
    ...options,
    logs: createKubeLogs(options.client),
    openBeside: branch => {
      const {setPlace, ...events} = createBranchEvents({...branch, open});
      return {...events, setPlaces: places => setPlace(places.find(isEventsPlace))};
    },
  });
};
