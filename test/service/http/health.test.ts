import fastify from 'fastify';
import {expect, onTestFinished, test} from 'vitest';
import type {BranchMeasure} from '#service/backend/backend.ts';
import {addMonitoring} from '#service/http/answers/monitoring.ts';

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
  const app = fastify();
  onTestFinished(() => app.close());
  addMonitoring(app, {
    isAdmitted: async (request, reply) => {
      if (request.headers.authorization === 'Bearer right') {
        return true;
      }
      reply.code(401).send('refused');
      return false;
    },
    measureBranches: () => branches,
    measureServer: () => expect.unreachable('nothing is measured'),
  });
  return async (url: string, token?: string): Promise<readonly [status: number, text: string]> => {
    const {statusCode, body} = await app.inject({
      url,
      ...(token !== undefined && {headers: {authorization: `Bearer ${token}`}}),
    });
    return [statusCode, body];
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
