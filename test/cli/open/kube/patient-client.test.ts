import {expect, test} from 'vitest';
import {createPatientClient} from '#cli/open/kube/cluster-backend.ts';
import {KubeError} from '#service/kubernetes/kube-client.ts';

const busy = (retryAfterMs: number | undefined, status: number | undefined = 429) =>
  new KubeError('status', 'Too many requests.', {status, retryAfterMs});

const create = (answers: readonly unknown[], {random = 0} = {}) => {
  const left = [...answers];
  const waits: number[] = [];
  const said: string[] = [];
  let nowMs = 0;
  const client = createPatientClient(
    {
      address: 'https://c',
      get: async () => {
        const answer = left.shift();
        if (answer instanceof Error) {
          throw answer;
        }
        return answer;
      },
      open: () => expect.unreachable('no stream is opened'),
      close: async () => undefined,
    },
    {
      clock: {
        nowMs: () => nowMs,
        monotonicMs: () => nowMs,
        sleep: async ms => {
          waits.push(ms);
          nowMs += ms;
        },
      },
      random: () => random,
      say: sentence => said.push(sentence),
    },
  );
  return {client, waits, said};
};

test('a busy server is waited for as long as it asks, with jitter, and that is said once', async () => {
  const {client, waits, said} = create([busy(2_000), busy(undefined), busy(500, 503), 'answer'], {random: 0.5});
  expect(await client.get('/a')).toBe('answer');
  expect(waits).toEqual([2_500, 1_500, 1_000]);
  expect(said).toEqual(['https://c is busy (429): trying again for up to 60 s.']);
});

test('for a minute in all, over all requests', async () => {
  const {client, waits} = create([busy(60_000), 'answer']);
  expect(await client.get('/a')).toBe('answer');
  expect(waits).toEqual([60_000]);
  const late = create([busy(60_001)]);
  const failure = await late.client.get('/a').catch((error: KubeError) => error);
  expect(failure).toMatchObject({
    message: 'Too many requests. A busy server is waited for at most 60 s: try again later.',
    status: 429,
    retryAfterMs: 60_001,
  });
  expect([late.waits, late.said]).toEqual([[], []]);
  const both = create([busy(40_000), 'one', busy(19_000), 'two', busy(1_001)]);
  expect([await both.client.get('/a'), await both.client.get('/a')]).toEqual(['one', 'two']);
  await expect(both.client.get('/a')).rejects.toThrow('at most 60 s');
});

test('any other failure is none to wait for', async () => {
  const {client, waits} = create([new KubeError('status', 'Forbidden.', {status: 403})]);
  await expect(client.get('/a')).rejects.toThrow('Forbidden.');
  const other = create([new Error('a mistake')]);
  await expect(other.client.get('/a')).rejects.toThrow('a mistake');
  expect(waits).toEqual([]);
});
