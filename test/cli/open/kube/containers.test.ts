import {expect, test} from 'vitest';
import {startBranch} from './start-branch.ts';

test('the lines of init containers, sidecars and ephemeral containers are shown and chosen, those of a mesh by name', async () => {
  const {double, pods, run} = await startBranch({
    containers: [
      {name: 'php'},
      {name: 'migrate', kind: 'init'},
      {name: 'shipper', kind: 'sidecar'},
      {name: 'istio-proxy', kind: 'sidecar'},
    ],
  });
  const [pod] = pods;
  double.pods.addEphemeral(pod, 'debugger');
  for (const name of ['migrate', 'php', 'shipper', 'istio-proxy', 'debugger']) {
    double.pods.append(pod, name, {
      stampNs: BigInt(Date.now()) * 1_000_000n,
      zone: 'Z',
      stream: 'stdout',
      tag: 'F',
      bytes: `of ${name}`,
    });
  }
  const print = async (flags: string): Promise<readonly string[]> => {
    const {code, stdout, stderr} = await run(`logs --kube shop web --prefix --timestamps none ${flags}`.trim());
    expect([code, stderr]).toEqual([0, '']);
    return stdout.replaceAll(`${pod.name}/`, '').trim().split('\n').toSorted();
  };
  const migrate = '[init:migrate] of migrate';
  expect(await print('')).toEqual([
    '[ephemeral:debugger] of debugger',
    migrate,
    '[php] of php',
    '[sidecar:shipper] of shipper',
  ]);
  expect(await print('-c ^migrate$')).toEqual([migrate]);
  expect(await print('--exclude-container ^(debugger|shipper|php)$')).toEqual([migrate]);
  expect(await print('-c istio-proxy')).toEqual(['[sidecar:istio-proxy] of istio-proxy']);
});
