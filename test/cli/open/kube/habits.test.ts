import {expect, test} from 'vitest';
import {startBranch} from './start-branch.ts';

/** A cluster whose kubeconfig has the namespace `shop`, with `api`, `api-worker` and `web`, each with a line. */
const startShop = async () => {
  const {double, pods, run} = await startBranch();
  const workloads = ['api', 'api-worker'].map(name =>
    double.workloads.createDeployment({namespace: 'shop', name, labels: {tier: 'back'}}),
  );
  for (const pod of [...pods, ...workloads.flatMap(workload => workload.pods())]) {
    double.pods.write(pod, 'php', {text: `of ${pod.name.replace(/(-[^-]+){2}$/, '')}`});
  }
  return async (line: string) => {
    const {code, stdout, stderr} = await run(`${line} --timestamps none --format raw`);
    return {code, lines: [...stdout.matchAll(/of \S+/g)].map(([text]) => text).sort(), stderr};
  };
};

test.each([
  ['all of stern', 'logs --kube .', ['of api', 'of api-worker', 'of web']],
  ['a regular expression of stern', 'logs --kube api.*', ['of api', 'of api-worker']],
  ['an anchored one', 'logs --kube ^api$|web', ['of api', 'of web']],
  ['a pattern of a shell', 'logs --kube shop api*', ['of api', 'of api-worker']],
  ['all branches of a namespace', 'logs --kube shop .', ['of api', 'of api-worker', 'of web']],
  ['the selector of kubectl', 'logs --kube -l tier=back', ['of api', 'of api-worker']],
  ['a selector in a namespace', 'logs --kube shop -l tier=back', ['of api', 'of api-worker']],
  ['the namespace of kubectl', 'logs --kube -n shop web', ['of web']],
  ['that, with lines', 'logs --kube -n shop web --tail 1', ['of web']],
  ['lines alone, as before', 'logs --kube -n 1 shop web', ['of web']],
  ['both, with a selector', 'logs --kube -n shop -l tier=back', ['of api', 'of api-worker']],
])('habits of stern and kubectl are understood: %s', async (_, line, lines) => {
  const print = await startShop();
  expect(await print(line)).toMatchObject({code: 0, lines});
});

test('a namespace alone, and flags of others, are refused with what to write', async () => {
  const print = await startShop();
  expect((await print('logs --kube shop')).stderr).toContain(
    'BRANCH is missing: branchlog logs --kube NAMESPACE BRANCH',
  );
  expect((await print('logs --kube shop ^nothing')).stderr).toContain('matches "^nothing"');
  for (const flag of [
    '--template x',
    '--node n',
    '--field-selector a=b',
    '--timezone UTC',
    '--container-state running',
  ]) {
    expect((await print(`logs --kube shop web ${flag}`)).stderr).toMatch(/^branchlog: there is no --[a-z-]+ here: /);
  }
});
