import {expect, test} from 'vitest';
import {createLogInbox} from '#service/containers/log/log-read.ts';

const createReads = () => {
  const read: string[] = [];
  const of = (name: string) => (bytes: Buffer) => {
    read.push(`${name} ${bytes.length > 20 ? bytes.length : bytes.toString()}`);
  };
  return {read, of};
};

test('reads nothing before it is asked to, then everything in order of arrival, once', () => {
  const {read, of} = createReads();
  const inbox = createLogInbox();
  const [a, b] = [of('a'), of('b')];
  inbox.add(a, Buffer.from('one'));
  inbox.add(b, Buffer.from('two'));
  inbox.add(a, Buffer.from('three'));
  expect(read).toEqual([]);
  inbox.flush();
  inbox.flush();
  expect(read).toEqual(['a one', 'b two', 'a three']);
});

test('keeps its own copy, since a connection uses its memory again', () => {
  const {read, of} = createReads();
  const inbox = createLogInbox();
  const bytes = Buffer.from('one');
  inbox.add(of('a'), bytes);
  bytes.fill('x');
  inbox.flush();
  expect(read).toEqual(['a one']);
});

test('reads what waits when there is no room for more, and bytes that never fit at once', () => {
  const {read, of} = createReads();
  const inbox = createLogInbox();
  const a = of('a');
  inbox.add(a, Buffer.from('one'));
  inbox.add(a, Buffer.alloc(256 * 1024));
  expect(read).toEqual(['a one']);
  inbox.add(a, Buffer.alloc(256 * 1024 + 1));
  expect(read).toEqual(['a one', 'a 262144', 'a 262145']);
});

test('a reader that asks for all that waits, as one that closes its stream does, disturbs nobody', () => {
  const {read, of} = createReads();
  const inbox = createLogInbox();
  inbox.add(bytes => {
    inbox.flush();
    of('a')(bytes);
  }, Buffer.from('one'));
  inbox.add(of('b'), Buffer.from('two'));
  inbox.flush();
  expect(read).toEqual(['a one', 'b two']);
});
