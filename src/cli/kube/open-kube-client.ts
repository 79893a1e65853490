import type {Client} from '../../api/http/client.ts';
import type {Settings} from '../../config/client/settings.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import {connect} from '../service/connect.ts';
import {readPreferences} from '../service/read-settings.ts';
import {namespaceSite, openChosenCluster} from './kube-flags.ts';
import {startKubeService} from './kube-service.ts';
import {createPatientClient} from './patient-client.ts';
import {requireNamespace} from './require-namespace.ts';

/**
 * Starts the service over the cluster of the flags, with the namespace of the command line as its one site, and
 * connects to it. It stops when the command ends. Throws a `UsageError`, an `ApiError` or a `NotFoundError`.
 */
export const openKubeClient = async ({
  parsed,
  io,
  say,
  signal,
  atEnd,
}: CommandInput): Promise<{readonly settings: Settings; readonly client: Client}> => {
  const preferences = await readPreferences(parsed, io);
  const cluster = await openChosenCluster(parsed, io);
  const namespace = parsed.operands[0] ?? cluster.namespace;
  try {
    const client = createPatientClient(cluster.client, {...io, say});
    await requireNamespace(client, namespace, {needsLogs: parsed.command === 'logs', signal});
  } catch (error) {
    await cluster.client.close();
    throw error;
  }
  const service = await startKubeService(cluster, [namespaceSite(parsed, namespace)], io, say);
  atEnd(service.stop);
  return {
    settings: {...preferences, context: service.context, contextNames: [], warnings: []},
    client: connect(service, service.io, say, atEnd),
  };
};
