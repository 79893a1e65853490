import type {Backend, LineSupply} from '#service/backend/backend.ts';
import {createWarnOnce} from '#service/backend/errors.ts';
import {createSourceBackend} from '#service/backend/source-backend.ts';
import type {ContainerLogs} from '#service/containers/container-logs.ts';
import {type ContainerSupplyOptions, createContainerSupply} from '#service/containers/container-supply.ts';
import type {KubeClient} from './kube-client.ts';
import {createKubeDirectory, type KubeDirectory, type KubeDirectoryOptions} from './kube-directory.ts';
import {isEventsPlace, type KubePlace} from './kube-settings.ts';
import {createBranchEvents, createEventsWatch} from './watch/kube-events.ts';

export type KubeLinesOptions = Omit<ContainerSupplyOptions<KubePlace>, 'logs' | 'openEvents'> & {
  readonly client: KubeClient;
};

const logPathOf = (namespace: string, podName: string): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(podName)}/log`;

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
  readFront: async ({namespace, podName, container}, front, signal) => {
    const query = {container, timestamps: true, ...front};
    const text = await client.get(logPathOf(namespace, podName), {query, as: 'text', signal});
    return typeof text === 'string' ? text : '';
  },
});

/** Creates the lines of a cluster's containers, and of its events. */
export const createKubeLines = (options: KubeLinesOptions): LineSupply<KubePlace> => {
  const open = createEventsWatch(options);
  return createContainerSupply({
    ...options,
    logs: createKubeLogs(options.client),
    openEvents: branch => {
      const {setPlace, ...events} = createBranchEvents({...branch, open});
      return {...events, setPlaces: places => setPlace(places.find(isEventsPlace))};
    },
  });
};

export type KubeBackend = Backend & Pick<KubeDirectory, 'prepareReload'>;

/** Creates the backend over a cluster. The client is closed with it. */
export const createKubeBackend = (options: KubeDirectoryOptions & KubeLinesOptions): KubeBackend => {
  const {client, monotonicMs, now} = options;
  const {warn, forget} = createWarnOnce(options.warn);
  const directory = createKubeDirectory({...options, warn});
  const lines = createKubeLines({...options, warn});
  const backend = createSourceBackend({directory, lines, monotonicMs, now, warn});
  return {
    ...backend,
    prepareReload: settings => {
      forget();
      return directory.prepareReload(settings);
    },
    close: async () => {
      await backend.close();
      await client.close();
    },
  };
};
