import {tableField, textField} from '#service/link/object-fields.ts';
import {type KubeClient, KubeError} from '../kube-client.ts';
import {listObjects} from '../list-objects.ts';

/**
 * Returns the names of all namespaces, sorted; undefined if the user may not list them, as with a Role of one
 * namespace. Throws a `KubeError` for any other failure.
 */
export const listNamespaces = async (client: KubeClient): Promise<readonly string[] | undefined> => {
  try {
    const {items} = await listObjects(client, '/api/v1/namespaces', {
      decode: object => textField(tableField(object, 'metadata'), 'name'),
      onTooMany: () => undefined,
    });
    return items.toSorted();
  } catch (error) {
    if (error instanceof KubeError && error.status === 403) {
      return undefined;
    }
    throw error;
  }
};
