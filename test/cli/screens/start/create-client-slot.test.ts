import {expect, test} from 'vitest';
import type {Client} from '#api/client/client.ts';
import {createClientSlot} from '#cli/screens/start/create-screens-store.ts';

const open = () => {
  const answers: ((client: Client) => void)[] = [];
  const closed: string[] = [];
  const slot = createClientSlot(() => new Promise(resolve => answers.push(resolve)));
  const client = (name: string): Client => ({close: () => closed.push(name)}) as unknown as Client;
  return {slot, answers, closed, client};
};

test('holds the client that was opened until it is closed', async () => {
  const {slot, answers, closed, client} = open();
  const opening = slot.open();
  expect(slot.current()).toBeUndefined();
  const first = client('first');
  answers[0]?.(first);
  expect(await opening).toBe(first);
  expect(slot.current()).toBe(first);
  slot.close();
  expect(slot.current()).toBeUndefined();
  expect(closed).toEqual(['first']);
});

test('one that comes when the slot was closed meanwhile is closed, and takes no place of the next', async () => {
  const {slot, answers, closed, client} = open();
  const late = slot.open();
  slot.close();
  const next = slot.open();
  const second = client('second');
  answers[1]?.(second);
  await next;
  answers[0]?.(client('first'));
  await late;
  expect(closed).toEqual(['first']);
  expect(slot.current()).toBe(second);
});
