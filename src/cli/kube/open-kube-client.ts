import type {CommandInput} from '../arguments/command-input.ts';
import type {OpenedService} from '../client/asked-service.ts';
import {readPreferences} from '../service/read-settings.ts';
import {openClusterClient} from './cluster-client.ts';
import {namespaceSite, openChosenCluster} from './kube-flags.ts';
import {createPatientClient} from './patient-client.ts';
import {requireNamespace} from './require-namespace.ts';

/**
 * Opens the cluster of the flags, with the namespace of the command line as its one site. It is closed when the command
 * ends. Throws a `UsageError`, an `ApiError` or a `NotFoundError`.
 */
export const openKubeClient = async ({parsed, io, say, signal, atEnd}: CommandInput): Promise<OpenedService> => {
  const {log, ui} = await readPreferences(parsed, io);
  const cluster = await openChosenCluster(parsed, io);
  const namespace = parsed.operands[0] ?? cluster.namespace;
  try {
    const client = createPatientClient(cluster.client, {...io, say});
    await requireNamespace(client, namespace, {needsLogs: parsed.command === 'logs', signal});
  } catch (error) {
    await cluster.client.close();
    throw error;
  }
  const {client, service, stop} = await openClusterClient(cluster, [namespaceSite(parsed, namespace)], io, say, atEnd);
  atEnd(stop);
  return {client, service, log, ui};
};
