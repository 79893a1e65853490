import {sanitise} from '#log/text/sanitise.ts';
import type {BranchMeasure} from '#service/backend/backend.ts';
import {formatMetrics, metricsType, type ServiceMeasures} from '#service/backend/metrics.ts';
import {type Exchange, type MonitoringName, send} from './exchange.ts';

/** Branches that cannot be read are named up to this number. */
const namedMax = 20;

export type MonitoringOptions = {
  /** Checks the token; if it does not open the metrics, sends the refusal. */
  readonly isAdmitted: (exchange: Exchange) => Promise<boolean>;
  readonly measureBranches: () => readonly BranchMeasure[];
  readonly measureServer: () => Omit<ServiceMeasures, 'branches' | 'process'>;
};

const sendText = (exchange: Exchange, status: number, text: string): void =>
  send(exchange, status, 'text/plain; charset=utf-8', text);

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
 * Answers what programs ask that watch the service: `/livez` (it answers), `/readyz` (its logs are open), `/healthz`
 * (all of them can be read) and `/metrics`.
 */
export const answerMonitoring = async (
  name: MonitoringName,
  exchange: Exchange,
  {isAdmitted, measureBranches, measureServer}: MonitoringOptions,
): Promise<void> => {
  switch (name) {
    case 'livez':
      return sendText(exchange, 200, 'ok');
    case 'readyz': {
      const opening = measureBranches().filter(({isOpening}) => isOpening).length;
      return opening === 0
        ? sendText(exchange, 200, 'ok')
        : sendText(exchange, 503, `The logs of ${opening} branches are being opened: they have many files.`);
    }
    case 'healthz': {
      // A token that came is judged like any other: an answer that tells a right one would serve those who guess.
      const hasToken = exchange.request.headers.authorization !== undefined;
      if (hasToken && !(await isAdmitted(exchange))) {
        return undefined;
      }
      const faults = describeFaults(measureBranches(), hasToken);
      return faults === undefined ? sendText(exchange, 200, 'ok') : sendText(exchange, 503, faults);
    }
    case 'metrics': {
      if (!(await isAdmitted(exchange))) {
        return undefined;
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
      return send(exchange, 200, metricsType, formatMetrics(measures));
    }
    default:
      return name satisfies never;
  }
};
