/** What is asked for; `other`: no operation of the service. */
export type Operation = 'branches' | 'deployed_branches' | 'pulses' | 'logs' | 'metrics' | 'health' | 'other';

/** By the end of its path. */
const operations: Readonly<Record<string, Operation>> = {
  branches: 'branches',
  'deployed-branches': 'deployed_branches',
  pulses: 'pulses',
  logs: 'logs',
  metrics: 'metrics',
  livez: 'health',
  readyz: 'health',
  healthz: 'health',
};

/** Returns the operation of a route's pattern; a path that is no route has none. */
export const nameOperation = (route: string | undefined): Operation =>
  operations[route?.split('/').at(-1) ?? ''] ?? 'other';

/** Requests since the start. */
export type RequestTotals = {
  readonly answers: readonly {readonly operation: Operation; readonly status: number; readonly count: number}[];
  /** Refusals by reason. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly bodyBytes: number;
};

/** Counts requests. There are as many counters as operations and statuses of the service's own. */
export const createRequestTally = () => {
  const answers = new Map<string, RequestTotals['answers'][number]>();
  const refusals = new Map<string, number>();
  let bodyBytes = 0;
  return {
    add: (operation: Operation, status: number, bytes: number): void => {
      const key = `${operation} ${status}`;
      answers.set(key, {operation, status, count: (answers.get(key)?.count ?? 0) + 1});
      bodyBytes += bytes;
    },
    addRefusal: (reason: string): void => {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    },
    totals: (): RequestTotals => ({answers: [...answers.values()], refusals, bodyBytes}),
  };
};
