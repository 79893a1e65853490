import {expect, onTestFinished, test} from 'vitest';
import type {Pulse} from '#log/overview/pulse.ts';
import {pulseRecords} from '#service/backend/pulse-counter.ts';
import {connect, failureOf} from '../../client-setup.ts';
import {startServer} from '../../loopback-server.ts';

const pulse: Pulse = {
  toMs: Date.parse('2026-11-21T14:02:11.500Z'),
  spanMs: 60_000,
  lines: 412,
  errors: 3,
  minutes: [{minute: Date.parse('2026-11-21T14:02:00Z') / 60_000, seenMs: 11_500, lines: 70, errors: 1}],
  lastLineMs: Date.parse('2026-11-21T14:02:10Z'),
  lastError: {atMs: Date.parse('2026-11-21T14:02:09Z'), text: 'ERROR payment timed out'},
};
const calm: Pulse = {toMs: pulse.toMs, spanMs: 0, lines: 0, errors: 0, minutes: []};

/**
 * A client that has listed the branches of a service, which offers to count errors, and then answers with these, one
 * after the other: a status, or a body.
 */
const serve = async (...answers: readonly (number | object)[]) => {
  const paths: (string | undefined)[] = [];
  const server = await startServer(({url}, response) => {
    if (url?.endsWith('/branches')) {
      response.writeHead(200, {'branchlog-pulses': 'site'}).end('[]');
      return;
    }
    const answer = answers[paths.length];
    paths.push(url);
    response.writeHead(typeof answer === 'number' ? answer : 200).end(JSON.stringify(answer));
  });
  onTestFinished(server.close);
  const client = connect(server.port);
  onTestFinished(() => client.close());
  await client.listBranches('shop');
  return {client, paths};
};

test('the errors of all branches come as the service counted them', async () => {
  const pulses = new Map<string, Pulse>([
    ['master', pulse],
    ['calm', calm],
  ]);
  const {client, paths} = await serve(pulseRecords(pulses));
  expect((await client.countErrors('a shop'))?.value).toEqual(pulses);
  expect(paths).toEqual(['/dev-v1/sites/a%20shop/pulses']);
});

test('records that are malformed are noted and left out, and what is too much of one is cut', async () => {
  const [good] = pulseRecords(new Map([['master', pulse]]));
  const {client} = await serve([
    {
      ...good,
      minutes: Array.from({length: 9}, () => good?.minutes[0]),
      lastError: {...good?.lastError, text: 'x'.repeat(999)},
    },
    {...good, _id: 7},
    {...good, _id: 'a', errors: -1},
    {...good, _id: 'b', seenUntil: 'now'},
    {...good, _id: 'c', lastError: {time: 'never', text: 'x'}, minutes: [{}]},
    'text',
  ]);
  const answer = await client.countErrors('shop');
  expect([...(answer?.value.keys() ?? [])]).toEqual(['master', 'c']);
  expect(answer?.value.get('master')?.minutes).toHaveLength(5);
  expect(answer?.value.get('master')?.lastError?.text).toHaveLength(400);
  expect([answer?.value.get('c')?.minutes, answer?.value.get('c')?.lastError]).toEqual([[], undefined]);
  expect(answer?.skipped).toEqual([
    '[1]._id: expected a string, got a number',
    '[1]: expected an object with _id, seenUntil, seenMs, lines and errors, got an object',
    '[2]: expected an object with _id, seenUntil, seenMs, lines and errors, got an object',
    '[3]: expected an object with _id, seenUntil, seenMs, lines and errors, got an object',
    '[5]: expected an object with _id, seenUntil, seenMs, lines and errors, got a string',
  ]);
});

test('a service that has not offered it is not asked', async () => {
  const server = await startServer((_, response) => response.end('[]'));
  onTestFinished(server.close);
  const client = connect(server.port);
  onTestFinished(() => client.close());
  expect(await client.countErrors('shop')).toBeUndefined();
  await client.listBranches('shop');
  expect(await client.countErrors('shop')).toBeUndefined();
  expect(server.requests.map(({url}) => url)).toEqual(['/dev-v1/sites/shop/branches']);
});

test.each([404, {branches: []}])('a service that answers %j after all is asked no more', async answer => {
  const {client, paths} = await serve(answer, []);
  expect(await client.countErrors('shop')).toBeUndefined();
  expect(await client.countErrors('blog')).toBeUndefined();
  expect(paths).toHaveLength(1);
});

test('a failure of another kind is one, and the service is asked again', async () => {
  const {client} = await serve(503, 500, []);
  expect((await failureOf(client.countErrors('shop'))).kind).toBe('server');
  expect((await failureOf(client.countErrors('shop'))).kind).toBe('server');
  expect((await client.countErrors('shop'))?.value.size).toBe(0);
});
