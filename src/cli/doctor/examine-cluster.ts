import {flagValue} from '../arguments/args.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {UsageError} from '../io/usage-error.ts';
import {openChosenCluster} from '../kube/kube-flags.ts';
import type {RoleWanted} from './cluster-role.ts';
import {type Finding, found} from './finding.ts';

/** Checks the cluster that the flags name: the kubeconfig first, then what depends on it. Fills in `wanted`. */
export async function* examineCluster({parsed, io, signal}: CommandInput, wanted: RoleWanted): AsyncGenerator<Finding> {
  const opened = await openChosenCluster(parsed, io).catch((error: unknown) => {
    if (error instanceof UsageError) {
      return error;
    }
    throw error;
  });
  if (opened instanceof UsageError) {
    yield found.fail(
      'kubeconfig',
      opened.message,
      'do that, or choose another file with --kubeconfig, another context with --kube-context',
      exitCodes.usage,
    );
    yield found.skip('the rest', 'needs a valid kubeconfig');
    return;
  }
  const {client, contextName, accessName, actsAs, isUnverified, namespace: own} = opened;
  const namespace = flagValue(parsed, 'namespace') ?? own;
  const context = contextName === undefined ? '' : `context ${contextName}, `;
  yield found.ok(
    'kubeconfig',
    `${context}namespace ${namespace}, ${accessName}${actsAs === undefined ? '' : `, acting as ${actsAs}`}`,
  );
  // Loaded on demand: the checks of a service need none of it.
  const {checkCluster} = await import('./cluster-checks.ts');
  try {
    yield* checkCluster({client, isUnverified, namespace, nowMs: io.clock.nowMs, signal}, wanted);
  } finally {
    await client.close();
  }
}
