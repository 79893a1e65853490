import {expect, onTestFinished, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createKubeDirectory} from '#service/kubernetes/kube-directory.ts';
import {runsOf} from '../../../support/thorough.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {startCluster} from '../start-cluster.ts';
import {makeSite} from '../start-directory.ts';

const namespaceCount = runsOf(200);
/** All lists of one namespace. */
const listsAtOnceMax = 10;

test(`${namespaceCount} namespaces are listed a few at a time, in the order of the sites, and all are known`, async () => {
  const {double, client} = await startCluster();
  const ids = Array.from({length: namespaceCount}, (_, index) => `n-${String(index).padStart(3, '0')}`);
  for (const namespace of ids) {
    double.workloads.createDeployment({namespace, name: 'web', replicas: 0});
  }
  const warnings: string[] = [];
  const directory = createKubeDirectory({
    client,
    settings: {sites: ids.map(id => makeSite({id, namespace: id}))},
    makeBranchId: (_, name) => name,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    random: () => 0,
    warn: message => warnings.push(message),
    startMs: 60_000,
  });
  onTestFinished(() => directory.close());
  const held = double.holdLists();
  const started = directory.start();
  await waitFor(() => held.waiting.size >= listsAtOnceMax, {what: 'the first lists'});
  // Whatever else was on its way has come when the answer to this has.
  await client.get('/version');
  expect(held.waiting.size).toBe(listsAtOnceMax);
  held.release();
  await started;
  expect(warnings).toEqual([]);
  expect(ids.filter(id => directory.listBranches(id)?.length !== 1)).toEqual([]);
  const listed = double.requests
    .filter(({path}) => path.includes('/pods?limit=500'))
    .map(({path}) => path.split('/')[4] ?? '');
  expect(listed).toEqual(ids);
});
