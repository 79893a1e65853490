import type {Io, Say} from '#cli/io/io.ts';
import {makeBranchId} from '#config/serve/branch-base.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {createKubeBackend, type KubeBackend, type KubeLinesOptions} from '#service/kubernetes/kube-backend.ts';
import {isAskedToWait, type KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';
import type {KubeSiteSettings} from '#service/kubernetes/kube-settings.ts';

/** How long a command waits at its start for a cluster that is busy, milliseconds. People and scripts give up later. */
export const busyMsMax = 60_000;
const retryMsDefault = 1_000;

/**
 * Returns a client whose `get` waits as long as a busy server asks for, with jitter, and tries again, up to
 * `busyMsMax` in all. Then it throws the `KubeError` with a word on that.
 */
export const createPatientClient = (
  client: KubeClient,
  {clock, random, say}: Pick<Io, 'clock' | 'random'> & {readonly say: Say},
): KubeClient => {
  let deadlineMs: number | undefined;

  const waitAfter = async (error: KubeError, signal: AbortSignal | undefined): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const waitMs = (error.retryAfterMs ?? retryMsDefault) + retryMsDefault * random();
    const status = error.status ?? 429;
    if (nowMs + waitMs > (deadlineMs ?? nowMs + busyMsMax)) {
      const words = `${error.message} A busy server is waited for at most ${busyMsMax / 1000} s: try again later.`;
      throw new KubeError(error.kind, words, {status, retryAfterMs: error.retryAfterMs, cause: error});
    }
    if (deadlineMs === undefined) {
      deadlineMs = nowMs + busyMsMax;
      say(`${client.address} is busy (${status}): trying again for up to ${busyMsMax / 1000} s.`);
    }
    await clock.sleep(waitMs, signal);
  };

  return {
    ...client,
    get: async (path, options) => {
      for (;;) {
        try {
          return await client.get(path, options);
        } catch (error) {
          if (!(error instanceof KubeError && isAskedToWait(error))) {
            throw error;
          }
          await waitAfter(error, options?.signal);
        }
      }
    },
  };
};

type ClusterBackendOptions = Pick<Io, 'clock' | 'random'> &
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
