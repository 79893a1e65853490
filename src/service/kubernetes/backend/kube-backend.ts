import type {Instant} from '../../../log/line/instant.ts';
import type {Backend} from '../../backend.ts';
import {createSourceBackend} from '../../backends/source-backend.ts';
import type {LineSupply} from '../../branch-lines.ts';
import type {KubeClient} from '../client/kube-client.ts';
import type {ContainerPlace} from '../container-place.ts';
import {createKubeDirectory} from '../directory/kube-directory.ts';
import type {KubeSettings} from '../kube-settings.ts';

export type KubeBackendOptions = {
  readonly client: KubeClient;
  readonly settings: KubeSettings;
  /** Returns the id of a branch that the settings do not name. The same for the same site and name at every start. */
  readonly makeBranchId: (siteId: string, name: string) => string;
  readonly lines: LineSupply<ContainerPlace>;
  readonly now: () => Instant;
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Receives each distinct warning once, as a whole sentence. */
  readonly warn: (message: string) => void;
};

export type KubeBackend = Backend & {
  /** Serves these sites from now on. Throws a `ServiceError` for settings that contradict each other. */
  reload(settings: KubeSettings): void;
};

/** Creates the backend over a cluster. The client is closed with it. */
export const createKubeBackend = (options: KubeBackendOptions): KubeBackend => {
  const {client, lines, monotonicMs, warn} = options;
  const directory = createKubeDirectory(options);
  const backend = createSourceBackend({directory, lines, monotonicMs, warn});
  return {
    ...backend,
    reload: directory.reload,
    close: async () => {
      await backend.close();
      await client.close();
    },
  };
};
