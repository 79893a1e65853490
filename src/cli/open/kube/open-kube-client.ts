import {type CommandInput, contextNamespace} from '#cli/arguments/args.ts';
import {resolveRange} from '#cli/arguments/time-range.ts';
import type {LogWanted, OpenedService} from '#cli/connection/asked-service.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {capYoungHeap} from '#cli/io/heap-keeper.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {type ClusterReading, openClusterClient} from '../cluster-client.ts';
import {unverifiedWords} from '../cluster-remarks.ts';
import {namespaceSite, openChosenCluster, requireNamespace} from '../kube-flags.ts';
import {createPatientClient} from './cluster-backend.ts';

/**
 * Opens the cluster of the flags, with the namespace of the command line as its one site. It is closed when the command
 * ends. Throws a `UsageError`, an `ApiError` or a `NotFoundError`.
 */
export const openKubeClient = async (
  {parsed, io, say, signal, atEnd}: CommandInput,
  wanted: LogWanted,
): Promise<OpenedService> => {
  const uncap = capYoungHeap();
  atEnd(async () => uncap());
  const {log, ui} = await readPreferences(parsed, io);
  const cluster = await openChosenCluster(parsed, io);
  if (cluster.isUnverified) {
    say(`${unverifiedWords(cluster.client.address)}.`);
  }
  const [word = contextNamespace] = parsed.operands;
  const namespace = word === contextNamespace ? cluster.namespace : word;
  const isPrevious = parsed.switches.has('previous');
  try {
    const client = createPatientClient(cluster.client, {...io, say});
    await requireNamespace(client, namespace, {needsLogs: parsed.command === 'logs', signal});
  } catch (error) {
    await cluster.client.close();
    throw error;
  }
  const {client, service, stop} = await openClusterClient(
    [{cluster, sites: [namespaceSite(parsed, namespace, parsed.switches.has('events') && !isPrevious)]}],
    {bufferMb: log.kubeBufferMb, firstRead: chooseFirstRead(wanted, io.clock.nowMs()), isPrevious},
    {io, warn: say, atEnd},
  );
  atEnd(stop);
  return {client, service, log, ui};
};

/** The last lines of a range that has ended are not those of the log: it is read from its beginning. */
const chooseFirstRead = ({since, to, tail, follow = false}: LogWanted, nowMs: number): ClusterReading['firstRead'] => {
  if (follow && since === undefined && tail === undefined) {
    return undefined;
  }
  const {from} = resolveRange({since}, instantFromMs(nowMs));
  return to === undefined ? {since: from, tailLines: tail} : {since: from ?? 0n, tailLines: undefined};
};
