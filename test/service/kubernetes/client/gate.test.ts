import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createGate} from '../../../../src/service/kubernetes/client/gate.ts';

test('lets two tasks run at once, whenever they come and however they end; one that is given up leaves the queue', async () => {
  const gate = createGate(2);
  const running = new Map<string, PromiseWithResolvers<void>>();
  const names = async (): Promise<readonly string[]> => {
    await turn();
    return [...running.keys()];
  };
  const enter = (name: string, signal = new AbortController().signal): void => {
    const end = Promise.withResolvers<void>();
    gate(async () => {
      running.set(name, end);
      await end.promise.finally(() => running.delete(name));
    }, signal).catch(() => undefined);
  };

  const givenUp = new AbortController();
  enter('a');
  enter('b');
  enter('c');
  enter('d', givenUp.signal);
  enter('e');
  expect(await names()).toEqual(['a', 'b']);
  givenUp.abort();
  running.get('a')?.reject(new Error('failed'));
  expect(await names()).toEqual(['b', 'c']);
  enter('f');
  expect(await names()).toEqual(['b', 'c']);
  running.get('b')?.resolve();
  expect(await names()).toEqual(['c', 'e']);
  for (const name of ['c', 'e']) {
    running.get(name)?.resolve();
  }
  expect(await names()).toEqual(['f']);
  enter('g', AbortSignal.abort());
  enter('h');
  enter('i');
  expect(await names()).toEqual(['f', 'h']);
});
