import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import type {BranchMeasure} from '#service/backend/backend.ts';
import {createLineTally} from '#service/backend/line-tally.ts';
import {formatMetrics} from '#service/backend/metrics.ts';

const second = 1_000_000_000n;

const measureOf = (branchName: string, tally = createLineTally()): BranchMeasure => ({
  siteId: 'shop',
  branchName,
  totals: tally.totals(),
  losses: 2,
  windowBytes: 40,
  fault: undefined,
});

const format = (branches: readonly BranchMeasure[]): string =>
  formatMetrics({
    branches,
    requests: {answers: [{operation: 'logs', status: 200, count: 3}], refusals: new Map([['tenant', 1]]), bodyBytes: 9},
    warnings: 4,
    connections: {readers: 1, strangers: 2},
    tlsValidUntilMs: 1_800_000_000_000,
    process: {residentBytes: 5, heapBytes: 6, cpuSeconds: 1.5, startedMs: 1_700_000_000_500},
  });

test('writes every family with its type, its help and its samples', () => {
  const tally = createLineTally();
  tally.add({pod: 'web-0'}, 0n, 10);
  tally.arriveAt(100n * second);
  tally.add({pod: 'web-0', container: 'php', stream: 'stderr'}, 99n * second, 20);
  tally.add({pod: 'web-0', container: 'php', stream: 'stderr'}, 60n * second, 5);
  expect(format([measureOf('master', tally)])).toBe(`# TYPE branchlog_log_lines counter
# HELP branchlog_log_lines Lines that arrived.
branchlog_log_lines_total{site="shop",branch="master",pod="web-0",container="php",stream="stderr"} 2
branchlog_log_lines_total{site="shop",branch="master",pod="web-0"} 1
# TYPE branchlog_log_bytes counter
# HELP branchlog_log_bytes Bytes of these lines.
branchlog_log_bytes_total{site="shop",branch="master"} 35
# TYPE branchlog_log_losses counter
# HELP branchlog_log_losses Places where lines may be missing, over restarts.
branchlog_log_losses_total{site="shop",branch="master"} 2
# TYPE branchlog_log_lag_seconds histogram
# HELP branchlog_log_lag_seconds From the timestamp of a line until it could be served.
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="0.1"} 0
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="0.5"} 0
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="1.0"} 1
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="2.0"} 1
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="5.0"} 1
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="10.0"} 1
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="30.0"} 1
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="60.0"} 2
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="300.0"} 2
branchlog_log_lag_seconds_bucket{site="shop",branch="master",le="+Inf"} 2
branchlog_log_lag_seconds_count{site="shop",branch="master"} 2
branchlog_log_lag_seconds_sum{site="shop",branch="master"} 41
# TYPE branchlog_log_stuck gauge
# HELP branchlog_log_stuck Whether some of the log cannot be read now.
branchlog_log_stuck{site="shop",branch="master"} 0
# TYPE branchlog_log_window_bytes gauge
# HELP branchlog_log_window_bytes Bytes of the lines in the window.
branchlog_log_window_bytes{site="shop",branch="master"} 40
# TYPE branchlog_http_requests counter
# HELP branchlog_http_requests Requests by operation and status.
branchlog_http_requests_total{operation="logs",status="200"} 3
# TYPE branchlog_http_refusals counter
# HELP branchlog_http_refusals Requests that may not be answered, by reason.
branchlog_http_refusals_total{reason="tenant"} 1
# TYPE branchlog_http_body_bytes counter
# HELP branchlog_http_body_bytes Bytes of bodies as sent.
branchlog_http_body_bytes_total 9
# TYPE branchlog_http_connections gauge
# HELP branchlog_http_connections Open connections, with and without a valid token.
branchlog_http_connections{kind="reader"} 1
branchlog_http_connections{kind="stranger"} 2
# TYPE branchlog_warnings counter
# HELP branchlog_warnings Warnings written to the log of the service.
branchlog_warnings_total 4
# TYPE branchlog_tls_end_timestamp_seconds gauge
# HELP branchlog_tls_end_timestamp_seconds When the certificate expires.
branchlog_tls_end_timestamp_seconds 1800000000
# TYPE branchlog_heap_bytes gauge
# HELP branchlog_heap_bytes Memory in use by objects.
branchlog_heap_bytes 6
# TYPE process_resident_memory_bytes gauge
# HELP process_resident_memory_bytes Resident memory.
process_resident_memory_bytes 5
# TYPE process_cpu_seconds counter
# HELP process_cpu_seconds Processor time.
process_cpu_seconds_total 1.5
# TYPE process_start_time_seconds gauge
# HELP process_start_time_seconds When the process started.
process_start_time_seconds 1700000000.5
# EOF
`);
});

