import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {toCallError} from '#service/errors/to-call-error.ts';
import {listField, textField} from '#service/link/object-fields.ts';
import {type KubeClient, KubeError} from '../kube-client.ts';

/** The API of a custom resource, such as `/apis/argoproj.io/v1alpha1`, and the resource, in the path of a list. */
const listPath = /^(\/apis\/[^/]+\/[^/]+)\/namespaces\/[^/]+\/([^/]+)$/;

/**
 * Returns a client for resources that a cluster may not have: it lists them only if the cluster's discovery names them,
 * which is asked once per API. Other tools may have the same API group. If discovery is refused, the list tells.
 */
export const addOnClientOf: (client: KubeClient) => KubeClient = once(createWeakCache(), client => {
  const known = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  const discover = async (api: string): Promise<ReadonlySet<string> | undefined> => {
    try {
      const found = listField(await client.get(api), 'resources').map(resource => textField(resource, 'name') ?? '');
      return new Set(found);
    } catch (error) {
      const {status} = toCallError(error);
      if (status === 404) {
        return new Set();
      }
      if (status !== 403) {
        known.delete(api);
      }
      return undefined;
    }
  };

  return {
    ...client,
    get: async (path, options) => {
      const [, api = '', resource = ''] = listPath.exec(path) ?? [];
      const found = known.get(api) ?? discover(api);
      known.set(api, found);
      if ((await found)?.has(resource) === false) {
        throw new KubeError('status', `${client.address} has no ${resource} in ${api}.`, {
          status: 404,
          reason: 'NotFound',
        });
      }
      return client.get(path, options);
    },
  };
});
