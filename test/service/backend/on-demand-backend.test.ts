import {expect, test} from 'vitest';
import type {Backend} from '#service/backend/backend.ts';
import {ServiceError, UnavailableError} from '#service/backend/errors.ts';
import {createOnDemandBackend} from '#service/backend/join-backends.ts';

/** Opens backends that write down what happens to them. */
const createSites = (failures: Readonly<Record<string, Error>> = {}) => {
  const events: string[] = [];
  const open = (siteId: string): Backend => ({
    start: async () => {
      events.push(`start ${siteId}`);
      if (failures[siteId]) {
        throw failures[siteId];
      }
    },
    listBranches: async () => [{_id: siteId, name: siteId, status: 'UP'}],
    readWindow: async () => ({pods: [], lines: [siteId]}),
    close: async () => {
      events.push(`close ${siteId}`);
    },
  });
  return {events, open};
};

test('a site starts once, with its first request, and all that started are closed', async () => {
  const {events, open} = createSites();
  const backend = createOnDemandBackend(['a', 'b', 'c'], open);
  await backend.start();
  expect(events).toEqual([]);
  const answers = await Promise.all([
    backend.listBranches('b'),
    backend.readWindow('b', 'x'),
    backend.listDeployed?.('b'),
  ]);
  expect(answers).toEqual([[{_id: 'b', name: 'b', status: 'UP'}], {pods: [], lines: ['b']}, []]);
  expect(await backend.listBranches('d')).toBeUndefined();
  await backend.close();
  expect(events).toEqual(['start b', 'close b']);
});

test('a single site starts at once, and its failure is that of the start', async () => {
  const {events, open} = createSites({a: new UnavailableError('No right.')});
  const backend = createOnDemandBackend(['a'], open);
  await expect(backend.start()).rejects.toThrow('No right.');
  await backend.close();
  expect(events).toEqual(['start a', 'close a']);
});

test('what is unavailable answers for itself, what cannot start says why in each answer', async () => {
  const {open} = createSites({a: new UnavailableError('Later.'), b: new ServiceError('Two branches have one pod.')});
  const backend = createOnDemandBackend(['a', 'b'], open);
  await backend.start();
  expect(await backend.listBranches('a')).toHaveLength(1);
  for (let request = 0; request < 2; request += 1) {
    await expect(backend.listBranches('b')).rejects.toThrow(UnavailableError);
  }
  await backend.close();
});