test('names cannot break a row, nor a terminal', () => {
  const text = format([measureOf('a"b\\c\nd\u009b31m\u202e')]);
  expect(text).toContain('{site="shop",branch="a\\"b\\\\c');
  expect(text.split('\n').filter(row => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(row))).toEqual([]);
  expect(text.split('\n').every(row => /^(?:#.*|\w+(?:\{.*\})? [-\d.e+]+|)$/.test(row))).toBe(true);
});

test('a thousand branches have 200 series and one of the others; a thousand sources 50 and one', () => {
  const tally = createLineTally();
  for (let index = 0; index < 1_200; index += 1) {
    tally.add({pod: `web-${index}`}, 0n, 1);
  }
  const branches = Array.from({length: 1_000}, (_, index) => measureOf(`b${index}`, tally));
  const text = format(branches);
  const rowsOf = (name: string): readonly string[] => text.split('\n').filter(row => row.startsWith(`${name}{`));
  expect(rowsOf('branchlog_log_losses_total')).toHaveLength(201);
  expect(rowsOf('branchlog_log_losses_total').at(-1)).toBe(
    'branchlog_log_losses_total{site="other",branch="other"} 1600',
  );
  const lines = rowsOf('branchlog_log_lines_total');
  expect(lines).toHaveLength(200 * 51 + 1);
  expect(lines[50]).toBe('branchlog_log_lines_total{site="shop",branch="b0",pod="other"} 1150');
  expect(lines.at(-1)).toBe('branchlog_log_lines_total{site="other",branch="other"} 960000');
});

test('docs/serve.md has exactly the metrics that there are, and its alerts use no others', () => {
  const text = readFileSync('docs/serve.md', 'utf8');
  const rows = text.split('\n').filter(row => /^\| `(?:branchlog|process)_/.test(row));
  const documented = rows.flatMap(row =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  const families = format([measureOf('master')]).matchAll(/^# TYPE (\w+) (\w+)$/gm);
  const names = [...families].map(([, name = '', type]) => (type === 'counter' ? `${name}_total` : name));
  expect(documented.toSorted()).toEqual(names.toSorted());
  const [scrape, alerts] = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => parse(block));
  expect(scrape.scrape_configs).toHaveLength(1);
  const rules: readonly {readonly alert: string; readonly expr: string}[] = alerts.groups[0].rules;
  expect(rules.map(({alert}) => alert)).toEqual(['BranchlogLostLines', 'BranchlogStuck', 'BranchlogLate']);
  const used = rules.flatMap(({expr}) => expr.match(/branchlog_\w+/g) ?? []).map(name => name.replace(/_bucket$/, ''));
  expect(used.filter(name => !names.includes(name))).toEqual([]);
});

test('a name of more than two hundred characters is cut', () => {
  const lengthOf = (size: number): number =>
    /branch="(x+)"/.exec(format([measureOf('x'.repeat(size))]))?.[1]?.length ?? 0;
  expect([lengthOf(200), lengthOf(201)]).toEqual([200, 200]);
});
