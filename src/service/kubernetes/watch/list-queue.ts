import {createWeakCache, once} from '../../../log/buffer/weak-cache.ts';
import {createOpenQueue, type OpenQueue} from '../../containers/log/open-queue.ts';
import type {KubeClient} from '../client/kube-client.ts';

/**
 * Lists at once: all of one namespace. More are answered no sooner, and those that wait too long fail: of 1,000 lists
 * for 200 namespaces, those of 20 did.
 */
const listsAtOnceMax = 10;
/** How long a list keeps its place, milliseconds: one that hangs or is large must not hold up the other namespaces. */
const listPlaceMsMax = 10_000;

/** Returns the queue of a client's lists: namespace by namespace, in the order in which they were opened. */
export const listQueueOf: (client: KubeClient) => OpenQueue = once(createWeakCache(), () =>
  createOpenQueue({openingMax: listsAtOnceMax, placeMsMax: listPlaceMsMax}),
);
