import {sanitise} from '#log/text/sanitise.ts';
import type {BranchMeasure} from './backend.ts';
import {lagBoundsSeconds} from './line-tally.ts';

/** The operation asked for; `other`: none of the service's. */
type Operation = 'branches' | 'deployed_branches' | 'pulses' | 'logs' | 'metrics' | 'health' | 'other';

/** By the end of a path. */
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

/** Returns the operation of the path that ends so; undefined for one that is not served. */
export const nameOperation = (name: string | undefined): Operation => operations[name ?? ''] ?? 'other';

/** Requests since the start. */
type RequestTotals = {
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

/** Branches that have series of their own; the others are one, `other`. A branch has about 20 series. */
const branchesMax = 200;
/** Sources of a branch with most lines that have series of their own; the lines of the others are one, `other`. */
const sourcesPerBranchMax = 50;
/** A longer name is cut. */
const labelCharactersMax = 200;

export const metricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export type ServiceMeasures = {
  readonly branches: readonly BranchMeasure[];
  readonly requests: RequestTotals;
  readonly warnings: number;
  readonly connections: {readonly readers: number; readonly strangers: number};
  /** When the certificate ends, milliseconds since 1970; undefined without TLS. */
  readonly tlsValidUntilMs: number | undefined;
  readonly process: {
    readonly residentBytes: number;
    readonly heapBytes: number;
    readonly cpuSeconds: number;
    /** Milliseconds since 1970. */
    readonly startedMs: number;
  };
};

type Labels = Readonly<Record<string, string | number | undefined>>;
type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** Names come from files and clusters: what a terminal obeys becomes a mark. */
const escapeLabel = (text: string): string => sanitise(text.slice(0, labelCharactersMax)).replaceAll(/[\\"]/g, '\\$&');

const formatLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `{${pairs.map(([name, value]) => `${name}="${escapeLabel(`${value}`)}"`).join(',')}}`;
};

type Family = readonly [
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: readonly Sample[],
];

const formatFamily = ([name, type, help, samples]: Family): string => {
  const usual = type === 'counter' ? '_total' : '';
  const rows = samples.map(([labels, value, suffix = usual]) => `${name}${suffix}${formatLabels(labels)} ${value}\n`);
  return `# TYPE ${name} ${type}\n# HELP ${name} ${help}\n${rows.join('')}`;
};

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);

/** The sample of a family that has no labels. */
const one = (value: number): readonly Sample[] => [[{}, value]];

const tlsEnd = (ms: number): Family => [
  'branchlog_tls_end_timestamp_seconds',
  'gauge',
  'When the certificate expires.',
  one(ms / 1000),
];

type BranchSeries = {readonly labels: Labels; readonly measures: readonly BranchMeasure[]};

/** Makes one series of each branch, and one of all past the bound. */
const groupBranches = (branches: readonly BranchMeasure[]): readonly BranchSeries[] => {
  const own = branches.slice(0, branchesMax).map(measure => ({
    labels: {site: measure.siteId, branch: measure.branchName},
    measures: [measure],
  }));
  const others = branches.slice(branchesMax);
  return others.length === 0 ? own : [...own, {labels: {site: 'other', branch: 'other'}, measures: others}];
};

const sourceSamples = ({labels, measures}: BranchSeries): readonly Sample[] => {
  const [measure] = measures;
  if (measures.length > 1 || !measure) {
    return [[labels, sum(measures.map(({totals}) => sum(totals.lines.values()) + totals.otherLines))]];
  }
  const byName = new Map<string, {readonly labels: Labels; readonly count: number}>();
  for (const [{pod, container, stream}, count] of measure.totals.lines) {
    const source = {...labels, pod, container, stream};
    const key = formatLabels(source);
    byName.set(key, {labels: source, count: count + (byName.get(key)?.count ?? 0)});
  }
  const sorted = [...byName.values()].sort((left, right) => right.count - left.count);
  const rest = sum(sorted.slice(sourcesPerBranchMax).map(({count}) => count)) + measure.totals.otherLines;
  return [
    ...sorted.slice(0, sourcesPerBranchMax).map((source): Sample => [source.labels, source.count]),
    ...(rest > 0 ? [[{...labels, pod: 'other'}, rest] as const] : []),
  ];
};

const lagSamples = ({labels, measures}: BranchSeries): readonly Sample[] => {
  let count = 0;
  const buckets = [...lagBoundsSeconds, '+Inf'].map((bound, index): Sample => {
    count += sum(measures.map(({totals}) => totals.lagCounts[index] ?? 0));
    const le = typeof bound === 'number' && Number.isInteger(bound) ? bound.toFixed(1) : bound;
    return [{...labels, le}, count, '_bucket'];
  });
  return [...buckets, [labels, count, '_count'], [labels, sum(measures.map(({totals}) => totals.lagSeconds)), '_sum']];
};

/** Formats what was measured as OpenMetrics text, version 1.0. */
export const formatMetrics = ({branches, requests, warnings, connections, ...measures}: ServiceMeasures): string => {
  const series = groupBranches(branches);
  const perBranch = (read: (measure: BranchMeasure) => number): readonly Sample[] =>
    series.map(each => [each.labels, sum(each.measures.map(read))]);
  const {residentBytes, heapBytes, cpuSeconds, startedMs} = measures.process;
  const {tlsValidUntilMs} = measures;
  const families: readonly Family[] = [
    ['branchlog_log_lines', 'counter', 'Lines that arrived.', series.flatMap(sourceSamples)],
    ['branchlog_log_bytes', 'counter', 'Bytes of these lines.', perBranch(({totals}) => totals.bytes)],
    [
      'branchlog_log_losses',
      'counter',
      'Places where lines may be missing, over restarts.',
      perBranch(({losses}) => losses),
    ],
    [
      'branchlog_log_lag_seconds',
      'histogram',
      'From the timestamp of a line until it could be served.',
      series.flatMap(lagSamples),
    ],
    [
      'branchlog_log_stuck',
      'gauge',
      'Whether some of the log cannot be read now.',
      perBranch(({fault}) => (fault === undefined ? 0 : 1)),
    ],
    ['branchlog_log_window_bytes', 'gauge', 'Bytes of the lines in the window.', perBranch(each => each.windowBytes)],
    [
      'branchlog_http_requests',
      'counter',
      'Requests by operation and status.',
      requests.answers.map(({operation, status, count}) => [{operation, status}, count]),
    ],
    [
      'branchlog_http_refusals',
      'counter',
      'Requests that may not be answered, by reason.',
      [...requests.refusals].map(([reason, count]) => [{reason}, count]),
    ],
    ['branchlog_http_body_bytes', 'counter', 'Bytes of bodies as sent.', one(requests.bodyBytes)],
    [
      'branchlog_http_connections',
      'gauge',
      'Open connections, with and without a valid token.',
      [
        [{kind: 'reader'}, connections.readers],
        [{kind: 'stranger'}, connections.strangers],
      ],
    ],
    ['branchlog_warnings', 'counter', 'Warnings written to the log of the service.', one(warnings)],
    ...(tlsValidUntilMs === undefined ? [] : [tlsEnd(tlsValidUntilMs)]),
    ['branchlog_heap_bytes', 'gauge', 'Memory in use by objects.', one(heapBytes)],
    ['process_resident_memory_bytes', 'gauge', 'Resident memory.', one(residentBytes)],
    ['process_cpu_seconds', 'counter', 'Processor time.', one(cpuSeconds)],
    ['process_start_time_seconds', 'gauge', 'When the process started.', one(startedMs / 1000)],
  ];
  return `${families.map(formatFamily).join('')}# EOF\n`;
};
