import {appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {Backend, BranchMeasure} from '#service/backend/backend.ts';
import {createLineTally} from '#service/backend/line-tally.ts';
import {createServer} from '#service/http/server.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {runService} from '../../run-service.ts';
import {fetchAnswer} from '../../start-service.ts';

const [token, metricsToken, siteToken] = ['token-of-the-service', 'token-for-metrics', 'token-of-the-store'];

const measureOf = (branchName: string, more: Partial<BranchMeasure> = {}): BranchMeasure => ({
  siteId: 'shop',
  branchName,
  totals: createLineTally().totals(),
  losses: 0,
  windowBytes: 0,
  fault: undefined,
  ...more,
});

const start = async (branches: readonly BranchMeasure[] = []) => {
  const measures = [...branches];
  const backend: Backend = {
    start: async () => undefined,
    close: async () => undefined,
    listBranches: async () => [],
    readWindow: async () => undefined,
    measure: () => measures,
  };
  const server = createServer({
    backend,
    token,
    metricsToken,
    siteTokens: new Map([['store', siteToken]]),
    tenant: 'acme',
    authMode: 'local',
    host: '127.0.0.1',
    port: 0,
  });
  const {baseUrl} = await server.start();
  onTestFinished(() => server.stop());
  const ask = async (path: string, bearer?: string) => {
    const answer = await fetch(new URL(path, baseUrl), {
      headers: bearer === undefined ? {} : {authorization: `Bearer ${bearer}`},
    });
    return {status: answer.status, text: await answer.text(), type: answer.headers.get('content-type')};
  };
  return {ask, measures, baseUrl};
};

test('the metrics need the token of the service or that for them, and no tenant', async () => {
  const {ask, baseUrl} = await start();
  expect((await ask('/metrics')).status).toBe(401);
  expect((await ask('/metrics', 'some-other-token')).status).toBe(401);
  expect((await ask('/metrics', siteToken)).status).toBe(403);
  expect((await ask('/metrics', token)).status).toBe(200);
  const {status, type, text} = await ask('/metrics', metricsToken);
  expect([status, type]).toEqual([200, 'application/openmetrics-text; version=1.0.0; charset=utf-8']);
  expect(text).toMatch(/^branchlog_http_refusals_total\{reason="no_token"\} 1$/m);
  expect(text).toMatch(/^branchlog_http_requests_total\{operation="metrics",status="401"\} 2$/m);
  expect(text.endsWith('# EOF\n')).toBe(true);
  const branches = await fetch(`${baseUrl}/sites/shop/branches`, {
    headers: {authorization: `Bearer ${metricsToken}`, tenant: 'acme', 'auth-mode': 'local'},
  });
  expect(branches.status).toBe(403);
});

test('health says that a log cannot be read, and why only to those with a token', async () => {
  const {ask, measures} = await start([measureOf('master'), measureOf('next', {isOpening: false})]);
  expect(await ask('/healthz')).toMatchObject({status: 200, text: 'ok'});
  measures[0] = measureOf('master', {fault: 'a.log cannot be read (permission denied\u0007)'});
  expect(await ask('/healthz')).toMatchObject({status: 503, text: '1 of 2 branches cannot be read in full now.'});
  expect(await ask('/healthz', metricsToken)).toMatchObject({
    status: 503,
    text: '1 of 2 branches cannot be read in full now.\nshop master: a.log cannot be read (permission denied␇)\n',
  });
  expect((await ask('/healthz', 'some-other-token')).status).toBe(401);
  expect(await ask('/livez')).toMatchObject({status: 200, text: 'ok'});
});

test('of many branches that cannot be read the first twenty are named', async () => {
  const faulty = Array.from({length: 25}, (_, index) => measureOf(`b${index}`, {fault: 'gone'}));
  const {text} = await (await start(faulty)).ask('/healthz', metricsToken);
  const [summary, ...named] = text.trimEnd().split('\n');
  expect([summary, named.length, named.at(-1)]).toEqual([
    '25 of 25 branches cannot be read in full now.',
    20,
    'shop b19: gone',
  ]);
});

test('the service is ready once all of its logs are open', async () => {
  const {ask, measures} = await start([measureOf('master', {isOpening: true}), measureOf('next')]);
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    text: 'The logs of 1 branches are being opened: they have many files.',
  });
  measures[0] = measureOf('master');
  expect(await ask('/readyz')).toMatchObject({status: 200, text: 'ok'});
});

test('a service over files counts lines by source, losses, bytes and answers, and tells a log that it cannot read', async () => {
  const folder = createTempFolder('monitoring');
  onTestFinished(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at('log'));
  writeFileSync(at('log/a.log'), 'before\n');
  writeFileSync(at('log/b.log'), '');
  const service = await runService(
    folder.path,
    `listen = "127.0.0.1:0"
tenant = "acme"
metrics_token_file = "metrics-token"
[[sites]]
id = "shop"
[[sites.branches]]
id = "m1"
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
files = ["log/*.log"]
`,
  );
  const origin = new URL(service.baseUrl).origin;
  const read = async (path: string) => {
    const authorization = `Bearer ${readFileSync(at('metrics-token'), 'utf8').trim()}`;
    return (await fetch(`${origin}${path}`, {headers: {authorization}})).text();
  };
  await fetchAnswer(folder.path, service.baseUrl);
  appendFileSync(at('log/a.log'), 'one\ntwo\n');
  appendFileSync(at('log/b.log'), 'three\n');
  await waitFor(async () => (await fetchAnswer(folder.path, service.baseUrl)).lines.length === 4, {what: 'the lines'});
  const text = await read('/metrics');
  expect(text).toContain(
    'branchlog_log_lines_total{site="shop",branch="master",pod="web-0",stream="a.log"} 3\n' +
      'branchlog_log_lines_total{site="shop",branch="master",pod="web-0",stream="b.log"} 1\n',
  );
  expect(text).toContain('branchlog_log_losses_total{site="shop",branch="master"} 0\n');
  // What was written before the start has no lag.
  expect(text).toContain('branchlog_log_lag_seconds_count{site="shop",branch="master"} 3\n');
  expect(text).toMatch(/^branchlog_http_requests_total\{operation="logs",status="200"\} [1-9]/m);
  expect(text).toMatch(/^branchlog_http_body_bytes_total [1-9]/m);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d{6,}$/m);
  expect(await read('/healthz')).toBe('ok');
  // A loss, and a folder in which nothing can be found.
  writeFileSync(at('log/a.log'), 'quite another log\n');
  await waitFor(async () => /losses_total\{.*\} [1-9]/.test(await read('/metrics')), {what: 'the loss'});
  renameSync(at('log'), at('gone'));
  writeFileSync(at('log'), '');
  chmodSync(at('log'), 0o600);
  await waitFor(async () => (await read('/healthz')) !== 'ok', {what: 'the fault'});
  expect(await read('/healthz')).toMatch(/^1 of 1 branches cannot be read in full now\.\nshop master: ./);
  expect(await read('/metrics')).toContain('branchlog_log_stuck{site="shop",branch="master"} 1\n');
});
