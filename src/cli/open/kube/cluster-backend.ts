import type {Io} from '#cli/io/io.ts';
import {makeBranchId} from '#config/serve/branch-base.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {createKubeBackend, type KubeBackend, type KubeLinesOptions} from '#service/kubernetes/kube-backend.ts';
import type {KubeClient} from '#service/kubernetes/kube-client.ts';
import type {KubeSiteSettings} from '#service/kubernetes/kube-settings.ts';

export type ClusterBackendOptions = Pick<Io, 'clock' | 'random'> &
  Pick<
    KubeLinesOptions,
    | 'windowLines'
    | 'windowPerPod'
    | 'holds'
    | 'firstRead'
    | 'firstReadMsMax'
    | 'firstLinesMs'
    | 'readerIsOperator'
    | 'isPrevious'
  > & {
    /** Closed with the backend. */
    readonly client: KubeClient;
    readonly sites: readonly KubeSiteSettings[];
    readonly warn: (message: string) => void;
    /** How long the start waits for the cluster's first answers, milliseconds; 10 s by default. */
    readonly startMs?: number;
  };

/** Creates the backend over parts of a cluster. Its branches have the ids that `branchlog serve` gives them. */
export const createClusterBackend = ({sites, clock, ...options}: ClusterBackendOptions): KubeBackend =>
  createKubeBackend({
    ...options,
    settings: {sites},
    makeBranchId,
    now: () => instantFromMs(clock.nowMs()),
    monotonicMs: clock.monotonicMs,
  });
