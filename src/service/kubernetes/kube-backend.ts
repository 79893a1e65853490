import type {Backend} from '#service/backend/backend.ts';
import {createSourceBackend} from '#service/backend/source-backend.ts';
import {createWarnOnce} from '#service/errors/warn-once.ts';
import {createKubeLines, type KubeLinesOptions} from './feed/kube-lines.ts';
import {createKubeDirectory, type KubeDirectory, type KubeDirectoryOptions} from './kube-directory.ts';

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
