import {get, type IncomingHttpHeaders, request} from 'node:http';
import {afterEach, expect, test} from 'vitest';
import {createGrowingLog} from './fake-log.ts';
import {type FakeService, fakeToken, startFakeService} from './fake-service.ts';

let service: FakeService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const start = async (): Promise<FakeService> => {
  service = await startFakeService();
  return service;
};

const rightHeaders = {
  authorization: `Bearer ${fakeToken}`,
  tenant: 'org-1',
  'auth-mode': 'mode-1',
  'content-type': 'application/json',
  'cache-control': 'no-cache',
};

type Reply = {status: number; headers: IncomingHttpHeaders; text: string};

const fetchText = (url: string, headers: Record<string, string> = rightHeaders): Promise<Reply> =>
  new Promise((resolve, reject) => {
    get(url, {headers, agent: false}, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({status: response.statusCode ?? 0, headers: response.headers, text}));
    }).on('error', reject);
  });

const logsPath = '/sites/site-1/branches/branch-1/logs';

test('serves the three operations to a client that keeps to the specification', async () => {
  const {baseUrl, headerViolations, setBranches, requests} = await start();
  setBranches('shop/ä', [
    {_id: 'b1', status: null},
    {_id: 'b2', status: 'DEPLOY_APPLICATION_SUCCESS'},
  ]);
  const site = encodeURIComponent('shop/ä');
  expect(JSON.parse((await fetchText(`${baseUrl}/sites/${site}/branches`)).text)).toHaveLength(2);
  expect(JSON.parse((await fetchText(`${baseUrl}/sites/${site}/deployed-branches`)).text)).toEqual([
    {_id: 'b2', status: 'DEPLOY_APPLICATION_SUCCESS'},
  ]);
  const log = JSON.parse((await fetchText(`${baseUrl}${logsPath}`)).text);
  expect(Object.keys(log)).toEqual(['podNamesList', 'data', 'events', 'sessionId']);
  expect(headerViolations()).toEqual([]);
  expect(requests.map(({operation}) => operation)).toEqual(['branches', 'deployed', 'logs']);
});

test('records every way in which a request breaks section 5', async () => {
  const {baseUrl, headerViolations, requests} = await start();
  const {status} = await fetchText(`${baseUrl}${logsPath}`, {authorization: 'Bearer nonsense', tenant: 'other'});
  expect(status).toBe(401);
  expect(headerViolations()).toEqual([
    'authorization is not "Bearer <JWT>"',
    'tenant is other, not org-1',
    'auth-mode is undefined, not mode-1',
    'content-type is undefined',
    'cache-control is undefined',
  ]);
  await new Promise(resolve => {
    request(`${baseUrl}${logsPath}`, {method: 'POST', headers: rightHeaders}, resolve).end('body');
  });
  expect(requests.at(-1)).toMatchObject({method: 'POST', bodyBytes: 4});
  expect(requests.at(-1)?.violations).toEqual(['method is POST, not GET', 'a body of 4 bytes']);
});

test('shows a growing log through a window of its newest lines', async () => {
  const {baseUrl, setLog} = await start();
  const growing = createGrowingLog({windowLines: 2});
  setLog('branch-1', growing.log);
  growing.emit('one', 'two', 'three');
  expect(JSON.parse((await fetchText(`${baseUrl}${logsPath}`)).text)).toMatchObject({
    data: ['2025-01-02T03:04:06.000000001Z two', '2025-01-02T03:04:07.000000002Z three'],
    events: [{message: '2025-01-02T03:04:06.000000001Z two'}, {message: '2025-01-02T03:04:07.000000002Z three'}],
  });
  expect(growing.emitted).toHaveLength(3);
});

test('answers by the number of the request where a test says so', async () => {
  const {baseUrl, setLog} = await start();
  setLog('branch-1', requestNumber => ({lines: [`2025-01-02T03:04:05.000000000Z request ${requestNumber}`]}));
  await fetchText(`${baseUrl}${logsPath}`);
  expect(JSON.parse((await fetchText(`${baseUrl}${logsPath}`)).text).data).toEqual([
    '2025-01-02T03:04:05.000000000Z request 2',
  ]);
});

test('spoils answers on order, then answers well again', async () => {
  const {baseUrl, failNext, setDate} = await start();
  const url = `${baseUrl}${logsPath}`;
  setDate('Thu, 02 Jan 2025 03:04:05 GMT');
  failNext({kind: 'status', status: 429, headers: {'retry-after': '7'}});
  expect(await fetchText(url)).toMatchObject({
    status: 429,
    headers: {'retry-after': '7', date: 'Thu, 02 Jan 2025 03:04:05 GMT'},
  });
  failNext({kind: 'html'});
  expect((await fetchText(url)).headers['content-type']).toBe('text/html; charset=utf-8');
  failNext({kind: 'redirect', to: 'https://elsewhere.example.com/'});
  expect(await fetchText(url)).toMatchObject({status: 302, headers: {location: 'https://elsewhere.example.com/'}});
  failNext({kind: 'cut'});
  await expect(fetchText(url)).rejects.toThrow('aborted');
  failNext({kind: 'reset'});
  await expect(fetchText(url)).rejects.toThrow('ECONNRESET');
  failNext({kind: 'slow', chunkBytes: 100, pauseMs: 1});
  expect(JSON.parse((await fetchText(url)).text).data).toEqual([]);
  failNext({kind: 'status', status: 500}, {operation: 'branches'});
  expect((await fetchText(url)).status).toBe(200);
  expect((await fetchText(`${baseUrl}/sites/site-1/branches`)).status).toBe(500);
});
