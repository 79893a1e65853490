import {closeSync, openSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createUnreadFinder} from '#app/find-unread.ts';
import type {Event} from '#app/state/event.ts';
import {startOfLog, type UnreadFound, type UnreadLog} from '#log/line/unread.ts';
import {parsePattern} from '#log/pattern/parse-pattern.ts';
import {createTempFolder} from '../support/temp-folder.ts';

const patternOf = (query: string) => {
  const pattern = parsePattern(query);
  return 'error' in pattern ? expect.fail(pattern.error) : pattern;
};

/** A log whose unread part is a file; what is opened is told. */
const unreadOf = (content: string, found: UnreadFound = {kind: 'newest'}) => {
  const folder = createTempFolder('unread');
  const path = join(folder.path, 'app.log');
  writeFileSync(path, content);
  const descriptor = openSync(path, 'r');
  onTestFinished(() => {
    closeSync(descriptor);
    folder.remove();
  });
  const opened: unknown[] = [];
  const unread: UnreadLog = {
    open: async (branchId, wish) => {
      opened.push([branchId, wish]);
      return found;
    },
    ranges: () => [{file: 3, name: 'app.log', descriptor, from: 0, to: content.length}],
  };
  return {unread, opened};
};

const find = async (
  unread: UnreadLog | undefined,
  effect: Parameters<ReturnType<typeof createUnreadFinder>['find']>[1],
): Promise<readonly Event[]> => {
  const events: Event[] = [];
  await createUnreadFinder().find(unread, effect, event => events.push(event));
  return events.filter(({kind}) => kind === 'unreadFound');
};

const scan = (direction: 'earlier' | 'later', query: string) =>
  ({kind: 'scanUnread', branchId: 'b', generation: 4, direction, pattern: patternOf(query)}) as const;

test('the nearest match of what was not read is opened', async () => {
  const {unread, opened} = unreadOf('one\ntwo\none\n');
  expect(await find(unread, scan('earlier', 'one'))).toEqual([
    {kind: 'unreadFound', generation: 4, found: {kind: 'newest'}, at: undefined},
  ]);
  expect(opened).toEqual([['b', {kind: 'nearest', places: [{file: 3, offset: 8}], direction: 'earlier'}]]);
});

test('without a match the newest lines follow below, and above nothing does', async () => {
  const {unread, opened} = unreadOf('one\n');
  const [later, earlier] = [await find(unread, scan('later', 'two')), await find(unread, scan('earlier', 'two'))];
  expect(later[0]).toMatchObject({found: {kind: 'newest'}});
  expect(earlier[0]).toMatchObject({found: {kind: 'none', why: 'no more hits above, up to the beginning'}});
  expect(opened).toEqual([]);
});

test.each([
  {wish: {kind: 'time', at: 5n}, at: 5n},
  {wish: {kind: 'start'}, at: startOfLog},
  {wish: {kind: 'nearest', places: [], direction: 'later'}, at: undefined},
] as const)('a place is opened, and its time gone to: $wish.kind', async ({wish, at}) => {
  const {unread, opened} = unreadOf('');
  expect(await find(unread, {kind: 'findUnread', branchId: 'b', generation: 4, wish})).toEqual([
    {kind: 'unreadFound', generation: 4, found: {kind: 'newest'}, at},
  ]);
  expect(opened).toEqual([['b', wish]]);
});

test('what can not be searched says why', async () => {
  expect(await find(undefined, scan('later', 'x'))).toEqual([
    {
      kind: 'unreadFound',
      generation: 4,
      found: {kind: 'none', why: 'what was not read cannot be searched: it is no longer open'},
    },
  ]);
});

test('the last one wins: of one before it, and of one that was cancelled, nothing is heard', async () => {
  const events: Event[] = [];
  let resolve: (found: UnreadFound) => void = () => {};
  const slow: UnreadLog = {
    open: () =>
      new Promise(settle => {
        resolve = settle;
      }),
    ranges: () => [],
  };
  const finder = createUnreadFinder();
  const effect = {kind: 'findUnread', branchId: 'b', generation: 4, wish: {kind: 'start'}} as const;
  const first = finder.find(slow, effect, event => events.push(event));
  const resolveFirst = resolve;
  const second = finder.find(slow, {...effect, generation: 5}, event => events.push(event));
  resolveFirst({kind: 'newest'});
  resolve({kind: 'newest'});
  await Promise.all([first, second]);
  expect(events.map(event => event.kind === 'unreadFound' && event.generation)).toEqual([5]);
  const third = finder.find(slow, effect, event => events.push(event));
  finder.cancel();
  resolve({kind: 'newest'});
  await third;
  const failing: UnreadLog = {
    open: async () => {
      finder.cancel();
      throw new Error('late');
    },
    ranges: () => [],
  };
  await finder.find(failing, effect, event => events.push(event));
  expect(events).toHaveLength(1);
});
