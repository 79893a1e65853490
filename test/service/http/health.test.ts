import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import type {BranchMeasure} from '#service/backend/backend.ts';
import {type Exchange, type MonitoringName, send} from '#service/http/answers/exchange.ts';
import {answerMonitoring} from '#service/http/answers/monitoring.ts';

const branch = (branchName: string, parts: Partial<BranchMeasure> = {}): BranchMeasure => ({
  siteId: 'shop',
  branchName,
  totals: {} as never,
  losses: 0,
  windowBytes: 0,
  fault: undefined,
  ...parts,
});

const open = (branches: readonly BranchMeasure[]) => {
  const http = createServer((request, response) => {
    const exchange: Exchange = {request, response, isNamed: false};
    void answerMonitoring(request.url?.slice(1) as MonitoringName, exchange, {
      isAdmitted: async () => {
        if (request.headers.authorization === 'Bearer right') {
          return true;
        }
        send(exchange, 401, 'text/plain', 'refused');
        return false;
      },
      measureBranches: () => branches,
      measureServer: () => expect.unreachable('nothing is measured'),
    });
  });
  onTestFinished(() => void http.close());
  const listening = once(http.listen(0, '127.0.0.1'), 'listening');
  return async (path: string, token?: string): Promise<readonly [status: number, text: string]> => {
    await listening;
    const {port} = http.address() as AddressInfo;
    const headers = {connection: 'close', ...(token !== undefined && {authorization: `Bearer ${token}`})};
    const answered = await fetch(`http://127.0.0.1:${port}${path}`, {headers});
    return [answered.status, await answered.text()];
  };
};

test('a service that answers lives, and is ready once its logs are open', async () => {
  const ask = open([branch('a'), branch('b', {isOpening: true}), branch('c', {isOpening: true})]);
  expect(await ask('/livez')).toEqual([200, 'ok']);
  expect(await ask('/readyz')).toEqual([503, 'The logs of 2 branches are being opened: they have many files.']);
  expect(await open([branch('a', {isOpening: false})])('/readyz')).toEqual([200, 'ok']);
});

test('it is well while all can be read, and names those that cannot to whoever has the token', async () => {
  expect(await open([branch('a')])('/healthz')).toEqual([200, 'ok']);
  expect(await open([branch('a')])('/healthz', 'right')).toEqual([200, 'ok']);
  const ask = open([branch('a'), branch('b\n', {fault: 'no right to read /secret'})]);
  const summary = '1 of 2 branches cannot be read in full now.';
  expect(await ask('/healthz')).toEqual([503, summary]);
  expect(await ask('/healthz', 'wrong')).toEqual([401, 'refused']);
  const [status, text] = await ask('/healthz', 'right');
  expect([status, text.split('\n').length]).toEqual([503, 3]);
  expect(text).toMatch(/^1 of 2 branches cannot be read in full now\.\nshop b.*: no right to read \/secret\n$/);
});

test('no more than twenty are named', async () => {
  const branches = Array.from({length: 21}, (_, index) => branch(`b${index}`, {fault: 'gone'}));
  const [, text] = await open(branches)('/healthz', 'right');
  expect(text.split('\n').slice(1, -1)).toEqual(
    branches.slice(0, 20).map(({branchName}) => `shop ${branchName}: gone`),
  );
});

test('what is measured is for the token only', async () => {
  expect(await open([])('/metrics')).toEqual([401, 'refused']);
});
