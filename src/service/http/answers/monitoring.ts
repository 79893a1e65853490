import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {sanitise} from '#log/text/sanitise.ts';
import type {BranchMeasure} from '#service/backend/backend.ts';
import {formatMetrics, metricsType, type ServiceMeasures} from '#service/backend/metrics.ts';

/** Branches that cannot be read are named up to this number. */
const namedMax = 20;

export type MonitoringOptions = {
  /** Checks the token; if it does not open the metrics, sends the refusal. */
  readonly isAdmitted: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
  readonly measureBranches: () => readonly BranchMeasure[];
  readonly measureServer: () => Omit<ServiceMeasures, 'branches' | 'process'>;
};

const send = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

/** Without a token nothing is named: the reason may hold paths. */
const describeFaults = (branches: readonly BranchMeasure[], isNamed: boolean): string | undefined => {
  const stuck = branches.filter(({fault}) => fault !== undefined);
  if (stuck.length === 0) {
    return undefined;
  }
  const summary = `${stuck.length} of ${branches.length} branches cannot be read in full now.`;
  const named = stuck.map(({siteId, branchName, fault}) => sanitise(`${siteId} ${branchName}: ${fault}`));
  return isNamed ? [summary, ...named.slice(0, namedMax), ''].join('\n') : summary;
};

/**
 * Adds what programs ask that watch the service: `/livez` (it answers), `/readyz` (its logs are open), `/healthz` (all
 * of them can be read) and `/metrics`.
 */
export const addMonitoring = (
  app: FastifyInstance,
  {isAdmitted, measureBranches, measureServer}: MonitoringOptions,
): void => {
  app.get('/livez', (_request, reply) => send(reply, 200, 'ok'));
  app.get('/readyz', (_request, reply) => {
    const opening = measureBranches().filter(({isOpening}) => isOpening).length;
    return opening === 0
      ? send(reply, 200, 'ok')
      : send(reply, 503, `The logs of ${opening} branches are being opened: they have many files.`);
  });
  app.get('/healthz', async (request, reply) => {
    // A token that came is judged like any other: an answer that tells a right one would serve those who guess.
    const hasToken = request.headers.authorization !== undefined;
    if (hasToken && !(await isAdmitted(request, reply))) {
      return reply;
    }
    const faults = describeFaults(measureBranches(), hasToken);
    return faults === undefined ? send(reply, 200, 'ok') : send(reply, 503, faults);
  });
  app.get('/metrics', async (request, reply) => {
    if (!(await isAdmitted(request, reply))) {
      return reply;
    }
    const {rss, heapUsed} = process.memoryUsage();
    const {user, system} = process.cpuUsage();
    const measures = {
      ...measureServer(),
      branches: measureBranches(),
      process: {
        residentBytes: rss,
        heapBytes: heapUsed,
        cpuSeconds: (user + system) / 1e6,
        startedMs: performance.timeOrigin,
      },
    };
    return reply.type(metricsType).send(formatMetrics(measures));
  });
};
