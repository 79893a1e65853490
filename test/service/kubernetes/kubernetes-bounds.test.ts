import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {runPlugin} from '#service/kubernetes/cluster/exec-plugin.ts';
import {readRefusal} from '#service/kubernetes/describe-kube-failure.ts';
import {KubeError} from '#service/kubernetes/kube-client.ts';
import {readTroubleMessage} from '#service/kubernetes/objects/pod-troubles.ts';

const {signal} = new AbortController();

/** The longest run of `x` in a text. */
const lengthOf = (text: string | undefined): number =>
  Math.max(0, ...(text?.match(/x+/g) ?? []).map(run => run.length));

/** What a refusal with such a body has as its message. */
const messageIn = async (body: string): Promise<string | undefined> => {
  const answer = {status: 500, headers: {}, body: Readable.from([Buffer.from(body)])};
  const end = {isWhole: () => true, cancel: () => undefined};
  const call = {address: 'https://c', path: '/api', accessName: 'user "u"'};
  return (await readRefusal({...answer, ...end}, call, signal)).serverMessage;
};

/** What a plugin prints, or how it fails. */
const run = async (command: readonly string[], installHint?: string) => {
  try {
    return (await runPlugin({title: 'the plugin', command, env: process.env, installHint, signal})).length;
  } catch (error) {
    return error instanceof KubeError ? error : new Error('thrown');
  }
};

const runScript = (script: string) => run(['/bin/sh', '-c', script]);

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['message of a trouble', size => lengthOf(readTroubleMessage({message: 'x'.repeat(size)})), 300, 300, 300],
  ['body of a refusal', size => messageIn('{"message":"no"}'.padEnd(size)), 64 * 1024, 'no', undefined],
  [
    'message of a refusal',
    async size => lengthOf(await messageIn(`{"message":"${'x'.repeat(size)}"}`)),
    1_000,
    1_000,
    1_000,
  ],
  [
    'output of a plugin',
    async size => {
      const outcome = await runScript(`head -c ${size} /dev/zero`);
      return outcome instanceof Error ? outcome.message : outcome;
    },
    256 * 1024,
    256 * 1024,
    'the plugin printed far more than credentials, and was stopped.',
  ],
  [
    'hint of a plugin that is missing',
    async size => {
      const outcome = await run(['/no/such/plugin'], 'x'.repeat(size));
      return outcome instanceof Error ? lengthOf(outcome.message) : outcome;
    },
    300,
    300,
    300,
  ],
])('%s', async (_, read, at, within, beyond) => {
  expect([await read(at), await read(at + 1)]).toEqual([within, beyond]);
});

test('of the errors of a plugin the last 4 KB are kept, and 300 characters of a line are told', async () => {
  const outcome = await runScript("echo first >&2; yes word | head -c 4096 | tr '\\n' ' ' >&2; exit 1");
  const detail = (outcome instanceof KubeError ? outcome.operatorDetail : undefined) ?? '';
  expect(detail).toMatch(/^It wrote: (?:\w+ )+/);
  expect(detail).not.toContain('first');
  expect(detail.length).toBeGreaterThan(250);
  expect(detail.length).toBeLessThan(320);
});
