import type {LinkQuery} from '#service/link/link.ts';
import {listField, tableField, textField} from '#service/link/object-fields.ts';
import {type KubeClient, KubeError} from './kube-client.ts';

/** Objects in one answer: some megabytes of pods. */
const pageObjects = 500;
/** A page of 500 pods is a few megabytes, which a busy server may need a while for. */
const pageTimeoutMs = 60_000;
/** More than a namespace of a cluster of the largest supported size has of one resource. */
export const objectsMax = 10_000;

/** Empty pages in a row with more to come: a server that never comes to the end would be asked without one. */
const emptyPagesMax = 20;
/** Pages may be smaller than asked for, but not all of them. */
const pagesMax = 1_000;

type ListOptions<Item> = {
  readonly signal?: AbortSignal;
  readonly decode: (object: unknown) => Item | undefined;
  readonly onTooMany: () => void;
};

/** Returns the version that a resource is at now, for the price of one object. Throws a `KubeError`. */
export const readVersion = async (
  client: KubeClient,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const page = await client.get(path, {query: {limit: 1}, timeoutMs: pageTimeoutMs, signal});
  return textField(tableField(page, 'metadata'), 'resourceVersion');
};

/**
 * Returns what is needed of all objects of a resource, page by page: each page is decoded before the next is asked for,
 * since a pod as the cluster has it takes many times the memory. Where the server has let go of what the pages were of,
 * after some five minutes or sooner, all is asked for at once, as kubectl does. Throws a `KubeError`.
 */
export const listObjects = async <Item>(
  client: KubeClient,
  path: string,
  {signal, decode, onTooMany}: ListOptions<Item>,
) => {
  let items: Item[] = [];
  let objectCount = 0;
  let next: string | undefined;
  let emptyPages = 0;
  const read = (query: LinkQuery): Promise<unknown> =>
    client.get(path, {query, timeoutMs: pageTimeoutMs, ...(signal && {signal})});
  const readAll = (error: unknown): Promise<unknown> => {
    if (next === undefined || !(error instanceof KubeError && error.status === 410)) {
      throw error;
    }
    [items, objectCount] = [[], 0];
    return read({});
  };
  for (let pages = 1; ; pages += 1) {
    const page = await read({limit: pageObjects, continue: next}).catch(readAll);
    const metadata = tableField(page, 'metadata');
    const version = textField(metadata, 'resourceVersion');
    if (version === undefined) {
      throw new KubeError('body', `The response from the cluster at ${client.address} to ${path} is not a list.`);
    }
    const listed = listField(page, 'items');
    for (const object of listed) {
      const item = decode(object);
      if (item !== undefined) {
        items.push(item);
      }
    }
    objectCount += listed.length;
    emptyPages = listed.length === 0 ? emptyPages + 1 : 0;
    next = textField(metadata, 'continue');
    if (next === undefined || objectCount >= objectsMax) {
      if (next !== undefined) {
        onTooMany();
      }
      // From this version on changes can be watched. It is opaque.
      return {items, version};
    }
    if (emptyPages >= emptyPagesMax || pages >= pagesMax) {
      throw new KubeError(
        'body',
        `The list of ${path} of the cluster at ${client.address} does not end: ${pages} pages.`,
      );
    }
  }
};

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
