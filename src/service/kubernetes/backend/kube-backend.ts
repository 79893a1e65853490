import type {Backend} from '../../backend.ts';
import {createSourceBackend} from '../../backends/source-backend.ts';
import {createKubeDirectory, type KubeDirectory, type KubeDirectoryOptions} from '../directory/kube-directory.ts';
import {createKubeLines, type KubeLinesOptions} from '../feed/kube-lines.ts';

export type KubeBackend = Backend & Pick<KubeDirectory, 'reload'>;

/** Creates the backend over a cluster. The client is closed with it. */
export const createKubeBackend = (options: KubeDirectoryOptions & KubeLinesOptions): KubeBackend => {
  const {client, monotonicMs, warn} = options;
  const directory = createKubeDirectory(options);
  const backend = createSourceBackend({directory, lines: createKubeLines(options), monotonicMs, warn});
  return {
    ...backend,
    reload: directory.reload,
    close: async () => {
      await backend.close();
      await client.close();
    },
  };
};
